// A file that is to become a log. Whoever wants to make that log has to get this first, so one does it at a time.

import fs from 'node:fs';
import path from 'node:path';
import { StorageError } from '../errors.js';
import { O_RDONLY, codeOf, create, leadsTo, open, orElse, quietly, unlink } from './files.js';
import { tryLock, unlock } from './lock.js';

/**
 * Does something with an empty file, locked, whose name is removed in the end. The file stays open and locked for the caller.
 * @template T @param {string} file @param {(fd: number) => T} act
 */
export function withTemp(file, act) {
  const fd = make(file);
  // What can't be removed now is removed by whoever makes that log next. The lock goes last: until then it is ours.
  const remove = () => quietly(() => unlink(file));
  const done = orElse(() => act(fd), () => {
    remove();
    unlock(fd);
  });
  remove();
  return { fd, done };
}

/** @param {string} file */
function make(file) {
  for (;;) {
    try {
      const fd = create(file);
      // Until it is locked, another who finds it must take it for a leftover.
      if (orElse(() => isOurs(file, fd), () => fs.closeSync(fd))) {
        return fd;
      }
      fs.closeSync(fd);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        throw new StorageError('failed', `can't create \`${file}\`: the store's folder was removed`);
      }
      if (codeOf(error) !== 'EEXIST') {
        throw error;
      }
      sweep(file);
    }
  }
}

/** Removes what a crash has left, unless somebody is at work on it. @param {string} file */
function sweep(file) {
  let fd;
  try {
    fd = open(file, O_RDONLY).fd;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return;
    }
    throw error;
  }
  try {
    if (isOurs(file, fd)) {
      unlink(file);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** Locks a file; answers whether it still has its name. @param {string} file @param {number} fd */
function isOurs(file, fd) {
  if (!tryLock(fd, 'exnb')) {
    throw new StorageError('busy', `it is being created as \`${path.basename(file)}\``);
  }
  return leadsTo(file, fs.fstatSync(fd, { bigint: true }));
}
