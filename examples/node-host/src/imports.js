/** @import { LogInfo, Storage } from './types.js' */

import { checkClock, checkOptions, checkStorage } from './arguments.js';
import { StorageError } from './errors.js';

/**
 * What a component imports that `session compose` has made of a harness and the sessions: its storage and its clock, for the
 * `instantiate` that jco writes. The harness reaches every session of that storage. What the storage can't do it throws as a
 * `StorageError`, and the harness is told; whatever else it throws comes out of the call as the `cause` of an error, and the
 * instance is of no use any more.
 * @param {Storage} storage @param {{ clock?: () => number }} [options] `clock`: the time in milliseconds, for events.
 * @returns {any} The members `agent:session/storage` and `agent:session/clock`, as jco's code asks for them; its declarations
 *   ask for other names, with a version.
 */
export function componentImports(storage, options = {}) {
  const { clock = Date.now } = checkOptions(options, ['clock']);
  return imports(checkStorage(storage), checkClock(clock));
}

/**
 * What the component imports, over a store and a clock. Whole numbers are of 64 bits there, so `BigInt`.
 * @param {Storage} storage @param {() => number} clock @param {(id: string) => void} [published] Hears of each log that has come into being.
 */
export function imports(storage, clock, published) {
  return {
    'agent:session/storage': guarded(storageOf(storage, published)),
    'agent:session/clock': guarded({ now: () => BigInt(clock()) }),
  };
}

/** Something that an import threw and that is no answer. `cause` is what it was. */
export class Fault extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super('an import broke down', { cause });
  }
}

/**
 * The same functions, of whose errors only a `StorageError` is an answer. Left to itself, jco takes for one whatever looks
 * like it, and lets the rest out as it is, so that it could be taken for an answer of the component.
 * @param {Record<string, (...args: any[]) => unknown>} functions
 */
function guarded(functions) {
  const guard = (/** @type {(...args: any[]) => unknown} */ call) => (/** @type {any[]} */ ...args) => {
    try {
      return call(...args);
    } catch (error) {
      throw error instanceof StorageError ? error : new Fault(error);
    }
  };
  return Object.fromEntries(Object.entries(functions).map(([name, call]) => [name, guard(call)]));
}

/** @param {Storage} storage @param {(id: string) => void} [published] */
function storageOf(storage, published) {
  return {
    acquire: (/** @type {string} */ id) => info(storage.acquire(id)),
    release: (/** @type {string} */ id) => done(storage.release(id)),
    publish: (/** @type {string} */ id, /** @type {any[]} */ parts) => {
      const made = info(storage.publish(id, parts.map(part)));
      published?.(id);
      return made;
    },
    append: (/** @type {string} */ id, /** @type {bigint} */ at, /** @type {Uint8Array} */ content) =>
      done(storage.append(id, Number(at), content)),
    sync: (/** @type {string} */ id) => done(storage.sync(id)),
    stat: (/** @type {string} */ id) => info(storage.stat(id)),
    read: (/** @type {string} */ id, /** @type {bigint} */ at, /** @type {number} */ max) => bytes(storage.read(id, Number(at), max)),
    setAside: (/** @type {string} */ id, /** @type {bigint} */ at) => aside(storage.setAside(id, Number(at))),
    asides: (/** @type {string} */ id) => storage.asides(id).map(aside),
    readAside: (/** @type {string} */ id, /** @type {string} */ name, /** @type {bigint} */ at, /** @type {number} */ max) =>
      bytes(storage.readAside(id, name, Number(at), max)),
    list: (/** @type {'by-id' | 'recent'} */ order, /** @type {{ name: string, modified: bigint } | undefined} */ after, /** @type {number} */ max) =>
      storage.list(order, after && { ...after, modified: Number(after.modified) }, max).map(info),
    remove: (/** @type {string} */ id) => done(storage.remove(id)),
    saveCheckpoint: (/** @type {string} */ id, /** @type {Uint8Array} */ content) => done(storage.saveCheckpoint(id, content)),
    loadCheckpoint: (/** @type {string} */ id) => bytes(storage.loadCheckpoint(id)),
  };
}

/** @param {LogInfo} log */
const info = (log) => ({ ...log, length: BigInt(log.length), modified: BigInt(log.modified) });

/** @param {{ name: string, length: number }} aside */
const aside = ({ name, length }) => ({ name, length: BigInt(length) });

/** @param {any} part @returns {import('./types.js').Part} */
const part = ({ tag, val }) =>
  (tag === 'copy' ? { tag, val: { id: val.id, at: Number(val.at), length: Number(val.length) } } : { tag, val });

/** A promise would be taken for success before anything is done. @param {unknown} answer */
function done(answer) {
  if (typeof (/** @type {any} */ (answer)?.then) === 'function') {
    throw new TypeError('storage answered with a promise, and must answer at once');
  }
}

/** @param {Uint8Array} bytes */
function bytes(bytes) {
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError(`storage must answer with a Uint8Array, and not with ${String(bytes)}`);
  }
  return bytes;
}
