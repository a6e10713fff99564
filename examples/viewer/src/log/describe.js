// A row of the timeline in words: one line of it, read anew from the log's bytes.

import { around } from '../text/find.js';
import { pick, valuesIn } from '../text/json.js';
import { brief, lasted, many } from '../text/numbers.js';
import { oneLine, showBytes } from '../text/plain.js';
import { chunkText, plainText } from './content.js';
import { isLong, stateOf } from './fold.js';
import { damageWords } from '../words.js';
import { bytesOf, recordOf, textOf } from './read.js';

const NAMES = { user: 'User', assistant: 'Assistant', context: 'Context', steering: 'Steering', summary: 'Summary' };
const ENOUGH = 4000;

/** `{ kind, seq, time, who, text, answer, notes, state }`, of which only tools have an answer; with a pattern, `text` shows where it matches. */
export function describe(row, log, pattern) {
  const first = log.events[row.lines[0] ?? row.made?.line];
  const base = {
    kind: row.kind,
    seq: first?.seq ?? null,
    time: first?.time ?? null,
    notes: [],
    state: '',
    lost: Boolean(row.lost),
    long: isLong(row),
  };
  const told = { ...base, ...DESCRIBE[row.kind](row, log) };
  if (told.answer !== undefined) told.answer = oneLine(pattern ? around(told.answer, pattern) : told.answer);
  const text = pattern ? shownMatch(told, row, log, pattern) : told.text;
  return { ...told, text: oneLine(text), who: oneLine(told.who, 160), state: oneLine(told.state, 60) };
}

/** The text where the pattern matches; if only the raw lines hold it, the one that does. */
function shownMatch({ who, text, answer }, row, { bytes, events }, pattern) {
  if (pattern.test(text)) return around(text, pattern);
  if (pattern.test(who) || pattern.test(answer ?? '')) return text;
  const line = row.lines.map((index) => textOf(bytes, events[index]) ?? '').find((raw) => pattern.test(raw));
  return line === undefined ? text : around(line, pattern);
}

const DESCRIBE = {
  turn(row, log) {
    const { events } = log;
    const [start, end] = row.lines.map((line) => events[line]);
    const notes = [
      row.steps > 0 && many(row.steps, 'step'),
      row.tools > 0 && many(row.tools, 'call'),
      row.failures > 0 && `${row.failures} failed`,
      ...usageNotes(row.usage),
      end && start.time !== null && end.time !== null && lasted(end.time - start.time),
    ];
    return {
      who: `Turn ${start.label}`.trim(),
      text: row.opener ? plainText(dataOf(log, row.opener.lines[0])?.content) : '',
      notes: notes.filter(Boolean),
      state: row.ended ? (end.reason ?? '') : 'open',
    };
  },
  step(row, { events }) {
    const [start, end] = row.lines.map((line) => events[line]);
    const time = end && start.time !== null && end.time !== null ? lasted(end.time - start.time) : '';
    return { who: `Step ${start.label}`.trim(), text: '', notes: [...usageNotes(row.usage), time].filter(Boolean) };
  },
  user: said,
  context: said,
  steering: said,
  summary(row, log) {
    return { who: NAMES.summary, text: plainText(dataOf(log, row.lines[0])?.summary) };
  },
  assistant(row, log) {
    const message = messageOf(row, log);
    const { calls } = message ?? { calls: [] };
    const chunks = row.lines.length - (message ? 1 : 0);
    const data = message && dataOf(log, row.lines.at(-1));
    const text = message ? plainText(data?.content) : streamed(row.lines, log);
    return {
      who: NAMES.assistant,
      text: text || (calls.length > 0 ? `calls ${calls.map(({ name }) => name).join(', ')}` : 'nothing'),
      quiet: !text,
      notes: chunks > 0 ? [many(chunks, 'chunk')] : [],
      state: row.streaming ? 'unfinished' : '',
    };
  },
  tool(row, log) {
    const asked = argumentsText(row, log).slice(0, ENOUGH);
    return {
      who: nameOfTool(row, log),
      text: /^\s*[{[]/.test(asked) ? valuesIn(asked) : asked,
      answer: row.result === undefined ? '' : plainText(dataOf(log, row.result)?.content) || 'an empty result',
      state: stateOf(row, log.events),
    };
  },
  event(row, log) {
    const raw = textOf(log.bytes, log.events[row.lines[0]]);
    return { who: log.events[row.lines[0]].type, text: pick(raw, ['data'])?.slice(0, ENOUGH) ?? '' };
  },
  unreadable(row, { bytes, events }) {
    const line = events[row.lines[0]];
    return {
      who: 'no record',
      text: line.length === 0 ? 'an empty line' : showBytes(bytesOf(bytes, line).subarray(0, ENOUGH)),
    };
  },
  closer({ event }) {
    const content = recordOf(event.data)?.content;
    return {
      who: event.type,
      text: plainText(content) || event.data,
      seq: event.seq,
      time: event.time,
      state: 'would be added',
    };
  },
  damage({ damage }) {
    return { who: 'Damage', text: damageWords(damage).what };
  },
};

function said(row, log) {
  return { who: NAMES[row.kind], text: plainText(dataOf(log, row.lines[0])?.content) };
}

export const dataOf = ({ bytes, events }, line) => recordOf(textOf(bytes, events[line]))?.data;

/** The message that ends the chunks of a row, if one does. */
export function messageOf(row, { events }) {
  const last = events[row.lines.at(-1)];
  return last.type === 'assistant/message' ? last : undefined;
}

/** The beginning of what chunks say together. */
function streamed(lines, log) {
  let text = '';
  for (const line of lines) {
    text += chunkText(dataOf(log, line));
    if (text.length > ENOUGH) break;
  }
  return text;
}

export function nameOfTool(row, { events }) {
  return row.made?.name ?? events[row.started]?.name ?? 'tool result';
}

/** What a tool was called with: as its message says, else as its call does. */
export function argumentsText(row, log) {
  if (row.made) return textAt(log, row.made.line, ['data', 'content', row.made.block, 'arguments']);
  return row.started === undefined ? '' : textAt(log, row.started, ['data', 'arguments']);
}

/** A text member's text, or any other member as it is written. */
function textAt({ bytes, events }, line, path) {
  const written = pick(textOf(bytes, events[line]), path);
  if (written === undefined) return '';
  return written.startsWith('"') ? JSON.parse(written) : written;
}

function usageNotes(usage) {
  return usage ? [`${brief(usage.input + usage.read + usage.write)} in`, `${brief(usage.output)} out`] : [];
}
