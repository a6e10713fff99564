// The lock that makes one writer: `flock` on the log itself, which ends with its holder.

import fs from 'node:fs';
import { flockSync } from 'fs-ext-extra-prebuilt';
import { StorageError } from '../errors.js';
import { O_RDONLY, codeOf, open, quietly } from './files.js';

/** How often a writer asks again while a reader has the lock. Ours need an instant. */
const PATIENCE = 1000;
const PAUSE_MS = 0.1;
const never = new Int32Array(new SharedArrayBuffer(4));

/** Whether the lock was to be had: `exnb` makes one writer, `shnb` can be had by many. @param {number} fd @param {'exnb' | 'shnb'} kind */
export function tryLock(fd, kind) {
  try {
    flockSync(fd, kind);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EAGAIN' || codeOf(error) === 'EWOULDBLOCK') {
      return false;
    }
    throw error;
  }
}

/** Takes the writer's lock, or says who has it. @param {number} fd @param {string} name @param {fs.BigIntStats} stat */
export function lock(fd, name, stat) {
  for (let asked = 0; asked < PATIENCE; asked++) {
    if (tryLock(fd, 'exnb')) {
      return;
    }
    // A lock that can be shared is no writer's: somebody asks just now whether the log is held.
    if (!tryLock(fd, 'shnb')) {
      throw new StorageError('busy', `\`${name}\`${holder(stat)}`);
    }
    flockSync(fd, 'un');
    Atomics.wait(never, 0, 0, PAUSE_MS);
  }
  throw new StorageError('busy', `\`${name}\` is locked by another program that only reads it`);
}

/**
 * Gives the lock back at once, even if a child process that is just being started still has the file. Nothing is left to
 * fail: closing gives it back too, and what had to be safe was synced.
 * @param {number} fd
 */
export function unlock(fd) {
  quietly(() => flockSync(fd, 'un'));
  quietly(() => fs.closeSync(fd));
}

/** Whether a writer has a file. Takes a shared lock for an instant; writers know it by that. @param {string | Buffer} file */
export function isLocked(file) {
  let fd;
  try {
    fd = open(file, O_RDONLY).fd;
  } catch {
    return false;
  }
  try {
    return !tryLock(fd, 'shnb');
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Who has it, in words, where the system tells: it has lines such as `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`.
 * @param {fs.BigIntStats} stat
 */
function holder({ dev, ino }) {
  const hex = (/** @type {bigint} */ number) => number.toString(16).padStart(2, '0');
  const [major, minor] = [(dev >> 8n) & 0xfffn, (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)];
  try {
    const locks = fs.readFileSync('/proc/locks', 'latin1');
    const pid = new RegExp(`FLOCK +ADVISORY +WRITE +(\\d+) +${hex(major)}:${hex(minor)}:${ino} `).exec(locks)?.[1];
    return pid === undefined ? '' : Number(pid) === process.pid ? ' (this process)' : ` (process ${pid})`;
  } catch {
    return '';
  }
}
