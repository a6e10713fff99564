// What a session is, at a glance.

import { brief, count, dayTime, lasted, size } from '../text/numbers.js';
import { oneLine } from '../text/plain.js';
import { marksOf } from '../words.js';
import { byId, el, visible } from './dom.js';

export function showOverview({ name, header, bytes, tally, types }) {
  byId('name').replaceChildren(...visible(header?.id || name));
  const { usage } = tally;
  const facts = [
    ['Events', count(tally.events)],
    ['Turns', count(tally.turns)],
    ['Steps', count(tally.steps)],
    ['Tool calls', tally.failures > 0 ? `${count(tally.calls)}, ${count(tally.failures)} failed` : count(tally.calls)],
    usage && [
      'Tokens',
      `${brief(usage.input + usage.read + usage.write)} in, ${brief(usage.output)} out`,
      `${count(usage.input)} in, ${count(usage.output)} out, ${count(usage.read)} read from the cache, ${count(usage.write)} written to it`,
    ],
    tally.first !== null && ['Began', dayTime(tally.first)],
    tally.first !== null && ['Spans', lasted(tally.last - tally.first)],
    header?.cwd && ['Folder', header.cwd],
    header?.parentSession && ['Forked from', header.parentSession],
    ['Size', size(bytes)],
  ];
  byId('overview').replaceChildren(
    ...facts
      .filter((fact) => fact && fact[1])
      .map(([label, value, title]) => el('div', { title }, el('dt', {}, label), el('dd', {}, ...visible(value)))),
  );
  showTypes(types);
}

export function showMarks(findings) {
  byId('marks').replaceChildren(
    ...marksOf(findings).map(({ text, tone }) => el('li', { class: `state is-${tone}` }, text)),
  );
}

function showTypes(types) {
  const option = (value, text) => el('option', { value }, text);
  byId('filter').replaceChildren(
    option('all', 'Everything'),
    option('talk', 'What was said'),
    option('tools', 'Tool calls'),
    option('trouble', 'Trouble'),
    el(
      'optgroup',
      { label: 'Events of type' },
      ...types.map(([type, number]) => option(`type:${type}`, `${oneLine(type, 60)} (${count(number)})`)),
    ),
  );
}
