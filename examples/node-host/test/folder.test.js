// The folder of JSON lines: what stands on disk, and what others do there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { mock, test } from 'node:test';
import { JsonlFolder, openSessions } from '../src/index.js';
import { flockSync } from 'fs-ext-extra-prebuilt';
import { all, withFolder } from './helpers.js';

/** @param {string} root */
function stored(root) {
  const sessions = openSessions({ root });
  sessions.create('x');
  sessions.emit('x', 'note', 'one');
  sessions.flush('x');
  return sessions;
}

/** Bytes as a store takes them. @param {string} text */
const content = (text) => Buffer.from(text);

/** @param {string} file */
const mode = (file) => (fs.statSync(file).mode & 0o777).toString(8);

test('files and folders are for their owner alone, whatever the umask', () => withFolder((folder) => {
  for (const umask of [0, 0o022, 0o277]) {
    const root = path.join(folder, String(umask), 'deep');
    const before = process.umask(umask);
    try {
      const sessions = stored(root);
      sessions.emit('x', 'note', 'a'.repeat(2 << 20));
      sessions.flush('x');
      sessions.close();
      fs.appendFileSync(path.join(root, 'x.jsonl'), 'torn');
      const again = openSessions({ root });
      again.wake('x');
      again.close();
    } finally {
      process.umask(before);
    }
    const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      assert.equal(mode(path.join(entry.parentPath, entry.name)), entry.isDirectory() ? '700' : '600', entry.name);
    }
    assert.deepEqual(fs.readdirSync(root), ['x.aside', 'x.ckpt', 'x.jsonl']);
  }
}));

test('a root that is no folder is an error that says so', () => withFolder((folder) => {
  fs.writeFileSync(path.join(folder, 'file'), '');
  assert.throws(() => openSessions({ root: path.join(folder, 'file') }), { name: 'SessionError', code: 'storage', message: /file/ });
  assert.throws(() => openSessions({ root: path.join(folder, 'file', 'below') }), { name: 'SessionError' });
}));

test('a root may be a link, and it does not matter where the program stands later', () => withFolder((folder) => {
  fs.mkdirSync(path.join(folder, 'real'));
  fs.symlinkSync('real', path.join(folder, 'link'));
  const before = process.cwd();
  try {
    process.chdir(folder);
    const sessions = openSessions({ root: 'link' });
    process.chdir(before);
    sessions.create('x');
    sessions.flush('x');
    sessions.close();
  } finally {
    process.chdir(before);
  }
  assert.deepEqual(fs.readdirSync(path.join(folder, 'real')), ['x.jsonl']);
}));

test('what is called like a log and is none is named, listed, and never followed', () => withFolder(async (root) => {
  const outside = path.join(root, 'outside');
  fs.writeFileSync(outside, '{"type":"session","version":0,"id":"link","createdAt":1}\n');
  fs.symlinkSync(outside, path.join(root, 'link.jsonl'));
  fs.symlinkSync('nowhere', path.join(root, 'dangling.jsonl'));
  fs.mkdirSync(path.join(root, 'folder.jsonl'));
  spawnSync('mkfifo', [path.join(root, 'pipe.jsonl')]);
  const sessions = stored(root);
  for (const [id, what] of [['link', 'a symbolic link'], ['dangling', 'a symbolic link'], ['folder', 'a folder'], ['pipe', 'a pipe']]) {
    for (const act of [() => sessions.wake(id), () => sessions.inspect(id), () => sessions.delete(id)]) {
      assert.throws(act, { code: 'storage', message: new RegExp(`it is .*${what}.*move it away`) });
    }
    assert.throws(() => sessions.fork('x', id), { code: 'already-exists' });
  }
  const listed = await all(sessions.list());
  assert.deepEqual(listed.map(({ id }) => id), ['dangling', 'folder', 'link', 'pipe', 'x']);
  assert.ok(listed.slice(0, 4).every((item) => 'reason' in item && item.reason.message.includes('move it away')));
  sessions.close();
}));

test('unfinished work and foreign files are not listed', () => withFolder(async (root) => {
  const sessions = stored(root);
  for (const name of ['~tmp.y.jsonl', '~tmp.x.ckpt', 'notes.txt', 'x.ckpt']) {
    fs.writeFileSync(path.join(root, name), 'x');
  }
  assert.deepEqual((await all(sessions.list())).map(({ id }) => id), ['x']);
  sessions.close();
}));

