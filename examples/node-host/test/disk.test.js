// Every operation on files fails, once and from then on: what was acknowledged is there, what was refused is not, and whoever
// comes next goes on.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { mock, test } from 'node:test';
import { Memory, SessionError, openSessions } from '../src/index.js';
import { all, withFolder } from './helpers.js';

/** All that the store asks of the system but closing, which can't be refused. */
const OPERATIONS = [
  'openSync', 'readSync', 'writeSync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync', 'fchmodSync', 'chmodSync', 'fstatSync', 'lstatSync',
  'linkSync', 'unlinkSync', 'renameSync', 'mkdirSync', 'rmdirSync', 'readdirSync',
];

// Nobody cuts the power here, so that thousands of syncs need not be waited for.
mock.method(fs, 'fsyncSync', () => {});
mock.method(fs, 'fdatasyncSync', () => {});

/** Enough for a checkpoint. */
const LONG = 'a'.repeat(1 << 20);

/** Counts operations, and fails those that it is told to. */
class Disk {
  count = 0;

  /** @param {(count: number) => boolean} fails */
  constructor(fails) {
    this.fails = fails;
  }

  /** @param {() => void} act */
  run(act) {
    const mocks = OPERATIONS.map((name) => {
      const real = /** @type {any} */ (fs)[name];
      return mock.method(/** @type {any} */ (fs), name, (/** @type {any[]} */ ...args) => {
        if (this.fails(this.count++)) {
          // Half of a write that fails may be there.
          if (name === 'writeSync') {
            real(args[0], args[1].subarray(args[2], args[2] + (args[3] >> 1)));
          }
          throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO', syscall: name });
        }
        return real(...args);
      });
    });
    try {
      act();
    } finally {
      mocks.forEach((method) => method.mock.restore());
    }
  }
}

/** Sessions on a disk that fails, and what was said of their events. */
class Life {
  /** @type {Record<string, string[]>} */
  acknowledged = { x: [], y: [], z: [] };
  /** @type {Record<string, string[]>} Which may be there or not. */
  doubtful = { x: [], y: [], z: [] };
  deleted = false;

  /** @param {string} root @param {Disk} disk @param {(sessions: import('../src/index.js').Sessions) => void} act */
  open(root, disk, act) {
    disk.run(() => this.attempt(() => {
      const sessions = openSessions({ root });
      try {
        act(sessions);
      } finally {
        sessions.close();
      }
    }));
  }

  /** @param {() => void} act @returns {string | undefined} Why it failed. */
  attempt(act) {
    try {
      act();
    } catch (error) {
      assert.ok(error instanceof SessionError && error.code !== 'trapped', error instanceof Error ? error.stack : String(error));
      return error.code;
    }
  }

  /** @param {import('../src/index.js').Sessions} sessions @param {string} id @param {string} type @param {string} name */
  emit(sessions, id, type, name) {
    const code = this.attempt(() => sessions.emit(id, type, { name, more: name === 'six' ? LONG : '' }));
    if (code === undefined) {
      this.acknowledged[id].push(name);
    } else if (code === 'outcome-unknown' || code === 'moved') {
      this.doubtful[id].push(name);
    }
  }

  /** @param {string} root @param {Disk} disk */
  live(root, disk) {
    this.open(root, disk, (sessions) => {
      this.attempt(() => sessions.create('x'));
      this.emit(sessions, 'x', 'turn/start', 'one');
      this.emit(sessions, 'x', 'note', 'two');
      this.attempt(() => sessions.flush('x'));
      this.emit(sessions, 'x', 'note', 'three');
      this.attempt(() => sessions.flush('x'));
      this.emit(sessions, 'x', 'note', 'four');
    });
    const log = path.join(root, 'x.jsonl');
    if (fs.existsSync(log)) {
      fs.appendFileSync(log, '{"type":"torn');
    }
    this.open(root, disk, (sessions) => {
      this.attempt(() => sessions.wake('x', { openTurn: 'keep' }));
      this.emit(sessions, 'x', 'note', 'five');
      this.attempt(() => sessions.flush('x'));
      if (this.attempt(() => sessions.fork('x', 'y')) === undefined) {
        this.acknowledged.y.push(...this.acknowledged.x);
      }
      this.doubtful.y.push(...this.acknowledged.x, ...this.doubtful.x);
      this.emit(sessions, 'y', 'note', 'seven');
      this.attempt(() => sessions.readList());
      this.attempt(() => sessions.create('z'));
      this.emit(sessions, 'z', 'note', 'eight');
      // What a deletion that failed leaves is whole, or gone.
      const code = this.attempt(() => sessions.delete('z'));
      this.deleted = code === undefined || code === 'outcome-unknown';
      this.heal(sessions, disk);
    });
  }

