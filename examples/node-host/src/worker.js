import { Worker } from 'node:worker_threads';
import { checkMembers, checkRoot } from './arguments.js';
import { SessionError, told } from './errors.js';
import { Sessions } from './sessions.js';
import { Tree } from './tree.js';
import { checkId } from './wire.js';

/** Built of other calls, and so done on this side. */
const HERE = ['events', 'lines', 'messages', 'list'];
/** The same; what they answer is made a promise. */
const HERE_AT_ONCE = ['emit', 'append', 'handOff'];
/** Of a tree: what goes page by page. */
const ITERATORS = ['branchEntries', 'branchStructure', 'entries', 'usage', 'list', 'values', 'branches'];
/** Done in the worker. */
const THERE = [
  'create', 'wake', 'emitJson', 'appendJson', 'appendLines', 'flush', 'handOffJson', 'inspect', 'verify', 'check', 'header', 'has',
  'fork', 'delete', 'release', 'readEvents', 'readLines', 'readMessages', 'readList', 'asides', 'readAside',
];

/**
 * The same calls, each with a promise.
 * @template Local @typedef {{
 *   [Name in keyof Local]: Local[Name] extends (...args: infer Args) => infer Answer
 *     ? (...args: Args) => Answer extends Promise<any> | AsyncGenerator<any, any, any> ? Answer : Promise<Answer>
 *     : never
 * }} Promising
 */

/** A session in a worker as a tree. @typedef {Promising<Tree>} WorkerTree */

/**
 * Sessions in a thread of their own: all that `Sessions` has, and each call gives a promise.
 * @typedef {Promising<Omit<Sessions, 'tree'>> & { tree(id: string, options?: { text?: boolean }): WorkerTree }} WorkerSessions
 */

/**
 * Opens the sessions that are kept in a folder, in a worker: the program goes on while the disk is at work. Calls are done
 * in the order in which they were made.
 * @param {{ root: string }} options @returns {Promise<WorkerSessions>}
 */
export async function openSessionsInWorker(options) {
  const { root } = checkMembers('the options of a worker', options, ['root']);
  return /** @type {any} */ (await Remote.open(checkRoot(root)));
}

class Remote {
  #worker;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: unknown) => void }>} */
  #waiting = new Map();
  #count = 0;
  /** @type {unknown} Why nothing more can be called. */
  #gone;

  static {
    const prototype = /** @type {any} */ (this.prototype);
    const local = /** @type {any} */ (Sessions.prototype);
    for (const name of HERE) {
      prototype[name] = local[name];
    }
    for (const name of HERE_AT_ONCE) {
      prototype[name] = async function (/** @type {unknown[]} */ ...args) {
        return local[name].apply(this, args);
      };
    }
    for (const name of THERE) {
      prototype[name] = function (/** @type {unknown[]} */ ...args) {
        return this.#call(name, args);
      };
    }
  }

  /** @param {string} root */
  static async open(root) {
    const remote = new Remote(root);
    try {
      await remote.#call('opened', []);
    } catch (error) {
      await remote.#worker.terminate();
      throw error;
    }
    return remote;
  }

  /** @param {string} root */
  constructor(root) {
    this.#worker = new Worker(new URL('./worker-thread.js', import.meta.url), { workerData: { root }, execArgv: [] });
    // Only a call that is waiting keeps the program alive.
    this.#worker.unref();
    this.#worker.on('message', ({ number, answer, error }) => {
      const waiting = this.#settle(number);
      if (error) {
        waiting?.reject(error.code ? new SessionError(error.code, error.payload, error.cause) : error.cause);
      } else {
        waiting?.resolve(answer);
      }
    });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the worker has ended')));
  }

  /** @param {string} id @param {{ text?: boolean }} [options] */
  tree(id, options) {
    checkId(id);
    return new RemoteTree((name, ...args) => this.#call('callTree', [id, name, args]), options);
  }

  async close() {
    if (this.#gone) {
      return;
    }
    await this.#call('close', []);
    this.#gone = new SessionError('refused', 'the sessions were closed');
    await this.#worker.terminate();
  }

  /** @param {string} name @param {unknown[]} args */
  async #call(name, args) {
    if (this.#gone) {
      throw this.#gone;
    }
    const number = this.#count++;
    try {
      this.#worker.postMessage({ number, name, args });
    } catch (error) {
      throw new TypeError(`an argument of \`${name}\` can't be handed to another thread: ${told(error)}`);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.ref();
    });
  }

  /** @param {number} number */
  #settle(number) {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) {
      this.#worker.unref();
    }
    return waiting;
  }

  /** @param {unknown} error */
  #end(error) {
    this.#gone ??= new SessionError('trapped', String(error), error);
    for (const number of [...this.#waiting.keys()]) {
      this.#settle(number)?.reject(this.#gone);
    }
  }
}

/** A tree that fails by its promises only. Its iterators do so already. */
class RemoteTree extends Tree {
  static {
    const prototype = /** @type {any} */ (this.prototype);
    const local = /** @type {any} */ (Tree.prototype);
    for (const name of Object.getOwnPropertyNames(local).filter((name) => name !== 'constructor')) {
      const call = local[name];
      if (!ITERATORS.includes(name)) {
        prototype[name] = async function (/** @type {unknown[]} */ ...args) {
          return call.apply(this, args);
        };
      }
    }
  }
}
