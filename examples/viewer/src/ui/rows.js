// One row of a list.

import { clockTime } from '../text/numbers.js';
import { el, marked } from './dom.js';

const seqOf = (seq) => el('span', { class: 'seq' }, seq === null ? '' : String(seq));

/** A row of the timeline. `level` and `opened` say whether its turn is folded. */
export function timelineRow(row, { pattern, foldable, opened }) {
  const element = el(
    'div',
    { class: `row is-${row.kind}` },
    seqOf(row.seq),
    el('span', { class: 'who' }, foldable && row.key !== null && foldMark(opened), ...marked(row.who, pattern)),
    el('span', { class: 'text', dir: 'auto' }, ...textOf(row, pattern)),
    el('span', { class: 'notes' }, ...row.notes.map((note) => el('span', {}, note)), stateMark(row.state)),
    el('time', {}, row.kind === 'step' ? '' : clockTime(row.time)),
  );
  for (const flag of ['lost', 'long', 'quiet']) element.classList.toggle(flag, Boolean(row[flag]));
  return element;
}

function textOf({ text, answer }, pattern) {
  if (answer === undefined) return marked(text, pattern);
  const part = (name, words) => words && el('span', { class: name, dir: 'auto' }, ...marked(words, pattern));
  return [part('asked', text), part('answer', answer)].filter(Boolean);
}

const foldMark = (opened) =>
  el('span', {
    class: opened ? 'fold is-open' : 'fold',
    'data-fold': true,
    title: opened ? 'Fold this turn' : 'Unfold this turn',
  });

/** What went as it should is said quietly, or, of a tool, by its answer. */
function stateMark(state) {
  if (state === '' || state === 'done') return null;
  return el('span', { class: toneOf(state) === 'good' ? '' : `state is-${toneOf(state)}` }, state);
}

// A map, because a log may call a state by any name.
const TONES = new Map([
  ['done', 'good'],
  ['completed', 'good'],
  ['failed', 'bad'],
  ['error', 'bad'],
  ['aborted', 'warn'],
  ['interrupted', 'warn'],
  ['open', 'warn'],
  ['no result', 'warn'],
  ['unanswered', 'warn'],
  ['unfinished', 'warn'],
]);

/** Which of the few colours a state has. */
export const toneOf = (state) => TONES.get(state) ?? 'plain';

/** A row of the messages. */
export function messageRow({ role, source, text, notes, failed }, pattern) {
  return el(
    'div',
    { class: `row long is-message is-${role}` },
    seqOf(source),
    el('span', { class: 'who' }, role[0].toUpperCase() + role.slice(1)),
    el('span', { class: 'text', dir: 'auto' }, ...marked(text, pattern)),
    el(
      'span',
      { class: 'notes' },
      ...notes.map((note) => el('span', {}, note)),
      failed && el('span', { class: 'state is-bad' }, 'error'),
    ),
  );
}