  /** The same with a log that is long enough for a checkpoint. @param {string} root @param {Disk} disk */
  liveLong(root, disk) {
    this.open(root, disk, (sessions) => {
      this.attempt(() => sessions.create('x'));
      this.emit(sessions, 'x', 'note', 'six');
      this.attempt(() => sessions.flush('x'));
      this.attempt(() => sessions.release('x'));
      this.attempt(() => sessions.wake('x'));
      this.heal(sessions, disk);
    });
  }

  /** Once the disk works again, so does the same writer. @param {import('../src/index.js').Sessions} sessions @param {Disk} disk */
  heal(sessions, disk) {
    disk.fails = () => false;
    if (sessions.has('x')) {
      assert.equal(this.attempt(() => sessions.wake('x', { openTurn: 'keep' })), undefined);
      this.emit(sessions, 'x', 'note', 'nine');
      assert.equal(this.acknowledged.x.at(-1), 'nine');
      assert.equal(this.attempt(() => sessions.flush('x')), undefined);
    }
  }

  /** @param {string} root */
  async judge(root) {
    const sessions = openSessions({ root });
    for (const id of ['x', 'y', 'z']) {
      const [acknowledged, doubtful] = [this.acknowledged[id], this.doubtful[id]];
      if (!sessions.has(id)) {
        assert.ok(acknowledged.length === 0 || (id === 'z' && this.deleted), `${id} is gone`);
        sessions.create(id);
      } else {
        sessions.wake(id, { openTurn: 'keep' });
        const there = (await all(sessions.events(id))).map(({ data }) => data.name).filter((name) => name !== undefined);
        assert.deepEqual(acknowledged.filter((data) => !there.includes(data)), [], `lost from ${id}`);
        assert.deepEqual(there.filter((data) => ![...acknowledged, ...doubtful].includes(data)), [], `refused, and there in ${id}`);
        assert.equal(new Set(there).size, there.length, `there twice in ${id}`);
      }
      sessions.emit(id, 'note', { name: 'goes on' });
      sessions.flush(id);
      sessions.delete(id);
    }
    sessions.close();
    assert.deepEqual(fs.readdirSync(root), [], 'left over');
  }
}

/** @param {'live' | 'liveLong'} life @param {(count: number) => boolean} fails @returns {Promise<number>} How many operations there were. */
const play = (life, fails) => withFolder(async (root) => {
  const [told, disk] = [new Life(), new Disk(fails)];
  told[life](root, disk);
  await told.judge(root);
  return disk.count;
});

// The component is read from the disk once, and not by the store.
openSessions({ storage: new Memory() }).has('x');

for (const [life, what] of /** @type {const} */ ([['live', 'some sessions'], ['liveLong', 'a long session']])) {
  const operations = await play(life, () => false);

  test(`${what}: there are operations to fail`, () => assert.ok(operations > 50, String(operations)));

  test(`${what}: an operation that fails once takes nothing that was acknowledged`, async () => {
    for (let nth = 0; nth < operations; nth++) {
      await assert.doesNotReject(play(life, (count) => count === nth), `operation ${nth}`);
    }
  });

  test(`${what}: operations that fail from one on take nothing that was acknowledged`, async () => {
    for (let nth = 0; nth < operations; nth++) {
      await assert.doesNotReject(play(life, (count) => count >= nth), `operation ${nth}`);
    }
  });
}
