/** @import { Aside, LogInfo, Part, Place, Storage } from '../types.js' */

import fs from 'node:fs';
import path from 'node:path';
import { checkRoot } from '../arguments.js';
import { StorageError } from '../errors.js';
import * as asides from './asides.js';
import * as checkpoint from './checkpoint.js';
import { Claim } from './claim.js';
import { codeOf, explain, explainFolder, isSame, makeFolder, orElse, read, stat, syncFolder } from './files.js';
import { page } from './list.js';
import { isLocked } from './lock.js';
import { LogFiles } from './name.js';
import { publish } from './publish.js';
import { remove, removeLeftovers } from './remove.js';

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
  #unsynced = new Map();

  /** Opens a folder, and makes it if it is missing. @param {string} root */
  constructor(root) {
    this.#root = path.resolve(checkRoot(root));
    try {
      makeFolder(this.#root);
    } catch (error) {
      throw explainFolder(error, this.#root);
    }
  }

  /** Another holder on the same folder, with claims of its own. @internal */
  sibling() {
    const other = new JsonlFolder(this.#root);
    other.#unsynced = this.#unsynced;
    return other;
  }

  close() {
    for (const id of [...this.#claims.keys()]) {
      this.release(id);
    }
  }

  /** @param {string} id @returns {LogInfo} */
  acquire(id) {
    return this.#at(id, (files) => info(files, this.#renew(files) ?? this.#take(files), true));
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
    return this.#at(id, (files) => {
      const claim = publish(files, parts, (source) => new LogFiles(this.#root, source));
      this.#claims.set(id, claim);
      return info(files, claim.stat, true);
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
    return this.#at(id, (files) => info(files, stat(files.log), this.#isHeld(id, files.log)));
  }

  /** @param {string} id @param {number} at @param {number} max @returns {Uint8Array} */
  read(id, at, max) {
    return this.#at(id, ({ log }) => read(log, at, max));
  }

  /** @param {string} id @param {number} at @returns {Aside} */
  setAside(id, at) {
    return this.#asHolder(id, (claim, files) => {
      const length = claim.look();
      if (at >= length) {
        throw new StorageError('moved', `\`${files.name}\`: it has ${length} bytes, so none from byte ${at} on`);
      }
      const kept = asides.keep(files.asides, claim.fd, at, length);
      syncFolder(this.#root);
      claim.cut(at);
      return kept;
    });
  }

  /** @param {string} id @returns {Aside[]} */
  asides(id) {
    return this.#at(id, (files) => asides.list(files.asides));
  }

  /** @param {string} id @param {string} piece @param {number} at @param {number} max @returns {Uint8Array} */
  readAside(id, piece, at, max) {
    return this.#at(id, (files) => asides.read(files.asides, piece, at, max));
  }

  /** @param {'by-id' | 'recent'} order @param {Place | undefined} after @param {number} max @returns {LogInfo[]} */
  list(order, after, max) {
    try {
      return page(this.#root, order, after, max).map((entry) => {
        const isLog = entry.stat?.isFile() ?? false;
        const told = info(entry, entry.stat, isLog && this.#isHeld(entry.id, entry.path));
        return isLog ? told : { ...told, length: UNKNOWN_LENGTH };
      });
    } catch (error) {
      throw explainFolder(error, this.#root);
    }
  }

  /** @param {string} id */
  remove(id) {
    this.#at(id, (files) => {
      if (this.#claims.get(id)?.isCurrent()) {
        remove(files);
        this.release(id);
        return;
      }
      let claim;
      try {
        claim = Claim.take(files.log);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') {
          throw error;
        }
        this.release(id);
        removeLeftovers(files);
        return;
      }
      try {
        remove(files);
        this.release(id);
      } finally {
        claim.close();
      }
    });
  }

  /** @param {string} id @param {Uint8Array} content */
  saveCheckpoint(id, content) {
    this.#asHolder(id, (claim, files) => {
      claim.look();
      checkpoint.save(files, content);
    });
  }

  /** @param {string} id @returns {Uint8Array} */
  loadCheckpoint(id) {
    return this.#at(id, checkpoint.load);
  }

  /** Does something with the files of one log, and says what the system's refusal means. @template T @param {string} id @param {(files: LogFiles) => T} act */
  #at(id, act) {
    const files = new LogFiles(this.#root, id);
    try {
      return act(files);
    } catch (error) {
      throw explain(error, files.name);
    }
  }

  /** Does something that is for the log's holder alone. @template T @param {string} id @param {(claim: Claim, files: LogFiles) => T} act */
  #asHolder(id, act) {
    return this.#at(id, (files) => {
      const claim = this.#claims.get(id);
      if (!claim) {
        throw new StorageError('moved', `\`${id}\` is not held; it must be acquired first`);
      }
      return act(claim, files);
    });
  }

  /** Makes a claim fit again; none if there is none, or it is on a file that is the log no more. @param {LogFiles} files */
  #renew({ id }) {
    try {
      return this.#claims.get(id)?.renew();
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'moved')) {
        throw error;
      }
    }
  }

  /** Becomes the writer of a log, like any other who asks. @param {LogFiles} files */
  #take({ id, log }) {
    this.release(id);
    const claim = Claim.take(log);
    const unsynced = this.#unsynced.get(id);
    this.#unsynced.delete(id);
    if (unsynced && isSame(unsynced.stat, claim.stat)) {
      claim.extent = unsynced.extent;
    }
    const stat = orElse(() => claim.renew(), () => this.#drop(id, claim));
    this.#claims.set(id, claim);
    return stat;
  }

  /** @param {string} id @param {Claim} claim */
  #drop(id, claim) {
    // Whoever holds the log next has to know.
    if (claim.extent.syncFailed) {
      this.#unsynced.set(id, claim);
    }
    claim.close();
  }

  /** @param {string | undefined} id @param {string | Buffer} log */
  #isHeld(id, log) {
    return (id !== undefined && this.#claims.has(id)) || isLocked(log);
  }
}

/** @param {{ id: string | undefined, name: string }} log @param {fs.BigIntStats | undefined} stat @param {boolean} held @returns {LogInfo} */
function info({ id, name }, stat, held) {
  const identity = stat ? [stat.dev, stat.ino, stat.birthtimeNs].map((part) => part.toString(16)).join('-') : '';
  return { id, name, length: Number(stat?.size ?? 0), modified: Number(stat?.mtimeMs ?? 0), identity, held };
}
