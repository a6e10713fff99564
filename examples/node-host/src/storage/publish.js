// How a log comes into being: whole and durable, or not at all.

/** @import { Part } from '../types.js' */
/** @import { LogFiles } from './name.js' */

import fs from 'node:fs';
import { StorageError } from '../errors.js';
import { Claim, Extent } from './claim.js';
import { O_RDONLY, codeOf, look, open, orElse, syncFolder, unlink, windows, write } from './files.js';
import { unlock } from './lock.js';
import { sweep } from './remove.js';
import { withTemp } from './temp.js';

/** Makes a log of these parts, and holds it. `find` says where another log is. @param {LogFiles} files @param {Part[]} parts @param {(id: string) => LogFiles} find */
export function publish(files, parts, find) {
  refuseIfThere(files);
  const { fd, done: stat } = withTemp(files.temp, (fd) => {
    // Nobody else can make it from here on; but somebody may have, just before.
    refuseIfThere(files);
    for (const part of parts) {
      if (part.tag === 'content') {
        write(fd, part.val);
      } else {
        copy(fd, find(part.val.id), part.val);
      }
    }
    fs.fsyncSync(fd);
    const stat = fs.fstatSync(fd, { bigint: true });
    sweep(files);
    linkNew(files.temp, files.log);
    return stat;
  });
  orElse(() => makeDurable(files), () => unlock(fd));
  return new Claim(files.log, fd, stat, new Extent(Number(stat.size)));
}

/** @param {LogFiles} files */
function refuseIfThere({ log }) {
  if (look(log)) {
    throw new StorageError('already-exists');
  }
}

/** @param {number} to @param {LogFiles} source @param {{ at: number, length: number }} stretch */
function copy(to, { log, name }, { at, length }) {
  const { fd, stat } = open(log, O_RDONLY);
  try {
    if (at + length > stat.size) {
      throw new StorageError('failed', `\`${name}\` has ${stat.size} bytes, so not ${length} from byte ${at} on`);
    }
    for (const bytes of windows(fd, at, at + length)) {
      write(to, bytes);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** Gives a file its final name unless that is taken: a hard link, as Node can't rename without replacing. @param {string} from @param {string} to */
function linkNew(from, to) {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    switch (codeOf(error)) {
      case 'EEXIST':
        throw new StorageError('already-exists');
      case 'EPERM': case 'ENOTSUP': case 'EOPNOTSUPP':
        throw new StorageError('failed', `this file system can't make hard links, and they are needed (${error}); keep the store elsewhere`);
      default:
        throw error;
    }
  }
}

/** Makes the name of a new log durable, or takes it away again. @param {LogFiles} files */
function makeDurable({ root, log, name }) {
  try {
    syncFolder(root);
  } catch (error) {
    // The log is locked to the end of this, so nobody has built upon it.
    try {
      unlink(log);
    } catch (undo) {
      throw new StorageError('outcome-unknown', `\`${name}\` is there, perhaps not durably (${error}), and could not be removed: ${undo}`);
    }
    throw error;
  }
}
