/**
 * @import { Aside, Event, EventPage, ListOptions, ListPage, Listed, Message, MessageOptions, MessagePage, NewSession,
 *   SessionHeader, SessionState, Storage, WakeOptions } from './types.js'
 */

import { setImmediate as otherWork } from 'node:timers/promises';
import { checkArray, checkClock, checkMembers, checkOptions, checkStorage } from './arguments.js';
import { Component } from './component.js';
import { SessionError, StorageError, told } from './errors.js';
import { imports } from './imports.js';
import { JsonlFolder } from './storage/jsonl.js';
import { Tree } from './tree.js';
import { batches, checkEventText, checkId, checkSomeText, checkText, checkWord, countLines, newSession, toEvent, toJson, toNumbers, u32, u64 } from './wire.js';

const PAGE_EVENTS = 1024;
const PAGE_BYTES = 1 << 20;
const PAGE_SESSIONS = 256;

/**
 * Calls a function of the interface `session-tree`, and answers what the component does.
 * @type {(sessions: Sessions, id: string, name: string, args: any[]) => any}
 */
export let callTree;

/**
 * Opens the sessions that are kept in a folder, or in a store of your own.
 * @param {{ root: string, clock?: () => number } | { storage: Storage, clock?: () => number }} options
 *   `root`: the folder, made if it is missing. `clock`: the time in milliseconds, for events that the component stamps.
 */
export function openSessions(options) {
  const given = /** @type {{ root?: string, storage?: Storage, clock?: () => number }} */ (options);
  const { root, storage, clock = Date.now } = checkOptions(given, ['root', 'storage', 'clock']);
  if ((root === undefined) === (storage === undefined)) {
    throw new TypeError('either `root`, the path of a folder, or `storage` must be given, and one of them alone');
  }
  checkClock(clock);
  return new Sessions(storage === undefined ? folder(root) : checkStorage(storage), clock);
}

/**
 * Durable sessions over one store. Every call but the iterators and `messages` is done when it returns. What fails is a
 * `SessionError`; a wrong kind of argument is a `TypeError` or `RangeError`.
 *
 * What is claimed here stays claimed until it is released, or until these sessions are closed or the process ends.
 */
export class Sessions {
  #storage;
  #component;

  static {
    callTree = (sessions, id, name, args) => {
      const component = sessions.#component;
      if (name === 'forkTree') {
        component.restore(args[1].id);
      }
      return component.callOn(id, name, id, ...args);
    };
  }

  /** @param {Storage} storage @param {() => number} clock */
  constructor(storage, clock) {
    this.#storage = storage;
    this.#component = new Component((published) => imports(storage, clock, published));
  }

  /** Registers a session. Nothing is stored until its first event or flush. @param {string | NewSession} session @returns {SessionHeader} */
  create(session) {
    const made = newSession(session);
    const header = this.#component.callOn(made.id, 'create', made);
    this.#component.remember(made.id, { ...made, createdAt: header.createdAt });
    return toNumbers(header);
  }

