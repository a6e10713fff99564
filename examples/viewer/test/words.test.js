import assert from 'node:assert/strict';
import { test } from 'node:test';
import core from '../dist/rules/core.js';
import { instantiate } from '../dist/rules/rules.js';
import { sample } from '../src/sample.js';
import { brokenCount, closerWords, damageWords, marksOf, refusalWords, ruleParts } from '../src/words.js';
import { plainValue } from '../src/workers/values.js';
import { damagedLog, interrupted, lineOf, logOf, turn } from './logs.js';

const compiled = new WebAssembly.Module(Buffer.from(core, 'base64'));
const rules = instantiate(() => compiled, {}).eventRules;
const bytes = (content) => new TextEncoder().encode(content);
const examined = (content) => plainValue(rules.examine(bytes(content)));

const skipping = `${logOf(turn(1))}${lineOf(['turn/start', {}], 14)}\n`;
const repeating = `${logOf(turn(1))}${lineOf(['turn/start', {}], 3)}\n`;

test('each kind of damage that the rules find is told in words of its own', () => {
  const logs = { torn: `${logOf(turn(1))}{"type":"tu`, malformed: damagedLog(), gap: skipping, repeated: repeating };
  const told = Object.entries(logs).map(([kind, content]) => {
    const { damage } = examined(content);
    assert.equal(damage.kind, kind);
    const { name, what, waking } = damageWords(damage);
    assert.ok(what.includes(`byte ${damage.offset.toLocaleString('en')}`), what);
    assert.match(waking, kind === 'torn' ? /^Waking sets the tail aside/ : /^Waking refuses/);
    return name;
  });
  assert.equal(new Set(told).size, 4);
});

test('a kind of damage that is not known yet is told too', () => {
  assert.ok(damageWords({ kind: 'new', expected: 1, offset: 2, length: 3, records: 1 }).what);
});

test('the sample has a torn tail, an interrupted turn and no broken rule', () => {
  const { damage, closers } = rules.examine(bytes(sample()));
  assert.equal(damage.kind, 'torn');
  assert.deepEqual(
    closers.map(({ type }) => type),
    ['tool/result', 'tool/result', 'step/end', 'turn/end'],
  );
  assert.deepEqual(rules.check(bytes(sample())), []);
});

test('a log can not make a call look safe that is not', () => {
  const code = { error: { code: 'TOOL_NOT_STARTED' }, code: 'TOOL_NOT_STARTED' };
  const hostile = interrupted(1).map(([type, data]) => [type, { ...data, turn: code, step: code }]);
  const { closers } = rules.examine(bytes(logOf(hostile)));
  assert.deepEqual(
    closers.map(({ type, data }) => closerWords(type, data).split(':')[0]),
    [
      'a call whose outcome is unknown',
      'a call that was never started',
      'ends the step that is open',
      'ends the turn as interrupted',
    ],
  );
});

test('why there is no judgement is said by what the rules refused', () => {
  const refusal = (content) => {
    try {
      rules.examine(bytes(content));
    } catch ({ tag, val }) {
      return refusalWords({ tag, value: plainValue(val) });
    }
  };
  assert.match(refusal('no header\n'), /^The first line is no header/);
  assert.match(refusal('{"type":"session","version":9}\n'), /format version 9/);
  assert.equal(refusalWords(new Error('a fault')), 'a fault');
  assert.match(refusalWords({ tag: 'refused', value: 'too much' }), /too much/);
});

test('a sound log has one mark, and a bad one a mark for each trouble', () => {
  const texts = (findings) => marksOf({ closers: [], ...findings }).map(({ text }) => text);
  assert.deepEqual(texts({}), ['Sound']);
  const { damage } = examined(damagedLog());
  const { closers } = rules.examine(bytes(damagedLog()));
  assert.deepEqual(texts({ damage, closers, broken: ['seq 1: x'] }), [
    'Malformed line',
    'Interrupted turn',
    '1 broken rule',
  ]);
});

test('a broken rule is split into its number and its words', () => {
  const [line] = rules.check(bytes(logOf([['turn/end', {}]])));
  assert.deepEqual(ruleParts(line), { seq: 0, text: 'turn/end without a turn/start' });
  assert.deepEqual(ruleParts('and 5 more'), { seq: null, text: 'and 5 more' });
});

test('rules past the thousandth are counted too', () => {
  const broken = rules.check(bytes(logOf(Array.from({ length: 1500 }, () => ['turn/end', {}]))));
  assert.equal(brokenCount(broken), 1500);
  assert.equal(brokenCount(undefined), 0);
});
