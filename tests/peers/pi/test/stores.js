import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Memory, openSessions } from '../../../../examples/node-host/src/index.js';

/** The stores that are tried: each opens an empty one, and knows how to remove it. */
export const STORES = {
  'in memory': () => over({ storage: new Memory() }, () => {}),
  'in files': () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pi-peer-'));
    return over({ root }, () => fs.rmSync(root, { recursive: true }));
  },
};

function over(options, remove) {
  const sessions = openSessions(options);
  return {
    sessions,
    /** What another process would open. */
    another: () => openSessions('root' in options ? options : { storage: options.storage.sibling() }),
    remove() {
      sessions.close();
      remove();
    },
  };
}
