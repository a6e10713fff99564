import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Memory, SessionError, openSessions } from '../src/index.js';
import { all } from './helpers.js';

const inMemory = () => openSessions({ storage: new Memory(), clock: () => 1763681581550 });

/** Sessions with one whose turn is open after two events. */
function interrupted() {
  const sessions = inMemory();
  sessions.create('x');
  sessions.emit('x', 'turn/start', { turn: 1 });
  sessions.emit('x', 'user/message', { content: 'The login fails.' });
  return sessions;
}

test('a created session is told before it is stored, and stored with its first event', () => {
  const sessions = inMemory();
  const header = sessions.create({ id: 'x', cwd: '/srv/project', createdAt: 7 });
  assert.deepEqual(header, { version: 0, id: 'x', createdAt: 7, cwd: '/srv/project' });
  assert.equal(sessions.has('x'), false);
  assert.equal(sessions.emit('x', 'note', null), 0);
  assert.equal(sessions.has('x'), true);
  assert.deepEqual(sessions.header('x'), header);
});

test('events come back in order, with the time of the clock', async () => {
  assert.deepEqual(await all(interrupted().events('x')), [
    { seq: 0, time: 1763681581550, type: 'turn/start', data: { turn: 1 } },
    { seq: 1, time: 1763681581550, type: 'user/message', data: { content: 'The login fails.' } },
  ]);
});

test('events are read from a place on, without the types that are left out', async () => {
  const sessions = inMemory();
  sessions.create('x');
  for (let seq = 0; seq < 3000; seq++) {
    sessions.emit('x', seq % 3 === 0 ? 'note' : 'assistant/chunk', seq);
  }
  const seen = (await all(sessions.events('x', { start: 1500, except: ['assistant/chunk'] }))).map(({ seq }) => seq);
  assert.deepEqual(seen, Array.from({ length: 500 }, (_, index) => 1500 + 3 * index));
  assert.deepEqual(await all(sessions.events('x', { start: 9999 })), []);
});

test('other work of the program comes between the pages of a long log', async () => {
  const sessions = inMemory();
  sessions.create('x');
  sessions.appendLines('x', Array.from({ length: 5000 }, (_, seq) => `{"type":"note","seq":${seq},"time":0,"data":0}`).join('\n'));
  const reading = all(sessions.events('x')).then((events) => events.length);
  const other = new Promise((resolve) => setImmediate(resolve, 'other work'));
  assert.equal(await Promise.race([reading, other]), 'other work');
  assert.equal(await reading, 5000);
});

test('lines come back to the byte', async () => {
  const sessions = inMemory();
  sessions.create('x');
  const lines = '{"type":"note","seq":0,"time":1,"data":12345678901234567890}\n{ "data":{"a":"\\ud83d","a":1.0}, "seq":1, "time":2, "type":"note", "more":[] }\r\n';
  assert.equal(sessions.appendLines('x', lines), 2);
  assert.equal((await all(sessions.lines('x'))).join(''), lines);
});

test('JSON that is handed over as text is kept to the byte', async () => {
  const sessions = inMemory();
  sessions.create('x');
  const json = '{"big":12345678901234567890, "one":1.0,"half":"\\ud83d","twice":1,"twice":2}';
  sessions.emitJson('x', 'note', json);
  sessions.appendJson('x', [{ seq: 1, time: 5, type: 'note', json }]);
  const lines = (await all(sessions.lines('x'))).join('').trimEnd().split('\n');
  assert.deepEqual(lines.map((line) => line.slice(line.indexOf('"data":') + 7, -1)), [json, json]);
});

test('events with a place of their own are appended all or none', async () => {
  const sessions = interrupted();
  const event = { time: 9, type: 'note', data: [1, 'two'] };
  assert.throws(() => sessions.append('x', [{ seq: 2, ...event }, { seq: 4, ...event }]),
    { code: 'sequence', payload: { expected: 3, actual: 4 }, message: /goes on with seq 3, not 4/ });
  sessions.append('x', [{ seq: 2, ...event }, { seq: 3, ...event }]);
  assert.deepEqual((await all(sessions.events('x', { start: 2 }))), [{ seq: 2, ...event }, { seq: 3, ...event }]);
});

