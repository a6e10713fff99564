// Both hosts on one folder: they read, wake and go on with each other's sessions, write the same bytes, and keep out of each
// other's way. Needs the command of the Rust host.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { JsonlFolder, openSessions } from '../src/index.js';
import { Talking, all, done, session, withFolder } from './helpers.js';

/** Ids that file systems would take for something else. */
const AWKWARD = [
  '../x', '/etc/x', '..\\x', 'a/b', '.', '..', 'C:x', '~', '~tmp.x', 'CON', 'con', 'nul.txt', 'NUL.txt', 'com1', 'com10', 'lpt9.a.b',
  'console', 'a.', '.a', 'a..b', 'a ', ' a', 'A', 'a', 'ä', 'a\u0308', 'x.jsonl', 'a\nb', '-dash', '日本語', '😀', '\ufeffa', '\uffff',
  '\x7f', "__proto__", 'a'.repeat(240), 'é'.repeat(40),
];

/** A turn that was left open, in which one of two calls was begun. @type {[string, unknown][]} */
const INTERRUPTED = [
  ['turn/start', { turn: 1 }],
  ['user/message', { content: 'Read two files. \u2028 é 日本語 😀' }],
  ['step/start', { turn: 1, step: 1 }],
  ['assistant/message', { content: [
    { type: 'text', text: 'Well.' },
    { type: 'tool-call', id: 'a', name: 'read', arguments: { path: 'a' } },
    { type: 'tool-call', id: 'b', name: 'read', arguments: { path: 'b' } },
  ] }],
  ['tool/call', { callId: 'a' }],
];

/** @param {string} root */
const files = (root) => Object.fromEntries(fs.readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name))
  .map((file) => [path.relative(root, file), fs.readFileSync(file, 'latin1')])
  .sort());

/** @param {string} root */
function interrupted(root) {
  const sessions = openSessions({ root });
  sessions.create({ id: 'x', cwd: '/srv/project' });
  INTERRUPTED.forEach(([type, data]) => sessions.emit('x', type, data));
  return sessions;
}

/** Does the same on two copies of a folder; answers the files of both. @param {string} root @param {(root: string) => unknown} one @param {(root: string) => unknown} other */
function both(root, one, other) {
  const copy = `${root}-copy`;
  fs.cpSync(root, copy, { recursive: true, preserveTimestamps: true });
  try {
    one(root);
    other(copy);
    return [files(root), files(copy)];
  } finally {
    fs.rmSync(copy, { recursive: true });
  }
}

test('what is written here is read there to the byte', () => withFolder((root) => {
  interrupted(root).close();
  const stored = fs.readFileSync(path.join(root, 'x.jsonl'), 'utf8');
  assert.equal(done(root, ['show', 'x', '--json']), stored.slice(stored.indexOf('\n') + 1));
  assert.match(done(root, ['verify', '--all', '--json']), /"sound":true/);
}));

test('what is written there is read here to the byte', () => withFolder(async (root) => {
  const lines = '{"type":"note","seq":0,"time":1,"data":12345678901234567890}\n{ "data":{"a":1,"a":1.0}, "seq":1, "time":2, "type":"note" }\r\n';
  done(root, ['append', '--create', 'x'], lines);
  const sessions = openSessions({ root });
  assert.equal((await all(sessions.lines('x'))).join(''), lines);
  sessions.close();
}));

test('a session that was interrupted here is woken there with the same bytes as here', () => withFolder((root) => {
  interrupted(root).close();
  const [here, there] = both(root, (root) => {
    const sessions = openSessions({ root });
    assert.equal(sessions.wake('x').recovery.closers.length, 4);
    sessions.close();
  }, (root) => done(root, ['wake', 'x']));
  assert.deepEqual(here, there);
  assert.match(here['x.jsonl'], /TOOL_OUTCOME_UNKNOWN.*\n.*TOOL_NOT_STARTED/);
}));

