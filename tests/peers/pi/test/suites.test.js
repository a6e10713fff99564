// pi's own suites. Every case holds: there is no list of exceptions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createSessionRepoConformance, createSessionRepoStreamingForkConformance, createStorageConformance,
} from '@earendil-works/pi-agent-core/harness/session/testing';
import { TreeSessionRepo, TreeStorage } from '../src/index.js';
import { STORES } from './stores.js';

for (const [name, open] of Object.entries(STORES)) {
  const storage = () => {
    const { sessions, remove } = open();
    sessions.create('x');
    return { storage: new TreeStorage(sessions.tree('x'), () => sessions.release('x')), [Symbol.asyncDispose]: async () => remove() };
  };
  /** The store of the case that runs: one does at a time. */
  let store;
  const repo = () => {
    store = open();
    return new TreeSessionRepo(store.sessions);
  };
  const close = () => store.remove();

  for (const [suite, cases, count] of [
    ['storage', createStorageConformance(storage), 21],
    ['repository', createSessionRepoConformance(repo, close), 17],
    ['streaming fork', createSessionRepoStreamingForkConformance(repo, close), 15],
  ]) {
    test(`${name}, ${suite}: there are ${count} cases`, () => assert.equal(cases.length, count));
    for (const { group, name: rule, run } of cases) {
      test(`${name}, ${suite}: ${group}: ${rule}`, run);
    }
  }
}
