// All that a row holds, for the pane beside the timeline.

import { pick } from '../text/json.js';
import { count, dayTime, lasted, size } from '../text/numbers.js';
import { oneLine, showBytes } from '../text/plain.js';
import { argumentsOf, blocksOf, chunkText } from './content.js';
import { argumentsText, dataOf, describe, messageOf } from './describe.js';
import { damageWords } from '../words.js';
import { bytesOf, recordOf, textOf } from './read.js';

/** So many raw lines are shown at once; of chunks there may be thousands. */
const MOST_LINES = 100;

/** `{ title, state, facts, blocks, raw, more }`; `line` is the event that was asked for, if it was one inside the row. */
export function detail(row, log, line) {
  const { who, state, kind, lost } = describe(row, log);
  const lines = wholeFirst(row, log);
  const shown = lines.includes(line) ? linesAround(lines, line) : lines.slice(0, MOST_LINES);
  return {
    kind,
    title: row.damage ? damageWords(row.damage).name : oneLine(who, 120),
    state,
    lost,
    facts: factsOf(row, log),
    blocks: BLOCKS[kind]?.(row, log) ?? [],
    raw: row.event
      ? [rawOfCloser(row.event)]
      : shown.map((index, at) => ({
          ...rawOf(index, log),
          asked: index === line,
          open: index === line || at === 0 || lines.length === 2,
        })),
    more: row.lines.length - shown.length,
    damage: row.damage,
  };
}

/** The lines of a row; of a message before those of the chunks that became it. */
function wholeFirst(row, log) {
  const chunked = row.kind === 'assistant' && messageOf(row, log);
  return chunked ? [row.lines.at(-1), ...row.lines.slice(0, -1)] : row.lines;
}

function linesAround(lines, line) {
  const at = Math.max(0, Math.min(lines.indexOf(line) - MOST_LINES / 2, lines.length - MOST_LINES));
  return lines.slice(at, at + MOST_LINES);
}

function factsOf(row, { events }) {
  const facts = [];
  const [first, last] = [events[row.lines[0]], events[row.lines.at(-1)]];
  if (row.damage)
    facts.push(
      ['Offset', `byte ${count(row.damage.offset)}`],
      ['Expected there', `event ${count(row.damage.expected)}`],
      ['Read there', row.damage.detail],
    );
  if (row.event) facts.push(['Sequence', count(row.event.seq)], ['Type', row.event.type]);
  if (first) {
    const [from, to] = [first.seq, last.seq].map((seq) => (seq === null ? 'none' : count(seq)));
    facts.push(['Sequence', from === to ? from : `${from} to ${to}`]);
    if (first.time !== null) facts.push(['Time', dayTime(first.time) || String(first.time)]);
    if (first !== last && first.time !== null && last.time !== null)
      facts.push(['Took', lasted(last.time - first.time)]);
    facts.push(['Offset', count(first.at)]);
    facts.push(['Length', size(row.lines.reduce((sum, line) => sum + events[line].length, 0))]);
  }
  if (row.kind === 'turn') facts.push(['Steps', count(row.steps)], ['Tool calls', count(row.tools)]);
  const usage = row.usage ?? (row.kind === 'assistant' ? last.usage : undefined);
  if (usage) {
    facts.push(['Tokens', `${count(usage.input)} in, ${count(usage.output)} out`]);
    if (usage.read || usage.write) facts.push(['Cache', `${count(usage.read)} read, ${count(usage.write)} written`]);
  }
  const id = row.started ?? row.result;
  if (id !== undefined && events[id].callId !== undefined) facts.push(['Call', oneLine(events[id].callId, 120)]);
  return facts.filter(([, value]) => value !== '');
}

const BLOCKS = {
  user: said,
  context: said,
  steering: said,
  summary(row, log) {
    return contentOf(row.lines[0], log, 'summary');
  },
  assistant(row, log) {
    if (messageOf(row, log)) return contentOf(row.lines.at(-1), log);
    return [{ label: 'streamed so far', text: row.lines.map((line) => chunkText(dataOf(log, line))).join('') }];
  },
  tool(row, log) {
    const asked = argumentsText(row, log);
    const blocks = asked ? [{ ...argumentsOf(asked), label: 'called with' }] : [];
    if (row.result === undefined) return blocks;
    const [first, ...rest] = contentOf(row.result, log);
    const label = log.events[row.result].failed ? 'failed with' : 'answered';
    return [
      ...blocks,
      { ...(first ?? { text: '' }), label: first?.label ? `${label}: ${first.label}` : label },
      ...rest,
    ];
  },
  closer({ event }, _log) {
    return blocksOf(recordOf(event.data)?.content, event.data, ['content']);
  },
};

function said(row, log) {
  return contentOf(row.lines[0], log);
}

function contentOf(line, { bytes, events }, member = 'content') {
  const text = textOf(bytes, events[line]);
  // Its own text, because of a long one many blocks may be picked.
  return blocksOf(recordOf(text)?.data?.[member], pick(text, ['data', member]), []);
}

function rawOf(index, { bytes, events }) {
  const event = events[index];
  const text = textOf(bytes, event);
  return {
    label: event.type ?? 'no record',
    seq: event.seq,
    text: text ?? showBytes(bytesOf(bytes, event)),
    json: event.type !== null,
  };
}

/** The line as waking would write it. */
function rawOfCloser({ type, seq, time, data }) {
  return {
    label: type,
    seq,
    text: `{"type":${JSON.stringify(type)},"seq":${seq},"time":${time},"data":${data}}`,
    json: true,
    open: true,
  };
}
