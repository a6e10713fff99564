/**
 * @import { Address, Branch, BranchFork, BranchScan, CommitOptions, Committed, ContextMessage, ContextPage, ContextPlace, Entry,
 *   EntryScan, EntryStructure, Label, ListElement, NewEntry, RangeScan, StoredValue, TreePage, TreeState, UsageRow, ValueScan,
 *   Write } from './tree-types.js'
 * @import { NewSession, SessionHeader } from './types.js'
 */

import { setImmediate as otherWork } from 'node:timers/promises';
import { checkBoolean, checkOptions } from './arguments.js';
import {
  ALL, allAsked, asked, branchScan, entryScan, idsAsked, maybeU64, place, range, scope, toCommitted, toContextPage, toElement, toEntry,
  toRow, toStructure, toValue, valueScan,
} from './tree-wire.js';
import { TEXTS, VALUES, toNewEntry, toWrites } from './tree-writes.js';
import { checkSomeText, checkText, newSession, toNumbers, u32 } from './wire.js';

const PAGE_BYTES = 1 << 20;

/**
 * A session as a tree: entries with parents, named branches over them, keyed values, lists and a ledger of usage. All of it
 * stands in the session's log, and is as durable: `flush` makes a commit survive a loss of power.
 *
 * Every call but the iterators and `context` is done when it returns.
 */
export class Tree {
  #call;
  #format;

  /**
   * @param {(name: string, ...args: unknown[]) => any} call Calls a function of the interface `session-tree` about this session.
   * @param {{ text?: boolean }} [options]
   */
  constructor(call, options = {}) {
    const { text = false } = checkOptions(options, ['text']);
    this.#call = call;
    this.#format = checkBoolean('text', text) ? TEXTS : VALUES;
  }

  /** Writes all of it or none, as one event of the log. @param {Write[]} writes @param {CommitOptions} [options] @returns {Committed} */
  commit(writes, options = {}) {
    const { first, timestamp } = checkOptions(options, ['first', 'timestamp']);
    const given = { first: maybeU64('first', first), timestamp: maybeU64('timestamp', timestamp) };
    return this.#ask('commit', [toWrites(writes, this.#format), given], toCommitted);
  }

  /** Where the tree stands. @returns {TreeState} */
  state() {
    return this.#ask('getTree', [], toNumbers);
  }

  /** The entries of these ids that are there, in this order. @param {string[]} ids @returns {Entry[]} */
  getEntries(ids) {
    return this.#those(idsAsked('ids', ids), (ids) => this.#page('getEntries', [ids], 'entries', toEntry), (entry, id) => entry.id === id);
  }

