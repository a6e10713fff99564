// What a program does with sessions, and what is in the folder then.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openSessions } from '../src/index.js';
import { withFolder } from './folder.js';

const CLOSE = { openTurn: 'close', onDamage: 'refuse' };
const LOG = [
  '{"type":"session","version":0,"id":"Fix login","createdAt":1,"cwd":"/srv"}',
  '{"type":"turn/start","seq":0,"time":5,"data":{"turn":1}}',
  '{"type":"user/message","seq":1,"time":6,"data":{"content":"9007199254740993 1.0"}}',
  '',
].join('\n');

/** Half a turn, stored. */
function write(folder) {
  const sessions = openSessions(folder);
  sessions.create({ id: 'Fix login', cwd: '/srv', createdAt: 1n });
  sessions.append('Fix login', [
    { seq: 0n, time: 5n, type: 'turn/start', data: '{"turn":1}' },
    { seq: 1n, time: 6n, type: 'user/message', data: '{"content":"9007199254740993 1.0"}' },
  ]);
  sessions.flush('Fix login');
}

const log = (folder) => path.join(folder, '~46ix~20login.jsonl');

test('a log is the file that every other host writes', () =>
  withFolder((folder) => {
    write(folder);
    assert.deepEqual(fs.readdirSync(folder), ['~46ix~20login.jsonl']);
    assert.equal(fs.readFileSync(log(folder), 'utf8'), LOG);
  }));

test('a session is woken by another instance, which closes the turn and keeps a torn tail aside', () =>
  withFolder((folder) => {
    write(folder);
    fs.appendFileSync(log(folder), '{"type":"half');
    const sessions = openSessions(folder);
    const state = sessions.wake('Fix login', CLOSE);
    assert.equal(state.length, 3n);
    assert.deepEqual(state.recovery.closers.map((closer) => closer.type), ['turn/end']);
    assert.equal(state.asides.length, 1);
    assert.ok(fs.readFileSync(log(folder), 'utf8').startsWith(LOG));
    assert.equal(fs.readFileSync(path.join(folder, '~46ix~20login.aside', state.asides[0]), 'utf8'), '{"type":"half');
    assert.equal(sessions.emitEvent('Fix login', 'turn/start', '{"turn":2}'), 3n);
  }));

test('sessions are listed, and the conversation is derived', () =>
  withFolder((folder) => {
    write(folder);
    const sessions = openSessions(folder);
    const { items } = sessions.list({ order: 'by-id', limit: 10 });
    assert.deepEqual(items.map((item) => item.val.header.id), ['Fix login']);
    const page = sessions.deriveMessages('Fix login', { pairing: 'paired', start: 0n, maxBytes: 1000 });
    assert.deepEqual(page.messages, [{ role: 'user', content: '[{"type":"text","text":"9007199254740993 1.0"}]', source: 1n }]);
  }));

test('what fails is told as data', () =>
  withFolder((folder) => {
    const sessions = openSessions(folder);
    assert.throws(() => sessions.wake('absent', CLOSE), { tag: 'not-found', val: 'absent' });
  }));

test('two folders are two stores', () =>
  withFolder((one) =>
    withFolder((other) => {
      write(one);
      assert.equal(openSessions(one).has('Fix login'), true);
      assert.equal(openSessions(other).has('Fix login'), false);
    }),
  ));
