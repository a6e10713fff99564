import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { Memory, SessionError, openSessions } from '../src/index.js';
import { all } from './helpers.js';

const NOW = 1763681581550;

/** A tree of a new session, and its sessions. @param {{ text?: boolean }} [options] */
function planted(options) {
  const sessions = openSessions({ storage: new Memory(), clock: () => NOW });
  sessions.create('x');
  return { sessions, tree: sessions.tree('x', options) };
}

/** @param {string} id @param {string} [parent] @param {string} [text] */
const said = (id, parent, text = id) => ({
  entry: { id, parent, type: /** @type {const} */ ('message'), payload: { message: { role: 'user', content: text, timestamp: 1 } } },
});

/** @param {string} id @param {string} [parent] */
const note = (id, parent) => ({ entry: { id, parent, type: /** @type {const} */ ('custom'), customType: 'note', payload: { data: id } } });

/** @param {number} input */
const used = (input) => ({
  input, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: input, cost: { input: input / 2, output: 0, cacheRead: 0, cacheWrite: 0, total: input / 2 },
});

/** Two branches that part behind `a`. */
function branched() {
  const { sessions, tree } = planted();
  tree.commit([said('a'), note('b', 'a'), said('c', 'b'), note('d', 'a')]);
  tree.createBranch('main', 'c');
  tree.createBranch('side', 'd');
  return { sessions, tree };
}

/** @param {{ id: string }[]} entries */
const ids = (entries) => entries.map(({ id }) => id);

test('a commit numbers its writes, and what it wrote is there', async () => {
  const { tree } = planted();
  const committed = tree.commit([
    said('a'),
    { usage: { id: 'u', entry: 'a', usage: used(2) } },
    { setValue: { namespace: 'app', key: 'k', value: [null] } },
    { appendList: { namespace: 'app', key: 'k', value: 'first' } },
  ]);
  assert.deepEqual(committed, { first: 1, timestamp: NOW, stats: { messageCount: 1, usage: used(2) } });
  assert.deepEqual(tree.getEntries(['nix', 'a']), [
    { id: 'a', number: 1, timestamp: NOW, type: 'message', payload: { message: { role: 'user', content: 'a', timestamp: 1 } } },
  ]);
  assert.deepEqual(await all(tree.usage()), [{ id: 'u', entry: 'a', number: 2, adjustment: false, usage: used(2) }]);
  assert.deepEqual(tree.getValues([{ namespace: 'app', key: 'k' }, { namespace: 'app', key: '' }]), [
    { namespace: 'app', key: 'k', value: [null], number: 3 },
  ]);
  assert.deepEqual(await all(tree.list({ namespace: 'app', key: 'k' })), [{ value: 'first', number: 4 }]);
  assert.deepEqual(tree.state(), { next: 5, stats: committed.stats, entryCount: 1, usageCount: 1, refused: [] });
});

test('what was found tells where to look again', () => {
  const { tree } = planted();
  tree.commit([{ setValue: { namespace: 'app', key: 'k', value: 1 } }]);
  const found = tree.readValues('app').items;
  assert.deepEqual(tree.getValues(found), found);
});

test('what is deleted is gone', async () => {
  const { tree } = planted();
  const address = { namespace: 'app', key: '' };
  tree.commit([{ setValue: { ...address, value: 1 } }, { appendList: { ...address, value: 1 } }]);
  tree.commit([{ deleteValue: address }, { deleteList: address }]);
  assert.deepEqual(tree.getValues([address]), []);
  assert.deepEqual(await all(tree.list(address)), []);
});

test('numbers and time of a commit can be given', () => {
  const { tree } = planted();
  assert.equal(tree.commit([said('a')], { first: 7, timestamp: 5 }).timestamp, 5);
  assert.deepEqual(tree.getEntries(['a']).map(({ number, timestamp }) => [number, timestamp]), [[7, 5]]);
  assert.throws(() => tree.commit([said('b')], { first: 2 }), { code: 'refused-write', message: /the first number is 2, but the next one is 8/ });
});

