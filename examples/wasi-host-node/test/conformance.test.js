// Every case of the contract: the storage is one holder on a folder, and the store with its own storage another one.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { instantiate as conformance } from '../component/conformance.js';
import { instantiate as store } from '../component/session-store-wasi.js';
import { instantiate as storage } from '../component/wasi-storage.js';
import { coreModule, inFolder } from '../src/index.js';
import { withFolder } from './folder.js';

/** The cases that can't hold: a list in Markdown, which says why. */
const NOT_KEPT = fs
  .readFileSync(new URL('../../wasi-storage/not-kept.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));

/** What is between the components here, and not in the store. */
const UNDER_JCO = new Map([
  ['storage: ids with white space, control characters and emoji are kept to the byte', 'jco drops a U+FEFF that begins a text'],
]);

function proof(folder) {
  const sessions = inFolder(store, folder);
  return conformance(coreModule, {
    'agent:session/storage': inFolder(storage, folder).storage,
    'agent:session/session-persistence': sessions.sessionPersistence,
    'agent:session/messages': sessions.messages,
  });
}

const cases = withFolder((folder) => proof(folder).cases());

for (const name of cases) {
  const run = () => withFolder((folder) => proof(folder).run(name));
  const why = UNDER_JCO.get(name) ?? (NOT_KEPT.includes(name) ? 'WASI has no locks' : undefined);
  if (why === undefined) {
    test(name, run);
  } else {
    // What a case says no with is a text; anything else broke down.
    test(`${why}, so this can't hold: ${name}`, () => assert.throws(run, (said) => typeof said === 'string'));
  }
}

test('every exception is a case', () => {
  assert.deepEqual([...NOT_KEPT, ...UNDER_JCO.keys()].filter((name) => !cases.includes(name)), []);
});