test('deleting leaves nothing, and takes nothing that is not ours', () => withFolder((root) => {
  stored(root).close();
  fs.appendFileSync(path.join(root, 'x.jsonl'), 'torn');
  const sessions = openSessions({ root });
  sessions.wake('x');
  fs.writeFileSync(path.join(root, 'x.aside', 'backup'), '');
  assert.throws(() => sessions.delete('x'), { code: 'storage', message: /x\.aside\/backup.*move it away/ });
  assert.equal(sessions.asides('x').length, 1);
  fs.unlinkSync(path.join(root, 'x.aside', 'backup'));
  fs.writeFileSync(path.join(root, '~tmp.x.jsonl'), '');
  fs.writeFileSync(path.join(root, 'x.ckpt'), '');
  sessions.delete('x');
  assert.deepEqual(fs.readdirSync(root), []);
  sessions.close();
}));

test('a second name that a crash has left of a log goes with it', () => withFolder((root) => {
  const sessions = stored(root);
  fs.linkSync(path.join(root, 'x.jsonl'), path.join(root, '~tmp.x.jsonl'));
  assert.throws(() => openSessions({ root }).create('x'), { code: 'already-exists' });
  sessions.delete('x');
  assert.deepEqual(fs.readdirSync(root), []);
  sessions.close();
}));

test('nothing of an earlier log of that name is left to a new one', () => withFolder((root) => {
  fs.mkdirSync(path.join(root, 'x.aside'));
  fs.writeFileSync(path.join(root, 'x.aside', '5.0123456789abcdef'), 'old');
  const sessions = stored(root);
  assert.deepEqual(sessions.inspect('x').asides, []);
  sessions.close();
}));

test('a log that is being made elsewhere is busy', () => withFolder((root) => {
  const temp = path.join(root, '~tmp.x.jsonl');
  const fd = fs.openSync(temp, 'a');
  flockSync(fd, 'ex');
  const sessions = openSessions({ root });
  sessions.create('x');
  assert.throws(() => sessions.flush('x'), { code: 'busy', message: /it is being created/ });
  fs.closeSync(fd);
  sessions.flush('x');
  assert.deepEqual(fs.readdirSync(root), ['x.jsonl']);
  sessions.close();
}));

test('who only asks whether a log is held keeps no writer away', () => withFolder((root) => {
  stored(root).close();
  const fd = fs.openSync(path.join(root, 'x.jsonl'), 'r');
  flockSync(fd, 'sh');
  const sessions = openSessions({ root });
  assert.equal(sessions.inspect('x').held, false);
  assert.throws(() => sessions.wake('x'), { code: 'busy', message: /only reads it/ });
  flockSync(fd, 'un');
  sessions.wake('x');
  sessions.close();
  fs.closeSync(fd);
}));

for (const [what, change] of /** @type {[string, (log: string) => void][]} */ ([
  ['appended to', (log) => fs.appendFileSync(log, 'x')],
  ['cut', (log) => fs.truncateSync(log, 10)],
  ['removed', (log) => fs.unlinkSync(log)],
  ['replaced', (log) => {
    fs.copyFileSync(log, `${log}.new`);
    fs.renameSync(`${log}.new`, log);
  }],
])) {
  test(`a log that another program has ${what} is noticed before anything is acknowledged`, () => withFolder((root) => {
    const store = new JsonlFolder(root);
    const { length } = store.publish('x', [{ tag: 'content', val: content('one line\n') }]);
    change(path.join(root, 'x.jsonl'));
    const after = fs.existsSync(path.join(root, 'x.jsonl')) && fs.readFileSync(path.join(root, 'x.jsonl'), 'utf8');
    for (const act of [
      () => store.append('x', length, content('two\n')),
      () => store.sync('x'),
      () => store.setAside('x', 4),
      () => store.saveCheckpoint('x', content('note')),
      () => store.append('x', length, content('two\n')),
    ]) {
      assert.throws(act, { code: 'moved' });
    }
    assert.equal(fs.existsSync(path.join(root, 'x.jsonl')) && fs.readFileSync(path.join(root, 'x.jsonl'), 'utf8'), after);
    store.close();
  }));
}

