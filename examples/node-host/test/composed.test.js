// A harness and the sessions in one file, over a store of this package, as the README runs it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { transpile } from '@bytecodealliance/jco-transpile';
import { Memory, StorageError, componentImports, openSessions } from '../src/index.js';
import { all, command, done, withFolder } from './helpers.js';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const HARNESS = fileURLToPath(new URL('../../../host/component/demo-harness.wasm', import.meta.url));

/** Makes a folder `composed` of the harness. @param {string} root */
async function compose(root) {
  const wasm = path.join(root, 'composed.wasm');
  execFileSync(command(), ['compose', HARNESS, '-o', wasm], { stdio: 'pipe' });
  const outDir = path.join(root, 'composed');
  const { files } = await transpile(wasm, { name: 'composed', instantiation: 'sync', nodejsCompat: false, outDir });
  for (const [name, bytes] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, bytes);
  }
  fs.writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
  return outDir;
}

test("the README's program runs a composed harness in a folder, and any host reads what it wrote", () => withFolder(async (root) => {
  await compose(root);
  const program = fs.readFileSync(path.join(PACKAGE, 'README.md'), 'utf8').match(/```js\n(import fs[^]*?)```/)?.[1];
  fs.writeFileSync(path.join(root, 'program.js'), String(program));
  fs.mkdirSync(path.join(root, 'node_modules'));
  fs.symlinkSync(PACKAGE, path.join(root, 'node_modules/session-store-wasm'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['program.js'], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.notEqual(stdout.trim(), '');
  const sessions = openSessions({ root: path.join(root, 'sessions') });
  const types = (await all(sessions.events('fix-login'))).map(({ type }) => type);
  assert.equal(types[0], 'turn/start');
  assert.equal(types.at(-1), 'turn/end');
  assert.match(done(path.join(root, 'sessions'), ['show', 'fix-login']), /Go on\./);
}));

test('what storage can not do is told to the harness, and what breaks down comes out of the call', () => withFolder(async (root) => {
  const folder = await compose(root);
  const { instantiate } = await import(path.join(folder, 'composed.js'));
  const module = (/** @type {string} */ name) => new WebAssembly.Module(fs.readFileSync(path.join(folder, name)));
  /** @param {unknown} thrown */
  const run = (thrown) => {
    const storage = new Memory();
    storage.publish = () => {
      throw thrown;
    };
    return instantiate(module, componentImports(storage, { clock: () => 7 })).run('x', 'Go on.');
  };
  assert.throws(() => run(new StorageError('no-space')), (/** @type {any} */ told) => String(told).includes('no space is left'));
  const broken = new RangeError('broken');
  assert.throws(() => run(broken), (/** @type {any} */ error) => error.cause === broken);
}));

test('what is no store, or no clock, is refused', () => {
  assert.throws(() => componentImports(/** @type {any} */ ('sessions')), { name: 'TypeError', message: /^storage must have every method/ });
  assert.throws(() => componentImports(new Memory(), /** @type {any} */ ({ clock: 7 })), { name: 'TypeError', message: /^clock must be a function/ });
  assert.throws(() => componentImports(new Memory(), /** @type {any} */ (Date.now)), { name: 'TypeError', message: /^the options must be an object/ });
});
