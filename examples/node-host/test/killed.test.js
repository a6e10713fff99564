import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openSessions } from '../src/index.js';
import { Talking, all, done, withFolder } from './helpers.js';

/** The last of what a writer acknowledged before it was killed, at work on its event `after`. @param {string} root @param {number} after */
async function kill(root, after) {
  const writer = Talking.node('./writer.js', root, 'x');
  let last = await writer.hear();
  for (let heard = 1; heard < after; heard++) {
    last = await writer.hear();
  }
  await writer.kill();
  for (let line; (line = await writer.hear()) !== undefined;) {
    last = line;
  }
  return Number(last);
}

test('a killed writer loses nothing that it acknowledged, and the next one goes on at once', () => withFolder(async (root) => {
  for (const after of [1, 2, 30, 250]) {
    const last = await kill(root, after);
    const sessions = openSessions({ root });
    const { length, recovery } = sessions.wake('x', { openTurn: 'keep' });
    assert.ok(length > last, `${last} was acknowledged, and there are ${length} events`);
    assert.ok(length <= last + 2, 'at most one event more than was told');
    assert.ok(recovery.damage === undefined || recovery.damage.kind === 'torn');
    const events = await all(sessions.events('x'));
    assert.deepEqual(events.map(({ data }) => data.seq), [...Array(length).keys()]);
    sessions.close();
  }
}));

test('the session of a killed writer is woken by the other host', () => withFolder(async (root) => {
  const last = await kill(root, 20);
  const { length } = JSON.parse(done(root, ['wake', 'x', '--json']));
  assert.ok(length > last);
}));

test('a session whose writer is alive is busy', () => withFolder(async (root) => {
  const writer = Talking.node('./writer.js', root, 'x');
  await writer.hear();
  const sessions = openSessions({ root });
  assert.throws(() => sessions.wake('x'), { code: 'busy', message: new RegExp(`process ${writer.process.pid}`) });
  assert.ok(sessions.inspect('x').length > 0);
  await writer.kill();
  sessions.wake('x');
  sessions.close();
}));

test('two writers that want to make the same session are one writer and one that is told', () => withFolder(async (root) => {
  for (let round = 0; round < 5; round++) {
    const id = `s${round}`;
    const writers = [1, 2].map(() => Talking.node('./create.js', root, id));
    const said = await Promise.all(writers.map((writer) => writer.hear()));
    await Promise.all(writers.map((writer) => writer.end()));
    assert.equal(said.filter((line) => line === 'made').length, 1, String(said));
    assert.ok(said.every((line) => ['made', 'busy', 'already-exists'].includes(String(line))), String(said));
    assert.equal(fs.existsSync(path.join(root, `~tmp.${id}.jsonl`)), false);
  }
}));