test('a log that was replaced is claimed anew by whoever asks again', () => withFolder((root) => {
  const store = new JsonlFolder(root);
  const made = store.publish('x', [{ tag: 'content', val: content('one line\n') }]);
  const log = path.join(root, 'x.jsonl');
  fs.copyFileSync(log, `${log}.new`);
  fs.renameSync(`${log}.new`, log);
  assert.throws(() => store.append('x', 9, content('two\n')), { code: 'moved' });
  assert.notEqual(store.acquire('x').identity, made.identity);
  store.append('x', 9, content('two\n'));
  assert.equal(fs.readFileSync(log, 'utf8'), 'one line\ntwo\n');
  assert.throws(() => store.sibling().acquire('x'), { code: 'busy' });
  store.close();
}));

/** Does something while a function of `fs` does something else first; answers how it was called. @param {string} name @param {(...args: any[]) => void} before @param {() => void} act */
function during(name, before, act) {
  const real = /** @type {any} */ (fs)[name];
  const mocked = mock.method(/** @type {any} */ (fs), name, (/** @type {any[]} */ ...args) => {
    before(...args);
    return real(...args);
  });
  try {
    act();
  } finally {
    mocked.mock.restore();
  }
  return mocked.mock.calls.map((/** @type {any} */ call) => call.arguments);
}

/** Where was written, and what. @param {any[]} call */
const written = ([, bytes, from, length, at]) => [at, String(bytes.subarray(from, from + length))];

/** @param {string} code */
const refuse = (code) => () => {
  throw Object.assign(new Error(`${code}: refused`), { code, syscall: 'test' });
};

test('what the system refuses is told as what it means', () => withFolder((root) => {
  const sessions = stored(root);
  for (const [code, told] of [
    ['ENOSPC', 'no-space'], ['EDQUOT', 'no-space'], ['EFBIG', 'no-space'], ['EROFS', 'read-only'], ['EACCES', 'access-denied'],
    ['EPERM', 'access-denied'], ['EIO', 'storage'],
  ]) {
    during('writeSync', refuse(code), () => assert.throws(() => sessions.emit('x', 'note', 1), { code: told }));
  }
  assert.equal(sessions.emit('x', 'note', 1), 1);
  sessions.close();
}));

test('a write that fails half-way is undone, and the session goes on', () => withFolder(async (root) => {
  const sessions = stored(root);
  const log = path.join(root, 'x.jsonl');
  const before = fs.readFileSync(log, 'utf8');
  const half = () => {
    fs.appendFileSync(log, '{"type":"no');
    refuse('ENOSPC')();
  };
  during('writeSync', (/** @type {number} */ fd) => fd > 2 && half(), () => {
    assert.throws(() => sessions.emit('x', 'no', 1), { code: 'no-space' });
  });
  assert.equal(fs.readFileSync(log, 'utf8'), before);
  assert.equal(sessions.emit('x', 'note', 2), 1);
  sessions.close();
}));

test('a write that fails where another wrote too is undone by nobody', () => withFolder((root) => {
  const sessions = stored(root);
  const log = path.join(root, 'x.jsonl');
  during('writeSync', () => {
    fs.appendFileSync(log, 'of another');
    refuse('EIO')();
  }, () => assert.throws(() => sessions.emit('x', 'note', 1), { code: 'outcome-unknown' }));
  assert.ok(fs.readFileSync(log, 'utf8').endsWith('of another'));
  sessions.close();
}));

test('a file system without hard links is told of when a log is made', () => withFolder((root) => {
  const sessions = openSessions({ root });
  sessions.create('x');
  during('linkSync', refuse('EPERM'), () => assert.throws(() => sessions.flush('x'), { code: 'storage', message: /hard links.*elsewhere/ }));
  assert.deepEqual(fs.readdirSync(root), []);
  sessions.close();
}));

test('after a failed sync the bytes are written again before they are synced', () => withFolder((root) => {
  const sessions = stored(root);
  sessions.emit('x', 'note', 'two');
  const log = fs.readFileSync(path.join(root, 'x.jsonl'));
  during('fdatasyncSync', refuse('EIO'), () => assert.throws(() => sessions.flush('x'), { code: 'storage' }));
  const writes = during('writeSync', () => {}, () => sessions.flush('x'));
  const synced = log.indexOf('\n', log.indexOf('\n') + 1) + 1;
  assert.deepEqual(writes.map(written), [[synced, log.subarray(synced).toString()]]);
  assert.deepEqual(fs.readFileSync(path.join(root, 'x.jsonl')), log);
  sessions.close();
}));

