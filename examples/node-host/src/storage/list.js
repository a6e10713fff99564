// Pages of the logs in a folder. One page costs one pass over the names.

/** @import { Place } from '../types.js' */

import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { look } from './files.js';
import { bytewise } from './id.js';
import { idOf, isLog } from './name.js';

/** At most `max` entries behind `after`; fewer only at the end. @param {string} root @param {'by-id' | 'recent'} order @param {Place | undefined} after @param {number} max */
export function page(root, order, after, max) {
  const seen = after && KEYS[order](after.name, idOf(after.name), () => after.modified);
  // Names as bytes, one a character: not all are text.
  const keyed = fs.readdirSync(root, 'latin1').filter(isLog).map((file) => {
    const entry = new Entry(root, file);
    return { entry, key: KEYS[order](entry.name, entry.id, () => entry.modified) };
  });
  const behind = keyed.filter(({ key }) => seen === undefined || key > seen).sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = [];
  for (const { entry } of behind) {
    if (page.length === max) {
      break;
    }
    if (!entry.isGone) {
      page.push(entry);
    }
  }
  return page;
}

/** Texts that stand in the order asked for. Only where they need it a file is looked at. @type {Record<string, (name: string, id: string | undefined, modified: () => number) => string>} */
const KEYS = {
  // Names that encode no id come after all ids.
  'by-id': (name, id) => (id === undefined ? `1${bytewise(name)}` : `0${bytewise(id)}`),
  recent: (name, _, modified) => String(Number.MAX_SAFE_INTEGER - modified()).padStart(16, '0') + bytewise(name),
};

/** A log, or something that is called like one. */
class Entry {
  /** @type {{ stat: fs.BigIntStats | undefined, isGone: boolean } | undefined} */
  #looked;

  /** @param {string} root @param {string} file */
  constructor(root, file) {
    const bytes = Buffer.from(file, 'latin1');
    this.path = Buffer.concat([Buffer.from(`${root}/`), bytes]);
    this.name = text(bytes);
    this.id = idOf(this.name);
  }

  /** None if it is gone by now, or can't be looked at: one bad file is to hide no others. */
  get stat() {
    return this.#look().stat;
  }

  get isGone() {
    return this.#look().isGone;
  }

  get modified() {
    return Number(this.stat?.mtimeMs ?? 0);
  }

  #look() {
    if (!this.#looked) {
      try {
        const stat = look(this.path);
        this.#looked = { stat, isGone: stat === undefined };
      } catch {
        this.#looked = { stat: undefined, isGone: false };
      }
    }
    return this.#looked;
  }
}

/** A name as text that differs for different names: bytes that are no text are escaped, and so is what escapes them. @param {Buffer} name */
function text(name) {
  const escaped = name.toString('latin1').replaceAll('\\', '\\\\');
  return isUtf8(name)
    ? Buffer.from(escaped, 'latin1').toString()
    : escaped.replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
