// A folder of a test's own.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Calls with an empty folder, which is removed afterwards. */
export function withFolder(call) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wasi-host-node-'));
  try {
    return call(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
