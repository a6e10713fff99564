import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../src/log/describe.js';
import { detail } from '../src/log/detail.js';
import { fold, stateOf, unfolded } from '../src/log/fold.js';
import { factsOf, lines, recordOf, textOf } from '../src/log/read.js';
import { eventAt, filterOf, inOutline, keyOf, tally } from '../src/log/view.js';
import { finder } from '../src/text/find.js';
import { call, interrupted, lineOf, text, turn } from './logs.js';

function read(content) {
  const bytes = new TextEncoder().encode(content);
  return { bytes, events: [...lines(bytes)].map((line) => factsOf(line, recordOf(textOf(bytes, line)))) };
}
const log = (...events) => read(events.map(lineOf).join('\n'));
const kinds = (rows) => rows.map(({ kind }) => kind);
const words = (rows, log, pattern) => rows.map((row) => describe(row, log, pattern));

test('a turn is its start, what was said, a step, and a call with its result', () => {
  const { events } = log(...turn(1));
  const rows = fold(events, {});
  assert.deepEqual(kinds(rows), ['turn', 'user', 'step', 'assistant', 'tool']);
  assert.deepEqual(
    rows.map((row) => row.lines),
    [[0, 9], [1], [2, 8], [3, 4, 5], [6, 7]],
  );
});

test('chunks that no message ended stand as what was streamed so far', () => {
  const session = log(...turn(1).slice(0, 5));
  const row = fold(session.events, {}).at(-1);
  assert.equal(describe(row, session).text, 'I will look.');
  assert.equal(describe(row, session).state, 'unfinished');
});

test('a result belongs to the call of its own scope, because ids are used again', () => {
  const { events } = log(...turn(1), ...turn(2));
  assert.deepEqual(
    fold(events, {})
      .filter(({ kind }) => kind === 'tool')
      .map((row) => row.lines),
    [
      [6, 7],
      [16, 17],
    ],
  );
});

test('a result before its call is its answer, and a second one stands alone', () => {
  const { events } = log(
    ['turn/start', {}],
    ['tool/result', { callId: 'a' }],
    ['tool/call', { callId: 'a' }],
    ['tool/result', { callId: 'a' }],
  );
  const rows = fold(events, {});
  assert.deepEqual(
    rows.slice(1).map((row) => row.lines),
    [[1, 2], [3]],
  );
});

test("calls and results without an id are nobody else's", () => {
  const { events } = log(['turn/start', {}], ['tool/call', {}], ['tool/result', {}], ['tool/result', { callId: 7 }]);
  assert.deepEqual(
    fold(events, {})
      .slice(1)
      .map((row) => row.lines),
    [[1], [2], [3]],
  );
});

test('a call that nobody answered before its scope ended is shown so', () => {
  const session = log(...interrupted(1), ['step/end', {}], ['turn/end', { reason: { kind: 'aborted' } }]);
  const tools = fold(session.events, {}).filter(({ kind }) => kind === 'tool');
  assert.deepEqual(
    tools.map((row) => stateOf(row, session.events)),
    ['unanswered', 'unanswered'],
  );
  assert.deepEqual(
    words(tools, session).map(({ who }) => who),
    ['bash', 'read'],
  );
});

test('a call that may still be answered has no result yet', () => {
  const { events } = log(...interrupted(1));
  assert.equal(stateOf(fold(events, {}).at(-1), events), 'no result');
});

test('ends without a beginning are events by themselves', () => {
  const { events } = log(['step/end', {}], ['turn/end', {}], ['turn/end', {}]);
  assert.deepEqual(kinds(fold(events, {})), ['event', 'event', 'event']);
});

test('a turn sums up its tokens, calls and failures', () => {
  const session = log(
    ...turn(1).slice(0, 7),
    ['tool/result', { callId: 'a', content: 'no', isError: true }],
    ['turn/end', { reason: { kind: 'error' } }],
  );
  const { notes, state, text: said } = describe(fold(session.events, {})[0], session);
  assert.deepEqual(notes, ['1 step', '1 call', '1 failed', '110 in', '5 out', '8 s']);
  assert.equal(state, 'error');
  assert.equal(said, 'question 1');
});

test('closers stand behind the sound events, then the damage, then what it hides', () => {
  const session = read([...interrupted(1).map(lineOf), '{"torn', lineOf(['turn/end', {}], 3)].join('\n'));
  const until = interrupted(1).length;
  const damage = {
    kind: 'malformed',
    offset: session.events[until].at,
    expected: until,
    length: 9,
    records: 1,
    detail: 'no JSON',
  };
  const closers = [{ type: 'turn/end', seq: until, time: 1, data: '{"turn":1}' }];
  for (const build of [fold, unfolded]) {
    const rows = build(session.events, { until, closers, damage });
    assert.deepEqual(kinds(rows).slice(-4), ['closer', 'damage', 'unreadable', 'event']);
    assert.deepEqual(
      words(rows, session)
        .slice(-2)
        .map(({ lost }) => lost),
      [true, true],
    );
  }
});

test('every event is in one row, folded or not', () => {
  const { events } = log(...turn(1), ...interrupted(2), ['odd/type', 1], ...turn(3));
  for (const build of [fold, unfolded]) {
    const all = build(events, {}).flatMap((row) => row.lines);
    assert.deepEqual(
      all.sort((a, b) => a - b),
      events.map((_, index) => index),
    );
  }
});

