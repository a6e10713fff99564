import { resolveListReadOptions } from '@earendil-works/pi-agent-core/harness/session';
import { elementOf, entryOf, entryScanOf, limitOf, pathScanOf, rowOf, scanOf, statsOf, structureOf, valueOf, writeOf } from './translate.js';

/**
 * pi's `Storage` over a tree. A call is done before it returns, so commits are admitted in order, and there is nothing to wait
 * for at the end.
 * @implements {import('@earendil-works/pi-agent-core/harness/session').Storage}
 */
export class TreeStorage {
  #tree;
  #release;
  #closed = false;

  /** @param {import('session-store-wasm').Tree} tree @param {() => void} release Lets go of the session in the end. */
  constructor(tree, release) {
    this.#tree = tree;
    this.#release = release;
  }

  async commit(writes) {
    const { first, timestamp, stats } = this.#open().commit(writes.map(writeOf));
    return { firstSeq: first, seqs: writes.map((_, index) => first + index), timestamp, stats: statsOf(stats) };
  }

  async getEntries(ids) {
    return new Map(this.#open().getEntries(ids).map((entry) => [entry.id, entryOf(entry)]));
  }

  async getValue(address) {
    const [value] = this.#open().getValues([address]);
    return value && valueOf(value);
  }

  async scanValues({ namespace, key }) {
    const tree = this.#open();
    return pages({ prefix: key, limit: limitOf() }, (scan) => tree.readValues(namespace, scan), (last) => ({ after: last.key })).map(valueOf);
  }

  async readList(address, options) {
    const tree = this.#open();
    const { cursor, ...rest } = resolveListReadOptions(options);
    const scan = scanOf(rest);
    return ranged({ ...scan, ...(cursor && beyond(cursor.seq, scan)) }, (scan) => tree.readList(address, scan)).map(elementOf);
  }

  async scanBranch({ start, ...query }) {
    const tree = this.#open();
    return path(pathScanOf(query), (scan) => tree.readBranchEntries(start, scan)).map(entryOf);
  }

  async scanBranchStructure({ start, ...query }) {
    const tree = this.#open();
    return path(pathScanOf(query), (scan) => tree.readBranchStructure(start, scan)).map(structureOf);
  }

  async scanEntries(query) {
    const tree = this.#open();
    return ranged(entryScanOf(query), (scan) => tree.readEntries(scan)).map(entryOf);
  }

  async scanUsage(query) {
    const tree = this.#open();
    return ranged(scanOf(query), (scan) => tree.readUsage(scan)).map(rowOf);
  }

  async getStats() {
    return statsOf(this.#open().state().stats);
  }

  async close() {
    if (!this.#closed) {
      this.#closed = true;
      this.#release();
    }
  }

  #open() {
    if (this.#closed) {
      throw new Error('TreeStorage is closed');
    }
    return this.#tree;
  }
}

/** What all pages of a scan hold. `next` tells how to go on beyond the last item of one. */
function pages(scan, read, next) {
  const { items, ...page } = read(scan);
  while (page.more) {
    const { items: rest, more } = read({ ...scan, ...next(items.at(-1)), limit: scan.limit - items.length });
    rest.forEach((item) => items.push(item));
    page.more = more;
  }
  return items;
}

const path = (scan, read) => pages(scan, read, ({ number }) => ({ cursor: number }));

const ranged = (scan, read) => pages(scan, read, ({ number }) => beyond(number, scan));

const beyond = (number, { direction }) => (direction === 'newest-first' ? { to: number - 1 } : { from: number + 1 });
