// Makes ES modules of the components that are committed: the store, and for the tests the cases and the storage alone.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transpile } from '@bytecodealliance/jco-transpile';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

fs.rmSync(here('component'), { recursive: true, force: true });
for (const name of ['session-store-wasi', 'wasi-storage', 'conformance']) {
  const { files } = await transpile(here(`../../host/component/${name}.wasm`), {
    name,
    instantiation: 'sync',
    nodejsCompat: false,
    outDir: here('component'),
  });
  for (const [file, bytes] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes);
  }
}