test('an unknown event is shown by its data, as it is written', () => {
  const session = read('{"type":"x/y","seq":0,"time":1,"data":{"n":12345678901234567890,"n":1.0}}');
  assert.equal(describe(fold(session.events, {})[0], session).text, '{"n":12345678901234567890,"n":1.0}');
});

test('arguments come from the message where it has them, else from the call', () => {
  const session = log(
    ['turn/start', {}],
    ['assistant/message', { content: [call('a', 'read', { path: 'b.txt' })] }],
    ['tool/call', { callId: 'a', arguments: '{}' }],
    ['tool/call', { callId: 'z', name: 'ls', arguments: { dir: '/' } }],
  );
  assert.deepEqual(
    words(fold(session.events, {}).slice(-2), session).map(({ who, text }) => `${who} ${text}`),
    ['read b.txt', 'ls /'],
  );
});

test('a search shows where it matches, in the raw line if nowhere else', () => {
  const session = log(['user/message', { content: text(`${'far '.repeat(300)}needle`), id: 'hidden-id' }]);
  const rows = fold(session.events, {});
  assert.match(words(rows, session, finder('NEEDLE'))[0].text, /needle$/);
  assert.match(words(rows, session, finder('hidden-id'))[0].text, /"id":"hidden-id"/);
});

test('the detail of a row holds each of its lines as it is stored', () => {
  const stored =
    '{"type":"tool/call", "seq":0,"time":1,"data":{"callId":"a","arguments":"{\\"n\\":1.0}"},"more":12345678901234567890}';
  const session = read(stored);
  const shown = detail(fold(session.events, {})[0], session);
  assert.equal(shown.raw[0].text, stored);
  assert.deepEqual(shown.blocks, [{ label: 'called with', text: '{"n":1.0}', json: true }]);
});

test('the detail of a message of many chunks shows the chunk that was asked for', () => {
  const session = log(...Array.from({ length: 1000 }, () => ['assistant/chunk', { chunk: { text: 'a' } }]));
  const { raw, more } = detail(fold(session.events, {})[0], session, 700);
  assert.equal(raw.find(({ asked }) => asked).seq, 700);
  assert.equal(raw.length + more, 1000);
});

test('any data can be described and shown in detail', () => {
  const types = [
    'turn/start',
    'turn/end',
    'step/start',
    'step/end',
    'user/message',
    'assistant/message',
    'assistant/chunk',
    'tool/call',
    'tool/result',
    'compact/summary',
    'context/message',
    'x',
    '__proto__',
    'toString',
  ];
  const shapes = [
    'null',
    '1',
    '"x"',
    '[]',
    '{}',
    '{"content":{},"callId":{},"arguments":7,"summary":1}',
    '{"content":[null,1,{"type":"tool-call","id":"a"},{"type":"tool-result"},{"type":"text"}]}',
    '{"turn":{"toString":1},"callId":{"toString":1},"content":[{"type":"tool-result","toolCallId":{"toString":1},"content":7},{"type":"tool-call","name":{"toString":1}}]}',
  ];
  const session = read(
    types
      .flatMap((type) => shapes.map((data, at) => `{"type":"${type}","seq":${at},"time":1,"data":${data}}`))
      .join('\n'),
  );
  for (const build of [fold, unfolded]) {
    for (const row of build(session.events, {})) {
      assert.equal(typeof describe(row, session, finder('x')).text, 'string');
      assert.ok(detail(row, session).title);
    }
  }
});

test('filters let through what they name', () => {
  const { events } = log(...turn(1), ...interrupted(2));
  const rows = fold(events, {});
  const through = (filter) => kinds(rows.filter(filterOf(filter, events)));
  assert.deepEqual(through('talk'), ['user', 'assistant', 'user', 'assistant']);
  assert.deepEqual(through('tools'), ['tool', 'tool']);
  assert.deepEqual(through('trouble'), ['tool']);
  assert.deepEqual(through('type:step/end'), ['step']);
  assert.equal(through('all').length, rows.length);
});

test('the outline holds turns, and what is in those that were opened', () => {
  const { events } = log(['request/x', {}], ...turn(1), ...turn(2));
  const rows = fold(events, {});
  assert.deepEqual(kinds(rows.filter(inOutline(new Set()))), ['event', 'turn', 'turn']);
  assert.equal(rows.filter(inOutline(new Set([keyOf(rows[1])]))).length, 7);
});

test('an event is found by its number, behind damage too', () => {
  const { events } = read([lineOf(['a', 1], 0), 'torn', lineOf(['b', 1], 7)].join('\n'));
  assert.deepEqual(
    [0, 7, 5].map((seq) => eventAt(events, seq)),
    [0, 2, -1],
  );
});

test('the tally counts the sound events alone', () => {
  const { events } = log(...turn(1), ...interrupted(2));
  assert.deepEqual(tally(events, 10), {
    events: 10,
    turns: 1,
    steps: 1,
    calls: 1,
    failures: 0,
    first: events[0].time,
    last: events[9].time,
    turnOpen: false,
    usage: { input: 10, output: 5, read: 100, write: 0 },
  });
  assert.equal(tally(events, events.length).turnOpen, true);
});
