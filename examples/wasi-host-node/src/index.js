// Sessions in a folder. The component brings its own storage, over the files that WASI gives it.

import fs from 'node:fs';
import { WASIShim } from '@bytecodealliance/preview2-shim/instantiation';
import { instantiate as store } from '../component/session-store-wasi.js';

/** The sessions in a folder that is there: the interfaces `session-persistence` and `messages`. */
export function openSessions(folder) {
  const { sessionPersistence, messages } = inFolder(store, folder);
  return { ...sessionPersistence, ...messages };
}

/** A fresh instance of a component that sees this folder and the time, and nothing else. */
export function inFolder(instantiate, folder) {
  const wasi = new WASIShim({ sandbox: { preopens: { '/sessions': folder } } });
  return instantiate(coreModule, wasi.getImportObject());
}

const compiled = new Map();

/** What a component is made of, compiled once. */
export function coreModule(name) {
  if (!compiled.has(name)) {
    compiled.set(name, new WebAssembly.Module(fs.readFileSync(new URL(`../component/${name}`, import.meta.url))));
  }
  return compiled.get(name);
}