test('a commit is one event of the log, and as durable', async () => {
  const { sessions, tree } = planted();
  tree.commit([said('a'), note('b', 'a')]);
  tree.setName('work');
  assert.deepEqual((await all(sessions.events('x'))).map(({ type }) => type), ['tree/commit', 'tree/commit']);
  sessions.flush('x');
  sessions.release('x');
  assert.equal(sessions.tree('x').state().name, 'work');
});

test('branches are made, grow and move', async () => {
  const { tree } = branched();
  tree.append('side', note('e').entry);
  tree.moveBranch('main', 'a');
  tree.createBranch('empty');
  assert.deepEqual(await all(tree.branches()), [{ name: 'empty' }, { name: 'main', tip: 'a' }, { name: 'side', tip: 'e' }]);
  assert.equal(tree.getEntries(['e'])[0].parent, 'd');
  tree.moveBranch('side');
  assert.deepEqual(tree.readBranches({ after: 'main' }).items, [{ name: 'side' }]);
});

test('a branch is walked from its tip or from its root', async () => {
  const { tree } = branched();
  assert.deepEqual(ids(await all(tree.branchEntries('c'))), ['c', 'b', 'a']);
  assert.deepEqual(ids(await all(tree.branchEntries('c', { direction: 'oldest-first', type: 'message' }))), ['a', 'c']);
  assert.deepEqual(ids(await all(tree.branchEntries('c', { stopAtId: 'b' }))), ['c', 'b']);
  assert.deepEqual(ids(await all(tree.branchEntries('c', { cursor: 3, limit: 1 }))), ['b']);
  assert.deepEqual(await all(tree.branchStructure('d')), [
    { id: 'd', parent: 'a', number: 4, timestamp: NOW, type: 'custom', customType: 'note' },
    { id: 'a', number: 1, timestamp: NOW, type: 'message' },
  ]);
});

test('entries, usage and lists are scanned by number, either way', async () => {
  const { tree } = branched();
  const address = { namespace: 'app', key: '' };
  tree.commit([1, 2, 3].flatMap((value) => [{ usage: { id: `u${value}`, usage: used(value) } }, { appendList: { ...address, value } }]));
  assert.deepEqual(ids(await all(tree.entries({ direction: 'newest-first', customType: 'note' }))), ['d', 'b']);
  assert.deepEqual(ids(await all(tree.entries({ from: 2, to: 3 }))), ['b', 'c']);
  assert.deepEqual(ids(await all(tree.usage({ limit: 2, direction: 'newest-first' }))), ['u3', 'u2']);
  assert.deepEqual((await all(tree.list(address, { from: 10 }))).map(({ value }) => value), [2, 3]);
});

test('values are scanned by prefix, by code points', async () => {
  const { tree } = planted();
  tree.commit(['p/\u{10000}', 'p/\ue000', 'q', 'p/a'].map((key) => ({ setValue: { namespace: 'app', key, value: 0 } })));
  const keys = async (/** @type {import('../src/index.js').ValueScan} */ scan) => (await all(tree.values('app', scan))).map(({ key }) => key);
  assert.deepEqual(await keys({ prefix: 'p/' }), ['p/a', 'p/\ue000', 'p/\u{10000}']);
  assert.deepEqual(await keys({ after: 'p/a', limit: 2 }), ['p/\ue000', 'p/\u{10000}']);
});

