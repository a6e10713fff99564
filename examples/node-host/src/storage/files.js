// The operations on files that the store of JSON lines is made of. Links are never followed.

import fs, { constants } from 'node:fs';
import path from 'node:path';
import { StorageError } from '../errors.js';

/** How much is held in memory while bytes go from one file to another. */
const WINDOW = 1 << 20;

export const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;

/** @typedef {fs.BigIntStats} Stat */

/** @param {string | Buffer} file @returns {Stat | undefined} None if there is nothing of that name. */
export const look = (file) => fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });

/** What stands there, which must be a regular file. @param {string | Buffer} file */
export function stat(file) {
  return regular(fs.lstatSync(file, { bigint: true }), file);
}

/** @param {Stat} stat @param {string | Buffer} file */
export const regular = (stat, file) => must(stat, file, stat.isFile(), 'a regular file');

/** @param {Stat} stat @param {string} file */
export const folder = (stat, file) => must(stat, file, stat.isDirectory(), 'a folder');

/** @param {Stat} stat @param {string | Buffer} file @param {boolean} be @param {string} wanted */
function must(stat, file, be, wanted) {
  if (!be) {
    const what = stat.isSymbolicLink() ? 'a symbolic link'
      : stat.isDirectory() ? 'a folder'
      : stat.isFile() ? 'a file'
      : 'no file but a pipe, a socket or a device';
    throw new StorageError('failed', `\`${file}\`: it is ${what}, and must be ${wanted}; move it away`);
  }
  return stat;
}

/** Whether that name leads to this file, which must be open. @param {string} file @param {Stat} open */
export function leadsTo(file, open) {
  const found = look(file);
  return found !== undefined && isSame(found, open);
}

/** @param {Stat} one @param {Stat} other */
export const isSame = (one, other) => one.dev === other.dev && one.ino === other.ino;

/** Opens a regular file that exists; nothing makes this wait. @param {string | Buffer} file @param {number} flags */
export function open(file, flags) {
  let fd;
  try {
    fd = fs.openSync(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // The kernel says "too many links" or "no such device"; people want to know what stands there.
    if (look(file)) {
      stat(file);
    }
    throw error;
  }
  return orElse(() => ({ fd, stat: regular(fs.fstatSync(fd, { bigint: true }), file) }), () => fs.closeSync(fd));
}

/** Makes a file that did not exist, for its owner alone. @param {string} file */
export function create(file) {
  const fd = fs.openSync(file, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0o600);
  // The umask may have taken more than it should.
  orElse(() => fs.fchmodSync(fd, 0o600), () => fs.closeSync(fd));
  return fd;
}

/** At most `max` bytes from `at`. @param {string} file @param {number} at @param {number} max */
export function read(file, at, max) {
  const { fd, stat } = open(file, O_RDONLY);
  try {
    return readFd(fd, at, Math.max(0, Math.min(max, Number(stat.size) - at)));
  } finally {
    fs.closeSync(fd);
  }
}

/** The bytes from `at`; fewer than `max` only if the file ends. @param {number} fd @param {number} at @param {number} max */
export function readFd(fd, at, max) {
  const bytes = Buffer.allocUnsafe(max);
  let length = 0;
  for (let got = -1; length < max && got !== 0; length += got) {
    got = fs.readSync(fd, bytes, length, max - length, at + length);
  }
  return bytes.subarray(0, length);
}

/** A stretch of a file, piece by piece. It is an error if the file ends before. @param {number} fd @param {number} from @param {number} to */
export function* windows(fd, from, to) {
  for (let at = from; at < to; at += WINDOW) {
    const wanted = Math.min(WINDOW, to - at);
    const bytes = readFd(fd, at, wanted);
    if (bytes.length < wanted) {
      throw new StorageError('failed', `the file ends at byte ${at + bytes.length}, before byte ${to}`);
    }
    yield bytes;
  }
}

/** Writes all of it: at its end where the file was opened for that, else at a place. @param {number} fd @param {Uint8Array} bytes @param {number} [at] */
export function write(fd, bytes, at) {
  for (let done = 0; done < bytes.length;) {
    done += fs.writeSync(fd, bytes, done, bytes.length - done, at === undefined ? null : at + done);
  }
}

/** Removes a file; answers whether there was one. @param {string} file */
export function unlink(file) {
  try {
    fs.unlinkSync(file);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      throw error;
    }
    return false;
  }
}

/** Does what need not succeed. @param {() => unknown} act */
export function quietly(act) {
  try {
    act();
  } catch {}
}

/** Does something; if it fails, something else first, and then the failure. @template T @param {() => T} act @param {() => unknown} before */
export function orElse(act, before) {
  try {
    return act();
  } catch (error) {
    quietly(before);
    throw error;
  }
}

/** Makes the names in a folder durable. @param {string} file */
export function syncFolder(file) {
  const fd = fs.openSync(file, O_RDONLY | constants.O_DIRECTORY);
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Makes a folder and those above it that are missing, for their owner alone, durably. @param {string} file */
export function makeFolder(file) {
  const isFolder = () => fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder()) {
    return;
  }
  const parent = path.dirname(file);
  makeFolder(parent);
  try {
    fs.mkdirSync(file, 0o700);
  } catch (error) {
    // Somebody else may have made it just now.
    if (codeOf(error) === 'EEXIST' && isFolder()) {
      return;
    }
    throw error;
  }
  // The umask may have taken more than it should.
  fs.chmodSync(file, 0o700);
  syncFolder(parent);
}

/** The system's name of an error, for example `ENOENT`. @param {unknown} error @returns {string | undefined} */
export const codeOf = (error) => (error instanceof Error && 'syscall' in error ? /** @type {any} */ (error).code : undefined);

/** The same where it was about the folder of all logs, and about none of them. @param {unknown} error @param {string} folder */
export function explainFolder(error, folder) {
  const isOfLogs = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENAMETOOLONG';
  return isOfLogs ? new StorageError('failed', `the folder \`${folder}\`: ${/** @type {Error} */ (error).message}`) : explain(error, folder);
}

/** What the system's refusal means; any other error is left as it is. @param {unknown} error @param {string} file */
export function explain(error, file) {
  const code = codeOf(error);
  if (code === undefined) {
    return error;
  }
  const text = `\`${file}\`: ${/** @type {Error} */ (error).message}`;
  switch (code) {
    case 'ENOENT': return new StorageError('not-found');
    case 'ENOSPC': case 'EDQUOT': case 'EFBIG': return new StorageError('no-space');
    case 'EROFS': return new StorageError('read-only');
    case 'EACCES': case 'EPERM': return new StorageError('access-denied', text);
    case 'ENAMETOOLONG': return new StorageError('invalid-id', `this file system can't have such a file: ${text}`);
    default: return new StorageError('failed', text);
  }
}
