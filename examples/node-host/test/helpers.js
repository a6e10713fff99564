import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Does something with an empty folder of its own, which is removed in the end. @template T @param {(root: string) => T} use @returns {T} */
export function withFolder(use) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'session-store-'));
  const remove = () => fs.rmSync(root, { recursive: true, force: true });
  let result;
  try {
    result = use(root);
  } catch (error) {
    remove();
    throw error;
  }
  if (result instanceof Promise) {
    return /** @type {T} */ (result.finally(remove));
  }
  remove();
  return result;
}
