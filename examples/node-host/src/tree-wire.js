// What of a tree goes into the component and comes out of it.

/**
 * @import { Address, BranchFork, BranchScan, Committed, ContextPage, Entry, EntryStructure, ListElement, NewEntry, NewUsage,
 *   RangeScan, StoredValue, UsageRow, Write } from './tree-types.js'
 */

import { SessionError } from './errors.js';
import { checkText, isText, stringify, toNumbers, u32, u64 } from './wire.js';

/** The most that can be asked for. */
export const ALL = 0xffff_ffff;

/**
 * How payloads and values cross: as values, or as the JSON that they are.
 * @typedef {{ read(json: string): any, write(value: any, what: string, index: number): string }} Format
 */

/** @type {Format} */
export const VALUES = {
  read: JSON.parse,
  write: (value, what, index) => stringify(value, (why) => refuse(index, `it has ${what} that can't be written as JSON: ${why}`)),
};

/** @type {Format} */
export const TEXTS = { read: (json) => json, write: (json, what, index) => writable(what, json, index) };

/** @param {number} index @param {string} reason @returns {never} */
function refuse(index, reason) {
  throw new SessionError('refused-write', { index, reason });
}

/** A text that is to be part of a write. @param {string} what @param {string} text @param {number} index */
function writable(what, text, index) {
  return isText(what, text) ? text : refuse(index, `it has ${what} with half of a surrogate pair, which is no character`);
}

/** @param {string} what @param {string | undefined} text @param {number} index */
const maybe = (what, text, index) => (text === undefined ? undefined : writable(what, text, index));

/** @param {string} what @param {number | undefined} number */
export const maybeU64 = (what, number) => (number === undefined ? undefined : u64(what, number));

/** @param {NewEntry} entry @param {number} index @param {Format} format */
export const newEntry = ({ id, parent, type, customType, payload }, index, format) => ({
  id: writable('an id', id, index),
  parent: maybe('a parent', parent, index),
  type,
  customType: maybe('a custom type', customType, index),
  payload: format.write(payload, 'a payload', index),
});

/** @param {NewUsage} row @param {number} index @param {Format} format */
const newUsage = ({ id, entry, adjustment = false, usage, details }, index, format) => ({
  id: writable('an id', id, index),
  entry: maybe('an entry', entry, index),
  adjustment,
  usage: format.write(usage, 'usage', index),
  details: details === undefined ? undefined : format.write(details, 'details', index),
});

/** @param {Address} address @param {number} index */
const written = ({ namespace, key }, index) => ({
  namespace: writable('a namespace', namespace, index),
  key: writable('a key', key, index),
});

/** @param {import('./tree-types.js').NewValue} value @param {number} index @param {Format} format */
const newValue = ({ value, ...address }, index, format) => ({
  address: written(address, index),
  value: format.write(value, 'a value', index),
});

/** @type {Record<string, [tag: string, to: (value: any, index: number, format: Format) => object]>} */
const WRITES = {
  entry: ['entry', newEntry],
  usage: ['usage', newUsage],
  setValue: ['set-value', newValue],
  deleteValue: ['delete-value', written],
  appendList: ['append-list', newValue],
  deleteList: ['delete-list', written],
};

/** @param {Write} write @param {number} index @param {Format} format */
export function toWrite(write, index, format) {
  const [[kind, value], ...more] = Object.entries(write);
  if (!(kind in WRITES) || more.length > 0) {
    throw new TypeError(`a write is one of ${Object.keys(WRITES).join(', ')}, not ${Object.keys(write).join(' and ')}`);
  }
  const [tag, to] = WRITES[kind];
  return { tag, val: to(value, index, format) };
}

/** @param {Address} address */
export const asked = ({ namespace, key }) => ({ namespace: checkText('the namespace', namespace), key: checkText('the key', key) });

/** @param {string[]} ids */
export const askedIds = (ids) => ids.map((id) => checkText('an id', id));

/** @param {RangeScan} scan */
export const range = ({ from, to, direction = 'oldest-first', limit = ALL }) => ({
  from: maybeU64('from', from),
  to: maybeU64('to', to),
  direction,
  limit: u32('limit', limit),
});

/** @param {string} start @param {BranchScan} scan */
export const branchScan = (start, { stopAtId, stopAtType, type, customType, direction = 'newest-first', cursor, limit = ALL }) => ({
  start: checkText('the start', start),
  stopAtId: checkText('the id to stop at', stopAtId),
  stopAtType,
  type,
  customType: checkText('the custom type', customType),
  direction,
  cursor: maybeU64('cursor', cursor),
  limit: u32('limit', limit),
});

/** @param {BranchFork | undefined} fork */
export function scope(fork) {
  if (fork === undefined) {
    return { tag: 'tree' };
  }
  const { branch, at, before } = fork;
  const entry = checkText('the entry', before ?? at);
  return {
    tag: 'branch',
    val: { branch: checkText('the branch', branch), cut: entry === undefined ? undefined : { entry, before: before !== undefined } },
  };
}

/** @param {any} committed @returns {Committed} */
export const toCommitted = (committed) => toNumbers(committed);

/** @param {any} structure @returns {EntryStructure} */
export function toStructure({ id, parent, number, timestamp, type, customType }) {
  /** @type {EntryStructure} */
  const structure = { id, number: Number(number), timestamp: Number(timestamp), type };
  if (parent !== undefined) {
    structure.parent = parent;
  }
  if (customType !== undefined) {
    structure.customType = customType;
  }
  return structure;
}

/** @param {any} entry @param {Format} format @returns {Entry} */
export const toEntry = ({ structure, payload }, format) => ({ ...toStructure(structure), payload: format.read(payload) });

/** @param {any} row @param {Format} format @returns {UsageRow} */
export function toRow({ number, row: { id, entry, adjustment, usage, details } }, format) {
  /** @type {UsageRow} */
  const row = { id, number: Number(number), adjustment, usage: format.read(usage) };
  if (entry !== undefined) {
    row.entry = entry;
  }
  if (details !== undefined) {
    row.details = format.read(details);
  }
  return row;
}

/** @param {any} value @param {Format} format @returns {StoredValue} */
export const toValue = ({ address, value, number }, format) => ({ ...address, value: format.read(value), number: Number(number) });

/** @param {any} element @param {Format} format @returns {ListElement} */
export const toElement = ({ number, value }, format) => ({ number: Number(number), value: format.read(value) });

/** @param {any} page @param {Format} format @returns {ContextPage} */
export const toContextPage = ({ messages, next }, format) => ({
  messages: messages.map((/** @type {any} */ { entry, message }) => ({ entry, message: format.read(message) })),
  next: next && toNumbers(next),
});
