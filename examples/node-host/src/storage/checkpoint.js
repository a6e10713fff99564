// A note of the component's own beside a log. It may be lost at any time, so nothing here is synced.

/** @import { LogFiles } from './name.js' */

import fs from 'node:fs';
import { create, orElse, read, unlink, write } from './files.js';

/** A larger file is no note of ours. */
const LONGEST = 16 << 20;

/** Puts a note in the place of the last one. For the log's holder, so one does it at a time. @param {LogFiles} files @param {Uint8Array} content */
export function save({ checkpoint, checkpointTemp }, content) {
  unlink(checkpointTemp);
  orElse(() => {
    const fd = create(checkpointTemp);
    try {
      write(fd, content);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(checkpointTemp, checkpoint);
  }, () => unlink(checkpointTemp));
}

/** The note, or nothing where there is none that can be read: it only saves time, so nobody is to be stopped by it. @param {LogFiles} files @returns {Uint8Array} */
export function load({ checkpoint }) {
  try {
    const note = read(checkpoint, 0, LONGEST + 1);
    return note.length > LONGEST ? new Uint8Array() : note;
  } catch {
    return new Uint8Array();
  }
}
