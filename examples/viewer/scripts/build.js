// Puts the page together in dist/: the sources as they are, and the rules component as JavaScript and core wasm.

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { transpileBytes } from '@bytecodealliance/jco-transpile';

const from = (path) => new URL(path, import.meta.url);
const dist = from('../dist/');

await rm(dist, { recursive: true, force: true });
await cp(from('../src/'), dist, { recursive: true });

const component = await readFile(from('../../../host/component/session-rules.wasm'));
const { files } = await transpileBytes(component, {
  name: 'rules',
  // A fresh instance whenever one is wanted: it gives its memory back, and nothing outlives a trap.
  instantiation: 'sync',
  // An error of the component is thrown as it is, `{ tag, val }`.
  noComponentErrorWrapping: true,
  emitTypescriptDeclarations: false,
});

await mkdir(new URL('rules/', dist));
await writeFile(new URL('rules/rules.js', dist), files['rules.js']);
// As text in a module, because the page's policy lets it fetch nothing at all, not even its own wasm.
const base64 = Buffer.from(files['rules.core.wasm']).toString('base64');
await writeFile(new URL('rules/core.js', dist), `export default '${base64}';\n`);

console.log('dist/ is ready: serve it with `npm start`, or publish the folder as it is');
