// The trees that all hosts share: what this one answers, and writes, is what is written down there.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SessionError, openSessions } from '../src/index.js';
import { all, withFolder } from './helpers.js';

const CORPUS = fileURLToPath(new URL('../../../tests/corpus-trees', import.meta.url));
const NOW = 1763681581550;

/** @typedef {{ sessions: import('../src/index.js').Sessions, tree: import('../src/index.js').Tree, id: string, root: string }} On */

/** Each call, as it stands in `calls.jsonl`. @type {Record<string, (on: On, call: any) => any>} */
const CALLS = {
  append: ({ tree }, { branch, entry }) => tree.append(branch, entry),
  'branch-entries': ({ tree }, { start, scan }) => all(tree.branchEntries(start, scan)),
  'branch-structure': ({ tree }, { start, scan }) => all(tree.branchStructure(start, scan)),
  branches: ({ tree }) => all(tree.branches()),
  commit: ({ tree }, { writes, ...options }) => tree.commit(writes, options),
  context: ({ tree }, { branch }) => tree.context(branch),
  'create-branch': ({ tree }, { name, at }) => tree.createBranch(name, at),
  emit: ({ sessions, id }, { type, data }) => sessions.emitJson(id, type, data),
  entries: ({ tree }, { scan, ...only }) => all(tree.entries({ ...scan, ...only })),
  fork({ tree, root }, { child, ...part }) {
    tree.fork({ id: child, createdAt: NOW }, 'branch' in part ? part : undefined);
    return lines(path.join(root, `${child}.jsonl`));
  },
  'get-entries': ({ tree }, { ids }) => tree.getEntries(ids),
  'get-labels': ({ tree }, { entries }) => tree.getLabels(entries),
  'get-values': ({ tree }, { addresses }) => tree.getValues(addresses),
  list: ({ tree }, { address, scan }) => all(tree.list(address, scan)),
  'move-branch': ({ tree }, { name, to }) => tree.moveBranch(name, to),
  'set-label': ({ tree }, { entry, text }) => tree.setLabel(entry, text),
  'set-name': ({ tree }, { name }) => tree.setName(name),
  state: ({ tree }) => tree.state(),
  usage: ({ tree }, { scan }) => all(tree.usage(scan)),
  values: ({ tree }, { namespace, prefix }) => all(tree.values(namespace, { prefix })),
  wake: ({ sessions, id }) => sessions.wake(id).recovery.closers.map(({ type }) => type),
};

/** @param {string} file */
const lines = (file) => fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);

/** @param {string} file @returns {any[]} */
const values = (file) => lines(file).map((line) => JSON.parse(line));

/** @param {() => any} ask */
async function answer(ask) {
  try {
    return await ask();
  } catch (error) {
    assert.ok(error instanceof SessionError, String(error));
    const { code, payload } = error;
    return { error: code, ...(code === 'refused-write' ? payload : typeof payload === 'string' && { of: payload }) };
  }
}

const cases = fs.readdirSync(CORPUS, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);

test('there is a corpus, and it makes every call', () => {
  assert.ok(cases.length > 12, `only ${cases.length} cases in ${CORPUS}`);
  const made = cases.flatMap((id) => values(path.join(CORPUS, id, 'calls.jsonl')).map(({ call }) => call));
  assert.deepEqual([...new Set(made)].sort(), Object.keys(CALLS).sort());
});

for (const id of cases) {
  test(id, () => withFolder(async (root) => {
    const [given, log] = [path.join(CORPUS, id, 'log.jsonl'), path.join(root, `${id}.jsonl`)];
    if (fs.existsSync(given)) {
      fs.copyFileSync(given, log);
    }
    const sessions = openSessions({ root, clock: () => NOW });
    if (!fs.existsSync(log)) {
      sessions.create({ id, createdAt: NOW });
    }
    const expected = values(path.join(CORPUS, id, 'answers.jsonl'));
    const calls = values(path.join(CORPUS, id, 'calls.jsonl'));
    assert.equal(calls.length, expected.length);
    for (const [index, { call, session = id, ...rest }] of calls.entries()) {
      const on = { sessions, tree: sessions.tree(session, { text: true }), id: session, root };
      assert.deepEqual(await answer(() => CALLS[call](on, rest)), expected[index], JSON.stringify(calls[index]));
    }
    sessions.close();
    assert.equal(fs.readFileSync(log, 'utf8'), fs.readFileSync(path.join(CORPUS, id, 'after.jsonl'), 'utf8'));
  }));
}
