// What callers hand over is looked at before anything happens. What is of a wrong kind is a `TypeError` or a `RangeError` that
// names it.

/** @import { Storage } from './types.js' */

import { inspect } from 'node:util';

const LONGEST = 80;

/** @type {Exclude<keyof Storage, 'close'>[]} */
const METHODS = [
  'acquire', 'release', 'publish', 'append', 'sync', 'stat', 'read', 'setAside', 'asides', 'readAside', 'list', 'remove', 'saveCheckpoint',
  'loadCheckpoint',
];

/** A value as it is shown to people; of a long one, how it begins. @param {unknown} value */
export function shown(value) {
  const text = inspect(value, { depth: 0, breakLength: Infinity, maxArrayLength: 3, maxStringLength: LONGEST, customInspect: false });
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return typeof value === 'string' ? `the string ${short}` : short;
}

/** An object from which these members are read. @template {object} T @param {string} what @param {T} value @param {(keyof T & string)[]} names @returns {T} */
export function checkObject(what, value, names) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${what} must be an object with members of ${names.join(', ')}, not ${shown(value)}`);
  }
  return value;
}

/** An object whose members all have one of these names: one that nobody reads is a slip. @template {object} T @param {string} what @param {T} value @param {(keyof T & string)[]} names @returns {T} */
export function checkMembers(what, value, names) {
  for (const [name, member] of Object.entries(checkObject(what, value, names))) {
    if (member !== undefined && !names.includes(/** @type {any} */ (name))) {
      throw new TypeError(`${what} can't have \`${name}\`, only ${names.join(', ')}`);
    }
  }
  return value;
}

/** @template {object} T @param {T} value @param {(keyof T & string)[]} names */
export const checkOptions = (value, names) => checkMembers('the options', value, names);

/** A copy of an array, in which a hole is undefined: `map` would pass it over. @template T @param {string} what @param {T[]} value */
export function checkArray(what, value) {
  if (!Array.isArray(value)) {
    throw new TypeError(`${what} must be an array, not ${shown(value)}`);
  }
  return Array.from(value);
}

/** @param {string} what @param {boolean} value */
export function checkBoolean(what, value) {
  if (typeof value !== 'boolean') {
    throw new TypeError(`${what} must be true or false, not ${shown(value)}`);
  }
  return value;
}

/** @param {string} root */
export function checkRoot(root) {
  if (typeof root !== 'string' || root === '') {
    throw new TypeError(`root must be the path of a folder, not ${shown(root)}`);
  }
  return root;
}

/** @param {Storage} storage */
export function checkStorage(storage) {
  const missing = METHODS.find((name) => typeof (/** @type {any} */ (storage)?.[name]) !== 'function');
  if (missing) {
    throw new TypeError(`storage must have every method of \`Storage\`, and ${shown(storage)} has no \`${missing}\``);
  }
  return storage;
}

/** @param {() => number} clock */
export function checkClock(clock) {
  if (typeof clock !== 'function') {
    throw new TypeError(`clock must be a function that answers milliseconds, not ${shown(clock)}`);
  }
  return clock;
}