test('a torn tail is set aside in the same file here and there', () => withFolder((root) => {
  interrupted(root).close();
  fs.appendFileSync(path.join(root, 'x.jsonl'), '{"type":"tool/res');
  const [here, there] = both(root, (root) => {
    const sessions = openSessions({ root });
    const { keptAt } = sessions.wake('x').recovery;
    assert.deepEqual(sessions.asides('x'), [{ name: keptAt, length: 17 }]);
    assert.equal(String(sessions.readAside('x', /** @type {string} */ (keptAt))), '{"type":"tool/res');
    sessions.close();
  }, (root) => done(root, ['wake', 'x']));
  assert.deepEqual(here, there);
  assert.equal(Object.keys(here).length, 2);
}));

test('damage is told and set aside alike', () => withFolder((root) => {
  interrupted(root).close();
  const log = path.join(root, 'x.jsonl');
  const lines = fs.readFileSync(log, 'utf8').split('\n');
  fs.writeFileSync(log, lines.toSpliced(3, 1, '\0'.repeat(20)).join('\n'));
  const sessions = openSessions({ root });
  const { damage } = sessions.inspect('x').recovery;
  assert.deepEqual(damage, JSON.parse(done(root, ['inspect', 'x', '--json'])).recovery.damage);
  assert.throws(() => sessions.wake('x'), { code: 'corrupt', payload: damage });
  assert.throws(() => sessions.emit('x', 'note', 1), { code: 'corrupt' });
  sessions.close();
  const [here, there] = both(root, (root) => {
    const sessions = openSessions({ root });
    sessions.wake('x', { onDamage: 'set-aside' });
    sessions.close();
  }, (root) => done(root, ['wake', 'x', '--set-aside']));
  assert.deepEqual(here, there);
}));

test('a session goes to and fro, and both derive the same conversation', () => withFolder(async (root) => {
  interrupted(root).close();
  done(root, ['wake', 'x']);
  done(root, ['emit', 'x', 'user/message', '{"content":"Go on."}']);
  const sessions = openSessions({ root });
  const { length } = sessions.wake('x');
  assert.equal(sessions.emit('x', 'assistant/message', { content: [{ type: 'text', text: 'Done.' }] }), length);
  const messages = await sessions.messages('x');
  sessions.close();
  assert.equal(messages.length, 6);
  assert.deepEqual(messages, done(root, ['messages', 'x', '--json']).trim().split('\n').map((line) => JSON.parse(line)));
}));

test('a fork here has the same lines as one there', () => withFolder((root) => {
  interrupted(root).close();
  const sessions = openSessions({ root });
  sessions.fork('x', 'here', { length: 4 });
  done(root, ['fork', 'x', 'there', '--length', '4']);
  const lines = (/** @type {string} */ id) => fs.readFileSync(path.join(root, `${id}.jsonl`), 'utf8').split('\n').slice(1);
  assert.deepEqual(lines('here'), lines('there'));
  sessions.close();
}));

test('awkward ids have the same files here and there', () => withFolder((root) => {
  const sessions = openSessions({ root, clock: () => 5 });
  for (const id of AWKWARD) {
    sessions.create({ id, createdAt: 5 });
    sessions.emit(id, 'note', id);
    sessions.release(id);
  }
  const here = files(root);
  assert.equal(Object.keys(here).length, AWKWARD.length);
  for (const id of AWKWARD) {
    assert.equal(done(root, ['show', '--json', '--', id]), `{"type":"note","seq":0,"time":5,"data":${JSON.stringify(id)}}\n`, id);
    done(root, ['delete', '--', id]);
  }
  assert.deepEqual(files(root), {});
  sessions.close();
}));

test('awkward ids are listed in the same order here and there', () => withFolder(async (root) => {
  const sessions = openSessions({ root });
  for (const id of AWKWARD) {
    done(root, ['create', '--', id]);
  }
  fs.writeFileSync(path.join(root, 'FOREIGN.jsonl'), 'x');
  fs.writeFileSync(Buffer.from(`${root}/\xff\\.jsonl`, 'latin1'), 'x');
  fs.mkdirSync(path.join(root, 'folder.jsonl'));
  const there = done(root, ['list', '--json']).trim().split('\n').map((line) => JSON.parse(line));
  const here = await all(sessions.list());
  assert.deepEqual(here.map((item) => item.id ?? /** @type {any} */ (item).name), there.map(({ id, unreadable }) => id ?? unreadable));
  assert.deepEqual(here.map(({ id }) => id).filter((id) => id !== undefined && id !== 'folder').sort(), [...AWKWARD].sort());
  sessions.close();
}));

