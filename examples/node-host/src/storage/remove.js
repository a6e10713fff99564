// How a log goes, and what crashes have left of logs.

/** @import { LogFiles } from './name.js' */

import fs from 'node:fs';
import { StorageError } from '../errors.js';
import * as asides from './asides.js';
import { leadsTo, look, stat, syncFolder, unlink } from './files.js';
import { unlock } from './lock.js';
import { withTemp } from './temp.js';

/**
 * Removes a log, which the caller holds. What belongs to it goes first, so that a crash can't leave it to another log of
 * that name, and so that nothing is left to fail once the log is gone.
 * @param {LogFiles} files
 */
export function remove(files) {
  sweepTemp(files);
  sweep(files);
  fs.unlinkSync(files.log);
  try {
    syncFolder(files.root);
  } catch (error) {
    throw new StorageError('outcome-unknown', `\`${files.name}\` was removed, perhaps not durably: ${error}`);
  }
}

/** Removes what was left of a log that does not exist. @param {LogFiles} files */
export function removeLeftovers(files) {
  const { root, name, log, temp, checkpoint, checkpointTemp } = files;
  if ([temp, checkpoint, checkpointTemp, files.asides].some(look)) {
    // Keeps everybody from making such a log meanwhile.
    const { fd } = withTemp(temp, () => {
      if (look(log)) {
        throw new StorageError('busy', `\`${name}\` was created just now`);
      }
      sweep(files);
    });
    unlock(fd);
  }
  // An earlier removal may have failed at just this.
  syncFolder(root);
}

/** Removes an unfinished log of that name, durably, if there is one and nobody is at work on it. @param {LogFiles} files */
function sweepTemp({ root, log, temp }) {
  const found = look(temp);
  if (!found) {
    return;
  }
  // It may be a second name of the log itself, and so be locked by its holder.
  if (leadsTo(log, found)) {
    unlink(temp);
  } else {
    try {
      unlock(withTemp(temp, () => {}).fd);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'busy') {
        return;
      }
      throw error;
    }
  }
  syncFolder(root);
}

/**
 * Removes the checkpoint and what was set aside, durably; refuses what is not ours while all is there still. For the holder
 * of the log, or of the right to make it.
 * @param {LogFiles} files
 */
export function sweep({ root, checkpoint, checkpointTemp, asides: folder }) {
  const notes = [checkpoint, checkpointTemp];
  notes.filter((note) => look(note)?.isDirectory()).forEach(stat);
  asides.check(folder);
  if ([asides.remove(folder), ...notes.map(unlink)].some(Boolean)) {
    syncFolder(root);
  }
}