test('what is too long for one answer is read to its end, each item once', async () => {
  const { tree } = planted();
  const long = 'x'.repeat(1 << 20);
  const address = { namespace: 'app', key: '' };
  const names = Array.from({ length: 40 }, (_, index) => `e${String(index).padStart(2, '0')}`);
  names.forEach((id, index) => tree.commit([
    said(id, names[index - 1], long),
    { setValue: { namespace: 'app', key: id, value: long } },
    { appendList: { ...address, value: long } },
    { usage: { id: `u${id}`, usage: used(1), details: long } },
  ]));
  assert.equal(tree.readEntries().more, true);
  assert.deepEqual(ids(tree.getEntries(names)), names);
  const again = ['e00', 'none', 'e01', 'e00', 'e02', 'e01', 'none', 'e03', 'e00', 'e00', 'none'];
  assert.deepEqual(ids(tree.getEntries(again)), again.filter((id) => id !== 'none'), 'as often as they are asked for');
  assert.deepEqual(ids(await all(tree.entries())), names);
  assert.deepEqual(ids(await all(tree.entries({ direction: 'newest-first', limit: 39 }))), names.slice(1).reverse());
  assert.deepEqual(ids(await all(tree.branchEntries('e39'))), [...names].reverse());
  assert.deepEqual(ids(await all(tree.branchEntries('e39', { direction: 'oldest-first' }))), names);
  assert.deepEqual((await all(tree.values('app'))).map(({ key }) => key), names);
  assert.deepEqual(tree.getValues(names.map((key) => ({ namespace: 'app', key }))).map(({ key }) => key), names);
  assert.equal((await all(tree.list(address))).length, 40);
  assert.deepEqual(ids(await all(tree.usage())), names.map((id) => `u${id}`));
  tree.createBranch('main', 'e39');
  assert.deepEqual((await tree.context('main')).map(({ entry }) => entry), names);
});

test('labels and the name are set and taken away', () => {
  const { tree } = branched();
  tree.setLabel('b', 'turning point');
  tree.setLabel('c', 'end');
  tree.setLabel('c');
  assert.deepEqual(tree.getLabels(['c', 'b']), [{ entry: 'b', text: 'turning point' }]);
  tree.setName('work');
  tree.setName();
  assert.equal(tree.state().name, undefined);
});

test('the whole tree is forked, and one lane of it', async () => {
  const { sessions, tree } = branched();
  const header = tree.fork({ id: 'all', cwd: '/srv' });
  assert.deepEqual([header.id, header.cwd, header.parentSession], ['all', '/srv', 'x']);
  assert.deepEqual(ids(await all(sessions.tree('all').entries())), ['a', 'b', 'c', 'd']);
  assert.throws(() => tree.fork('one', { branch: 'main' }), { code: 'not-a-lane', payload: 'main' });
  tree.commit(['pi.lane.config', 'pi.lane.state'].map((namespace) => ({ setValue: { namespace, key: 'main', value: {} } })));
  const forked = (/** @type {string} */ child, /** @type {import('../src/index.js').BranchFork} */ part) => {
    tree.fork(child, part);
    return sessions.tree(child).readEntries().items;
  };
  assert.deepEqual(ids(forked('tip', { branch: 'main' })), ['a', 'b', 'c']);
  assert.deepEqual(ids(forked('at', { branch: 'main', at: 'b' })), ['a', 'b']);
  assert.deepEqual(ids(forked('before', { branch: 'main', before: 'b' })), ['a']);
  assert.throws(() => tree.fork('off', { branch: 'main', at: 'd' }), { code: 'not-on-branch' });
});

test('a fork does not take the name of a session that waits to be stored', () => {
  const { sessions, tree } = branched();
  sessions.create('waiting');
  assert.throws(() => tree.fork('waiting'), { code: 'already-exists' });
});

test('the context of a branch begins with its last compaction', async () => {
  const { tree } = branched();
  tree.append('main', { id: 'e', type: 'compaction', payload: { summary: 'It began.', retainedTail: [{ role: 'user', content: 'kept' }], tokensBefore: 9, fromHook: false } });
  tree.append('main', said('f').entry);
  const context = await tree.context('main');
  assert.deepEqual(context.map(({ entry, message }) => [entry, message.role]), [['e', 'compactionSummary'], ['e', 'user'], ['f', 'user']]);
  const { messages, next } = tree.readContext('main', { maxBytes: 1 });
  assert.deepEqual(messages, context.slice(0, 1));
  assert.deepEqual(tree.readContext('main', { from: next, maxBytes: 1 }).messages, context.slice(1, 2));
});

test('as text, payloads and values are kept to the byte', async () => {
  const { tree } = planted({ text: true });
  const json = '{"data":{"big":12345678901234567890, "one":1.0,"half":"\\ud83d"}}';
  const address = { namespace: 'app', key: '' };
  tree.commit([
    { entry: { id: 'a', type: 'custom', customType: 'note', payload: json } },
    { setValue: { ...address, value: json } },
    { appendList: { ...address, value: json } },
    { usage: { id: 'u', usage: `${JSON.stringify(used(1))} `, details: json } },
  ]);
  assert.equal(tree.getEntries(['a'])[0].payload, json);
  assert.equal(tree.getValues([address])[0].value, json);
  assert.equal((await all(tree.list(address)))[0].value, json);
  assert.deepEqual((await all(tree.usage())).map(({ details }) => details), [json]);
});