  /** The values at these addresses that are there, in this order. @param {Address[]} addresses @returns {StoredValue[]} */
  getValues(addresses) {
    return this.#those(
      allAsked(addresses),
      (addresses) => this.#page('getValues', [addresses], 'values', toValue),
      (value, { namespace, key }) => value.namespace === namespace && value.key === key,
    );
  }

  /** The labels of these entries that have one, in this order. @param {string[]} entries @returns {Label[]} */
  getLabels(entries) {
    return this.#those(
      idsAsked('entries', entries),
      (entries) => this.#page('getLabels', [entries], 'labels', (/** @type {Label} */ label) => label),
      (label, entry) => label.entry === entry,
    );
  }

  /** A new branch at this entry, or before the first. @param {string} name @param {string} [at] @returns {Committed} */
  createBranch(name, at) {
    return this.#ask('createBranch', [checkSomeText('the branch', name), checkText('the entry', at)], toCommitted);
  }

  /** Adds an entry behind the tip of a branch, and moves the tip. @param {string} branch @param {Omit<NewEntry, 'parent'>} entry @returns {Committed} */
  append(branch, entry) {
    return this.#ask('appendToBranch', [checkSomeText('the branch', branch), toNewEntry(entry, this.#format)], toCommitted);
  }

  /** Moves the tip of a branch to any entry, or before the first. @param {string} name @param {string} [to] @returns {Committed} */
  moveBranch(name, to) {
    return this.#ask('moveBranch', [checkSomeText('the branch', name), checkText('the entry', to)], toCommitted);
  }

  /** Labels an entry, or takes its label away. @param {string} entry @param {string} [text] @returns {Committed} */
  setLabel(entry, text) {
    return this.#ask('setLabel', [checkSomeText('the entry', entry), checkText('the label', text)], toCommitted);
  }

  /** Names the session, or takes its name away. @param {string} [name] @returns {Committed} */
  setName(name) {
    return this.#ask('setName', [checkText('the name', name)], toCommitted);
  }

  /**
   * A new session with the numbers, ids and times of this one: of the whole tree, or of one branch. The ledger, what is
   * pending and what operations left are not copied; lanes become idle. Claims nothing of this session.
   * @param {string | NewSession} child @param {BranchFork} [fork] @returns {SessionHeader}
   */
  fork(child, fork) {
    return this.#ask('forkTree', [scope(fork), newSession(child)], toNumbers);
  }

  /** Entries on the path from one to its root. @param {string} start @param {BranchScan} [scan] @returns {AsyncGenerator<Entry, void, void>} */
  branchEntries(start, scan = {}) {
    return whole(scan, (scan) => this.readBranchEntries(start, scan), ({ number }) => ({ cursor: number }));
  }

  /** The same without payloads. @param {string} start @param {BranchScan} [scan] @returns {AsyncGenerator<EntryStructure, void, void>} */
  branchStructure(start, scan = {}) {
    return whole(scan, (scan) => this.readBranchStructure(start, scan), ({ number }) => ({ cursor: number }));
  }

  /** Entries of the whole session by number. @param {EntryScan} [scan] @returns {AsyncGenerator<Entry, void, void>} */
  entries(scan = {}) {
    return whole(scan, (scan) => this.readEntries(scan), beyond);
  }

  /** Rows of the ledger by number. @param {RangeScan} [scan] @returns {AsyncGenerator<UsageRow, void, void>} */
  usage(scan = {}) {
    return whole(scan, (scan) => this.readUsage(scan), beyond);
  }

  /** The elements of a list by number; none if there is no such list. @param {Address} address @param {RangeScan} [scan] @returns {AsyncGenerator<ListElement, void, void>} */
  list(address, scan = {}) {
    return whole(scan, (scan) => this.readList(address, scan), beyond);
  }

  /** The values of a namespace, by the code points of their keys. @param {string} namespace @param {ValueScan} [scan] @returns {AsyncGenerator<StoredValue, void, void>} */
  values(namespace, scan = {}) {
    return whole(scan, (scan) => this.readValues(namespace, scan), ({ key }) => ({ after: key }));
  }

  /** The branches, by the code points of their names. @returns {AsyncGenerator<Branch, void, void>} */
  branches() {
    return whole({}, (scan) => this.readBranches(scan), ({ name }) => ({ after: name }));
  }

  /**
   * What a model is to see of a branch: from its last compaction on, that one's retained tail included, without messages that
   * failed or were aborted or deferred.
   * @param {string} branch @returns {Promise<ContextMessage[]>}
   */
  async context(branch) {
    /** @type {ContextMessage[]} */
    const all = [];
    for (let from = /** @type {ContextPlace | undefined} */ (undefined), more = true; more;) {
      const { messages, next } = await this.readContext(branch, { from });
      messages.forEach((message) => all.push(message));
      from = next;
      more = next !== undefined;
      await otherWork();
    }
    return all;
  }

  /** One page of `branchEntries`. @param {string} start @param {BranchScan} [scan] @returns {TreePage<Entry>} */
  readBranchEntries(start, scan = {}) {
    return this.#page('scanBranch', [branchScan(start, scan)], 'entries', toEntry);
  }

  /** One page of `branchStructure`. @param {string} start @param {BranchScan} [scan] @returns {TreePage<EntryStructure>} */
  readBranchStructure(start, scan = {}) {
    return this.#page('scanBranchStructure', [branchScan(start, scan)], 'entries', toStructure);
  }

  /** One page of `entries`. @param {EntryScan} [scan] @returns {TreePage<Entry>} */
  readEntries(scan = {}) {
    return this.#page('scanEntries', [entryScan(scan)], 'entries', toEntry);
  }

  /** One page of `usage`. @param {RangeScan} [scan] @returns {TreePage<UsageRow>} */
  readUsage(scan = {}) {
    return this.#page('scanUsage', [range(scan)], 'rows', toRow);
  }

  /** One page of `list`. @param {Address} address @param {RangeScan} [scan] @returns {TreePage<ListElement>} */
  readList(address, scan = {}) {
    return this.#page('readList', [asked(address), range(scan)], 'elements', toElement);
  }

  /** One page of `values`. @param {string} namespace @param {ValueScan} [scan] @returns {TreePage<StoredValue>} */
  readValues(namespace, scan = {}) {
    return this.#page('scanValues', [valueScan(namespace, scan)], 'values', toValue);
  }

  /** One page of `branches`. @param {{ after?: string, limit?: number }} [scan] @returns {TreePage<Branch>} */
  readBranches(scan = {}) {
    const { after, limit = ALL } = checkOptions(scan, ['after', 'limit']);
    return this.#page('branches', [checkText('the name', after), u32('limit', limit)], 'branches', toNumbers);
  }

  /** One page of `context`. @param {string} branch @param {{ from?: ContextPlace, maxBytes?: number }} [options] @returns {ContextPage} */
  readContext(branch, options = {}) {
    const { from, maxBytes = PAGE_BYTES } = checkOptions(options, ['from', 'maxBytes']);
    const args = [checkSomeText('the branch', branch), place(from), u32('maxBytes', maxBytes)];
    return this.#ask('getContext', args, (page) => toContextPage(page, this.#format));
  }

  /** @template T @param {string} name @param {unknown[]} args @param {(answer: any) => T} use @returns {T} In a worker a promise of it. */
  #ask(name, args, use) {
    return then(this.#call(name, ...args), use);
  }

  /**
   * @template Item @param {string} name @param {unknown[]} args @param {string} items
   * @param {(item: any, format: import('./tree-writes.js').Format) => Item} to @returns {TreePage<Item>}
   */
  #page(name, args, items, to) {
    return this.#ask(name, args, (page) => ({ items: page[items].map((/** @type {any} */ item) => to(item, this.#format)), more: page.more }));
  }

  /**
   * All those of the names that are there, where an answer may end before the last of them.
   * @template Name, Item @param {Name[]} names @param {(names: Name[]) => TreePage<Item>} read
   * @param {(item: Item, name: Name) => boolean} isOf @returns {Item[]}
   */
  #those(names, read, isOf) {
    return then(read(names), ({ items, more }) => {
      if (!more) {
        return items;
      }
      // A name may be asked for again: each item answers the next one that is its own.
      let seen = 0;
      for (const item of items) {
        while (seen < names.length && !isOf(item, names[seen++]));
      }
      return then(this.#those(names.slice(seen), read, isOf), (rest) => [...items, ...rest]);
    });
  }
}

/** @template T @param {any} answer Or a promise of it. @param {(answer: any) => T} use @returns {any} */
const then = (answer, use) => (answer instanceof Promise ? answer.then(use) : use(answer));

/** What comes beyond the last one that was seen. @param {{ number: number }} last @param {RangeScan} scan @returns {RangeScan} */
const beyond = ({ number }, { direction }) => (direction === 'newest-first' ? { to: number - 1 } : { from: number + 1 });

/**
 * Page after page; other work of the program comes between.
 * @template Item @template {{ limit?: number }} Scan @param {Scan} scan @param {(scan: Scan) => TreePage<Item>} read
 * @param {(last: Item, scan: Scan) => Partial<Scan>} beyond @returns {AsyncGenerator<Item, void, void>}
 */
async function* whole(scan, read, beyond) {
  for (let rest = scan; ;) {
    const { items, more } = await read(rest);
    yield* items;
    const last = items.at(-1);
    if (!more || last === undefined) {
      return;
    }
    rest = { ...rest, ...beyond(last, rest), limit: (rest.limit ?? ALL) - items.length };
    await otherWork();
  }
}
