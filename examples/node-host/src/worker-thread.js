// The other end of `openSessionsInWorker`.

import { parentPort, workerData } from 'node:worker_threads';
import { SessionError } from './errors.js';
import { callTree, openSessions } from './sessions.js';

/** @type {any} */
let sessions;

parentPort?.on('message', ({ number, name, args }) => {
  parentPort?.postMessage({ number, ...answer(name, args) });
});

/** @param {string} name @param {unknown[]} args */
function answer(name, args) {
  try {
    sessions ??= openSessions(workerData);
    return { answer: call(name, args) };
  } catch (error) {
    // A class does not survive the way; an error of the language does.
    return { error: error instanceof SessionError ? { code: error.code, payload: error.payload, cause: error.cause } : { cause: error } };
  }
}

/** @param {string} name @param {any[]} args */
function call(name, args) {
  if (name === 'callTree') {
    const [id, name, inner] = args;
    return callTree(sessions, id, name, inner);
  }
  return name === 'opened' ? undefined : sessions[name](...args);
}
