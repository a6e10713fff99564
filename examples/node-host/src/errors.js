/** @import { Damage, Reason } from './types.js' */

import { inspect } from 'node:util';

/** For people: what was wrong, and what to do. @satisfies {Record<string, (payload: any) => string>} */
const SENTENCES = {
  'not-found': (missing) => (typeof missing === 'string'
    ? `there is no session ${quoted(missing)}; check the id, or list the sessions there are`
    : `nothing called ${quoted(missing.aside)} was set aside from the session ${quoted(missing.id)}; \`asides\` tells what was`),
  'already-exists': (id) => `the session ${quoted(id)} exists already; choose another id, or wake it to go on with it`,
  'invalid-id': (why) => `invalid id: ${why}`,
  busy: (who) => `the session is held by another writer (${who}); wait until it lets go, or only read`,
  sequence: ({ expected, actual }) => `the log goes on with seq ${expected}, not ${actual}; number the events from ${expected}`,
  rejected: ({ index, reason }) => `event ${index} of this call cannot be stored: ${reason}`,
  refused: (why) => `refused: ${why}`,
  'unsupported-version': (version) => `the log has format version ${version}, which this release does not read; use a newer one`,
  'needs-wake': ({ length, offset, expected, detail }) =>
    `the log has a torn tail of ${length} bytes at offset ${offset}, after ${expected} sound events (${detail}); wake the session first`,
  corrupt: (damage) => corrupt(damage),
  moved: (how) => `the log was changed by somebody else while it was held: ${how}; wake the session again`,
  'too-large': (why) => `too large: ${why}`,
  'no-space': () => 'no space is left where the sessions are kept; make room and try again',
  'read-only': () => 'the store of sessions is read-only',
  'access-denied': (why) => `access denied: ${why}`,
  'outcome-unknown': (why) =>
    `part or all of it may be stored: ${why}; wake the session keeping its open turn, and compare its length`,
  storage: (why) => `storage failed: ${why}`,
  'duplicate-id': (id) => `an entry or a row of usage has the id ${quoted(id)} already; choose another`,
  'missing-parent': (id) => `there is no entry ${quoted(id)} to follow, or it comes later; write the parent first`,
  'unknown-branch': (name) => `there is no branch ${quoted(name)}; create it, or list the branches there are`,
  'branch-exists': (name) => `there is a branch ${quoted(name)} already; choose another name, or move that one`,
  'unknown-target': (id) => `there is no entry ${quoted(id)}; check the id`,
  'pending-message': (id) => `the message of entry ${quoted(id)} is still being written; commit it once it has come to its end`,
  'not-on-branch': (id) => `entry ${quoted(id)} is not on the branch that is to be forked; choose one between its tip and its root`,
  'not-a-lane': (name) => `the branch ${quoted(name)} has no lane, or half of one; only a lane can be forked, or the whole tree`,
  'reserved-namespace': (namespace) => `there is no rule for copying ${quoted(namespace)}, a namespace of the tree's own; delete its values and lists first`,
  'refused-write': ({ index, reason }) => `write ${index} is refused: ${reason}`,
  trapped: (why) => `the call broke down: ${why}; the next one starts afresh, with everything that was acknowledged`,
};

/** @typedef {keyof typeof SENTENCES} Code The cases of the WIT variants `error` and `tree-error`, and `trapped`. */

/** @param {string} text */
const quoted = (text) => JSON.stringify(text);

/** @param {Damage} damage */
function corrupt({ offset, length, expected, records, detail }) {
  if (offset === 0) {
    return `the log can't be read: ${detail}; nothing of it is sound until its first line is put right`;
  }
  return `the log is damaged at offset ${offset}, after ${expected} sound events, with ${records} records in the ${length} bytes `
    + `behind (${detail}); it was left as it is: read or fork what precedes the damage, or wake the session setting them aside`;
}

/**
 * Why a call failed. Nothing was stored, but for `outcome-unknown` and `trapped`, and for `moved` where the log was changed
 * during the call itself. `code` is the case of the WIT variant `error` or `tree-error`,
 * or `trapped` where storage or the component broke down: then `cause` says how.
 */
export class SessionError extends Error {
  name = 'SessionError';

  /** @param {Code} code @param {any} [payload] @param {unknown} [cause] */
  constructor(code, payload, cause) {
    super(SENTENCES[code](payload), cause === undefined ? undefined : { cause });
    /** The case, for example `not-found`. */
    this.code = code;
    /**
     * What the case carries: a text, a `Damage`, `{ expected, actual }`, `{ index, reason }`, a number or nothing. With
     * `not-found` it is the id, or `{ id, aside }` where nothing of that name was set aside. @type {any}
     */
    this.payload = payload;
  }

  /** The same as a value that a message can carry. @returns {Reason} */
  toReason() {
    return { code: this.code, payload: this.payload, message: this.message };
  }
}

/** What a fault was, in words: anything can be thrown, also what is no error and has no text. @param {unknown} thrown */
export const told = (thrown) => (thrown instanceof Error ? String(thrown) : inspect(thrown, { depth: 0 }));

/** What a store can't do. `code` is the case of the WIT variant `storage-error`, `text` is for people. */
export class StorageError extends Error {
  name = 'StorageError';

  /**
   * @param {'not-found' | 'already-exists' | 'busy' | 'moved' | 'no-space' | 'read-only' | 'access-denied' | 'invalid-id' | 'outcome-unknown' | 'failed'} code
   * @param {string} [text]
   */
  constructor(code, text = code.replaceAll('-', ' ')) {
    super(text);
    this.code = code;
    /** By this name jco knows an error that is an answer. */
    this.payload = { tag: code, val: text };
  }
}
