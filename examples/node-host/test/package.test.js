// The package as it is handed on.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withFolder } from './helpers.js';

/** The oldest compiler that the README promises. */
const COMPILER = fileURLToPath(new URL('../node_modules/typescript-5.4/bin/tsc', import.meta.url));
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

test('whoever installs a folder that is not built is told what to do', () => withFolder((root) => {
  const [copy, program] = [path.join(root, 'copy'), path.join(root, 'program')];
  for (const name of ['package.json', 'scripts']) {
    fs.cpSync(path.join(PACKAGE, name), path.join(copy, name), { recursive: true });
  }
  fs.mkdirSync(program);
  const { status, stderr } = spawnSync('npm', ['install', '--offline', '--no-audit', copy], { cwd: program, encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.match(stderr, /session-store-wasm is not built: run `npm ci && npm run build` in .*copy/);
}));

test('its types are sound for the oldest TypeScript that is promised, and every one of them is checked', () => {
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--skipLibCheck', 'false'];
  const { status, stdout } = spawnSync(process.execPath, [COMPILER, ...options, path.join(PACKAGE, 'test/consumer.ts')], { cwd: PACKAGE, encoding: 'utf8' });
  assert.deepEqual([stdout, status], ['', 0]);
});

test('the types show nothing that is for the package alone', () => {
  for (const file of ['storage/jsonl', 'storage/memory']) {
    const declared = fs.readFileSync(path.join(PACKAGE, 'types', `${file}.d.ts`), 'utf8');
    assert.doesNotMatch(declared, /unsynced|shared|sibling/, file);
  }
});

test('the program that explains the tree does what it says', () => withFolder((root) => {
  const explained = fs.readFileSync(new URL('../../../docs/tree.md', import.meta.url), 'utf8');
  const [, program, lane] = /```js\n(.*?)```.*```js\n(.*?)```/s.exec(explained) ?? [];
  const end = "tree.fork('child', { branch: 'main' });\nconsole.log(await sessions.tree('child').context('main').then((seen) => seen.length));\n";
  fs.writeFileSync(path.join(root, 'tree.mjs'), `${program}${lane}${end}`.replace('session-store-wasm', path.join(PACKAGE, 'src/index.js')));
  const { stdout, stderr } = spawnSync(process.execPath, ['tree.mjs'], { cwd: root, encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.match(stdout, /role: 'compactionSummary',.*\nd\nc\na\n2\n$/s);
}));
