/** @import { Aside, LogInfo, Part, Place, Storage } from '../types.js' */

import { StorageError } from '../errors.js';
import { bytewise, check } from './id.js';

/**
 * @typedef {object} Log
 * @property {Uint8Array} room The bytes, and room for more.
 * @property {number} length
 * @property {number} modified
 * @property {number} identity
 * @property {Memory | undefined} holder
 * @property {Uint8Array} checkpoint
 * @property {Map<string, Uint8Array>} asides
 */

/**
 * Keeps logs in memory, for tests and for sessions that need not outlive the program. Nothing is ever durable.
 * @implements {Storage}
 */
export class Memory {
  /** @type {{ logs: Map<string, Log>, made: number }} */
  #shared = { logs: new Map(), made: 0 };

  /** Another holder on the same logs, with claims of its own. @internal */
  sibling() {
    const other = new Memory();
    other.#shared = this.#shared;
    return other;
  }

  close() {
    for (const id of this.#shared.logs.keys()) {
      this.release(id);
    }
  }

  /** @param {string} id */
  acquire(id) {
    const log = this.#get(id);
    if (log.holder !== undefined && log.holder !== this) {
      throw busy(id);
    }
    log.holder = this;
    return info(id, log);
  }

  /** @param {string} id */
  release(id) {
    const log = this.#shared.logs.get(id);
    if (log?.holder === this) {
      log.holder = undefined;
    }
  }

  /** @param {string} id @param {Part[]} parts */
  publish(id, parts) {
    check(id);
    if (this.#shared.logs.has(id)) {
      throw new StorageError('already-exists');
    }
    const room = Buffer.concat(parts.map((part) => (part.tag === 'content' ? part.val : this.#stretch(part.val))));
    const [modified, identity] = [Date.now(), this.#shared.made++];
    const log = { room, length: room.length, modified, identity, holder: this, checkpoint: new Uint8Array(), asides: new Map() };
    this.#shared.logs.set(id, log);
    return info(id, log);
  }

  /** @param {string} id @param {number} at @param {Uint8Array} content */
  append(id, at, content) {
    const log = this.#held(id);
    if (at !== log.length) {
      throw new StorageError('moved', `the log of ${JSON.stringify(id)} ends at ${log.length}, not at ${at}`);
    }
    const length = at + content.length;
    if (length > log.room.length) {
      log.room = Buffer.concat([log.room.subarray(0, at)], length * 2);
    }
    log.room.set(content, at);
    log.length = length;
    log.modified = Date.now();
  }

  /** @param {string} id */
  sync(id) {
    this.#held(id);
  }

  /** @param {string} id */
  stat(id) {
    return info(id, this.#get(id));
  }

  /** @param {string} id @param {number} at @param {number} max @returns {Uint8Array} */
  read(id, at, max) {
    return slice(bytes(this.#get(id)), at, max);
  }

  /** @param {string} id @param {number} at @returns {Aside} */
  setAside(id, at) {
    const log = this.#held(id);
    const cut = Buffer.from(slice(bytes(log), at, Infinity));
    if (cut.length === 0) {
      throw new StorageError('moved', `the log of ${JSON.stringify(id)} ends at ${log.length}; nothing is behind ${at}`);
    }
    const kept = [...log.asides].find(([name, piece]) => name.startsWith(`${at}.`) && Buffer.compare(piece, cut) === 0);
    const name = kept?.[0] ?? `${at}.${log.asides.size}`;
    log.asides.set(name, cut);
    log.length = at;
    log.modified = Date.now();
    return { name, length: cut.length };
  }

  /** @param {string} id @returns {Aside[]} */
  asides(id) {
    check(id);
    const asides = this.#shared.logs.get(id)?.asides ?? new Map();
    return [...asides].map(([name, { length }]) => ({ name, length })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @param {string} id @param {string} name @param {number} at @param {number} max @returns {Uint8Array} */
  readAside(id, name, at, max) {
    const piece = this.#get(id).asides.get(name);
    if (!piece) {
      throw new StorageError('not-found');
    }
    return slice(piece, at, max);
  }

  /** @param {'by-id' | 'recent'} order @param {Place | undefined} after @param {number} max @returns {LogInfo[]} */
  list(order, after, max) {
    const key = (/** @type {Place} */ { name, modified }) =>
      (order === 'recent' ? String(Number.MAX_SAFE_INTEGER - modified).padStart(16, '0') : '') + bytewise(name);
    const seen = after && key(after);
    return [...this.#shared.logs].map(([id, log]) => info(id, log))
      .filter((log) => seen === undefined || key(log) > seen)
      .sort((a, b) => (key(a) < key(b) ? -1 : 1))
      .slice(0, max);
  }

  /** @param {string} id */
  remove(id) {
    check(id);
    const holder = this.#shared.logs.get(id)?.holder;
    if (holder !== undefined && holder !== this) {
      throw busy(id);
    }
    this.#shared.logs.delete(id);
  }

  /** @param {string} id @param {Uint8Array} content */
  saveCheckpoint(id, content) {
    this.#held(id).checkpoint = content;
  }

  /** @param {string} id @returns {Uint8Array} */
  loadCheckpoint(id) {
    check(id);
    return this.#shared.logs.get(id)?.checkpoint ?? new Uint8Array();
  }

  /** @param {string} id */
  #get(id) {
    check(id);
    const log = this.#shared.logs.get(id);
    if (!log) {
      throw new StorageError('not-found');
    }
    return log;
  }

  /** @param {string} id */
  #held(id) {
    check(id);
    const log = this.#shared.logs.get(id);
    if (log?.holder !== this) {
      throw new StorageError('moved', `the log of ${JSON.stringify(id)} is not held`);
    }
    return log;
  }

  /** @param {{ id: string, at: number, length: number }} stretch */
  #stretch({ id, at, length }) {
    const log = this.#get(id);
    if (at + length > log.length) {
      throw new StorageError('failed', `the log of ${JSON.stringify(id)} has ${log.length} bytes, so not ${length} from byte ${at} on`);
    }
    return slice(bytes(log), at, length);
  }
}

/** @param {string} id */
const busy = (id) => new StorageError('busy', `another holder in this process has ${JSON.stringify(id)}`);

/** @param {Log} log */
const bytes = ({ room, length }) => room.subarray(0, length);

/** @param {Uint8Array} bytes @param {number} at @param {number} max */
const slice = (bytes, at, max) => bytes.subarray(at, Math.min(at + max, bytes.length));

/** @param {string} id @param {Log} log @returns {LogInfo} */
const info = (id, { length, modified, identity, holder }) =>
  ({ id, name: id, length, modified, identity: String(identity), held: holder !== undefined });
