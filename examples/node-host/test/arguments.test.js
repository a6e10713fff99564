// What is of a wrong kind is refused before anything happens, by its name.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { JsonlFolder, Memory, openSessions, openSessionsInWorker } from '../src/index.js';
import { all, withFolder } from './helpers.js';

const event = { seq: 1, time: 0, type: 'note', data: 1 };
const { data: _, ...rest } = event;

/** What is called, and what it is told. @type {[string, (sessions: any) => unknown, ErrorConstructor, RegExp][]} */
const CALLS = [
  ['create(5)', (of) => of.create(5), TypeError, /^the session must be an object with members of id, .*, not 5$/],
  ['create()', (of) => of.create(), TypeError, /^the session must be .* not undefined$/],
  ['create({})', (of) => of.create({}), TypeError, /^the id must be a string, not undefined$/],
  ['create with an unknown member', (of) => of.create({ id: 'y', CWD: '/' }), TypeError, /^the session can't have `CWD`, only id, cwd/],
  ['create with a wrong directory', (of) => of.create({ id: 'y', cwd: null }), TypeError, /^the working directory must be a string, not null$/],
  ['create with a wrong parent', (of) => of.create({ id: 'y', parentSession: 7 }), TypeError, /^the id must be a string, not 7$/],
  ['create with a wrong time', (of) => of.create({ id: 'y', createdAt: '7' }), TypeError, /^createdAt must be .*, not the string '7'$/],
  ['wake without an id', (of) => of.wake(), TypeError, /^the id must be a string, not undefined$/],
  ['wake with null', (of) => of.wake('x', null), TypeError, /^the options must be .* openTurn, onDamage, not null$/],
  ['wake with a slip', (of) => of.wake('x', { openturn: 'keep' }), TypeError, /^the options can't have `openturn`, only openTurn, onDamage$/],
  ['wake with a word', (of) => of.wake('x', 'keep'), TypeError, /^the options must be .*, not the string 'keep'$/],
  ['emit with no type', (of) => of.emit('x'), TypeError, /^the type must be a string, not undefined$/],
  ['emit with a wrong id', (of) => of.emit({ id: 'x' }, 'note', undefined), TypeError, /^the id must be a string, not { id: 'x' }$/],
  ['emitJson of an object', (of) => of.emitJson('x', 'note', { a: 1 }), TypeError, /^the data must be a string, not { a: 1 }$/],
  ['append of an object', (of) => of.append('x', event), TypeError, /^events must be an array, not { seq: 1/],
  ['append of no events', (of) => of.append('x', [5]), TypeError, /^event 0 must be an object .*, not 5$/],
  ['append of a hole', (of) => of.append('x', Array(1)), TypeError, /^event 0 must be an object .*, not undefined$/],
  ['append with JSON', (of) => of.append('x', [{ ...rest, json: '1' }]), TypeError, /^event 0 can't have `json`, only seq, time, type, data$/],
  ['append with a text for a number', (of) => of.append('x', [{ ...event, seq: '99' }]), TypeError, /^seq must be .*, not the string '99'$/],
  ['append with a fraction', (of) => of.append('x', [{ ...event, time: 0.5 }]), RangeError, /^time must be a whole number .*, not 0\.5$/],
  ['append with no type', (of) => of.append('x', [{ seq: 1, time: 0, data: 1 }]), TypeError, /^the type must be a string/],
  ['appendJson of a text', (of) => of.appendJson('x', '[]'), TypeError, /^events must be an array, not the string '\[\]'$/],
  ['appendJson of values', (of) => of.appendJson('x', [event]), TypeError, /^event 0 can't have `data`, only seq, time, type, json$/],
  ['appendLines of a list', (of) => of.appendLines('x', ['{}']), TypeError, /^the text must be a string, not \[ '{}' \]$/],
  ['handOff without an id', (of) => of.handOff(undefined, {}), TypeError, /^the id must be a string/],
  ['handOffJson of an object', (of) => of.handOffJson('x', {}), TypeError, /^the data must be a string, not {}$/],
  ['fork to a number', (of) => of.fork('x', 5), TypeError, /^the session must be .*, not 5$/],
  ['fork with a place', (of) => of.fork('x', 'y', 1), TypeError, /^the options must be .* length, not 1$/],
  ['fork with a text for a length', (of) => of.fork('x', 'y', { length: '1' }), TypeError, /^length must be .*, not the string '1'$/],
  ['events with a place', (of) => all(of.events('x', 3)), TypeError, /^the options must be .* start, except, not 3$/],
  ['events with one type left out', (of) => all(of.events('x', { except: 'note' })), TypeError, /^except must be an array, not the string 'note'$/],
  ['events with a number left out', (of) => all(of.events('x', { except: [5] })), TypeError, /^a type in except must be a string, not 5$/],
  ['events with a hole left out', (of) => all(of.events('x', { except: Array(1) })), TypeError, /^a type in except must be a string, not undefined$/],
  ['events with a limit', (of) => all(of.events('x', { max: 3 })), TypeError, /^the options can't have `max`, only start, except$/],
  ['lines with a place', (of) => all(of.lines('x', 3)), TypeError, /^the options must be .* start, not 3$/],
  ['messages with a place', (of) => of.messages('x', 3), TypeError, /^the options must be .* length, pairing, not 3$/],
  ['messages with a slip', (of) => of.messages('x', { paired: true }), TypeError, /^the options can't have `paired`/],
  ['list with a word', (of) => all(of.list('recent')), TypeError, /^the options must be .* order, .*, not the string 'recent'$/],
  ['list with a limit', (of) => all(of.list({ limit: 3 })), TypeError, /^the options can't have `limit`/],
  ['list with a wrong directory', (of) => all(of.list({ cwd: 7 })), TypeError, /^the directory must be a string, not 7$/],
  ['readEvents with a text for a number', (of) => of.readEvents('x', { max: '3' }), TypeError, /^max must be .*, not the string '3'$/],
  ['readLines with a number', (of) => of.readLines('x', 3), TypeError, /^the options must be .* start, maxBytes, not 3$/],
  ['readMessages with a big integer', (of) => of.readMessages('x', { start: 3n }), TypeError, /^start must be .*, not 3n$/],
  ['readList with a wrong cursor', (of) => of.readList({ cursor: 3 }), TypeError, /^the cursor must be a string, not 3$/],
  ['readAside without a name', (of) => of.readAside('x'), TypeError, /^the name must be a string, not undefined$/],
  ['readAside with a place', (of) => of.readAside('x', '0.0', 3), TypeError, /^the options must be .* at, max, not 3$/],
  ...['flush', 'inspect', 'verify', 'check', 'header', 'has', 'delete', 'release', 'asides'].map((name) =>
    /** @type {[string, (sessions: any) => unknown, ErrorConstructor, RegExp]} */
    ([`${name} of a number`, (of) => of[name](5), TypeError, /^the id must be a string, not 5$/])),
];

describe('a wrong kind of argument is named, and nothing happens', () => {
  for (const [name, call, kind, message] of CALLS) {
    test(name, async () => {
      const storage = new Memory();
      const sessions = openSessions({ storage });
      sessions.create('x');
      sessions.emit('x', 'note', 0);
      const before = sessions.inspect('x');
      await assert.rejects(async () => call(sessions), { name: kind.name, message });
      assert.deepEqual(sessions.inspect('x'), before);
      assert.deepEqual(storage.list('by-id', undefined, 9).map(({ id }) => id), ['x']);
    });
  }

  test('and in a worker it is the same', () => withFolder(async (root) => {
    const sessions = await openSessionsInWorker({ root });
    await sessions.create('x');
    await sessions.emit('x', 'note', 0);
    for (const [name, call, kind, message] of CALLS) {
      await assert.rejects(async () => call(sessions), { name: kind.name, message }, name);
    }
    await assert.rejects(sessions.wake('x', /** @type {any} */ ({ openTurn: () => 1 })), { name: 'TypeError', message: /^an argument of `wake` can't be handed/ });
    assert.equal((await sessions.inspect('x')).length, 1);
    await sessions.close();
  }));
});

describe('what can not be opened is refused at once', () => {
  const store = () => new Memory();
  /** @type {[string, any, RegExp][]} */
  const OPENED = [
    ['a path', 'sessions', /^the options must be an object with members of root, storage, clock, not the string 'sessions'$/],
    ['nothing', undefined, /^the options must be .*, not undefined$/],
    ['an empty object', {}, /^either `root`, the path of a folder, or `storage` must be given/],
    ['both', { root: 'sessions', storage: store() }, /^either `root`.*one of them alone$/],
    ['a URL', new URL('file:///tmp'), /^either `root`/],
    ['a slip', { Root: 'sessions' }, /^the options can't have `Root`, only root, storage, clock$/],
    ['a slip beside others', { root: 'sessions', Clock: Date.now }, /^the options can't have `Clock`/],
    ['a URL as the root', { root: new URL('file:///tmp') }, /^root must be the path of a folder, not file:/],
    ['an empty root', { root: '' }, /^root must be the path of a folder, not the string ''$/],
    ['no root', { root: null }, /^root must be the path of a folder, not null$/],
    ['an empty store', { storage: {} }, /^storage must have every method of `Storage`, and {} has no `acquire`$/],
    ['a path as the store', { storage: 'sessions' }, /^storage must have every method/],
    ['a time for a clock', { storage: store(), clock: 5 }, /^clock must be a function .*, not 5$/],
  ];
  for (const [name, options, message] of OPENED) {
    test(name, () => assert.throws(() => openSessions(options), { name: 'TypeError', message }));
  }

  test('a worker takes a folder and nothing else', async () => {
    for (const options of /** @type {any[]} */ ([{ storage: store() }, { root: 'sessions', clock: Date.now }, 'sessions', undefined, { root: 7 }])) {
      await assert.rejects(openSessionsInWorker(options), TypeError);
    }
  });

  test('a folder of its own', () => {
    for (const root of /** @type {any[]} */ (['', undefined, 7, new URL('file:///tmp')])) {
      assert.throws(() => new JsonlFolder(root), { name: 'TypeError', message: /^root must be the path of a folder/ });
    }
  });

  test('nothing was made', () => assert.equal(fs.existsSync('sessions'), false));
});

test('a folder that can not be made is named, and no session is missed', () => withFolder((root) => {
  fs.writeFileSync(path.join(root, 'file'), '');
  for (const wrong of ['/proc/x', path.join(root, 'n'.repeat(300)), path.join(root, 'file'), path.join(root, 'file/x')]) {
    assert.throws(() => openSessions({ root: wrong }), { code: 'storage', message: new RegExp(`^storage failed: .*${path.basename(wrong)}`) });
  }
}));

test('a folder that is gone is named where sessions are listed', () => withFolder(async (root) => {
  const gone = path.join(root, 'gone');
  const sessions = openSessions({ root: gone });
  fs.rmdirSync(gone);
  await assert.rejects(all(sessions.list()), { code: 'storage', message: /^storage failed: .*gone/ });
}));

test('data that is missing is told to be undefined', () => {
  const sessions = /** @type {any} */ (openSessions({ storage: new Memory() }));
  sessions.create('x');
  const told = { code: 'rejected', message: "event 0 of this call cannot be stored: its `data` can't be written as JSON: it is undefined" };
  assert.throws(() => sessions.emit('x', 'note'), told);
  assert.throws(() => sessions.handOff('x'), told);
});

test('what is long is shown by how it begins', () => {
  const sessions = /** @type {any} */ (openSessions({ storage: new Memory() }));
  for (const long of [Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`name${index}`, index])), Array(999).fill('x'), Buffer.alloc(999)]) {
    assert.throws(() => sessions.has(long), (/** @type {any} */ error) => error instanceof TypeError && error.message.length < 150);
  }
  assert.throws(() => sessions.append('y'.repeat(9999), 'x'.repeat(9999)), (/** @type {any} */ error) => error.message.length < 150);
});

test('nothing of that name set aside is told as such', () => withFolder((root) => {
  for (const storage of [new Memory(), new JsonlFolder(root)]) {
    const sessions = openSessions({ storage });
    sessions.create('x');
    sessions.flush('x');
    for (const aside of ['0.0', '0.0000000000000000']) {
      assert.throws(() => sessions.readAside('x', aside),
        { code: 'not-found', payload: { id: 'x', aside }, message: `nothing called "${aside}" was set aside from the session "x"; \`asides\` tells what was` });
    }
  }
}));
