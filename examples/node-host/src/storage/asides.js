// What was cut off a log is kept in a folder beside it, each piece under its offset and the hash of its bytes.

/** @import { Aside } from '../types.js' */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { StorageError } from '../errors.js';
import * as files from './files.js';

/** A piece that is still being copied. Only the log's holder makes one, so there is never more than one. */
const TEMP = '~tmp';
/** Nothing else is ever opened. */
const PIECE = /^[0-9]+\.[0-9a-f]{16}$/;

/** Copies a stretch of the log, durably. An equal piece that a crash has left is replaced by its like. @param {string} folder @param {number} log @param {number} from @param {number} to @returns {Aside} */
export function keep(folder, log, from, to) {
  const temp = path.join(folder, TEMP);
  return files.orElse(() => {
    make(folder);
    files.unlink(temp);
    const piece = path.join(folder, `${from}.${copy(temp, log, from, to)}`);
    fs.renameSync(temp, piece);
    files.syncFolder(folder);
    return { name: path.basename(piece), length: to - from };
  }, () => {
    files.unlink(temp);
    // Goes only if it is empty.
    fs.rmdirSync(folder);
  });
}

/** Answers the hash of the bytes, as it stands in names. @param {string} file @param {number} log @param {number} from @param {number} to */
function copy(file, log, from, to) {
  const hash = createHash('sha256');
  const fd = files.create(file);
  try {
    for (const bytes of files.windows(log, from, to)) {
      files.write(fd, bytes);
      hash.update(bytes);
    }
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} folder */
function make(folder) {
  const found = files.look(folder);
  if (found) {
    files.folder(found, folder);
    return;
  }
  fs.mkdirSync(folder, 0o700);
  fs.chmodSync(folder, 0o700);
}

/** Every piece that is kept for a log, by name. @param {string} folder @returns {Aside[]} */
export function list(folder) {
  return names(folder).filter((name) => PIECE.test(name)).sort().flatMap((name) => {
    const found = files.look(path.join(folder, name));
    return found?.isFile() ? [{ name, length: Number(found.size) }] : [];
  });
}

/** @param {string} folder @param {string} piece @param {number} at @param {number} max */
export function read(folder, piece, at, max) {
  const found = PIECE.test(piece) && files.look(folder);
  if (!found) {
    throw new StorageError('not-found');
  }
  files.folder(found, folder);
  return files.read(path.join(folder, piece), at, max);
}

/** Refuses to remove what is not ours. @param {string} folder */
export function check(folder) {
  for (const name of names(folder)) {
    const file = path.join(folder, name);
    if (name !== TEMP && !PIECE.test(name)) {
      throw new StorageError('failed', `can't remove \`${file}\`: it is nothing that was set aside; move it away`);
    }
    files.stat(file);
  }
}

/** Removes all pieces; answers whether there was anything to remove. What is not ours must have been refused before. @param {string} folder */
export function remove(folder) {
  if (!files.look(folder)) {
    return false;
  }
  names(folder).forEach((name) => fs.unlinkSync(path.join(folder, name)));
  fs.rmdirSync(folder);
  return true;
}

/** What stands in it; nothing if it is missing. @param {string} folder */
function names(folder) {
  const found = files.look(folder);
  return found ? fs.readdirSync((files.folder(found, folder), folder)) : [];
}
