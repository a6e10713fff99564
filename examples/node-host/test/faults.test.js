// Storage that breaks down, and what is left then.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Memory, StorageError, openSessions } from '../src/index.js';
import { all } from './helpers.js';

/** A store whose calls can be made to do something else, once. */
function breakable() {
  const memory = new Memory();
  /** @type {Map<string, (...args: any[]) => any>} */
  const broken = new Map();
  const storage = new Proxy(memory, {
    get(target, name) {
      return (/** @type {any[]} */ ...args) => {
        const act = broken.get(String(name)) ?? /** @type {any} */ (target)[name].bind(target);
        broken.delete(String(name));
        return act(...args);
      };
    },
  });
  return { memory, sessions: openSessions({ storage }), once: broken.set.bind(broken) };
}

/** As much as a checkpoint is worth. */
const LONG = 'a'.repeat(2 << 20);

const crash = () => {
  throw new TypeError('undefined is not a function');
};

test('an error of the language in storage is a fault, and the next call goes on with all that was acknowledged', async () => {
  const { sessions, once } = breakable();
  sessions.create('x');
  sessions.emit('x', 'note', 1);
  once('append', crash);
  assert.throws(() => sessions.emit('x', 'note', 2), (/** @type {any} */ error) => error.code === 'trapped' && error.cause instanceof TypeError);
  assert.equal(sessions.emit('x', 'note', 3), 1);
  assert.deepEqual((await all(sessions.events('x'))).map(({ data }) => data), [1, 3]);
});

test('bytes that storage took before it broke down are there', async () => {
  const { memory, sessions, once } = breakable();
  sessions.create('x');
  sessions.emit('x', 'note', 1);
  once('append', (id, at, content) => {
    memory.append(id, at, content);
    crash();
  });
  assert.throws(() => sessions.emit('x', 'note', 2), { code: 'trapped' });
  assert.equal(sessions.emit('x', 'note', 3), 2);
  assert.deepEqual((await all(sessions.events('x'))).map(({ data }) => data), [1, 2, 3]);
});

test('whatever storage breaks down at, the sessions that are held stay held, and go on', () => {
  /** @type {[string, (sessions: import('../src/index.js').Sessions) => unknown][]} */
  const uses = [
    ['append', (sessions) => sessions.emit('x', 'note', 1)],
    ['sync', (sessions) => sessions.flush('x')],
    ['stat', (sessions) => sessions.has('x')],
    ['read', (sessions) => sessions.inspect('z')],
    ['asides', (sessions) => sessions.inspect('z')],
    ['loadCheckpoint', (sessions) => sessions.inspect('long')],
    ['saveCheckpoint', (sessions) => {
      sessions.emit('x', 'note', LONG);
      sessions.flush('x');
    }],
    ['list', (sessions) => sessions.readList()],
    ['publish', (sessions) => sessions.fork('x', 'y')],
    ['release', (sessions) => sessions.fork('x', 'y')],
    ['remove', (sessions) => sessions.delete('y')],
    ['acquire', (sessions) => sessions.emit('z', 'note', 1)],
  ];
  for (const [call, use] of uses) {
    const { memory, sessions, once } = breakable();
    for (const id of ['x', 'z', 'long']) {
      sessions.create(id);
      sessions.emit(id, 'note', id === 'long' ? LONG : 0);
      sessions.flush(id);
    }
    sessions.release('z');
    sessions.release('long');
    once(call, crash);
    assert.throws(() => use(sessions), { code: 'trapped' }, call);
    assert.throws(() => memory.sibling().acquire('x'), { code: 'busy' }, call);
    const { length } = sessions.verify('x');
    assert.equal(sessions.emit('x', 'note', 'goes on'), length, call);
  }
});

test('sessions that were created and not stored yet outlast a fault', () => {
  const { sessions, once } = breakable();
  const header = sessions.create({ id: 'x', cwd: '/srv' });
  sessions.create('y');
  once('publish', crash);
  assert.throws(() => sessions.emit('y', 'note', 1), { code: 'trapped' });
  assert.deepEqual(sessions.header('x'), header);
  assert.equal(sessions.emit('x', 'note', 1), 0);
  assert.deepEqual(sessions.header('x'), header);
  assert.equal(sessions.emit('y', 'note', 1), 0);
});

test('one that another has stored meanwhile is not taken for it', () => {
  const { memory, sessions, once } = breakable();
  sessions.create('x');
  once('list', crash);
  assert.throws(() => sessions.readList(), { code: 'trapped' });
  const others = openSessions({ storage: memory.sibling() });
  others.create('x');
  others.emit('x', 'note', 'of another');
  assert.throws(() => sessions.emit('x', 'note', 1), { code: 'already-exists' });
  assert.throws(() => sessions.emit('x', 'note', 1), { code: 'busy' });
});

test('a fork does not take the place of a session that was created before a fault', () => {
  const { sessions, once } = breakable();
  sessions.create('x');
  sessions.emit('x', 'note', 1);
  sessions.create('y');
  once('list', crash);
  assert.throws(() => sessions.readList(), { code: 'trapped' });
  assert.throws(() => sessions.fork('x', 'y'), { code: 'already-exists' });
  assert.equal(sessions.header('y').parentSession, undefined);
});

