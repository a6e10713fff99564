export { openSessions } from './sessions.js';
export { Tree } from './tree.js';
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
/** @typedef {import('./worker.js').WorkerTree} WorkerTree */
/** @typedef {import('./tree-types.js').Address} Address */
/** @typedef {import('./tree-types.js').Branch} Branch */
/** @typedef {import('./tree-types.js').BranchFork} BranchFork */
/** @typedef {import('./tree-types.js').BranchScan} BranchScan */
/** @typedef {import('./tree-types.js').CommitOptions} CommitOptions */
/** @typedef {import('./tree-types.js').Committed} Committed */
/** @typedef {import('./tree-types.js').ContextMessage} ContextMessage */
/** @typedef {import('./tree-types.js').ContextPage} ContextPage */
/** @typedef {import('./tree-types.js').ContextPlace} ContextPlace */
/** @typedef {import('./tree-types.js').Direction} Direction */
/** @typedef {import('./tree-types.js').Entry} Entry */
/** @typedef {import('./tree-types.js').EntryScan} EntryScan */
/** @typedef {import('./tree-types.js').EntryStructure} EntryStructure */
/** @typedef {import('./tree-types.js').EntryType} EntryType */
/** @typedef {import('./tree-types.js').Label} Label */
/** @typedef {import('./tree-types.js').ListElement} ListElement */
/** @typedef {import('./tree-types.js').NewEntry} NewEntry */
/** @typedef {import('./tree-types.js').NewUsage} NewUsage */
/** @typedef {import('./tree-types.js').NewValue} NewValue */
/** @typedef {import('./tree-types.js').RangeScan} RangeScan */
/** @typedef {import('./tree-types.js').Stats} Stats */
/** @typedef {import('./tree-types.js').StoredValue} StoredValue */
/** @typedef {import('./tree-types.js').TreeState} TreeState */
/** @typedef {import('./tree-types.js').UsageRow} UsageRow */
/** @typedef {import('./tree-types.js').UsageSum} UsageSum */
/** @typedef {import('./tree-types.js').ValueScan} ValueScan */
/** @typedef {import('./tree-types.js').Write} Write */
/** @template Item @typedef {import('./tree-types.js').TreePage<Item>} TreePage */
