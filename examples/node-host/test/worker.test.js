import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SessionError, Tree, openSessions, openSessionsInWorker } from '../src/index.js';
import { Sessions } from '../src/sessions.js';
import { all, withFolder } from './helpers.js';

/** @template T @param {(sessions: import('../src/index.js').WorkerSessions, root: string) => Promise<T>} use */
const inWorker = (use) => withFolder(async (root) => {
  const sessions = await openSessionsInWorker({ root });
  try {
    return await use(sessions, root);
  } finally {
    await sessions.close();
  }
});

test('it has every call of the sessions in this thread', () => inWorker(async (sessions) => {
  for (const name of Object.getOwnPropertyNames(Sessions.prototype)) {
    assert.equal(typeof (/** @type {any} */ (sessions)[name]), 'function', name);
  }
}));

test('sessions are written, read and woken', () => inWorker(async (sessions, root) => {
  await sessions.create({ id: 'x', cwd: '/srv' });
  await sessions.emit('x', 'turn/start', { turn: 1 });
  await sessions.append('x', [{ seq: 1, time: 5, type: 'user/message', data: { content: 'hello' } }]);
  await sessions.flush('x');
  assert.deepEqual((await all(sessions.events('x'))).map(({ type, data }) => [type, data]), [
    ['turn/start', { turn: 1 }],
    ['user/message', { content: 'hello' }],
  ]);
  assert.deepEqual((await sessions.messages('x')).map(({ role }) => role), ['user']);
  assert.deepEqual((await sessions.wake('x')).recovery.closers.map(({ type }) => type), ['turn/end']);
  assert.deepEqual((await all(sessions.list())).map(({ id }) => id), ['x']);
  assert.equal((await all(sessions.lines('x'))).join(''), fs.readFileSync(path.join(root, 'x.jsonl'), 'utf8').replace(/^.*\n/, ''));
}));

test('calls are done in the order in which they were made', () => inWorker(async (sessions) => {
  const calls = [sessions.create('x'), ...Array.from({ length: 50 }, (_, index) => sessions.emit('x', 'note', index))];
  assert.deepEqual((await Promise.all(calls)).slice(1), [...Array(50).keys()]);
}));

test('errors come as they are', () => inWorker(async (sessions) => {
  await assert.rejects(sessions.wake('nix'), (error) => error instanceof SessionError && error.code === 'not-found' && error.payload === 'nix');
  await assert.rejects(sessions.has(/** @type {any} */ (7)), TypeError);
  await assert.rejects(all(sessions.events('x', { start: -1 })), RangeError);
  await sessions.create('x');
  await assert.rejects(sessions.emit('x', 'note', undefined), { code: 'rejected' });
  await assert.rejects(sessions.create('a\ud83d'), { code: 'invalid-id' });
}));

test('an unreadable log is listed with its reason', () => inWorker(async (sessions, root) => {
  fs.writeFileSync(path.join(root, 'x.jsonl'), '');
  const [item] = await all(sessions.list());
  assert.ok('reason' in item && item.reason.code === 'corrupt' && item.reason.message.includes('the log is empty') && item.id === 'x');
}));

test('a tree has every call of the trees in this thread, each with a promise', () => inWorker(async (sessions) => {
  await sessions.create('x');
  const tree = sessions.tree('x');
  for (const name of Object.getOwnPropertyNames(Tree.prototype)) {
    assert.equal(typeof (/** @type {any} */ (tree)[name]), 'function', name);
  }
  const entry = { id: 'a', type: /** @type {const} */ ('custom'), customType: 'note', payload: { data: 1 } };
  const committed = tree.commit([{ entry }]);
  assert.ok(committed instanceof Promise);
  assert.equal((await committed).first, 1);
  await tree.createBranch('main', 'a');
  await tree.append('main', { ...entry, id: 'b' });
  assert.deepEqual((await all(tree.branchEntries('b'))).map(({ id }) => id), ['b', 'a']);
  assert.deepEqual((await tree.getEntries(['a', 'nix'])).map(({ payload }) => payload), [{ data: 1 }]);
  assert.equal((await tree.fork('y')).parentSession, 'x');
  assert.equal((await sessions.tree('x', { text: true }).getEntries(['a']))[0].payload, '{"data":1}');
}));

test('errors of a tree come by its promises, as they are', () => inWorker(async (sessions) => {
  await sessions.create('x');
  const tree = sessions.tree('x');
  await assert.rejects(tree.append('nix', { id: 'a', type: 'custom', customType: 'note', payload: {} }),
    (error) => error instanceof SessionError && error.code === 'unknown-branch');
  await assert.rejects(tree.commit([{ setValue: { namespace: 'app', key: '', value: undefined } }]), { code: 'refused-write' });
  await assert.rejects(tree.readEntries({ limit: -1 }), RangeError);
  await assert.rejects(all(tree.branchEntries('nix')), { code: 'unknown-target' });
  await assert.rejects(all(tree.entries({ from: -1 })), RangeError);
}));

test('what can not be opened is told at once', () => withFolder(async (root) => {
  fs.writeFileSync(path.join(root, 'file'), '');
  await assert.rejects(openSessionsInWorker({ root: path.join(root, 'file') }), SessionError);
}));

test('it keeps out the sessions of this thread, until it is closed', () => withFolder(async (root) => {
  const remote = await openSessionsInWorker({ root });
  await remote.create('x');
  await remote.flush('x');
  const sessions = openSessions({ root });
  assert.throws(() => sessions.wake('x'), { code: 'busy' });
  await remote.close();
  sessions.wake('x');
  await assert.rejects(remote.has('x'), { code: 'refused', message: /were closed/ });
  await remote.close();
  sessions.close();
}));

test('a call that waits keeps the program alive, and an idle worker does not', () => withFolder((root) => {
  const program = `
    import { openSessionsInWorker } from ${JSON.stringify(new URL('../src/index.js', import.meta.url).href)};
    const sessions = await openSessionsInWorker({ root: ${JSON.stringify(root)} });
    sessions.create('x');
    sessions.emit('x', 'note', 1).then(() => console.log('done'));
  `;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.deepEqual([stdout, status], ['done\n', 0]);
}));
