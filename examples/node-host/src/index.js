export { openSessions } from './sessions.js';
export { openSessionsInWorker } from './worker.js';
export { SessionError, StorageError } from './errors.js';
export { componentImports } from './imports.js';
export { JsonlFolder } from './storage/jsonl.js';
export { Memory } from './storage/memory.js';

/** @typedef {import('./types.js').Aside} Aside */
/** @typedef {import('./types.js').Code} Code */
/** @typedef {import('./types.js').Damage} Damage */
/** @typedef {import('./types.js').Event} Event */
/** @typedef {import('./types.js').EventPage} EventPage */
/** @typedef {import('./types.js').Listed} Listed */
/** @typedef {import('./types.js').ListedSession} ListedSession */
/** @typedef {import('./types.js').ListOptions} ListOptions */
/** @typedef {import('./types.js').ListPage} ListPage */
/** @typedef {import('./types.js').LogInfo} LogInfo */
/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./types.js').MessageOptions} MessageOptions */
/** @typedef {import('./types.js').MessagePage} MessagePage */
/** @typedef {import('./types.js').NewSession} NewSession */
/** @typedef {import('./types.js').Part} Part */
/** @typedef {import('./types.js').Place} Place */
/** @typedef {import('./types.js').Reason} Reason */
/** @typedef {import('./types.js').Recovery} Recovery */
/** @typedef {import('./types.js').SessionHeader} SessionHeader */
/** @typedef {import('./types.js').SessionState} SessionState */
/** @typedef {import('./sessions.js').Sessions} Sessions */
/** @typedef {import('./types.js').Storage} Storage */
/** @typedef {import('./types.js').Unreadable} Unreadable */
/** @typedef {import('./types.js').WakeOptions} WakeOptions */
/** @typedef {import('./worker.js').WorkerSessions} WorkerSessions */