test('errors say which, and what to do', () => {
  const { sessions, tree } = branched();
  assert.throws(() => tree.commit([said('a')]), { code: 'duplicate-id', payload: 'a', message: /choose another/ });
  assert.throws(() => tree.commit([said('z', 'nix')]), { code: 'missing-parent', payload: 'nix' });
  assert.throws(() => tree.append('nix', said('z').entry), { code: 'unknown-branch', payload: 'nix' });
  assert.throws(() => tree.createBranch('main'), { code: 'branch-exists', payload: 'main' });
  assert.throws(() => tree.readBranchEntries('nix'), { code: 'unknown-target', payload: 'nix' });
  const pending = { message: { role: 'assistant', content: [], stopReason: 'pending' } };
  assert.throws(() => tree.append('main', { id: 'z', type: 'message', payload: pending }), { code: 'pending-message', payload: 'z' });
  assert.throws(() => tree.commit([note('y'), { setValue: { namespace: '', key: '', value: 1 } }]),
    { code: 'refused-write', message: /^write 1 is refused: it has an empty namespace$/ });
  assert.throws(() => sessions.tree('nix').state(), { code: 'not-found', payload: 'nix' });
  assert.throws(() => sessions.tree('a\ud83d'), { code: 'invalid-id' });
  tree.commit([{ setValue: { namespace: 'pi.new', key: '', value: 1 } }]);
  assert.throws(() => tree.fork('y'), { code: 'reserved-namespace', payload: 'pi.new' });
  assert.equal(tree.state().entryCount, 4);
});

test('every error of the contract has a sentence', () => {
  const cases = (/** @type {string} */ file, /** @type {string} */ variant) => {
    const wit = fs.readFileSync(new URL(`../../../wit/${file}`, import.meta.url), 'utf8');
    const body = wit.split(`variant ${variant} {`)[1].split('\n    }')[0];
    return [...body.matchAll(/^ +([a-z-]+)(?:\(.*\))?,$/gm)].map(([, name]) => name);
  };
  const ofTrees = cases('session-tree.wit', 'tree-error').filter((name) => name !== 'session');
  assert.ok(ofTrees.length > 8);
  for (const code of [...cases('types.wit', 'error'), ...ofTrees, 'trapped']) {
    assert.ok(new SessionError(/** @type {any} */ (code), {}).message, code);
  }
});

test('what is no write of a tree is refused before anything is written', () => {
  const { tree } = planted();
  const value = { namespace: 'app', key: '', value: undefined };
  assert.throws(() => tree.commit([note('a'), { setValue: value }]), { code: 'refused-write', message: /^write 1 is refused: its value can't be written as JSON: it is undefined$/ });
  assert.throws(() => tree.commit([said('a\ud83d')]), { code: 'refused-write', message: /^write 0 is refused: its id has half of a surrogate pair/ });
  assert.throws(() => tree.commit(/** @type {any} */ ([{ delete: value }])), { name: 'TypeError', message: /^write 0 can't have `delete`, only entry, usage, setValue/ });
  assert.throws(() => tree.getEntries(['a\ud83d']), { code: 'refused' });
  assert.throws(() => tree.readEntries({ from: -1 }), RangeError);
  assert.equal(tree.state().next, 1);
});

test('a tree goes on with a session that waits to be stored, after a fault too', () => {
  const storage = new Memory();
  const sessions = openSessions({ storage });
  sessions.create({ id: 'x', createdAt: 7 });
  const publish = storage.publish;
  storage.publish = () => {
    throw new Error('broken');
  };
  assert.throws(() => sessions.tree('x').commit([said('a')]), { code: 'trapped' });
  storage.publish = publish;
  assert.equal(sessions.tree('x').commit([said('a')]).first, 1);
  assert.equal(sessions.header('x').createdAt, 7);
});
