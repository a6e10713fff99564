import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, plainText } from '../src/log/content.js';
import { factsOf, headerOf, lacksHeader, lines, recordOf, textOf } from '../src/log/read.js';
import { logOf, text, turn } from './logs.js';

const bytes = (content) => new TextEncoder().encode(content);
const facts = (content) => factsOf({ at: 0, length: content.length }, recordOf(content));

test('a line ends with LF alone, and the last one may lack it', () => {
  const content = bytes('one\r\n\u2028two\n\nend');
  assert.deepEqual(
    [...lines(content)].map((line) => textOf(content, line)),
    ['one\r', '\u2028two', '', 'end'],
  );
  assert.deepEqual([...lines(bytes(''))], []);
});

test('bytes that are no UTF-8 are no text', () => {
  assert.equal(textOf(new Uint8Array([0x22, 0xff, 0x22]), { at: 0, length: 3 }), null);
});

test('a line that is no object is no record', () => {
  for (const content of ['', '1', 'null', '[]', '"x"', '{"a":', '{} {}'])
    assert.equal(recordOf(content), null, content);
});

test('data of any shape is read without a fault', () => {
  for (const type of [
    'turn/start',
    'turn/end',
    'step/start',
    'user/message',
    'assistant/message',
    'assistant/chunk',
    'tool/call',
    'tool/result',
    'compact/summary',
  ]) {
    for (const data of [
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '{"content":{"length":9}}',
      '{"content":[null,1,"x",{"type":"tool-call"}],"usage":7,"reason":[],"turn":{}}',
    ]) {
      const event = facts(`{"type":"${type}","seq":0,"time":1,"data":${data}}`);
      assert.equal(event.type, type);
    }
  }
});

test('numbers that are none of ours count as missing', () => {
  for (const number of ['-1', '1.5', '"1"', '9007199254740993', 'null'])
    assert.equal(facts(`{"type":"a","seq":${number},"time":0,"data":0}`).seq, null, number);
});

test('usage is kept where an event tells it', () => {
  const event = facts(
    '{"type":"assistant/message","seq":0,"time":1,"data":{"content":[],"usage":{"inputTokens":3,"outputTokens":"many","cacheReadTokens":-4}}}',
  );
  assert.deepEqual(event.usage, { input: 3, output: 0, read: 0, write: 0 });
});

test('events without a header are told from a log and from nonsense', () => {
  assert.equal(lacksHeader(bytes(logOf(turn(1)))), false);
  assert.equal(lacksHeader(bytes(logOf(turn(1)).split('\n').slice(1).join('\n'))), true);
  assert.equal(lacksHeader(bytes('nonsense\n')), false);
  assert.equal(lacksHeader(bytes('')), false);
});

test('text of content is read from strings, text blocks and results', () => {
  assert.equal(plainText('plain'), 'plain');
  assert.equal(plainText([...text('a'), { type: 'tool-result', content: text('b') }, { type: 'image' }, null]), 'a\nb');
  assert.equal(plainText({ 0: 'no list' }), '');
});

test('content that is nested without end is read without a fault', () => {
  const deep = `${'[{"type":"tool-result","content":'.repeat(50_000)}[]${'}]'.repeat(50_000)}`;
  assert.equal(plainText(JSON.parse(deep)), '');
  assert.equal(blocksOf(JSON.parse(deep), deep, []).length, 2);
});

test('of very many blocks the first are shown, and how many more there are', () => {
  const content = `[${'{},'.repeat(9999)}{}]`;
  const blocks = blocksOf(JSON.parse(content), content, []);
  assert.equal(blocks.length, 201);
  assert.equal(blocks.at(-1).label, 'and 9,800 more blocks');
});

test('a header is told by its texts alone', () => {
  assert.deepEqual(headerOf({ id: 'a', cwd: 7, parentSession: {} }), {
    id: 'a',
    cwd: undefined,
    parentSession: undefined,
  });
  assert.equal(headerOf(null), null);
});

test('a block that is no text is shown as it is written', () => {
  const content =
    '[{"type":"image","size":12345678901234567890},{"type":"tool-call","id":"a","name":"read","arguments":{"n":1.0}}]';
  const [image, call] = blocksOf(JSON.parse(content), content, []);
  assert.deepEqual(image, { label: 'image', text: '{"type":"image","size":12345678901234567890}', json: true });
  assert.deepEqual(call, { label: 'calls read', text: '{"n":1.0}', json: true });
});
