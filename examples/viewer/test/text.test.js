import assert from 'node:assert/strict';
import { test } from 'node:test';
import { around, finder } from '../src/text/find.js';
import { clockTime, lasted, many, size } from '../src/text/numbers.js';
import { oneLine, pieces, showBytes } from '../src/text/plain.js';

const shown = (text) => [...pieces(text)].map((piece) => (piece.odd ? `<${piece.text}>` : piece.text)).join('');

test('characters that show nothing are named', () => {
  assert.equal(shown('a\u202eb\u0000c\u200bd\ud83de'), 'a<U+202E>b<U+0000>c<U+200B>d<U+D83D>e');
});

test('a message in tags or fillers, which a model reads and nobody sees, is named too', () => {
  const tags = String.fromCodePoint(...Array.from('run', (character) => 0xe0000 + character.charCodeAt(0)));
  assert.equal(shown(`a${tags}`), 'a<U+E0072><U+E0075><U+E006E>');
  assert.equal(shown('a\u3164b\u034fc\u{e0100}'), 'a<U+3164>b<U+034F>c<U+E0100>');
  assert.equal(oneLine(`a${tags}`), 'a\ufffd\ufffd\ufffd');
});

test('line ends, tabs and whole characters stay as they are', () => {
  const text = 'one\n\ttwo 👩‍👩‍👧 ❤️ é';
  assert.equal(shown(text), text);
});

test('a long text becomes one short line without half a character', () => {
  assert.equal(oneLine('  a\n\n b\u202e '), 'a b\ufffd');
  assert.equal(oneLine('👋'.repeat(500), 3).isWellFormed(), true);
});

test('bytes that are no UTF-8 stay readable, each by its number', () => {
  assert.equal(showBytes(new Uint8Array([0x61, 0xff, 0x00, 0x62])), 'a\\xff\\x00b');
  assert.equal(showBytes(new TextEncoder().encode('é')), 'é');
});

test('searching finds text as it reads and as JSON writes it', () => {
  assert.ok(finder('say "hi"').test('{"text":"they Say \\"HI\\""}'));
  assert.ok(finder('a.b').test('A.B'));
  assert.ok(!finder('a.b').test('axb'));
  assert.equal(finder(''), null);
});

test('every text can be searched for', () => {
  for (const query of ['(', '[a-', '\\', '{2}', '\ud800', '*/', '$^|?+', 'a-b', '&&'])
    assert.ok(finder(query).test(`x${query}y`), query);
});

test('a match far inside a text is brought to its beginning, from a whole word on', () => {
  const text = `${'word '.repeat(40)}needle and more`;
  assert.match(around(text, finder('needle')), /^… (word )+needle and more$/);
  assert.equal(around('needle', finder('needle')), 'needle');
});

test('numbers, sizes and times are for people', () => {
  assert.equal(many(1, 'event'), '1 event');
  assert.equal(many(12000, 'event'), '12,000 events');
  assert.equal(size(1), '1 byte');
  assert.equal(size(3 * 1024 ** 2), '3.0 MiB');
  assert.equal(lasted(61_000), '1 min 1 s');
  assert.equal(lasted(-5), '');
  assert.equal(clockTime(Number.MAX_SAFE_INTEGER), '');
});