  /**
   * Becomes the session's writer after a crash or a hand-over: sets a torn tail aside, closes an open turn as interrupted
   * unless told otherwise, and syncs. Doing it twice changes nothing more.
   * @param {string} id @param {WakeOptions} [options] @returns {SessionState}
   */
  wake(id, options = {}) {
    const { openTurn = 'close', onDamage = 'refuse' } = checkOptions(options, ['openTurn', 'onDamage']);
    checkId(id);
    checkWord('openTurn', openTurn, ['close', 'keep']);
    checkWord('onDamage', onDamage, ['refuse', 'set-aside']);
    try {
      return state(this.#component.callOn(id, 'wake', id, { openTurn, onDamage }));
    } catch (error) {
      // A failed wake releases its claim, also where it is the component that failed.
      if (error instanceof SessionError && error.code === 'trapped') {
        try {
          this.#storage.release(id);
        } catch {
          // What broke down first is what is told.
        }
      }
      throw error;
    }
  }

  /** Appends one event with this data, which is stored as `JSON.stringify` writes it. Returns its `seq`. @param {string} id @param {string} type @param {unknown} data @returns {number} */
  emit(id, type, data) {
    checkId(id);
    checkEventText('the type', type);
    return this.emitJson(id, type, toJson(data));
  }

  /** The same with data that is JSON already, on one line, kept byte for byte. @param {string} id @param {string} type @param {string} json */
  emitJson(id, type, json) {
    checkId(id);
    checkEventText('the type', type);
    checkEventText('the data', json);
    return Number(this.#component.callOn(id, 'emitEvent', id, type, json));
  }

  /** Appends events that carry their own `seq` and continue the log without a hole: all or none. @param {string} id @param {Event[]} events @returns {void} */
  append(id, events) {
    checkId(id);
    return this.appendJson(id, checkArray('events', events).map((event, index) => {
      const { data, ...rest } = checkMembers(`event ${index}`, event, ['seq', 'time', 'type', 'data']);
      return { ...rest, json: toJson(data, index) };
    }));
  }

  /** The same with data that is JSON already. @param {string} id @param {{ seq: number, time: number, type: string, json: string }[]} events @returns {void} */
  appendJson(id, events) {
    checkId(id);
    const checked = checkArray('events', events).map((event, index) => {
      const { seq, time, type, json } = checkMembers(`event ${index}`, event, ['seq', 'time', 'type', 'json']);
      return {
        seq: u64('seq', seq),
        time: u64('time', time),
        type: checkEventText('the type', type, index),
        data: checkEventText('the data', json, index),
      };
    });
    this.#component.callOn(id, 'append', id, checked);
  }

  /**
   * Appends events as JSON lines, kept byte for byte: the bulk road. Returns the log's new length in events. A text of more
   * than 8 Mi characters is appended in several batches; each is all or none.
   * @param {string} id @param {string} lines @returns {number}
   */
  appendLines(id, lines) {
    checkId(id);
    checkEventText('the text', lines);
    let length;
    for (const { before, batch } of lines === '' ? [{ before: 0, batch: lines }] : batches(lines)) {
      try {
        length = this.#component.callOn(id, 'appendLines', id, batch);
      } catch (error) {
        if (error instanceof SessionError && error.code === 'rejected') {
          const { index, reason } = error.payload;
          throw new SessionError('rejected', { index: before + index, reason });
        }
        throw error;
      }
    }
    return Number(length);
  }

  /** Returns once everything appended so far would survive a loss of power: the commit boundary. @param {string} id @returns {void} */
  flush(id) {
    this.#component.callOn(checkId(id), 'flush', id);
  }

  /** Records a `session/boundary` event, flushes and releases, in one: before the harness is replaced. Returns its `seq`. @param {string} id @param {unknown} data @returns {number} */
  handOff(id, data) {
    return this.handOffJson(checkId(id), toJson(data));
  }

  /** The same with data that is JSON already. @param {string} id @param {string} json */
  handOffJson(id, json) {
    checkId(id);
    checkEventText('the data', json);
    return Number(this.#component.callOn(id, 'handOff', id, json));
  }

  /** Where the session stands, and what waking it would find and do. Writes nothing, and works beside a live writer. @param {string} id @returns {SessionState} */
  inspect(id) {
    return state(this.#component.callOn(checkId(id), 'inspect', id));
  }

  /** The same, reading every byte and believing no checkpoint. @param {string} id @returns {SessionState} */
  verify(id) {
    return state(this.#component.callOn(checkId(id), 'verify', id));
  }

  /** Every rule of turn and step enclosure that the sound events break, one line of text each. @param {string} id @returns {string[]} */
  check(id) {
    return this.#component.callOn(checkId(id), 'check', id);
  }

  /** The first line of the log alone. @param {string} id @returns {SessionHeader} */
  header(id) {
    return toNumbers(this.#component.callOn(checkId(id), 'getSession', id));
  }

  /** Whether the session is stored. @param {string} id @returns {boolean} */
  has(id) {
    return this.#component.call('has', checkId(id));
  }

  /**
   * A new session that starts with the first `length` events of this one, or with all that are sound. A turn left open by
   * the cut is closed in the copy. Claims nothing of the source, and works on a damaged or held one.
   * @param {string} id @param {string | NewSession} child @param {{ length?: number }} [options] @returns {SessionHeader}
   */
  fork(id, child, options = {}) {
    const { length } = checkOptions(options, ['length']);
    checkId(id);
    const [upTo, made] = [length === undefined ? undefined : u64('length', length), newSession(child)];
    this.#component.restore(made.id);
    return toNumbers(this.#component.callOn(id, 'fork', id, upTo, made));
  }

  /**
   * The session as a tree: entries, branches, values, lists and usage. With `text`, payloads and values go in and come out as
   * the JSON that they are, kept byte for byte, and not by `JSON.stringify` and `JSON.parse`.
   * @param {string} id @param {{ text?: boolean }} [options] @returns {Tree}
   */
  tree(id, options) {
    checkId(id);
    return new Tree((name, ...args) => callTree(this, id, name, args), options);
  }

  /** Removes a session and all that belongs to it. Removing one that does not exist is no error. @param {string} id @returns {void} */
  delete(id) {
    this.#component.call('delete', checkId(id));
    this.#component.forget(id);
  }

  /** Stops being the session's writer. A session that was created and never stored is forgotten. @param {string} id @returns {void} */
  release(id) {
    this.#component.call('release', checkId(id));
    this.#component.forget(id);
  }

  /**
   * The events from `start` on, in log order, without the types named in `except`. Read page by page; other work of the
   * program comes between. On a damaged log: what precedes the damage.
   * @param {string} id @param {{ start?: number, except?: string[] }} [options] @returns {AsyncGenerator<Event, void, void>}
   */
  async *events(id, options = {}) {
    let { start = 0, except = [] } = checkOptions(options, ['start', 'except']);
    for (let more = true; more;) {
      const { events, next } = await this.readEvents(id, { start, except });
      yield* events;
      more = next > start;
      start = next;
      await otherWork();
    }
  }

  /** The events from `start` on as they are stored, byte for byte: blocks of whole lines. @param {string} id @param {{ start?: number }} [options] @returns {AsyncGenerator<string, void, void>} */
  async *lines(id, options = {}) {
    let { start = 0 } = checkOptions(options, ['start']);
    for (let block; (block = await this.readLines(id, { start })) !== ''; start += countLines(block)) {
      yield block;
      await otherWork();
    }
  }

  /** The conversation that the session amounts to, as a model is to see it. @param {string} id @param {MessageOptions} [options] @returns {Promise<Message[]>} */
  async messages(id, options = {}) {
    checkOptions(options, ['length', 'pairing']);
    /** @type {Message[]} */
    const all = [];
    for (let start = /** @type {number | undefined} */ (0); start !== undefined;) {
      const { messages, next } = await this.readMessages(id, { ...options, start });
      messages.forEach((message) => all.push(message));
      start = next;
      await otherWork();
    }
    return all;
  }

  /** The stored sessions, the unreadable ones among them. @param {ListOptions} [options] @returns {AsyncGenerator<Listed, void, void>} */
  async *list(options = {}) {
    checkOptions(options, ['order', 'cwd', 'parentSession']);
    for (let cursor, more = true; more;) {
      const { items, next } = await this.readList({ ...options, cursor });
      yield* items;
      cursor = next;
      more = next !== undefined;
      await otherWork();
    }
  }

  /** One page of `events`: at most `max`. Past the end it is empty. @param {string} id @param {{ start?: number, max?: number, except?: string[] }} [options] @returns {EventPage} */
  readEvents(id, options = {}) {
    const { start = 0, max = PAGE_EVENTS, except = [] } = checkOptions(options, ['start', 'max', 'except']);
    const types = checkArray('except', except).map((type) => checkSomeText('a type in except', type));
    const page = this.#component.callOn(checkId(id), 'getEvents', id, u64('start', start), u32('max', max), types);
    return { events: page.events.map(toEvent), next: Number(page.next) };
  }

  /** One block of `lines`: at most `maxBytes`, but never less than one line; empty past the end. @param {string} id @param {{ start?: number, maxBytes?: number }} [options] @returns {string} */
  readLines(id, options = {}) {
    const { start = 0, maxBytes = PAGE_BYTES } = checkOptions(options, ['start', 'maxBytes']);
    return this.#component.callOn(checkId(id), 'getLines', id, u64('start', start), u32('maxBytes', maxBytes));
  }

  /** One page of `messages`: `start` is the index of its first. @param {string} id @param {MessageOptions & { start?: number, maxBytes?: number }} [options] @returns {MessagePage} */
  readMessages(id, options = {}) {
    const { length, pairing = 'paired', start = 0, maxBytes = PAGE_BYTES } = checkOptions(options, ['length', 'pairing', 'start', 'maxBytes']);
    const page = this.#component.callOn(checkId(id), 'deriveMessages', id, {
      length: length === undefined ? undefined : u64('length', length),
      pairing: checkWord('pairing', pairing, ['paired', 'recorded']),
      start: u64('start', start),
      maxBytes: u32('maxBytes', maxBytes),
    });
    return { messages: page.messages.map(message), next: page.next === undefined ? undefined : Number(page.next) };
  }

  /** One page of `list`. It may hold less than `limit` and still have a `next`. @param {ListOptions & { cursor?: string, limit?: number }} [options] @returns {ListPage} */
  readList(options = {}) {
    const { order = 'by-id', cwd, parentSession, cursor, limit = PAGE_SESSIONS } = checkOptions(options, ['order', 'cwd', 'parentSession', 'cursor', 'limit']);
    const page = this.#component.call('list', {
      order: checkWord('order', order, ['by-id', 'recent']),
      cwd: checkText('the directory', cwd),
      parentSession: checkText('the parent session', parentSession),
      cursor: checkText('the cursor', cursor),
      limit: u32('limit', limit),
    });
    return { items: page.items.map(listed), next: page.next };
  }

  /** What was cut off this session's log and kept. @param {string} id @returns {Aside[]} */
  asides(id) {
    checkId(id);
    this.#component.refuseIfClosed();
    return answered(id, () => this.#storage.asides(id));
  }

  /** At most `max` bytes of what was cut off, from `at`; fewer only at its end. @param {string} id @param {string} name @param {{ at?: number, max?: number }} [options] @returns {Uint8Array} */
  readAside(id, name, options = {}) {
    const { at = 0, max = PAGE_BYTES } = checkOptions(options, ['at', 'max']);
    const [from, most] = [Number(u64('at', at)), u32('max', max)];
    checkId(id);
    checkSomeText('the name', name);
    this.#component.refuseIfClosed();
    return answered({ id, aside: name }, () => this.#storage.readAside(id, name, from, most));
  }

  /** Lets go of every session that is held here. Nothing may be called after that. @returns {void} */
  close() {
    this.#component.close();
    this.#storage.close?.();
  }
}

/** @param {any} state @returns {SessionState} */
const state = ({ boundary, recovery: { closers, ...recovery }, ...rest }) => ({
  ...toNumbers(rest),
  boundary: boundary && toEvent(boundary),
  recovery: { ...toNumbers(recovery), closers: closers.map(toEvent) },
});

/** @param {any} message @returns {Message} */
const message = ({ role, content, source }) => ({ role, content: JSON.parse(content), source: Number(source) });

/** @param {any} item @returns {Listed} */
function listed({ tag, val }) {
  if (tag === 'session') {
    return { id: val.header.id, ...toNumbers(val) };
  }
  return { ...val, reason: new SessionError(val.reason.tag, toNumbers(val.reason.val)).toReason() };
}

/** What storage answers without the component. @template T @param {unknown} asked What is told not to be there. @param {() => T} ask */
function answered(asked, ask) {
  try {
    return ask();
  } catch (error) {
    throw error instanceof StorageError ? refusal(asked, error) : new SessionError('trapped', told(error), error);
  }
}

/** @param {unknown} asked @param {StorageError} error */
function refusal(asked, { code, message }) {
  const said = code === 'failed' ? 'storage' : code;
  return new SessionError(said, said === 'not-found' || said === 'already-exists' ? asked : message);
}

/** @param {any} root */
function folder(root) {
  try {
    return new JsonlFolder(root);
  } catch (error) {
    throw error instanceof StorageError ? refusal('', error) : error;
  }
}
