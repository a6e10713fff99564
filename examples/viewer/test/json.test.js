import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout, pick, tokens, valuesIn } from '../src/text/json.js';

const laidOut = (text) => [...layout(text)].map((piece) => piece.text).join('');
const kinds = (text) => [...layout(text)].filter(({ kind }) => kind !== 'space').map(({ kind }) => kind);
const awkward =
  '{"big":123456789012345678901234567890,"one":1.0,"twice":1,"twice":2,"half":"\\ud83d","esc\\"ape":"\\\\","e":1E+2,"deep":[[],{}, [ 1 ,2]]}';

test('laying out adds white space and changes nothing else', () => {
  const withoutSpace = (text) => [...tokens(text)].map(({ start, end }) => text.slice(start, end)).join('');
  assert.equal(withoutSpace(laidOut(awkward)), withoutSpace(awkward));
  for (const written of ['123456789012345678901234567890', '1.0', '"twice": 1', '"twice": 2', '"\\ud83d"', '1E+2']) {
    assert.ok(laidOut(awkward).includes(written), written);
  }
});

test('laying out indents, and keeps what is empty on one line', () => {
  assert.equal(laidOut('{"a":[1,{}],"b":[]}'), '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}');
});

test('the beginning of a long text is laid out without the rest', () => {
  const [first, second] = layout('['.repeat(2 ** 28));
  assert.deepEqual([first.text, second.text], ['[', '\n  ']);
});

test('every character of a text that is no JSON stays', () => {
  for (const text of [
    '{"a":tru',
    '"never ended \\"',
    '}}]]',
    '\u0000\u0001x',
    '{"a" 1 2 nonsense',
    'ein "wort" mehr',
  ]) {
    assert.equal(laidOut(text).replace(/\s/g, ''), text.replace(/\s/g, ''));
  }
});

test('keys, strings, numbers and literals are told apart', () => {
  assert.deepEqual(kinds('{"k":"s","n":-1.5e3,"t":true,"x":nope}'), [
    'mark',
    'key',
    'mark',
    'string',
    'mark',
    'key',
    'mark',
    'number',
    'mark',
    'key',
    'mark',
    'literal',
    'mark',
    'key',
    'mark',
    'other',
    'mark',
  ]);
});

test('a string ends at the quote that is not escaped', () => {
  const text = '["a\\\\","b\\\\\\"c"]';
  assert.deepEqual(
    [...tokens(text)].map(({ start, end }) => text.slice(start, end)),
    ['[', '"a\\\\"', ',', '"b\\\\\\"c"', ']'],
  );
});

test('a value is picked byte for byte, the last of doubled members', () => {
  assert.equal(pick(awkward, ['big']), '123456789012345678901234567890');
  assert.equal(pick(awkward, ['twice']), '2');
  assert.equal(pick(awkward, ['deep', 2]), '[ 1 ,2]');
  assert.equal(pick(awkward, ['esc"ape']), '"\\\\"');
  assert.equal(pick('{"k\\u0065y":1}', ['key']), '1');
});

test('a value that is not there is undefined, in broken text too', () => {
  for (const [text, path] of [
    ['{}', ['a']],
    ['[1]', [1]],
    ['"a"', ['a']],
    ['', ['a']],
    ['{"a"', ['a']],
    ['{"a":', ['a']],
    ['{"a":1', ['b', 'c']],
  ]) {
    assert.equal(pick(text, path), undefined, text);
  }
});

test('a text of a million brackets is read without recursion', () => {
  const deep = '['.repeat(1e6);
  assert.equal([...tokens(deep)].length, 1e6);
  assert.equal(pick(deep, [0, 0]).length, 1e6 - 2);
});

test('the values of a call read as one line, numbers as they are written', () => {
  assert.equal(
    valuesIn('{"path":"a b.txt","lines":[1,12345678901234567890],"deep":{"x":"\\"q\\""}}'),
    'a b.txt  1  12345678901234567890  "q"',
  );
});