test('a text too long for one batch is appended whole, and what is refused in it is counted from its start', () => {
  const sessions = inMemory();
  sessions.create('x');
  const line = (/** @type {number} */ seq) => `{"type":"note","seq":${seq},"time":0,"data":"${'é'.repeat(1 << 20)}"}\n`;
  const lines = Array.from({ length: 20 }, (_, seq) => line(seq)).join('');
  assert.equal(sessions.appendLines('x', lines), 20);
  const more = Array.from({ length: 20 }, (_, index) => (index === 15 ? 'no JSON\n' : line(20 + index))).join('');
  assert.throws(() => sessions.appendLines('x', more), (/** @type {any} */ error) => error.code === 'rejected' && error.payload.index === 15);
});

test('no text at all appends nothing, and tells the length', () => {
  assert.equal(interrupted().appendLines('x', ''), 2);
});

test('a line that is longer than a batch is appended as one', () => {
  const sessions = inMemory();
  sessions.create('x');
  const note = '{"type":"note","seq":0,"time":0,"data":0}\n';
  const long = `{"type":"note","seq":1,"time":0,"data":"${'a'.repeat(12 << 20)}"}\n`;
  assert.equal(sessions.appendLines('x', note + long + note.replace('"seq":0', '"seq":2')), 3);
});

test('an event that is longer than any line is rejected, and the session goes on', () => {
  const sessions = interrupted();
  assert.throws(() => sessions.emit('x', 'note', 'a'.repeat(16 << 20)), { code: 'rejected' });
  assert.equal(sessions.emit('x', 'note', 'a'.repeat((16 << 20) - 200)), 2);
});

test('waking closes an open turn, or keeps it', () => {
  const sessions = interrupted();
  assert.equal(sessions.wake('x', { openTurn: 'keep' }).turnOpen, true);
  const { length, turnOpen, recovery } = sessions.wake('x');
  assert.deepEqual({ length, turnOpen, closers: recovery.closers }, {
    length: 3,
    turnOpen: false,
    closers: [{ seq: 2, time: 1763681581550, type: 'turn/end', data: { turn: 1, reason: { kind: 'interrupted' } } }],
  });
  assert.deepEqual(sessions.wake('x').recovery.closers, []);
});

test('looking at a session changes nothing', () => {
  const sessions = interrupted();
  const state = sessions.inspect('x');
  assert.deepEqual(state.recovery.closers.map(({ type }) => type), ['turn/end']);
  assert.deepEqual(sessions.inspect('x'), state);
  assert.deepEqual(sessions.verify('x'), state);
  assert.deepEqual(sessions.check('x'), []);
});

test('the conversation is what a model is to see', async () => {
  const sessions = interrupted();
  sessions.emit('x', 'assistant/message', { content: [{ type: 'tool-call', id: 'a', name: 'read', arguments: {} }] });
  const messages = await sessions.messages('x', { pairing: 'recorded' });
  assert.deepEqual(messages.map(({ role, source }) => [role, source]), [['user', 1], ['assistant', 2]]);
  assert.deepEqual(messages[0].content, [{ type: 'text', text: 'The login fails.' }]);
  assert.equal((await sessions.messages('x', { length: 2 })).length, 1);
});

test('a conversation of many pages comes whole', async () => {
  const sessions = inMemory();
  sessions.create('x');
  const text = 'word '.repeat(100_000);
  for (let seq = 0; seq < 12; seq++) {
    sessions.emit('x', 'user/message', { content: `${seq} ${text}` });
  }
  assert.deepEqual((await sessions.messages('x')).map(({ source }) => source), [...Array(12).keys()]);
});

