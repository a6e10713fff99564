// What is of a wrong kind is refused by a tree before anything happens, by its name.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Memory, openSessions, openSessionsInWorker } from '../src/index.js';
import { all, withFolder } from './helpers.js';

const HALF = 'a\ud83d';
const WORDS = 'message, compaction, branch-summary, custom';
const entry = { id: 'e', type: 'custom', customType: 'note', payload: {} };
const row = { id: 'u', usage: {} };
const value = { namespace: 'app', key: 'k', value: 1 };
const { value: _, ...address } = value;

/** @typedef {[name: string, call: (tree: any) => unknown, kind: 'TypeError' | 'RangeError' | 'SessionError', message: RegExp]} Row */

/** What a commit is told of one write behind a sound one. @type {[name: string, write: any, kind: Row[2], message: RegExp][]} */
const WRITES = [
  ['a number', 5, 'TypeError', /^write 1 must be an object with members of entry, usage, setValue, deleteValue, appendList, deleteList, not 5$/],
  ['undefined', undefined, 'TypeError', /^write 1 must be .*, not undefined$/],
  ['an empty object', {}, 'TypeError', /^write 1 must have one of entry, .*, not none$/],
  ['one that is undefined', { entry: undefined }, 'TypeError', /^write 1 must have one of entry, .*, not none$/],
  ['two in one', { entry, usage: row }, 'TypeError', /^write 1 must have one of .*, not entry and usage$/],
  ['a kind of nobody\'s', { delete: address }, 'TypeError', /^write 1 can't have `delete`, only entry, usage, setValue, /],
  ['an entry that stands alone', entry, 'TypeError', /^write 1 can't have `id`, only entry, /],
  ['an entry of null', { entry: null }, 'TypeError', /^the entry of write 1 must be an object .*, not null$/],
  ['a misspelt payload', { entry: { ...entry, paylaod: {} } }, 'TypeError', /^the entry of write 1 can't have `paylaod`, only id, parent, type, customType, payload$/],
  ['an entry without an id', { entry: { ...entry, id: undefined } }, 'TypeError', /^the id of the entry of write 1 must be a string, not undefined$/],
  ['half a surrogate pair in an id', { entry: { ...entry, id: HALF } }, 'SessionError', /^write 1 is refused: its id has half of a surrogate pair/],
  ['a parent of null', { entry: { ...entry, parent: null } }, 'TypeError', /^the parent of the entry of write 1 must be a string, not null$/],
  ['half a surrogate pair in a parent', { entry: { ...entry, parent: HALF } }, 'SessionError', /^write 1 is refused: its parent has half/],
  ['an entry without a type', { entry: { ...entry, type: undefined } }, 'RangeError', new RegExp(`^the type of the entry of write 1 must be one of ${WORDS}, not undefined$`)],
  ['a type of nobody\'s', { entry: { ...entry, type: 'branch_summary' } }, 'RangeError', /^the type of the entry of write 1 must be .*, not the string 'branch_summary'$/],
  ['a custom type that is a number', { entry: { ...entry, customType: 5 } }, 'TypeError', /^the customType of the entry of write 1 must be a string, not 5$/],
  ['no payload', { entry: { ...entry, payload: undefined } }, 'SessionError', /^write 1 is refused: its payload can't be written as JSON: it is undefined$/],
  ['a payload with a big integer', { entry: { ...entry, payload: { big: 1n } } }, 'SessionError', /^write 1 is refused: its payload can't be written as JSON: TypeError/],
  ['a row of a list', { usage: [] }, 'TypeError', /^the usage of write 1 must be an object .*, not \[\]$/],
  ['a misspelt adjustment', { usage: { ...row, adjusted: true } }, 'TypeError', /^the usage of write 1 can't have `adjusted`, only id, entry, adjustment, usage, details$/],
  ['a row without an id', { usage: { usage: {} } }, 'TypeError', /^the id of the usage of write 1 must be a string, not undefined$/],
  ['a row of an entry that is a number', { usage: { ...row, entry: 5 } }, 'TypeError', /^the entry of the usage of write 1 must be a string, not 5$/],
  ['an adjustment in words', { usage: { ...row, adjustment: 'yes' } }, 'TypeError', /^the adjustment of the usage of write 1 must be true or false, not the string 'yes'$/],
  ['no usage', { usage: { id: 'u' } }, 'SessionError', /^write 1 is refused: its usage can't be written as JSON: it is undefined$/],
  ['details that are a function', { usage: { ...row, details: () => 1 } }, 'SessionError', /^write 1 is refused: its details can't be written as JSON/],
  ['a misspelt value', { setValue: { ...address, vaule: 1 } }, 'TypeError', /^the setValue of write 1 can't have `vaule`, only namespace, key, value$/],
  ['a value without a key', { setValue: { namespace: 'app', value: 1 } }, 'TypeError', /^the key of the setValue of write 1 must be a string, not undefined$/],
  ['half a surrogate pair in a key', { setValue: { ...value, key: HALF } }, 'SessionError', /^write 1 is refused: its key has half/],
  ['a value that is a symbol', { setValue: { ...value, value: Symbol('s') } }, 'SessionError', /^write 1 is refused: its value can't be written as JSON/],
  ['a value to delete', { deleteValue: value }, 'TypeError', /^the deleteValue of write 1 can't have `value`, only namespace, key$/],
  ['a namespace that is a number', { deleteValue: { ...address, namespace: 5 } }, 'TypeError', /^the namespace of the deleteValue of write 1 must be a string, not 5$/],
  ['an element in a text', { appendList: 'app' }, 'TypeError', /^the appendList of write 1 must be an object .*, not the string 'app'$/],
  ['an element without a namespace', { appendList: { key: 'k', value: 1 } }, 'TypeError', /^the namespace of the appendList of write 1 must be a string/],
  ['a list of nothing', { deleteList: undefined, setValue: undefined }, 'TypeError', /^write 1 must have one of /],
  ['a list with a number for a key', { deleteList: { ...address, key: 7 } }, 'TypeError', /^the key of the deleteList of write 1 must be a string, not 7$/],
];

/** Scans that go by numbers, each with what else it takes. @type {[name: string, call: (tree: any, scan: any) => unknown][]} */
const RANGES = [
  ['entries', (tree, scan) => all(tree.entries(scan))],
  ['readEntries', (tree, scan) => tree.readEntries(scan)],
  ['usage', (tree, scan) => all(tree.usage(scan))],
  ['readUsage', (tree, scan) => tree.readUsage(scan)],
  ['list', (tree, scan) => all(tree.list(address, scan))],
  ['readList', (tree, scan) => tree.readList(address, scan)],
];

/** Scans of a branch. @type {typeof RANGES} */
const BRANCHES = [
  ['branchEntries', (tree, scan) => all(tree.branchEntries('a', scan))],
  ['readBranchEntries', (tree, scan) => tree.readBranchEntries('a', scan)],
  ['branchStructure', (tree, scan) => all(tree.branchStructure('a', scan))],
  ['readBranchStructure', (tree, scan) => tree.readBranchStructure('a', scan)],
];

/** Scans of values. @type {typeof RANGES} */
const VALUES = [
  ['values', (tree, scan) => all(tree.values('app', scan))],
  ['readValues', (tree, scan) => tree.readValues('app', scan)],
];

/** @param {typeof RANGES} calls @param {[name: string, scan: any, kind: Row[2], message: RegExp][]} scans @returns {Row[]} */
const each = (calls, scans) => calls.flatMap(([name, call]) =>
  scans.map(([what, scan, kind, message]) => /** @type {Row} */ ([`${name} with ${what}`, (tree) => call(tree, scan), kind, message])));

/** @type {Row[]} */
const CALLS = [
  ['commit of an object', (tree) => tree.commit({}), 'TypeError', /^writes must be an array, not {}$/],
  ['commit of one write', (tree) => tree.commit({ entry }), 'TypeError', /^writes must be an array, not { entry:/],
  ['commit of nothing', (tree) => tree.commit(), 'TypeError', /^writes must be an array, not undefined$/],
  ['commit of a hole', (tree) => tree.commit(Array(1)), 'TypeError', /^write 0 must be .*, not undefined$/],
  ['commit with a number', (tree) => tree.commit([], 7), 'TypeError', /^the options must be .* first, timestamp, not 7$/],
  ['commit with null', (tree) => tree.commit([], null), 'TypeError', /^the options must be .*, not null$/],
  ['commit with a slip', (tree) => tree.commit([], { time: 7 }), 'TypeError', /^the options can't have `time`, only first, timestamp$/],
  ['commit from a text', (tree) => tree.commit([], { first: '9' }), 'TypeError', /^first must be a whole number .*, not the string '9'$/],
  ['commit from far beyond', (tree) => tree.commit([], { first: 2 ** 53 }), 'RangeError', /^first must be .* to 9007199254740991, not 9007199254740992$/],
  ['commit at a date', (tree) => tree.commit([], { timestamp: new Date(0) }), 'TypeError', /^timestamp must be a whole number .*, not 1970/],
  ['commit before time', (tree) => tree.commit([], { timestamp: -1 }), 'RangeError', /^timestamp must be .*, not -1$/],
  ...WRITES.map(([name, write, kind, message]) => /** @type {Row} */ ([`commit of ${name}`, (tree) => tree.commit([{ setValue: value }, write]), kind, message])),
  ['getEntries of one id', (tree) => tree.getEntries('a'), 'TypeError', /^ids must be an array, not the string 'a'$/],
  ['getEntries of a number', (tree) => tree.getEntries(['a', 5]), 'TypeError', /^an id in ids must be a string, not 5$/],
  ['getEntries of a hole', (tree) => tree.getEntries(Array(1)), 'TypeError', /^an id in ids must be a string, not undefined$/],
  ['getEntries of half a surrogate pair', (tree) => tree.getEntries([HALF]), 'SessionError', /^refused: an id in ids has half of a surrogate pair/],
  ['getValues of one address', (tree) => tree.getValues(address), 'TypeError', /^addresses must be an array, not { namespace:/],
  ['getValues of a key', (tree) => tree.getValues(['k']), 'TypeError', /^address 0 must be an object with members of namespace, key, not the string 'k'$/],
  ['getValues of a hole', (tree) => tree.getValues(Array(1)), 'TypeError', /^address 0 must be an object .*, not undefined$/],
  ['getValues with a slip', (tree) => tree.getValues([address, { name: 'app', key: 'k' }]), 'TypeError', /^the namespace must be a string, not undefined$/],
  ['getValues without a key', (tree) => tree.getValues([{ namespace: 'app' }]), 'TypeError', /^the key must be a string, not undefined$/],
  ['getLabels of one entry', (tree) => tree.getLabels('a'), 'TypeError', /^entries must be an array, not the string 'a'$/],
  ['getLabels of an entry', (tree) => tree.getLabels([{ id: 'a' }]), 'TypeError', /^an id in entries must be a string, not { id: 'a' }$/],
  ['createBranch without a name', (tree) => tree.createBranch(), 'TypeError', /^the branch must be a string, not undefined$/],
  ['createBranch at null', (tree) => tree.createBranch('b', null), 'TypeError', /^the entry must be a string, not null$/],
  ['createBranch at half a surrogate pair', (tree) => tree.createBranch('b', HALF), 'SessionError', /^refused: the entry has half of a surrogate pair/],
  ['append to nothing', (tree) => tree.append(undefined, entry), 'TypeError', /^the branch must be a string, not undefined$/],
  ['append of nothing', (tree) => tree.append('main'), 'TypeError', /^the entry must be an object with members of id, .*, not undefined$/],
  ['append of a write', (tree) => tree.append('main', { entry }), 'TypeError', /^the entry can't have `entry`, only id, parent, type, customType, payload$/],
  ['append without an id', (tree) => tree.append('main', { ...entry, id: undefined }), 'TypeError', /^the id of the entry must be a string, not undefined$/],
  ['append of a type of nobody\'s', (tree) => tree.append('main', { ...entry, type: 'note' }), 'RangeError', /^the type of the entry must be one of message, .*, not the string 'note'$/],
  ['moveBranch without a name', (tree) => tree.moveBranch(), 'TypeError', /^the branch must be a string, not undefined$/],
  ['moveBranch to a number', (tree) => tree.moveBranch('main', 1), 'TypeError', /^the entry must be a string, not 1$/],
  ['setLabel of nothing', (tree) => tree.setLabel(undefined, 'x'), 'TypeError', /^the entry must be a string, not undefined$/],
  ['setLabel to null', (tree) => tree.setLabel('a', null), 'TypeError', /^the label must be a string, not null$/],
  ['setName to a number', (tree) => tree.setName(5), 'TypeError', /^the name must be a string, not 5$/],
  ['setName to half a surrogate pair', (tree) => tree.setName(HALF), 'SessionError', /^refused: the name has half of a surrogate pair/],
  ['fork to nothing', (tree) => tree.fork(), 'TypeError', /^the session must be an object .*, not undefined$/],
  ['fork of null', (tree) => tree.fork('y', null), 'TypeError', /^the part to fork must be an object with members of branch, at, before, not null$/],
  ['fork of a name', (tree) => tree.fork('y', 'main'), 'TypeError', /^the part to fork must be .*, not the string 'main'$/],
  ['fork with a slip', (tree) => tree.fork('y', { branch: 'main', until: 'a' }), 'TypeError', /^the part to fork can't have `until`, only branch, at, before$/],
  ['fork of no branch', (tree) => tree.fork('y', { at: 'a' }), 'TypeError', /^the branch must be a string, not undefined$/],
  ['fork at a number', (tree) => tree.fork('y', { branch: 'main', at: 1 }), 'TypeError', /^the entry must be a string, not 1$/],
  ['fork at two places', (tree) => tree.fork('y', { branch: 'main', at: 'a', before: 'a' }), 'TypeError', /^a branch is cut `at` an entry or `before` one, and not both$/],
  ...each([...RANGES, ...BRANCHES, ...VALUES], [
    ['a number', 3, 'TypeError', /^the options must be an object .*limit, not 3$/],
    ['null', null, 'TypeError', /^the options must be an object .*limit, not null$/],
    ['a slip', { max: 3 }, 'TypeError', /^the options can't have `max`, only .*limit$/],
    ['a text for a limit', { limit: '3' }, 'TypeError', /^limit must be a whole number .*, not the string '3'$/],
    ['a limit without end', { limit: Infinity }, 'RangeError', /^limit must be a whole number from 0 to 4294967295, not Infinity$/],
  ]),
  ...each([...RANGES, ...BRANCHES], [
    ['a direction of nobody\'s', { direction: 'newest' }, 'RangeError', /^direction must be one of oldest-first, newest-first, not the string 'newest'$/],
  ]),
  ...each(RANGES, [
    ['a text to start from', { from: '1' }, 'TypeError', /^from must be .*, not the string '1'$/],
    ['an end far beyond', { to: 2 ** 53 }, 'RangeError', /^to must be .* to 9007199254740991, not 9007199254740992$/],
    ['a cursor', { cursor: 1 }, 'TypeError', /^the options can't have `cursor`, only /],
  ]),
  ...each([...RANGES.slice(0, 2), ...BRANCHES], [
    ['a type of nobody\'s', { type: 'Message' }, 'RangeError', new RegExp(`^type must be one of ${WORDS}, not the string 'Message'$`)],
    ['a custom type that is null', { customType: null }, 'TypeError', /^the custom type must be a string, not null$/],
  ]),
  ...each(BRANCHES, [
    ['an entry to stop at', { stopAtId: { id: 'a' } }, 'TypeError', /^the id to stop at must be a string, not { id: 'a' }$/],
    ['a type of nobody\'s to stop at', { stopAtType: 5 }, 'RangeError', new RegExp(`^stopAtType must be one of ${WORDS}, not 5$`)],
    ['a fraction for a cursor', { cursor: 1.5 }, 'RangeError', /^cursor must be a whole number .*, not 1\.5$/],
    ['a range', { from: 1 }, 'TypeError', /^the options can't have `from`, only /],
  ]),
  ...each(VALUES, [
    ['a prefix that is a number', { prefix: 5 }, 'TypeError', /^the prefix must be a string, not 5$/],
    ['a value to go on behind', { after: value }, 'TypeError', /^the key must be a string, not { namespace:/],
  ]),
  ['branchEntries from nothing', (tree) => all(tree.branchEntries()), 'TypeError', /^the start must be a string, not undefined$/],
  ['branchStructure from half a surrogate pair', (tree) => all(tree.branchStructure(HALF)), 'SessionError', /^refused: the start has half/],
  ['list of nothing', (tree) => all(tree.list()), 'TypeError', /^the address must be an object with members of namespace, key, not undefined$/],
  ['readList of a key', (tree) => tree.readList('k'), 'TypeError', /^the address must be .*, not the string 'k'$/],
  ['values of nothing', (tree) => all(tree.values()), 'TypeError', /^the namespace must be a string, not undefined$/],
  ['readBranches with a name', (tree) => tree.readBranches('main'), 'TypeError', /^the options must be .* after, limit, not the string 'main'$/],
  ['readBranches behind a number', (tree) => tree.readBranches({ after: 5 }), 'TypeError', /^the name must be a string, not 5$/],
  ['context of nothing', (tree) => tree.context(), 'TypeError', /^the branch must be a string, not undefined$/],
  ['readContext with a slip', (tree) => tree.readContext('main', { max: 3 }), 'TypeError', /^the options can't have `max`, only from, maxBytes$/],
  ['readContext from a number', (tree) => tree.readContext('main', { from: 3 }), 'TypeError', /^from must be an object with members of number, index, not 3$/],
  ['readContext from half a place', (tree) => tree.readContext('main', { from: { number: 1 } }), 'TypeError', /^index must be a whole number .*, not undefined$/],
  ['readContext of a text of bytes', (tree) => tree.readContext('main', { maxBytes: '3' }), 'TypeError', /^maxBytes must be .*, not the string '3'$/],
];

/** @type {import('../src/index.js').Write[]} */
const PLANTED = [{ entry: { id: 'a', type: 'custom', customType: 'note', payload: {} } }, { setValue: { namespace: 'pi.branch.tip', key: 'main', value: 'a' } }];

describe('a wrong kind of argument is named, and nothing happens', () => {
  for (const [name, call, kind, message] of CALLS) {
    test(name, async () => {
      const storage = new Memory();
      const sessions = openSessions({ storage });
      sessions.create('x');
      const tree = sessions.tree('x');
      tree.commit(PLANTED);
      const before = [sessions.inspect('x'), tree.state()];
      await assert.rejects(async () => call(tree), { name: kind, message });
      assert.deepEqual([sessions.inspect('x'), tree.state()], before);
      assert.deepEqual(storage.list('by-id', undefined, 9).map(({ id }) => id), ['x']);
    });
  }

  test('and in a worker it is the same', () => withFolder(async (root) => {
    const sessions = await openSessionsInWorker({ root });
    await sessions.create('x');
    const tree = sessions.tree('x');
    await tree.commit(PLANTED);
    for (const [name, call, kind, message] of CALLS) {
      await assert.rejects(async () => call(tree), { name: kind, message }, name);
    }
    assert.equal((await sessions.inspect('x')).length, 1);
    await sessions.close();
  }));
});

test('how a tree is opened is looked at too', () => {
  const sessions = /** @type {any} */ (openSessions({ storage: new Memory() }));
  assert.throws(() => sessions.tree('x', { texts: true }), { name: 'TypeError', message: /^the options can't have `texts`, only text$/ });
  assert.throws(() => sessions.tree('x', null), { name: 'TypeError', message: /^the options must be .* text, not null$/ });
  assert.throws(() => sessions.tree('x', { text: 'yes' }), { name: 'TypeError', message: /^text must be true or false, not the string 'yes'$/ });
});

test('as text, payloads and values are texts', () => {
  const sessions = openSessions({ storage: new Memory() });
  sessions.create('x');
  const tree = /** @type {any} */ (sessions.tree('x', { text: true }));
  assert.throws(() => tree.commit([{ entry }]), { name: 'TypeError', message: /^the payload of the entry of write 0 must be a string, not {}$/ });
  assert.throws(() => tree.commit([{ setValue: value }]), { name: 'TypeError', message: /^the value of the setValue of write 0 must be a string, not 1$/ });
  assert.throws(() => tree.commit([{ setValue: { ...value, value: `"${HALF}"` } }]), { code: 'refused-write', message: /its value has half of a surrogate pair/ });
});
