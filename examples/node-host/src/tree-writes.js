// What a tree is told to write, as it goes into the component.

/** @import { Address, NewEntry, NewUsage, NewValue, Write } from './tree-types.js' */

import { checkArray, checkBoolean, checkMembers } from './arguments.js';
import { SessionError } from './errors.js';
import { checkWord, isText, stringify } from './wire.js';

/** @type {import('./tree-types.js').EntryType[]} */
export const ENTRY_TYPES = ['message', 'compaction', 'branch-summary', 'custom'];

/** Which of the writes it is, and how people are told of it. @typedef {{ index: number, name: string }} Place */

/**
 * How payloads and values cross: as values, or as the JSON that they are.
 * @typedef {{ read(json: string): any, write(value: any, what: string, place: Place): string }} Format
 */

/** @type {Format} */
export const VALUES = {
  read: JSON.parse,
  write: (value, what, place) => stringify(value, (why) => refuse(place, `its ${what} can't be written as JSON: ${why}`)),
};

/** @type {Format} */
export const TEXTS = { read: (json) => json, write: (json, what, place) => text(what, json, place) };

/** @param {Place} place @param {string} reason @returns {never} */
function refuse({ index }, reason) {
  throw new SessionError('refused-write', { index, reason });
}

/** A text that is to be part of a write. @param {string} what @param {string} text @param {Place} place */
function text(what, text, place) {
  return isText(`the ${what} of ${place.name}`, text) ? text : refuse(place, `its ${what} has half of a surrogate pair, which is no character`);
}

/** @param {string} what @param {string | undefined} given @param {Place} place */
const maybe = (what, given, place) => (given === undefined ? undefined : text(what, given, place));

/** @param {NewEntry} entry @param {Place} place @param {Format} format */
function newEntry(entry, place, format) {
  const { id, parent, type, customType, payload } = checkMembers(place.name, entry, ['id', 'parent', 'type', 'customType', 'payload']);
  return {
    id: text('id', id, place),
    parent: maybe('parent', parent, place),
    type: checkWord(`the type of ${place.name}`, type, ENTRY_TYPES),
    customType: maybe('customType', customType, place),
    payload: format.write(payload, 'payload', place),
  };
}

/** @param {NewUsage} row @param {Place} place @param {Format} format */
function newUsage(row, place, format) {
  const { id, entry, adjustment = false, usage, details } = checkMembers(place.name, row, ['id', 'entry', 'adjustment', 'usage', 'details']);
  return {
    id: text('id', id, place),
    entry: maybe('entry', entry, place),
    adjustment: checkBoolean(`the adjustment of ${place.name}`, adjustment),
    usage: format.write(usage, 'usage', place),
    details: details === undefined ? undefined : format.write(details, 'details', place),
  };
}

/** @param {Address} address @param {Place} place */
const within = ({ namespace, key }, place) => ({ namespace: text('namespace', namespace, place), key: text('key', key, place) });

/** @param {Address} given @param {Place} place */
const address = (given, place) => within(checkMembers(place.name, given, ['namespace', 'key']), place);

/** @param {NewValue} given @param {Place} place @param {Format} format */
function newValue(given, place, format) {
  const { value, ...address } = checkMembers(place.name, given, ['namespace', 'key', 'value']);
  return { address: within(address, place), value: format.write(value, 'value', place) };
}

/** @type {Record<string, [tag: string, to: (value: any, place: Place, format: Format) => object]>} */
const WRITES = {
  entry: ['entry', newEntry],
  usage: ['usage', newUsage],
  setValue: ['set-value', newValue],
  deleteValue: ['delete-value', address],
  appendList: ['append-list', newValue],
  deleteList: ['delete-list', address],
};

/** @param {Write} write @param {number} index @param {Format} format */
function toWrite(write, index, format) {
  const name = `write ${index}`;
  const kinds = Object.keys(WRITES);
  const given = Object.entries(checkMembers(name, /** @type {Record<string, unknown>} */ (write), kinds)).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    throw new TypeError(`${name} must have one of ${kinds.join(', ')}, not ${given.map(([kind]) => kind).join(' and ') || 'none'}`);
  }
  const [[kind, value]] = given;
  const [tag, to] = WRITES[kind];
  return { tag, val: to(value, { index, name: `the ${kind} of ${name}` }, format) };
}

/** @param {Write[]} writes @param {Format} format */
export const toWrites = (writes, format) => checkArray('writes', writes).map((write, index) => toWrite(write, index, format));

/** An entry that is written alone. @param {Omit<NewEntry, 'parent'>} entry @param {Format} format */
export const toNewEntry = (entry, format) => newEntry(entry, { index: 0, name: 'the entry' }, format);
