/** @import { Aside, LogInfo, Part, Place, Storage } from '../types.js' */

import fs from 'node:fs';
import path from 'node:path';
import { StorageError } from '../errors.js';
import * as asides from './asides.js';
import { Claim, Extent } from './claim.js';
import { O_RDONLY, codeOf, create, explain, isSame, leadsTo, look, makeFolder, open, orClose, quietly, read, stat, syncFolder, unlink, windows, write } from './files.js';
import { page } from './list.js';
import { isLocked, unlock } from './lock.js';
import { Name, idOf } from './name.js';
import { withTemp } from './temp.js';

/** A larger file is no note of ours. */
const LONGEST_CHECKPOINT = 16 << 20;

/** What is listed and can't be opened has a length, so that it is read and its error told. */
const UNKNOWN_LENGTH = 1;

/**
 * A folder that holds each log as a file of JSON lines, `<encoded id>.jsonl`: the same files as the Rust host's, and each
 * keeps out of the other's way. A claim is a lock (`flock`) on the log; it ends with the process.
 * @implements {Storage}
 */
export class JsonlFolder {
  #root;
  /** @type {Map<string, Claim>} */
  #claims = new Map();
  /** @type {Map<string, Claim>} Logs whose last sync failed and whose writer let them go before it could write them again. */
  #unsynced;