test('after a failed sync that lost bytes nothing is acknowledged', () => withFolder((root) => {
  const sessions = stored(root);
  sessions.emit('x', 'note', 'two');
  const lose = () => {
    const fd = fs.openSync(path.join(root, 'x.jsonl'), 'r+');
    fs.writeSync(fd, '\0\0\0\0', fs.fstatSync(fd).size - 5);
    fs.closeSync(fd);
    refuse('EIO')();
  };
  during('fdatasyncSync', lose, () => assert.throws(() => sessions.flush('x'), { code: 'storage' }));
  assert.throws(() => sessions.flush('x'), { code: 'outcome-unknown', message: /lost bytes/ });
  sessions.close();
}));

test('whoever holds a log after a writer whose sync failed writes the bytes again', () => withFolder((root) => {
  const store = new JsonlFolder(root);
  store.publish('x', [{ tag: 'content', val: content('one\n') }]);
  store.append('x', 4, content('two\n'));
  during('fdatasyncSync', refuse('EIO'), () => assert.throws(() => store.sync('x'), { code: 'failed' }));
  store.release('x');
  const next = store.sibling();
  const writes = during('writeSync', () => {}, () => next.acquire('x'));
  assert.deepEqual(writes.map(written), [[4, 'two\n']]);
  next.close();
}));

test('sessions are let go also where the system complains', () => withFolder((root) => {
  const sessions = stored(root);
  sessions.create('y');
  sessions.flush('y');
  const next = new JsonlFolder(root);
  const complain = (/** @type {number} */ fd) => {
    fs.close(fd);
    refuse('EIO')();
  };
  during('closeSync', complain, () => sessions.release('x'));
  next.acquire('x');
  during('closeSync', complain, () => sessions.close());
  next.acquire('y');
  next.close();
}));

test('setting the same bytes aside again after a crash makes no second copy', () => withFolder((root) => {
  const store = new JsonlFolder(root);
  store.publish('x', [{ tag: 'content', val: content('one\ntorn') }]);
  during('ftruncateSync', refuse('EIO'), () => assert.throws(() => store.setAside('x', 4), { code: 'failed' }));
  const kept = store.setAside('x', 4);
  assert.deepEqual(store.asides('x'), [kept]);
  assert.equal(String(store.readAside('x', kept.name, 0, 99)), 'torn');
  assert.equal(fs.readFileSync(path.join(root, 'x.jsonl'), 'utf8'), 'one\n');
  store.close();
}));

test('only a piece can be read from what was set aside', () => withFolder((root) => {
  const sessions = stored(root);
  fs.writeFileSync(path.join(root, 'secret'), 'x');
  fs.mkdirSync(path.join(root, 'x.aside'));
  for (const name of ['../secret', '../x.jsonl', '', '.', '5.0123456789abcdef/..', '5.0123456789abcdef']) {
    assert.throws(() => sessions.readAside('x', name), { code: 'not-found' });
  }
  sessions.close();
}));

test('a checkpoint that can not be read stops nobody', () => withFolder((root) => {
  const store = new JsonlFolder(root);
  fs.mkdirSync(path.join(root, 'x.ckpt'));
  assert.equal(store.loadCheckpoint('x').length, 0);
  fs.rmdirSync(path.join(root, 'x.ckpt'));
  fs.writeFileSync(path.join(root, 'x.ckpt'), '');
  fs.truncateSync(path.join(root, 'x.ckpt'), (16 << 20) + 1);
  assert.equal(store.loadCheckpoint('x').length, 0);
  store.close();
}));

test('no files stay open once sessions are closed', () => withFolder((root) => {
  const open = () => fs.readdirSync('/proc/self/fd').length;
  const before = open();
  const sessions = stored(root);
  sessions.fork('x', 'y');
  sessions.wake('y');
  sessions.inspect('x');
  assert.throws(() => new JsonlFolder(root).acquire('x'), { code: 'busy' });
  sessions.delete('y');
  sessions.close();
  assert.equal(open(), before);
}));
