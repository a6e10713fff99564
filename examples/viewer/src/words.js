// What the rules say, in plain words.

import { count, many, size } from './text/numbers.js';

/** Damage: `what` is wrong, and what `waking` would do about it. */
export function damageWords({ kind, expected, offset, length, records }) {
  const where = `byte ${count(offset)}`;
  const behind = records === 1 ? 'one whole record stands' : `${count(records)} whole records stand`;
  const aside = `These ${size(length)} are kept in a place of their own; nothing is thrown away.`;
  const refuses = `Waking refuses, because ${behind} from there on. Told to set them aside, it would go on with event ${count(expected)}. ${aside}`;
  switch (kind) {
    case 'torn':
      return {
        name: 'Torn tail',
        what: `The log ends in a torn tail: from ${where} to its end nothing is a record. That is the trace of a crash in the middle of a write. Everything before it is sound.`,
        waking: `Waking sets the tail aside and goes on with event ${count(expected)}. ${aside}`,
      };
    case 'malformed':
      return {
        name: 'Malformed line',
        what: `The line at ${where} is no record, where event ${count(expected)} should stand, and records follow it.`,
        waking: refuses,
      };
    case 'gap':
      return {
        name: 'Gap',
        what: `Events are missing: the record at ${where} skips ahead, where event ${count(expected)} should stand.`,
        waking: refuses,
      };
    case 'repeated':
      return {
        name: 'Repeated number',
        what: `Two writers: the record at ${where} carries a number that was used already, where event ${count(expected)} should stand. A second writer is the usual cause.`,
        waking: refuses,
      };
    default:
      return { name: 'Damage', what: `The log is damaged at ${where}.`, waking: refuses };
  }
}

/** What a closer is for. Only its own code counts: what stands beside it is copied from the log, and may read like one. */
export function closerWords(type, data) {
  if (type === 'step/end') return 'ends the step that is open';
  if (type === 'turn/end') return 'ends the turn as interrupted';
  return JSON.parse(data).error?.code === 'TOOL_NOT_STARTED'
    ? 'a call that was never started: safe to make again'
    : 'a call whose outcome is unknown: look what it did before making it again';
}

/** An answer of the component that is no judgement: why there is none. */
export function refusalWords(error) {
  switch (error?.tag) {
    case 'corrupt':
    case 'needs-wake':
      return `The first line is no header of a session, so there is nothing that could be woken: ${error.value.detail}. Its lines are shown as they read.`;
    case 'unsupported-version':
      return `This log has format version ${error.value}; the rules read version 0. Its lines are shown as they read, without a judgement.`;
    case 'too-large':
      return `Too large: ${error.value}.`;
    default:
      return error instanceof Error
        ? error.message
        : `The rules answered ${error?.tag ?? error}${typeof error?.value === 'string' ? `: ${error.value}` : ''}.`;
  }
}

/** The short marks beside a session's name: `{ text, tone }`. */
export function marksOf({ damage, closers, refusal, broken }) {
  const marks = [];
  if (refusal)
    marks.push({ text: refusal.tag === 'unsupported-version' ? 'Unknown version' : 'No judgement', tone: 'bad' });
  if (damage) marks.push({ text: damageWords(damage).name, tone: damage.kind === 'torn' ? 'warn' : 'bad' });
  if (closers.length > 0) marks.push({ text: 'Interrupted turn', tone: 'warn' });
  if (brokenCount(broken) > 0) marks.push({ text: many(brokenCount(broken), 'broken rule'), tone: 'warn' });
  if (marks.length === 0) marks.push({ text: 'Sound', tone: 'good' });
  return marks;
}

/** The sequence number that a broken rule speaks of, and the rest of it. */
export function ruleParts(line) {
  const match = /^seq (\d+): (.*)$/s.exec(line);
  return match ? { seq: Number(match[1]), text: match[2] } : { seq: null, text: line };
}

/** How many rules are broken: the component tells a thousand of them, and then how many more there are. */
export function brokenCount(broken) {
  if (!broken) return 0;
  const more = /^and (\d+) more$/.exec(broken.at(-1) ?? '');
  return more ? broken.length - 1 + Number(more[1]) : broken.length;
}
