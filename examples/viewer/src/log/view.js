// Which rows are shown: by level of detail, by filter and by what is searched for.

import { stateOf } from './fold.js';

const SPOKEN = new Set(['user', 'assistant', 'context', 'steering', 'summary']);

/** What a filter lets through. `type:…` names one type of event. */
export function filterOf(filter, events) {
  if (filter === 'talk')
    return (row) =>
      SPOKEN.has(row.kind) ||
      typeIn(row, (type) => /^(user|assistant|context|steering)\/message$|^compact\/summary$/.test(type));
  if (filter === 'tools') return (row) => row.kind === 'tool' || typeIn(row, (type) => type.startsWith('tool/'));
  if (filter === 'trouble') return (row) => isTrouble(row, events);
  if (filter.startsWith('type:')) return (row) => typeIn(row, (type) => type === filter.slice(5));
  return () => true;

  function typeIn(row, fits) {
    return row.event
      ? fits(row.event.type)
      : row.lines.some((line) => events[line].type !== null && fits(events[line].type));
  }
}

/** Failures and what is unfinished: what somebody would look for first. */
function isTrouble(row, events) {
  if (['damage', 'closer', 'unreadable'].includes(row.kind) || row.lost || row.streaming) return true;
  if (row.kind === 'tool') return stateOf(row, events) !== 'done';
  return row.lines.some(
    (line) => events[line].failed || ['aborted', 'interrupted', 'error', 'failed'].includes(events[line].reason),
  );
}

/** Whether a row stands in the outline: turns, what is outside of them, and the turns that were opened. */
export const inOutline = (opened) => (row) => row.turn === null || opened.has(keyOf(row.turn));

/** Names a turn by the line that opens it, which stays the same when rows are made anew. */
export const keyOf = (turn) => turn.lines[0];

/** Index of the first event with this number; -1 if there is none. */
export function eventAt(events, seq) {
  return events[seq]?.seq === seq ? seq : events.findIndex((event) => event.seq === seq);
}

/** What the sound events amount to. */
export function tally(events, until) {
  const sum = { events: until, turns: 0, steps: 0, calls: 0, failures: 0, first: null, last: null, turnOpen: false };
  const usage = { input: 0, output: 0, read: 0, write: 0 };
  let told = false;
  for (let line = 0; line < until; line += 1) {
    const event = events[line];
    if (event.type === 'turn/start') {
      sum.turns += 1;
      sum.turnOpen = true;
    } else if (event.type === 'turn/end') sum.turnOpen = false;
    else if (event.type === 'step/start') sum.steps += 1;
    else if (event.type === 'tool/call') sum.calls += 1;
    if (event.failed) sum.failures += 1;
    if (event.usage) {
      told = true;
      for (const key of Object.keys(usage)) usage[key] += event.usage[key];
    }
    if (event.time !== null) {
      sum.first ??= event.time;
      sum.last = event.time;
    }
  }
  return { ...sum, usage: told ? usage : null };
}

/** How many events there are of each type, most frequent first. */
export function typesOf(events) {
  const counts = new Map();
  for (const { type } of events) if (type !== null) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, 200);
}