test('a fork has the events of its source up to where it was cut', async () => {
  const sessions = interrupted();
  sessions.emit('x', 'note', 'not copied');
  const child = sessions.fork('x', { id: 'y', cwd: '/srv' }, { length: 2 });
  assert.deepEqual(child, { version: 0, id: 'y', createdAt: 1763681581550, cwd: '/srv', parentSession: 'x', seedLength: 2 });
  assert.deepEqual((await all(sessions.events('y'))).map(({ type }) => type), ['turn/start', 'user/message', 'turn/end']);
});

test('a hand-off records its boundary and lets the session go', () => {
  const storage = new Memory();
  const [sessions, others] = [openSessions({ storage }), openSessions({ storage: storage.sibling() })];
  sessions.create('x');
  sessions.emit('x', 'note', 1);
  assert.throws(() => others.wake('x'), { code: 'busy' });
  assert.equal(sessions.handOff('x', { to: 'the next one' }), 1);
  assert.deepEqual(others.wake('x').boundary?.data, { to: 'the next one' });
});

test('released and closed sessions can be taken by others', () => {
  const storage = new Memory();
  const [sessions, others] = [openSessions({ storage }), openSessions({ storage: storage.sibling() })];
  for (const id of ['x', 'y']) {
    sessions.create(id);
    sessions.flush(id);
  }
  sessions.release('x');
  others.wake('x');
  assert.throws(() => others.wake('y'), { code: 'busy', message: /wait until it lets go, or only read/ });
  sessions.close();
  others.wake('y');
  for (const use of [() => sessions.has('x'), () => sessions.asides('x'), () => sessions.readAside('x', '0.0')]) {
    assert.throws(use, { code: 'refused', message: /were closed/ });
  }
});

test('sessions are listed page by page, in the order asked for, with filters', async () => {
  const sessions = inMemory();
  const ids = Array.from({ length: 600 }, (_, index) => `s${String(index).padStart(3, '0')}`);
  for (const id of ids) {
    sessions.create({ id, cwd: id === 's007' ? '/srv' : undefined });
    sessions.flush(id);
  }
  const listed = await all(sessions.list());
  assert.deepEqual(listed.map(({ id }) => id), ids);
  assert.deepEqual((await all(sessions.list({ cwd: '/srv' }))).map(({ id }) => id), ['s007']);
  sessions.fork('s007', 'child');
  assert.deepEqual((await all(sessions.list({ parentSession: 's007' }))).map(({ id }) => id), ['child']);
  assert.equal((await all(sessions.list({ order: 'recent' }))).length, 601);
});

test('deleting is done once, and once more is no error', () => {
  const sessions = interrupted();
  sessions.delete('x');
  assert.equal(sessions.has('x'), false);
  sessions.delete('x');
  assert.throws(() => sessions.emit('x', 'note', 1), { code: 'not-found', payload: 'x', message: /there is no session "x"/ });
});

test('errors are of one class, and say what to do', () => {
  const sessions = interrupted();
  assert.throws(() => sessions.create('x'), SessionError);
  assert.throws(() => sessions.create('x'), { name: 'SessionError', code: 'already-exists', message: /choose another id, or wake it/ });
  assert.throws(() => sessions.emitJson('x', 'note', '{'), { code: 'rejected', message: /event 0 of this call cannot be stored/ });
  assert.throws(() => sessions.fork('x', 'y', { length: 9 }), { code: 'refused' });
  assert.throws(() => sessions.create(''), { code: 'invalid-id' });
});

