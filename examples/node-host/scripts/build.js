// Makes ES modules of the components that the Rust side has built. The package carries the first; the tests use the other.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const repository = (/** @type {string} */ name) => here(`../../${name}`);

// npm runs this for whoever installs the folder, and installs nothing there.
const { transpile } = await import('@bytecodealliance/jco-transpile').catch(() => {
  console.error(`session-store-wasm is not built: run \`npm ci && npm run build\` in ${here('')}`);
  process.exit(1);
});

/** What is put right in the code that jco writes. */
const CORRECTIONS = [
  // A text that begins with U+FEFF would lose it: an id would be another one.
  ['new TextDecoder()', "new TextDecoder('utf-8', { ignoreBOM: true })"],
  // Reading the environment some dozen times makes up most of what a call costs.
  ['if (!globalThis?.process?.env?.JCO_DEBUG) { return; }', 'return;'],
  // Where this is missing, each try costs as long as parsing the whole file: V8 wants to say what is not a function.
  ['WebAssembly.promising(', '('],
];

for (const [component, folder] of [['session-store', 'component'], ['conformance', 'test/component']]) {
  const { files } = await transpile(repository(`host/component/${component}.wasm`), {
    name: component,
    instantiation: 'sync',
    nodejsCompat: false,
    outDir: here(folder),
  });
  fs.rmSync(here(folder), { recursive: true, force: true });
  for (const [name, bytes] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, name.endsWith('.js') ? correct(Buffer.from(bytes).toString(), name) : bytes);
  }
}

for (const license of ['LICENSE-MIT', 'LICENSE-APACHE']) {
  fs.copyFileSync(repository(license), here(license));
}

/** @param {string} code @param {string} name */
function correct(code, name) {
  return CORRECTIONS.reduce((code, [from, to]) => {
    if (!code.includes(from)) {
      throw new Error(`${name} has no \`${from}\`: this jco writes other code`);
    }
    return code.replaceAll(from, to);
  }, code);
}
