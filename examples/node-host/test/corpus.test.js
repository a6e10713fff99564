// The corpus that all hosts share: what this one says of each log is what is written down there.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SessionError, openSessions } from '../src/index.js';
import { withFolder } from './helpers.js';

const CORPUS = fileURLToPath(new URL('../../../tests/corpus', import.meta.url));

/** Texts of JSON become values, as this host gives them. @param {any} messages */
const parsed = (messages) => Array.isArray(messages)
  ? messages.map(([role, source, content]) => [role, source, JSON.parse(content)])
  : messages;

/** @param {() => any} ask */
async function answer(ask) {
  try {
    return await ask();
  } catch (error) {
    assert.ok(error instanceof SessionError, String(error));
    const { code, payload } = error;
    return code === 'corrupt' ? { error: code, damage: payload }
      : code === 'unsupported-version' ? { error: code, version: payload } : { error: error.message };
  }
}

const cases = fs.readdirSync(CORPUS, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
assert.ok(cases.length > 20, `only ${cases.length} cases in ${CORPUS}`);

for (const id of cases) {
  test(id, () => withFolder(async (root) => {
    const read = (/** @type {string} */ file) => fs.readFileSync(path.join(CORPUS, id, file));
    const log = path.join(root, `${id}.jsonl`);
    fs.writeFileSync(log, read('log.jsonl'));
    const sessions = openSessions({ root });
    const messages = (/** @type {'paired' | 'recorded'} */ pairing) => answer(async () =>
      (await sessions.messages(id, { pairing })).map(({ role, source, content }) => [role, source, content]));
    const wake = (/** @type {'refuse' | 'set-aside'} */ onDamage) => answer(async () => {
      await sessions.wake(id, { onDamage });
      await sessions.release(id);
      return 'done';
    });
    const found = {
      inspect: await answer(async () => {
        const { length, turnOpen, recovery: { damage, closers } } = await sessions.inspect(id);
        return { length, turnOpen, damage: damage ?? null, closers: closers.map(({ type, data }) => [type, data]) };
      }),
      check: await answer(() => sessions.check(id)),
      paired: await messages('paired'),
      recorded: await messages('recorded'),
      wake: await wake('refuse'),
      'wake, set aside': await wake('set-aside'),
      'paired when woken': await messages('paired'),
    };
    await sessions.close();

    const expected = JSON.parse(read('expected.json').toString());
    for (const member of ['paired', 'recorded', 'paired when woken']) {
      expected[member] = parsed(expected[member]);
    }
    if (expected.inspect.closers) {
      expected.inspect.closers = expected.inspect.closers.map((/** @type {[string, string]} */ [type, data]) => [type, JSON.parse(data)]);
    }
    assert.deepEqual(found, expected);
    assert.deepEqual(fs.readFileSync(log), read('woken.jsonl'));
  }));
}