test('ids that can have no file are refused alike', () => withFolder((root) => {
  const sessions = openSessions({ root });
  for (const id of ['', 'a'.repeat(241), 'A'.repeat(81), '語'.repeat(100), 'a'.repeat(256)]) {
    assert.throws(() => sessions.create(id), { code: 'invalid-id' });
    assert.equal(session(root, ['create', '--', id]).status, 6);
  }
  sessions.close();
}));

test('a session that is held there is busy here, at once, and the holder is named', () => withFolder(async (root) => {
  const writer = Talking.session(root, 'append', '--create', '--stamp', '--ack', 'x');
  writer.say('{"type":"note","data":1}');
  assert.equal(await writer.hear(), '0');
  const sessions = openSessions({ root });
  const busy = { code: 'busy', message: new RegExp(`process ${writer.process.pid}`) };
  assert.throws(() => sessions.wake('x'), busy);
  assert.throws(() => sessions.emit('x', 'note', 2), busy);
  assert.throws(() => sessions.delete('x'), busy);
  assert.equal(sessions.inspect('x').held, true);
  await writer.end();
  assert.equal(sessions.inspect('x').held, false);
  assert.equal(sessions.wake('x').length, 1);
  sessions.close();
}));

test('a session that is held here is busy there, at once, and the holder is named', () => withFolder((root) => {
  const sessions = interrupted(root);
  for (const args of [['wake', 'x'], ['emit', 'x', 'note', '1'], ['delete', 'x']]) {
    const { status, stderr } = session(root, args);
    assert.equal(status, 4, stderr);
    assert.match(stderr, new RegExp(`process ${process.pid}`));
  }
  assert.equal(JSON.parse(done(root, ['inspect', 'x', '--json'])).held, true);
  sessions.release('x');
  done(root, ['wake', 'x']);
  sessions.close();
}));

test('a session that was woken there meanwhile is noticed here', () => withFolder((root) => {
  const sessions = interrupted(root);
  sessions.release('x');
  done(root, ['wake', 'x']);
  assert.equal(sessions.emit('x', 'note', 1), 9);
  sessions.close();
}));

test('a checkpoint that is left here serves there', () => withFolder((root) => {
  const sessions = openSessions({ root });
  sessions.create('x');
  sessions.appendLines('x', Array.from({ length: 30_000 }, (_, seq) => `{"type":"note","seq":${seq},"time":0,"data":"${'a'.repeat(40)}"}`).join('\n'));
  sessions.flush('x');
  sessions.close();
  const [here, there] = both(root, (root) => {
    const sessions = openSessions({ root });
    sessions.wake('x');
    sessions.close();
  }, (root) => done(root, ['wake', 'x']));
  assert.deepEqual(Object.keys(here), ['x.ckpt', 'x.jsonl']);
  assert.deepEqual(here, there);
  assert.equal(JSON.parse(done(root, ['inspect', 'x', '--json'])).length, 30_000);
}));

test('one log has the same identity here and there', () => withFolder((root) => {
  const sessions = interrupted(root);
  const { revision } = JSON.parse(done(root, ['inspect', 'x', '--json']));
  assert.equal(sessions.inspect('x').revision, revision);
  sessions.close();
  assert.ok(revision.startsWith(new JsonlFolder(root).stat('x').identity));
}));

test('what a killed command has left of a log that it was making is swept here', () => withFolder((root) => {
  fs.writeFileSync(path.join(root, '~tmp.x.jsonl'), 'half', { mode: 0o600 });
  fs.writeFileSync(path.join(root, 'x.ckpt'), 'of another');
  const sessions = openSessions({ root });
  sessions.create('x');
  sessions.flush('x');
  assert.deepEqual(fs.readdirSync(root), ['x.jsonl']);
  sessions.close();
}));
