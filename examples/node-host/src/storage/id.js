import { StorageError } from '../errors.js';

const LONGEST = 255;

/** Refuses what can be no session's id in any store. @param {string} id */
export function check(id) {
  const bytes = Buffer.byteLength(id);
  if (bytes === 0) {
    throw new StorageError('invalid-id', 'an id has at least one byte');
  }
  if (bytes > LONGEST) {
    throw new StorageError('invalid-id', `this one has ${bytes} bytes, and an id has at most ${LONGEST}`);
  }
  if (id.includes('\0')) {
    throw new StorageError('invalid-id', "an id can't contain U+0000");
  }
}

/** The bytes of a text, one a character: compared as texts, these stand in the order of their bytes. @param {string} text */
export const bytewise = (text) => Buffer.from(text).toString('latin1');
