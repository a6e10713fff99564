// What an id is called on disk (docs/format.md): one name for each id, the same on every file system, and nothing that
// leads elsewhere.

import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { StorageError } from '../errors.js';
import { check } from './id.js';

/** Leaves room for the longest affixes, `~tmp.` and `.jsonl`, within the 255 bytes that file systems allow. */
const LONGEST = 240;
const LOG = '.jsonl';
/** Begins the names of unfinished work. No id can have such a name: `~` is always followed by two digits. */
const TEMP = '~tmp.';

/** On Windows these names mean devices, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)/;
const PLAIN = /[a-z0-9_-]/;

/** Where all stands that belongs to one log of a folder. */
export class LogFiles {
  /** @param {string} root @param {string} id */
  constructor(root, id) {
    check(id);
    const name = encode(id);
    if (name.length > LONGEST) {
      throw new StorageError(
        'invalid-id',
        `its file name would have ${name.length} bytes, and this store allows ${LONGEST}; choose a shorter one of a-z, 0-9, \`_\` and \`-\``,
      );
    }
    this.id = id;
    this.root = root;
    /** What the log is called in the folder. */
    this.name = `${name}${LOG}`;
    this.log = path.join(root, this.name);
    this.temp = path.join(root, `${TEMP}${name}${LOG}`);
    this.checkpoint = path.join(root, `${name}.ckpt`);
    this.checkpointTemp = path.join(root, `${TEMP}${name}.ckpt`);
    /** A folder. */
    this.asides = path.join(root, `${name}.aside`);
  }
}

/** Whether a file of this name is a log, or at least called like one. @param {string} file */
export const isLog = (file) => file.endsWith(LOG) && !file.startsWith(TEMP);

/** The id whose log is called so; none if the name is not exactly what an id becomes. @param {string} file */
export function idOf(file) {
  const name = file.slice(0, -LOG.length);
  const bytes = Buffer.from(name.replace(/~([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 'latin1');
  if (!isUtf8(bytes)) {
    return undefined;
  }
  const id = bytes.toString();
  const canBe = id !== '' && bytes.length <= 255 && name.length <= LONGEST && !id.includes('\0');
  return canBe && encode(id) === name ? id : undefined;
}

/** @param {string} id */
function encode(id) {
  const bytes = Buffer.from(id);
  const last = bytes.length - 1;
  const device = DEVICE.test(id);
  let name = '';
  bytes.forEach((byte, place) => {
    const char = String.fromCharCode(byte);
    const plain = char === '.' ? place !== 0 && place !== last : PLAIN.test(char) && !(device && place === 0);
    name += plain ? char : `~${byte.toString(16).padStart(2, '0')}`;
  });
  return name;
}
