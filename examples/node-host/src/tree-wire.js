// What is asked of a tree, as it goes into the component, and what comes out of it.

/**
 * @import { Address, BranchFork, BranchScan, Committed, ContextPage, ContextPlace, Direction, Entry, EntryScan, EntryStructure,
 *   EntryType, ListElement, RangeScan, StoredValue, UsageRow, ValueScan } from './tree-types.js'
 * @import { Format } from './tree-writes.js'
 */

import { checkArray, checkMembers, checkObject, checkOptions } from './arguments.js';
import { ENTRY_TYPES } from './tree-writes.js';
import { checkSomeText, checkText, checkWord, toNumbers, u32, u64 } from './wire.js';

/** The most that can be asked for. */
export const ALL = 0xffff_ffff;

/** @param {string} what @param {number | undefined} number */
export const maybeU64 = (what, number) => (number === undefined ? undefined : u64(what, number));

/** A stored value will do too, and whatever else has an address. @param {Address} address @param {string} [name] */
export function asked(address, name = 'the address') {
  const { namespace, key } = checkObject(name, address, ['namespace', 'key']);
  return { namespace: checkSomeText('the namespace', namespace), key: checkSomeText('the key', key) };
}

/** @param {Address[]} addresses */
export const allAsked = (addresses) => checkArray('addresses', addresses).map((address, index) => asked(address, `address ${index}`));

/** @param {string} what @param {string[]} ids */
export const idsAsked = (what, ids) => checkArray(what, ids).map((id) => checkSomeText(`an id in ${what}`, id));

/** @param {EntryType | undefined} type @param {string} [what] */
const maybeType = (type, what = 'type') => (type === undefined ? undefined : checkWord(what, type, ENTRY_TYPES));

/** @param {Direction} direction */
const checkDirection = (direction) => checkWord('direction', direction, ['oldest-first', 'newest-first']);

/** @type {(keyof RangeScan)[]} */
const RANGE = ['from', 'to', 'direction', 'limit'];

/** @param {RangeScan} scan */
const checked = ({ from, to, direction = 'oldest-first', limit = ALL }) => ({
  from: maybeU64('from', from),
  to: maybeU64('to', to),
  direction: checkDirection(direction),
  limit: u32('limit', limit),
});

/** @param {RangeScan} scan */
export const range = (scan) => checked(checkOptions(scan, RANGE));

/** @param {EntryScan} scan */
export function entryScan(scan) {
  const { type, customType, ...range } = checkOptions(scan, ['type', 'customType', ...RANGE]);
  return { type: maybeType(type), customType: checkText('the custom type', customType), range: checked(range) };
}

/** @param {string} start @param {BranchScan} scan */
export function branchScan(start, scan) {
  const { stopAtId, stopAtType, type, customType, direction = 'newest-first', cursor, limit = ALL } = checkOptions(scan, [
    'stopAtId', 'stopAtType', 'type', 'customType', 'direction', 'cursor', 'limit',
  ]);
  return {
    start: checkSomeText('the start', start),
    stopAtId: checkText('the id to stop at', stopAtId),
    stopAtType: maybeType(stopAtType, 'stopAtType'),
    type: maybeType(type),
    customType: checkText('the custom type', customType),
    direction: checkDirection(direction),
    cursor: maybeU64('cursor', cursor),
    limit: u32('limit', limit),
  };
}

/** @param {string} namespace @param {ValueScan} scan */
export function valueScan(namespace, scan) {
  const { prefix = '', after, limit = ALL } = checkOptions(scan, ['prefix', 'after', 'limit']);
  return {
    namespace: checkSomeText('the namespace', namespace),
    prefix: checkSomeText('the prefix', prefix),
    after: checkText('the key', after),
    limit: u32('limit', limit),
  };
}

/** @param {ContextPlace | undefined} from */
export function place(from) {
  if (from === undefined) {
    return undefined;
  }
  const { number, index } = checkMembers('from', from, ['number', 'index']);
  return { number: u64('number', number), index: u32('index', index) };
}

/** @param {BranchFork | undefined} fork */
export function scope(fork) {
  if (fork === undefined) {
    return { tag: 'tree' };
  }
  const { branch, at, before } = checkMembers('the part to fork', fork, ['branch', 'at', 'before']);
  if (at !== undefined && before !== undefined) {
    throw new TypeError('a branch is cut `at` an entry or `before` one, and not both');
  }
  const entry = checkText('the entry', before ?? at);
  return {
    tag: 'branch',
    val: { branch: checkSomeText('the branch', branch), cut: entry === undefined ? undefined : { entry, before: before !== undefined } },
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
