import fs from 'node:fs';
import { instantiate } from '../component/session-store.js';
import { SessionError, told } from './errors.js';
import { Fault } from './imports.js';
import { toNumbers } from './wire.js';

/** @type {Map<string, WebAssembly.Module>} Compiled once for all instances. */
const modules = new Map();

/** @param {string} name */
function module(name) {
  const known = modules.get(name);
  if (known) {
    return known;
  }
  const compiled = new WebAssembly.Module(fs.readFileSync(new URL(`../component/${name}`, import.meta.url)));
  modules.set(name, compiled);
  return compiled;
}

/** A fresh instance, as jco gives it. @param {object} imports @returns {any} */
export const instance = (imports) => instantiate(module, /** @type {any} */ (imports));

/**
 * One instance of the component at a time. After a fault, of the component or of its storage, it may be left half-way
 * through a call; so it is dropped, and the next call gets a fresh one. Claims belong to storage and outlast that.
 */
export class Component {
  #imports;
  /** @type {any} Made when it is needed. */
  #instance;
  /** @type {Map<string, object>} Sessions that were created and have no log yet, so that nothing but the instance knows them. */
  #pending = new Map();
  /** @type {Set<string>} Those that the present instance does not know. */
  #unknown = new Set();
  #closed = false;
  /** A call runs. What it imports must not make another: the component can't be entered twice. */
  #running = false;

  /** @param {(published: (id: string) => void) => object} imports */
  constructor(imports) {
    this.#imports = imports((id) => this.forget(id));
  }

  /** Calls a function about a session that it goes on with. @param {string} id @param {string} name @param {...unknown} args @returns {any} */
  callOn(id, name, ...args) {
    this.restore(id);
    return this.call(name, ...args);
  }

  /** Lets the present instance know of a session that waits to be stored. @param {string} id */
  restore(id) {
    if (!this.#unknown.has(id)) {
      return;
    }
    try {
      this.call('create', this.#pending.get(id));
    } catch (error) {
      if (error instanceof SessionError && error.code === 'already-exists') {
        // Another has stored it meanwhile. Whoever hears of that and goes on means the one that is there.
        this.forget(id);
      }
      throw error;
    }
    this.#unknown.delete(id);
  }

  /** Calls a function of the interfaces `session-persistence`, `messages` and `session-tree`. @param {string} name @param {...unknown} args @returns {any} */
  call(name, ...args) {
    this.#refuseWithin();
    this.refuseIfClosed();
    this.#running = true;
    try {
      this.#instance ??= instance(this.#imports);
      const { sessionPersistence, messages, sessionTree } = this.#instance;
      return (sessionPersistence[name] ?? messages[name] ?? sessionTree[name])(...args);
    } catch (error) {
      const answer = /** @type {any} */ (error);
      if (typeof answer?.tag === 'string' && !(error instanceof Error)) {
        const { tag, val } = toCase(answer);
        throw new SessionError(tag, toNumbers(val));
      }
      this.#instance = undefined;
      this.#unknown = new Set(this.#pending.keys());
      const cause = error instanceof Fault ? error.cause : error;
      throw new SessionError('trapped', told(cause), cause);
    } finally {
      this.#running = false;
    }
  }

  #refuseWithin() {
    if (this.#running) {
      throw new SessionError('refused', 'storage or clock called the sessions that were just calling it');
    }
  }

  refuseIfClosed() {
    if (this.#closed) {
      throw new SessionError('refused', 'the sessions were closed');
    }
  }

  /** Nothing may be called any more. */
  close() {
    this.#refuseWithin();
    this.#closed = true;
    this.#instance = undefined;
  }

  /** Remembers a session that was just created and waits to be stored. @param {string} id @param {object} session */
  remember(id, session) {
    this.#pending.set(id, session);
  }

  /** The session is stored, or is no longer to be. @param {string} id */
  forget(id) {
    this.#pending.delete(id);
    this.#unknown.delete(id);
  }
}

/** The one case for an error that was answered, where the tree has its own. @param {{ tag: any, val: any }} error */
function toCase(error) {
  // What can befall every call on a session.
  return error.tag === 'session' ? error.val : error;
}