test('a pending session that is released or deleted does not come back after a fault', () => {
  for (const end of /** @type {const} */ (['release', 'delete'])) {
    const { sessions, once } = breakable();
    sessions.create('x');
    sessions[end]('x');
    once('list', crash);
    assert.throws(() => sessions.readList(), { code: 'trapped' });
    assert.throws(() => sessions.emit('x', 'note', 1), { code: 'not-found' });
  }
});

test('a wake that breaks down lets the session go', () => {
  const { memory, sessions, once } = breakable();
  sessions.create('x');
  sessions.emit('x', 'turn/start', { turn: 1 });
  once('sync', crash);
  assert.throws(() => sessions.wake('x'), { code: 'trapped' });
  const other = memory.sibling();
  other.acquire('x');
  other.release('x');
  assert.equal(sessions.wake('x').turnOpen, false);
});

test('what storage says it can not do is an answer and no fault', () => {
  const { sessions, once } = breakable();
  sessions.create('x');
  sessions.emit('x', 'note', 1);
  for (const [code, told] of /** @type {const} */ ([['no-space', 'no-space'], ['read-only', 'read-only'], ['failed', 'storage'], ['access-denied', 'access-denied']])) {
    once('append', () => {
      throw new StorageError(code, 'the reason');
    });
    assert.throws(() => sessions.emit('x', 'note', 2), { code: told });
  }
  assert.equal(sessions.emit('x', 'note', 2), 1);
});

test('a promise is no answer', () => {
  /** @type {[string, (sessions: import('../src/index.js').Sessions) => unknown][]} */
  const uses = [
    ['append', (sessions) => sessions.emit('x', 'note', 2)],
    ['sync', (sessions) => sessions.flush('x')],
    ['stat', (sessions) => sessions.has('x')],
    ['read', (sessions) => sessions.readEvents('x')],
    ['asides', (sessions) => sessions.inspect('x')],
  ];
  for (const [call, use] of uses) {
    const { sessions, once } = breakable();
    sessions.create('x');
    sessions.emit('x', 'note', 1);
    once(call, async () => {});
    assert.throws(() => use(sessions), { code: 'trapped' }, call);
    use(sessions);
  }
});

test('a clock that breaks down is a fault', () => {
  let now = () => 5;
  const sessions = openSessions({ storage: new Memory(), clock: () => now() });
  sessions.create('x');
  now = crash;
  assert.throws(() => sessions.emit('x', 'note', 1), { code: 'trapped' });
  now = () => 1.5;
  assert.throws(() => sessions.emit('x', 'note', 1), { code: 'trapped' });
  now = () => 6;
  assert.equal(sessions.emit('x', 'note', 1), 0);
});

test('whatever is thrown is a fault unless it is a StorageError, and leaves no instance half-way', () => {
  const looksLikeAnAnswer = Object.assign(new Error('busy'), { payload: { tag: 'busy', val: 'nobody' } });
  for (const thrown of [undefined, null, 'text', Symbol('s'), Object.create(null), { tag: 'busy', val: 'nobody' }, { tag: 'unheard-of' }, looksLikeAnAnswer]) {
    const fail = () => {
      throw thrown;
    };
    for (const call of ['append', 'release', 'asides']) {
      const { sessions, once } = breakable();
      sessions.create('x');
      sessions.emit('x', 'note', 1);
      once(call, fail);
      const use = () => (call === 'append' ? sessions.emit('x', 'note', 2) : call === 'release' ? sessions.release('x') : sessions.asides('x'));
      assert.throws(use, (/** @type {any} */ error) => error.code === 'trapped' && Object.is(error.cause, thrown), `${call}: ${inspect(thrown)}`);
      assert.equal(sessions.emit('x', 'note', 3), 1);
    }
    let now = fail;
    const sessions = openSessions({ storage: new Memory(), clock: () => now() });
    assert.throws(() => sessions.create('x'), { code: 'trapped' });
    now = /** @type {any} */ (() => 5);
    assert.equal(sessions.create('x').createdAt, 5);
  }
});

test('a wake that breaks down tells why, also where the session can not be let go', () => {
  const { sessions, once } = breakable();
  sessions.create('x');
  sessions.emit('x', 'note', 1);
  once('sync', crash);
  once('release', () => {
    throw new Error('and this too');
  });
  assert.throws(() => sessions.wake('x'), { code: 'trapped', message: /undefined is not a function/ });
});

test('storage that calls the sessions it serves is refused, and the call it is in goes on', () => {
  const { memory, sessions, once } = breakable();
  sessions.create('x');
  sessions.emit('x', 'note', 1);
  const refused = { code: 'refused', message: /called the sessions that were just calling it/ };
  for (const use of [() => sessions.emit('x', 'note', 2), () => sessions.has('x'), () => sessions.close()]) {
    let asked = false;
    once('append', (id, at, content) => {
      assert.throws(use, refused);
      asked = true;
      memory.append(id, at, content);
    });
    const { length } = sessions.inspect('x');
    assert.equal(sessions.emit('x', 'note', 3), length);
    assert.ok(asked);
  }
  assert.equal(sessions.verify('x').length, 4);
});
