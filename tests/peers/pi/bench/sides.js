// The four stores that are measured. Each is opened empty: with a repository, storages of a session each, a repository that knows
// nothing of what the first has read, and what removes all of it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BACKGROUND_CONTEXT } from '@earendil-works/pi-agent-core/harness/context';
import { NodeExecutionEnv } from '@earendil-works/pi-agent-core/harness/env/nodejs';
import { JsonlSessionRepo, MemorySessionRepo } from '@earendil-works/pi-agent-core/harness/session';
import { Memory, openSessions } from '../../../../examples/node-host/src/index.js';
import { TreeSessionRepo, TreeStorage } from '../src/index.js';

let made = 0;
const nextId = () => `measured ${made++}`;

function folder() {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pi-bench-'));
  return { root, remove: () => fs.rmSync(root, { recursive: true }) };
}

function ours(options, remove) {
  let sessions = openSessions(options);
  return {
    repo: new TreeSessionRepo(sessions),
    async storage() {
      const { id } = sessions.create(nextId());
      // It is stored before it is measured, as pi's are.
      sessions.flush(id);
      return new TreeStorage(sessions.tree(id), () => sessions.release(id));
    },
    anew() {
      sessions.close();
      sessions = openSessions(options);
      return new TreeSessionRepo(sessions);
    },
    remove() {
      sessions.close();
      remove();
    },
  };
}

export const SIDES = {
  'pi, memory'() {
    const repo = new MemorySessionRepo();
    return {
      repo,
      async storage() {
        const { metadata } = await repo.create({}, BACKGROUND_CONTEXT);
        // The package does not export the class.
        return repo.sessions.get(metadata.id).storage;
      },
      // It has no other memory.
      anew: () => repo,
      remove() {},
    };
  },
  'ours, memory': () => ours({ storage: new Memory() }, () => {}),
  'pi, JSONL'() {
    const { root, remove } = folder();
    const anew = () => {
      const repo = new JsonlSessionRepo({ fileSystem: new NodeExecutionEnv({ cwd: root }), sessionsRoot: root });
      const create = repo.create.bind(repo);
      // It wants a working directory, which pi's scenarios do not give.
      repo.create = (options, context) => create({ cwd: root, ...options }, context);
      return repo;
    };
    const repo = anew();
    return { repo, storage: async () => (await repo.create({}, BACKGROUND_CONTEXT)).storage, anew, remove };
  },
  'ours, files'() {
    const { root, remove } = folder();
    return ours({ root }, remove);
  },
};
