import { randomUUID } from 'node:crypto';
import { StorageBackedSession } from '@earendil-works/pi-agent-core/harness/session';
import { TreeStorage } from './storage.js';

/**
 * pi's `SessionRepo` over the sessions of a store: every one of them is listed and can be opened, whoever wrote it.
 * @implements {import('@earendil-works/pi-agent-core/harness/session').SessionRepo}
 */
export class TreeSessionRepo {
  #sessions;
  /** Ids of those that are open here. Another process is kept out by the claim on the log. */
  #open = new Set();

  /** @param {import('session-store-wasm').Sessions} sessions Stay the caller's to close. */
  constructor(sessions) {
    this.#sessions = sessions;
  }

  async create({ id = randomUUID(), parentSessionId, cwd }) {
    const header = this.#sessions.create({ id, parentSession: parentSessionId, cwd });
    // It is to be in lists from now on, and survives a loss of power.
    this.#sessions.flush(id);
    return this.#opened(header);
  }

  async open({ id }) {
    if (this.#open.has(id)) {
      throw new Error(`Session is already open: ${id}`);
    }
    return this.#claimed(id);
  }

  async list() {
    const metadata = [];
    for await (const item of this.#sessions.list()) {
      // A log that can't be read is no session of pi's.
      if ('header' in item) {
        metadata.push(metadataOf(item.header));
      }
    }
    return metadata;
  }

  async delete({ id }) {
    if (this.#open.has(id)) {
      throw new Error(`Session is open: ${id}`);
    }
    if (!this.#sessions.has(id)) {
      throw new Error(`Unknown session: ${id}`);
    }
    this.#sessions.delete(id);
  }

  async fork({ id: source }, { id = randomUUID(), scope, branch, entryId, position }) {
    const part = scope === 'tree' ? undefined : { branch, [position === 'before' ? 'before' : 'at']: entryId };
    this.#sessions.tree(source).fork(id, part);
    return this.#claimed(id);
  }

  #claimed(id) {
    return this.#opened(this.#sessions.wake(id, { openTurn: 'keep' }).header);
  }

  #opened(header) {
    const { id } = header;
    const storage = new TreeStorage(this.#sessions.tree(id), () => {
      this.#open.delete(id);
      this.#sessions.flush(id);
      this.#sessions.release(id);
    });
    this.#open.add(id);
    return new StorageBackedSession(metadataOf(header), storage);
  }
}

/** @returns {import('@earendil-works/pi-agent-core/harness/session').SessionMetadata} */
const metadataOf = ({ id, createdAt, cwd, parentSession }) => ({
  id,
  createdAt,
  storageVersion: 1,
  ...(cwd !== undefined && { cwd }),
  ...(parentSession !== undefined && { parentSessionId: parentSession }),
});
