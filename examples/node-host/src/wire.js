// What goes into the component and comes out of it: numbers of 64 bits are `BigInt` there, and JSON is text.

/** @import { Event, NewSession } from './types.js' */

import { checkMembers, shown } from './arguments.js';
import { SessionError, told } from './errors.js';

/** A whole number that the component can hold. @param {string} what @param {number} number */
export function u64(what, number) {
  return BigInt(whole(what, number, Number.MAX_SAFE_INTEGER));
}

/** @param {string} what @param {number} number */
export function u32(what, number) {
  return whole(what, number, 0xffff_ffff);
}

/** @param {string} what @param {number} number @param {number} most */
function whole(what, number, most) {
  if (!Number.isInteger(number) || number < 0 || number > most) {
    const Wrong = typeof number === 'number' ? RangeError : TypeError;
    throw new Wrong(`${what} must be a whole number from 0 to ${most}, not ${shown(number)}`);
  }
  return number;
}

/** An id, which half a surrogate pair would make another one. @param {string} id */
export function checkId(id) {
  if (!isText('the id', id)) {
    throw new SessionError('invalid-id', 'it has half of a surrogate pair, which is no character');
  }
  return id;
}

/** Any other short text, or none. @param {string} what @param {string | undefined} text */
export const checkText = (what, text) => (text === undefined ? undefined : checkSomeText(what, text));

/** @param {string} what @param {string} text */
export function checkSomeText(what, text) {
  if (!isText(what, text)) {
    throw new SessionError('refused', `${what} has half of a surrogate pair, which is no character`);
  }
  return text;
}

/** A text that is to be part of an event. @param {string} what @param {string} text @param {number} [index] */
export function checkEventText(what, text, index = 0) {
  if (!isText(what, text)) {
    throw new SessionError('rejected', { index, reason: `${what} has half of a surrogate pair, which is no character` });
  }
  return text;
}

/** @param {string} what @param {unknown} text */
export function isText(what, text) {
  if (typeof text !== 'string') {
    throw new TypeError(`${what} must be a string, not ${shown(text)}`);
  }
  return text.isWellFormed();
}

/** One of these words. @template {string} Word @param {string} what @param {Word} word @param {Word[]} words */
export function checkWord(what, word, words) {
  if (!words.includes(word)) {
    throw new RangeError(`${what} must be one of ${words.join(', ')}, not ${shown(word)}`);
  }
  return word;
}

/** What an event's data is as JSON. @param {unknown} data @param {number} [index] @returns {string} */
export function toJson(data, index = 0) {
  return stringify(data, (why) => {
    throw new SessionError('rejected', { index, reason: `its \`data\` can't be written as JSON: ${why}` });
  });
}

/** @param {unknown} value @param {(why: string) => never} refuse @returns {string} */
export function stringify(value, refuse) {
  let json, why = `it is ${shown(value)}`;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    why = told(error);
  }
  return json ?? refuse(why);
}

/** @param {string | NewSession} session */
export function newSession(session) {
  const { id, cwd, parentSession, createdAt } = typeof session === 'string'
    ? /** @type {NewSession} */ ({ id: session })
    : checkMembers('the session', session, ['id', 'cwd', 'parentSession', 'createdAt']);
  return {
    id: checkId(id),
    cwd: checkText('the working directory', cwd),
    parentSession: parentSession === undefined ? undefined : checkId(parentSession),
    createdAt: createdAt === undefined ? undefined : u64('createdAt', createdAt),
  };
}

/** @param {any} event @returns {Event} */
export const toEvent = ({ seq, time, type, data }) => ({ seq: Number(seq), time: Number(time), type, data: JSON.parse(data) });

/** The same value with numbers in place of each `BigInt`, and without what is absent. @param {any} value @returns {any} */
export function toNumbers(value) {
  if (typeof value === 'bigint') {
    return Number(value);
  }
  if (Array.isArray(value)) {
    return value.map(toNumbers);
  }
  if (typeof value === 'object' && value !== null) {
    /** @type {Record<string, any>} */
    const numbers = {};
    for (const key in value) {
      if (value[key] !== undefined) {
        numbers[key] = toNumbers(value[key]);
      }
    }
    return numbers;
  }
  return value;
}

const MIB = 1 << 20;

/**
 * Cuts a text at ends of lines into batches of at most 8 Mi characters; a line that is longer is a batch of its own. With
 * each comes how many lines precede it.
 * @param {string} lines @returns {Generator<{ before: number, batch: string }>}
 */
export function* batches(lines, aim = 8 * MIB) {
  let [from, before] = [0, 0];
  while (from < lines.length) {
    const within = lines.length - from <= aim ? lines.length : lines.lastIndexOf('\n', from + aim - 1) + 1;
    const end = within > from ? within : lines.indexOf('\n', from + aim) + 1 || lines.length;
    const batch = lines.slice(from, end);
    yield { before, batch };
    before += countLines(batch);
    from = end;
  }
}

/** @param {string} text */
export function countLines(text) {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}