test('numbers that the component can not hold are refused', () => {
  const sessions = interrupted();
  for (const start of [-1, 1.5, NaN, 2 ** 53, Infinity]) {
    assert.throws(() => sessions.readEvents('x', { start }), RangeError);
  }
  assert.throws(() => sessions.readEvents('x', { max: 2 ** 32 }), RangeError);
  assert.throws(() => sessions.append('x', [{ seq: 2, time: -1, type: 'note', data: 0 }]), RangeError);
  assert.throws(() => sessions.readAside('x', '0.0', { at: -1 }), RangeError);
  assert.throws(() => sessions.readAside('x', '0.0', { max: NaN }), RangeError);
  assert.equal(sessions.inspect('x').length, 2);
});

test('a word that is none of those there are is refused, and a session that is held stays held', () => {
  const memory = new Memory();
  const sessions = /** @type {any} */ (openSessions({ storage: memory }));
  sessions.create('x');
  sessions.emit('x', 'note', 1);
  assert.throws(() => sessions.wake('x', { openTurn: 'clsoe' }), { name: 'RangeError', message: /openTurn must be one of close, keep, not the string 'clsoe'/ });
  assert.throws(() => sessions.wake('x', { onDamage: null }), RangeError);
  assert.throws(() => sessions.readMessages('x', { pairing: '__proto__' }), RangeError);
  assert.throws(() => sessions.readList({ order: 'by-name' }), RangeError);
  assert.throws(() => memory.sibling().acquire('x'), { code: 'busy' });
});

test('a root that names no folder is a type error, and never the folder where the program stands', () => {
  for (const root of /** @type {any[]} */ (['', undefined, null, 7])) {
    assert.throws(() => openSessions({ root }), TypeError);
  }
});

test('what is no text where one belongs is a type error', () => {
  const sessions = /** @type {any} */ (interrupted());
  assert.throws(() => sessions.has(7), TypeError);
  assert.throws(() => sessions.emit('x', undefined, 1), TypeError);
  assert.throws(() => sessions.emitJson('x', 'note', { a: 1 }), TypeError);
});

test('half of a surrogate pair is refused where it would become another character', () => {
  const sessions = interrupted();
  assert.throws(() => sessions.create('a\ud83d'), { code: 'invalid-id' });
  assert.throws(() => sessions.has('\ude00'), { code: 'invalid-id' });
  assert.throws(() => sessions.create({ id: 'y', cwd: '/\ud83d' }), { code: 'refused' });
  assert.throws(() => sessions.emit('x', '\ud83d', 1), { code: 'rejected' });
  assert.throws(() => sessions.emitJson('x', 'note', '"\ud83d"'), { code: 'rejected' });
  assert.throws(() => sessions.appendLines('x', '{"type":"note","seq":2,"time":0,"data":"\ud83d"}'), { code: 'rejected' });
});

test('half of a surrogate pair in a value comes back as it was', async () => {
  const sessions = interrupted();
  const data = { '\ud83d': ['\ude00', 'a\ud83db'], whole: '😀' };
  sessions.emit('x', 'note', data);
  assert.deepEqual((await all(sessions.events('x', { start: 2 })))[0].data, data);
});

test('what JSON has nothing for is rejected', () => {
  const sessions = interrupted();
  const ring = /** @type {any} */ ({});
  ring.ring = ring;
  for (const data of [undefined, () => 1, Symbol('x'), 1n, ring]) {
    assert.throws(() => sessions.emit('x', 'note', data), { code: 'rejected', message: /can't be written as JSON/ });
  }
  assert.equal(sessions.inspect('x').length, 2);
});

test('awkward values come back as they were', async () => {
  const sessions = inMemory();
  sessions.create('x');
  const values = [null, '', '\u2028\u2029\u0085', '\0', '\ufeff', 'a\nb\r\nc', { ['__proto__']: 1, constructor: [] }, [[[]]], -0.5, 1e300, true];
  values.forEach((value) => sessions.emit('x', '\ufefftype \u2028', value));
  const events = await all(sessions.events('x'));
  assert.deepEqual(events.map(({ data }) => JSON.stringify(data)), values.map((value) => JSON.stringify(value)));
  assert.ok(events.every(({ type }) => type === '\ufefftype \u2028'));
});
