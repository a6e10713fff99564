// pi's own suites, over both stores of the Node host.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import {
  createSessionRepoConformance, createSessionRepoStreamingForkConformance, createStorageConformance,
} from '@earendil-works/pi-agent-core/harness/session/testing';
import { Memory, openSessions } from '../../../../examples/node-host/src/index.js';
import { TreeSessionRepo, TreeStorage } from '../src/index.js';

/** How sessions are opened, and removed in the end. */
const STORES = {
  'in memory': () => ({ sessions: openSessions({ storage: new Memory() }), remove() {} }),
  'in files': () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pi-peer-'));
    return { sessions: openSessions({ root }), remove: () => fs.rmSync(root, { recursive: true }) };
  },
};

for (const [store, open] of Object.entries(STORES)) {
  const storageFixture = () => {
    const { sessions, remove } = open();
    sessions.create('x');
    return {
      storage: new TreeStorage(sessions.tree('x'), () => sessions.release('x')),
      async [Symbol.asyncDispose]() {
        sessions.close();
        remove();
      },
    };
  };
  /** The repository of the case that runs: there is one at a time. */
  let opened;
  const repo = () => {
    opened = open();
    return new TreeSessionRepo(opened.sessions);
  };
  const close = () => {
    opened.sessions.close();
    opened.remove();
  };

  const suites = {
    storage: createStorageConformance(storageFixture),
    repository: createSessionRepoConformance(repo, close),
    'streaming fork': createSessionRepoStreamingForkConformance(repo, close),
  };
  for (const [suite, cases] of Object.entries(suites)) {
    for (const { group, name, run } of cases) {
      test(`${store}, ${suite}: ${group}: ${name}`, run);
    }
    test(`${store}, ${suite}: every case is there`, () => assert.equal(cases.length, { storage: 21, repository: 17, 'streaming fork': 15 }[suite]));
  }
}
