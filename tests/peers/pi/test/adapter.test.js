// What pi's suites do not ask: how its sessions look from outside, and what comes from there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BACKGROUND_CONTEXT } from '@earendil-works/pi-agent-core/harness/context';
import { TreeSessionRepo } from '../src/index.js';
import { STORES } from './stores.js';

for (const [name, open] of Object.entries(STORES)) {
  /** @param {(store: ReturnType<typeof open>, repo: TreeSessionRepo) => Promise<void>} act */
  const inStore = (act) => async () => {
    const store = open();
    try {
      await act(store, new TreeSessionRepo(store.sessions));
    } finally {
      store.remove();
    }
  };
  const message = { role: 'user', content: 'The login fails.', timestamp: 1 };

  test(`${name}: what pi has written is there for whoever opens the store next`, inStore(async (store, repo) => {
    const session = await repo.create({ id: 'x', cwd: '/srv', parentSessionId: 'before' }, BACKGROUND_CONTEXT);
    const branch = await session.createBranch('main', null, BACKGROUND_CONTEXT);
    const id = await branch.appendMessage(message, BACKGROUND_CONTEXT);
    await session.close(BACKGROUND_CONTEXT);

    const sessions = store.another();
    assert.deepEqual(await sessions.tree('x').context('main'), [{ entry: id, message }]);
    const other = new TreeSessionRepo(sessions);
    const [metadata] = await other.list(undefined, BACKGROUND_CONTEXT);
    assert.deepEqual(metadata, session.metadata);
    assert.deepEqual([metadata.cwd, metadata.parentSessionId], ['/srv', 'before']);
    const reopened = await other.open(metadata, BACKGROUND_CONTEXT);
    assert.equal(await (await reopened.branch('main', BACKGROUND_CONTEXT)).getTipId(BACKGROUND_CONTEXT), id);
    sessions.close();
  }));

  test(`${name}: a session that another process holds can't be opened, until it lets go`, inStore(async (store, repo) => {
    const session = await repo.create({ id: 'x' }, BACKGROUND_CONTEXT);
    const sessions = store.another();
    const other = new TreeSessionRepo(sessions);
    await assert.rejects(other.open(session.metadata, BACKGROUND_CONTEXT), { code: 'busy' });
    await session.close(BACKGROUND_CONTEXT);
    await other.open(session.metadata, BACKGROUND_CONTEXT);
    sessions.close();
  }));

  test(`${name}: a session that no pi has written is opened as one without entries`, inStore(async ({ sessions }, repo) => {
    sessions.create('x');
    sessions.emit('x', 'turn/start', { turn: 1 });
    sessions.release('x');
    const [metadata] = await repo.list(undefined, BACKGROUND_CONTEXT);
    const session = await repo.open(metadata, BACKGROUND_CONTEXT);
    assert.deepEqual(await session.findEntries(undefined, BACKGROUND_CONTEXT), []);
    assert.equal(sessions.inspect('x').turnOpen, true);
  }));

  test(`${name}: what is longer than one answer is read whole`, inStore(async (store, repo) => {
    const session = await repo.create({ id: 'x' }, BACKGROUND_CONTEXT);
    const branch = await session.createBranch('main', null, BACKGROUND_CONTEXT);
    const ids = [];
    for (let count = 0; count < 12; count++) {
      ids.push(await branch.appendMessage({ ...message, content: 'x'.repeat(1 << 20) }, BACKGROUND_CONTEXT));
    }
    const found = async (/** @type {'newestFirst' | 'oldestFirst'} */ order, limit) =>
      (await branch.findEntries({ order, limit }, BACKGROUND_CONTEXT)).map(({ id }) => id);
    assert.deepEqual(await found('oldestFirst'), ids);
    assert.deepEqual(await found('newestFirst', 11), ids.slice(1).reverse());
    assert.deepEqual((await session.findEntries({ order: 'desc' }, BACKGROUND_CONTEXT)).map(({ id }) => id), [...ids].reverse());
  }));
}
