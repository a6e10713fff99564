/**
 * @import { Address, Branch, BranchFork, BranchScan, CommitOptions, Committed, ContextMessage, ContextPage, ContextPlace, Entry,
 *   EntryScan, EntryStructure, Label, ListElement, NewEntry, RangeScan, StoredValue, TreePage, TreeState, UsageRow, ValueScan,
 *   Write } from './tree-types.js'
 * @import { NewSession, SessionHeader } from './types.js'
 */

import { setImmediate as otherWork } from 'node:timers/promises';
import {
  ALL, TEXTS, VALUES, asked, askedIds, branchScan, maybeU64, newEntry, range, scope, toCommitted, toContextPage, toElement, toEntry,
  toRow, toStructure, toValue, toWrite,
} from './tree-wire.js';
import { checkText, newSession, toNumbers, u32, u64 } from './wire.js';

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
  constructor(call, { text = false } = {}) {
    this.#call = call;
    this.#format = text ? TEXTS : VALUES;
  }

  /** Writes all of it or none, as one event of the log. @param {Write[]} writes @param {CommitOptions} [options] @returns {Committed} */
  commit(writes, { first, timestamp } = {}) {
    return this.#ask(
      'commit',
      [
        writes.map((write, index) => toWrite(write, index, this.#format)),
        { first: maybeU64('first', first), timestamp: maybeU64('timestamp', timestamp) },
      ],
      toCommitted,
    );
  }

  /** Where the tree stands. @returns {TreeState} */
  state() {
    return this.#ask('getTree', [], toNumbers);
  }

  /** The entries of these ids that are there, in this order. @param {string[]} ids @returns {Entry[]} */
  getEntries(ids) {
    return this.#those(askedIds(ids), (ids) => this.#page('getEntries', [ids], 'entries', toEntry), (entry, id) => entry.id === id);
  }

  /** The values at these addresses that are there, in this order. @param {Address[]} addresses @returns {StoredValue[]} */
  getValues(addresses) {
    return this.#those(
      addresses.map(asked),
      (addresses) => this.#page('getValues', [addresses], 'values', toValue),
      (value, { namespace, key }) => value.namespace === namespace && value.key === key,
    );
  }

  /** The labels of these entries that have one, in this order. @param {string[]} entries @returns {Label[]} */
  getLabels(entries) {
    return this.#those(
      askedIds(entries),
      (entries) => this.#page('getLabels', [entries], 'labels', (/** @type {Label} */ label) => label),
      (label, entry) => label.entry === entry,
    );
  }

  /** A new branch at this entry, or before the first. @param {string} name @param {string} [at] @returns {Committed} */
  createBranch(name, at) {
    return this.#ask('createBranch', [checkText('the branch', name), checkText('the entry', at)], toCommitted);
  }

  /** Adds an entry behind the tip of a branch, and moves the tip. @param {string} branch @param {Omit<NewEntry, 'parent'>} entry @returns {Committed} */
  append(branch, entry) {
    return this.#ask('appendToBranch', [checkText('the branch', branch), newEntry(entry, 0, this.#format)], toCommitted);
  }

  /** Moves the tip of a branch to any entry, or before the first. @param {string} name @param {string} [to] @returns {Committed} */
  moveBranch(name, to) {
    return this.#ask('moveBranch', [checkText('the branch', name), checkText('the entry', to)], toCommitted);
  }

  /** Labels an entry, or takes its label away. @param {string} entry @param {string} [text] @returns {Committed} */
  setLabel(entry, text) {
    return this.#ask('setLabel', [checkText('the entry', entry), checkText('the label', text)], toCommitted);
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
  branchEntries(start, scan) {
    return whole(scan?.limit, (limit, last) => this.readBranchEntries(start, { ...scan, limit, cursor: last?.number ?? scan?.cursor }));
  }

  /** The same without payloads. @param {string} start @param {BranchScan} [scan] @returns {AsyncGenerator<EntryStructure, void, void>} */
  branchStructure(start, scan) {
    return whole(scan?.limit, (limit, last) => this.readBranchStructure(start, { ...scan, limit, cursor: last?.number ?? scan?.cursor }));
  }

  /** Entries of the whole session by number. @param {EntryScan} [scan] @returns {AsyncGenerator<Entry, void, void>} */
  entries(scan) {
    return whole(scan?.limit, (limit, last) => this.readEntries({ ...beyond(last, scan), limit }));
  }

  /** Rows of the ledger by number. @param {RangeScan} [scan] @returns {AsyncGenerator<UsageRow, void, void>} */
  usage(scan) {
    return whole(scan?.limit, (limit, last) => this.readUsage({ ...beyond(last, scan), limit }));
  }

  /** The elements of a list by number; none if there is no such list. @param {Address} address @param {RangeScan} [scan] @returns {AsyncGenerator<ListElement, void, void>} */
  list(address, scan) {
    return whole(scan?.limit, (limit, last) => this.readList(address, { ...beyond(last, scan), limit }));
  }

  /** The values of a namespace, by the code points of their keys. @param {string} namespace @param {ValueScan} [scan] @returns {AsyncGenerator<StoredValue, void, void>} */
  values(namespace, scan) {
    return whole(scan?.limit, (limit, last) => this.readValues(namespace, { ...scan, limit, after: last?.key ?? scan?.after }));
  }

  /** The branches, by the code points of their names. @returns {AsyncGenerator<Branch, void, void>} */
  branches() {
    return whole(undefined, (limit, last) => this.readBranches({ limit, after: last?.name }));
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
  readEntries({ type, customType, ...scan } = {}) {
    const wanted = { type, customType: checkText('the custom type', customType), range: range(scan) };
    return this.#page('scanEntries', [wanted], 'entries', toEntry);
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
  readValues(namespace, { prefix = '', after, limit = ALL } = {}) {
    const wanted = {
      namespace: checkText('the namespace', namespace),
      prefix: checkText('the prefix', prefix),
      after: checkText('the key', after),
      limit: u32('limit', limit),
    };
    return this.#page('scanValues', [wanted], 'values', toValue);
  }

  /** One page of `branches`. @param {{ after?: string, limit?: number }} [scan] @returns {TreePage<Branch>} */
  readBranches({ after, limit = ALL } = {}) {
    return this.#page('branches', [checkText('the name', after), u32('limit', limit)], 'branches', toNumbers);
  }

  /** One page of `context`. @param {string} branch @param {{ from?: ContextPlace, maxBytes?: number }} [options] @returns {ContextPage} */
  readContext(branch, { from, maxBytes = PAGE_BYTES } = {}) {
    const place = from && { number: u64('number', from.number), index: u32('index', from.index) };
    const args = [checkText('the branch', branch), place, u32('maxBytes', maxBytes)];
    return this.#ask('getContext', args, (page) => toContextPage(page, this.#format));
  }

  /** @template T @param {string} name @param {unknown[]} args @param {(answer: any) => T} use @returns {T} In a worker a promise of it. */
  #ask(name, args, use) {
    return then(this.#call(name, ...args), use);
  }

  /**
   * @template Item @param {string} name @param {unknown[]} args @param {string} items
   * @param {(item: any, format: import('./tree-wire.js').Format) => Item} to @returns {TreePage<Item>}
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
      const last = items.at(-1);
      if (!more || last === undefined) {
        return items;
      }
      const seen = names.findIndex((name) => isOf(last, name));
      return then(this.#those(names.slice(seen + 1), read, isOf), (rest) => [...items, ...rest]);
    });
  }
}

/** @template T @param {any} answer Or a promise of it. @param {(answer: any) => T} use @returns {any} */
const then = (answer, use) => (answer instanceof Promise ? answer.then(use) : use(answer));

/**
 * What comes beyond the last one that was seen. @template {RangeScan} Scan @param {{ number: number } | undefined} last
 * @param {Scan} [scan] @returns {Scan}
 */
function beyond(last, scan) {
  const given = /** @type {Scan} */ (scan ?? {});
  if (last === undefined) {
    return given;
  }
  return given.direction === 'newest-first' ? { ...given, to: last.number - 1 } : { ...given, from: last.number + 1 };
}

/**
 * Page after page; other work of the program comes between.
 * @template Item @param {number | undefined} limit @param {(limit: number, last: Item | undefined) => TreePage<Item>} read
 * @returns {AsyncGenerator<Item, void, void>}
 */
async function* whole(limit, read) {
  let last;
  for (let left = limit ?? ALL; ;) {
    const { items, more } = await read(left, last);
    yield* items;
    if (!more) {
      return;
    }
    left -= items.length;
    last = items.at(-1);
    await otherWork();
  }
}
