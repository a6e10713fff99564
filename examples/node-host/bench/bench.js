// What a call costs, in microseconds an event. Each figure is the best of some rounds.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Memory, openSessions, openSessionsInWorker } from '../src/index.js';

const EVENTS = 20_000;
const ROUNDS = 5;
const data = { turn: 1, step: 2, delta: 'some words of an answer, and some more of them' };

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'session-bench-'));
const lines = Array.from({ length: EVENTS }, (_, seq) => JSON.stringify({ type: 'assistant/chunk', seq, time: 1763681581550, data })).join('\n');
console.log(`node ${process.version}, ${EVENTS} events of ${Math.round(lines.length / EVENTS)} bytes each`);

/** @param {string} what @param {(id: string) => unknown} act */
async function measure(what, act, events = EVENTS) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    await act(`${what} ${round}`);
    best = Math.min(best, performance.now() - begun);
  }
  console.log(`${(best * 1000 / events).toFixed(2).padStart(9)} µs  ${what}`);
}

for (const [name, sessions] of /** @type {const} */ ([
  ['in memory', openSessions({ storage: new Memory() })],
  ['in a folder', openSessions({ root })],
])) {
  await measure(`${name}: emit`, (id) => {
    sessions.create(id);
    for (let seq = 0; seq < EVENTS; seq++) {
      sessions.emit(id, 'assistant/chunk', data);
    }
  });
  await measure(`${name}: emit and flush, each`, (id) => {
    sessions.create(id);
    for (let seq = 0; seq < 200; seq++) {
      sessions.emit(id, 'assistant/chunk', data);
      sessions.flush(id);
    }
  }, 200);
  await measure(`${name}: appendLines`, (id) => {
    sessions.create(id);
    sessions.appendLines(id, lines);
  });
  sessions.create('x');
  sessions.appendLines('x', lines);
  await measure(`${name}: lines`, async () => {
    for await (const block of sessions.lines('x')) block;
  });
  await measure(`${name}: events`, async () => {
    for await (const event of sessions.events('x')) event;
  });
  await measure(`${name}: wake, a session`, () => {
    sessions.release('x');
    sessions.wake('x');
  }, 1);
  sessions.close();
}

const remote = await openSessionsInWorker({ root: path.join(root, 'worker') });
await measure('in a worker: emit, each waited for', async (id) => {
  await remote.create(id);
  for (let seq = 0; seq < EVENTS; seq++) {
    await remote.emit(id, 'assistant/chunk', data);
  }
});
await measure('in a worker: emit, many at once', async (id) => {
  await remote.create(id);
  await Promise.all(Array.from({ length: EVENTS }, () => remote.emit(id, 'assistant/chunk', data)));
});
await remote.close();
fs.rmSync(root, { recursive: true });