  /** Opens a folder, and makes it if it is missing. @param {string} root */
  constructor(root, unsynced = new Map()) {
    this.#root = path.resolve(root);
    this.#unsynced = unsynced;
    try {
      makeFolder(this.#root);
    } catch (error) {
      throw explain(error, this.#root);
    }
  }

  /** Another holder on the same folder, with claims of its own. */
  sibling() {
    return new JsonlFolder(this.#root, this.#unsynced);
  }

  close() {
    for (const id of [...this.#claims.keys()]) {
      this.release(id);
    }
  }

  /** @param {string} id @returns {LogInfo} */
  acquire(id) {
    return this.#on(id, (name) => {
      const own = this.#claims.get(id);
      if (own) {
        try {
          return this.#info(id, name.log, own.renew(), true);
        } catch (error) {
          // The claim is on a file that is the log no more; the log must be claimed like any other.
          if (!(error instanceof StorageError && error.code === 'moved')) {
            throw error;
          }
        }
      }
      this.release(id);
      const claim = Claim.take(this.#path(name.log));
      const unsynced = this.#unsynced.get(id);
      this.#unsynced.delete(id);
      if (unsynced && isSame(unsynced.stat, claim.stat)) {
        claim.extent = unsynced.extent;
      }
      const stat = orElse(() => claim.renew(), () => this.#drop(id, claim));
      this.#claims.set(id, claim);
      return this.#info(id, name.log, stat, true);
    });
  }

  /** @param {string} id */
  release(id) {
    const claim = this.#claims.get(id);
    this.#claims.delete(id);
    if (claim) {
      this.#drop(id, claim);
    }
  }

  /** @param {string} id @param {Part[]} parts @returns {LogInfo} */
  publish(id, parts) {
    return this.#on(id, (name) => {
      const log = this.#path(name.log);
      const refuseIfThere = () => {
        if (look(log)) {
          throw new StorageError('already-exists');
        }
      };
      refuseIfThere();
      const { fd, done: stat } = withTemp(this.#path(name.temp), (fd) => {
        // Nobody else can make it from here on; but somebody may have, just before.
        refuseIfThere();
        parts.forEach((part) => this.#writePart(fd, part));
        fs.fsyncSync(fd);
        const stat = fs.fstatSync(fd, { bigint: true });
        this.#sweep(name);
        linkNew(this.#path(name.temp), log);
        return stat;
      });
      orElse(() => this.#makeDurable(name), () => unlock(fd));
      this.#claims.set(id, new Claim(log, fd, stat, new Extent(Number(stat.size))));
      return this.#info(id, name.log, stat, true);
    });
  }

  /** @param {string} id @param {number} at @param {Uint8Array} content */
  append(id, at, content) {
    this.#asHolder(id, (claim) => claim.append(at, content));
  }

  /** @param {string} id */
  sync(id) {
    this.#asHolder(id, (claim) => claim.sync());
  }

  /** @param {string} id @returns {LogInfo} */
  stat(id) {
    return this.#on(id, ({ log }) => this.#info(id, log, stat(this.#path(log)), this.#isHeld(id, this.#path(log))));
  }

  /** @param {string} id @param {number} at @param {number} max */
  read(id, at, max) {
    return this.#on(id, ({ log }) => read(this.#path(log), at, max));
  }

  /** @param {string} id @param {number} at @returns {Aside} */
  setAside(id, at) {
    return this.#asHolder(id, (claim, name) => {
      const length = claim.look();
      if (at >= length) {
        throw new StorageError('moved', `\`${name.log}\`: it has ${length} bytes, so none from byte ${at} on`);
      }
      const kept = asides.keep(this.#path(name.asides), claim.fd, at, length);
      syncFolder(this.#root);
      claim.cut(at);
      return kept;
    });
  }

  /** @param {string} id @returns {Aside[]} */
  asides(id) {
    return this.#on(id, (name) => asides.list(this.#path(name.asides)));
  }

  /** @param {string} id @param {string} piece @param {number} at @param {number} max */
  readAside(id, piece, at, max) {
    return this.#on(id, (name) => asides.read(this.#path(name.asides), piece, at, max));
  }

  /** @param {'by-id' | 'recent'} order @param {Place | undefined} after @param {number} max @returns {LogInfo[]} */
  list(order, after, max) {
    try {
      return page(this.#root, order, after, max).map(({ path, name, id, stat }) =>
        stat?.isFile()
          ? this.#info(id, name, stat, this.#isHeld(id, path))
          : { ...this.#info(id, name, stat, false), length: UNKNOWN_LENGTH });
    } catch (error) {
      throw explain(error, this.#root);
    }
  }

  /** @param {string} id */
  remove(id) {
    this.#on(id, (name) => {
      if (this.#claims.get(id)?.isCurrent()) {
        this.#removeAll(name);
        this.release(id);
        return;
      }
      let claim;
      try {
        claim = Claim.take(this.#path(name.log));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') {
          throw error;
        }
        this.release(id);
        this.#removeLeftovers(name);
        return;
      }
      try {
        this.#removeAll(name);
        this.release(id);
      } finally {
        claim.close();
      }
    });
  }

  /** @param {string} id @param {Uint8Array} content */
  saveCheckpoint(id, content) {
    this.#asHolder(id, (claim, name) => {
      claim.look();
      const temp = this.#path(name.checkpointTemp);
      unlink(temp);
      orElse(() => {
        const fd = create(temp);
        try {
          write(fd, content);
        } finally {
          fs.closeSync(fd);
        }
        fs.renameSync(temp, this.#path(name.checkpoint));
      }, () => unlink(temp));
    });
  }

  /** Nothing where there is none that can be read: it only saves time. @param {string} id @returns {Uint8Array} */
  loadCheckpoint(id) {
    return this.#on(id, (name) => {
      try {
        const note = read(this.#path(name.checkpoint), 0, LONGEST_CHECKPOINT + 1);
        return note.length > LONGEST_CHECKPOINT ? new Uint8Array() : note;
      } catch {
        return new Uint8Array();
      }
    });
  }

  /** @param {string} file */
  #path(file) {
    return path.join(this.#root, file);
  }

  /** Does something with the files of one log, and says what the system's refusal means. @template T @param {string} id @param {(name: Name) => T} act */
  #on(id, act) {
    const name = new Name(id);
    try {
      return act(name);
    } catch (error) {
      throw explain(error, name.log);
    }
  }

  /** Does something that is for the log's holder alone. @template T @param {string} id @param {(claim: Claim, name: Name) => T} act */
  #asHolder(id, act) {
    return this.#on(id, (name) => {
      const claim = this.#claims.get(id);
      if (!claim) {
        throw new StorageError('moved', `\`${id}\` is not held; it must be acquired first`);
      }
      return act(claim, name);
    });
  }

  /** @param {string | undefined} id @param {string | Buffer} path */
  #isHeld(id, path) {
    return (id !== undefined && this.#claims.has(id)) || isLocked(path);
  }

  /** @param {string | undefined} id @param {string} name @param {fs.BigIntStats | undefined} stat @param {boolean} held @returns {LogInfo} */
  #info(id, name, stat, held) {
    const identity = stat ? [stat.dev, stat.ino, stat.birthtimeNs].map((part) => part.toString(16)).join('-') : '';
    return { id, name, length: Number(stat?.size ?? 0), modified: Number(stat?.mtimeMs ?? 0), identity, held };
  }

  /** @param {string} id @param {Claim} claim */
  #drop(id, claim) {
    // Whoever holds the log next has to know.
    if (claim.extent.syncFailed) {
      this.#unsynced.set(id, claim);
    }
    claim.close();
  }

  /** @param {number} fd @param {Part} part */
  #writePart(fd, part) {
    if (part.tag === 'content') {
      write(fd, part.val);
      return;
    }
    const { id, at, length } = part.val;
    const { log } = new Name(id);
    const from = open(this.#path(log), O_RDONLY);
    try {
      if (at + length > from.stat.size) {
        throw new StorageError('failed', `\`${log}\` has ${from.stat.size} bytes, so not ${length} from byte ${at} on`);
      }
      for (const bytes of windows(from.fd, at, at + length)) {
        write(fd, bytes);
      }
    } finally {
      fs.closeSync(from.fd);
    }
  }

  /** Makes the name of a new log durable, or takes it away again. @param {Name} name */
  #makeDurable({ log }) {
    try {
      syncFolder(this.#root);
    } catch (error) {
      // The log is locked to the end of this, so nobody has built upon it.
      try {
        unlink(this.#path(log));
      } catch (undo) {
        throw new StorageError('outcome-unknown', `\`${log}\` is there, perhaps not durably (${error}), and could not be removed: ${undo}`);
      }
      throw error;
    }
  }

  /**
   * Removes a log, which the caller holds. What belongs to it goes first, so that a crash can't leave it to another log of
   * that name, and so that nothing is left to fail once the log is gone.
   * @param {Name} name
   */
  #removeAll(name) {
    this.#sweepTemp(name);
    this.#sweep(name);
    fs.unlinkSync(this.#path(name.log));
    try {
      syncFolder(this.#root);
    } catch (error) {
      throw new StorageError('outcome-unknown', `\`${name.log}\` was removed, perhaps not durably: ${error}`);
    }
  }

  /** Removes what was left of a log that does not exist. @param {Name} name */
  #removeLeftovers(name) {
    if ([name.temp, name.checkpoint, name.checkpointTemp, name.asides].some((file) => look(this.#path(file)))) {
      // Keeps everybody from making such a log meanwhile.
      const { fd } = withTemp(this.#path(name.temp), () => {
        if (look(this.#path(name.log))) {
          throw new StorageError('busy', `\`${name.log}\` was created just now`);
        }
        this.#sweep(name);
      });
      unlock(fd);
    }
    // An earlier removal may have failed at just this.
    syncFolder(this.#root);
  }

  /** Removes an unfinished log of that name, durably, if there is one and nobody is at work on it. @param {Name} name */
  #sweepTemp(name) {
    const temp = this.#path(name.temp);
    const found = look(temp);
    if (!found) {
      return;
    }
    // It may be a second name of the log itself, and so be locked by its holder.
    if (leadsTo(this.#path(name.log), found)) {
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
    syncFolder(this.#root);
  }

  /** Removes the checkpoint and what was set aside, durably; refuses what is not ours while all is there still. @param {Name} name */
  #sweep(name) {
    const notes = [name.checkpoint, name.checkpointTemp].map((file) => this.#path(file));
    notes.filter((file) => look(file)?.isDirectory()).forEach(stat);
    asides.check(this.#path(name.asides));
    const found = [asides.remove(this.#path(name.asides)), ...notes.map(unlink)];
    if (found.some(Boolean)) {
      syncFolder(this.#root);
    }
  }
}

/** Gives a file its final name unless that is taken. @param {string} from @param {string} to */
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

/** Does something; if it fails, something else first, and then the failure. @template T @param {() => T} act @param {() => unknown} before */
function orElse(act, before) {
  try {
    return act();
  } catch (error) {
    quietly(before);
    throw error;
  }
}
