// The pane beside a list: everything about one row.

import { count } from '../text/numbers.js';
import { damageWords } from '../words.js';
import { byId, el, named, visible } from './dom.js';
import { jsonBlock, textBlock } from './json.js';
import { toneOf } from './rows.js';

const pane = byId('detail');

/** Fills the pane with nodes; `title` names what is in it. */
export function showDetail(title, ...children) {
  const close = el(
    'button',
    { class: 'close', 'aria-label': 'Close the detail', onclick: () => pane.dispatchEvent(new Event('close')) },
    '×',
  );
  const within = pane.contains(document.activeElement);
  pane.replaceChildren(
    el('header', {}, el('h2', {}, ...visible(title.text)), ...title.beside, close),
    ...children.flat().filter(Boolean),
  );
  pane.scrollTop = 0;
  // What had the keyboard may be gone.
  if (within) pane.focus({ preventScroll: true });
}

export function emptyDetail() {
  pane.replaceChildren(
    el(
      'p',
      { class: 'hint' },
      'Choose a row to see all of it. ',
      el('kbd', {}, 'j'),
      ' and ',
      el('kbd', {}, 'k'),
      ' move, ',
      el('kbd', {}, '?'),
      ' tells the other keys.',
    ),
  );
}

/** A row of the timeline. */
export function showRow({ title, state, lost, facts, blocks, raw, more, damage }) {
  const beside = [
    state && el('span', { class: `state is-${toneOf(state)}` }, state),
    lost && el('span', { class: 'state is-bad' }, 'behind the damage'),
  ];
  showDetail(
    { text: title, beside: beside.filter(Boolean) },
    damage && el('p', { class: 'lead' }, damageWords(damage).what),
    damage && el('p', {}, damageWords(damage).waking),
    factList(facts),
    blocks.map(blockSection),
    raw.length > 0 && el('h3', {}, raw.length > 1 ? 'The events' : raw[0].json ? 'The event' : 'The line'),
    raw.map((entry) => rawEntry(entry)),
    more > 0 && el('p', { class: 'hint' }, `and ${count(more)} more; the level “Events” shows each`),
  );
  pane.querySelector('.asked')?.scrollIntoView({ block: 'center' });
}

/** A message as a model would get it. */
export function showMessage({ role, content, source, blocks }, index, goTo) {
  const link = el('button', { class: 'link', onclick: () => goTo(source) }, `from event ${source}`);
  showDetail(
    { text: `Message ${index + 1}: ${role}`, beside: [link] },
    blocks.map(blockSection),
    el('h3', {}, 'The content'),
    rawEntry({ label: 'JSON', seq: null, text: content, json: true, open: true }),
  );
}

function factList(facts) {
  return (
    facts.length > 0 &&
    el(
      'dl',
      { class: 'facts' },
      ...facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, ...visible(value)))),
    )
  );
}

function blockSection({ label, text, json }) {
  return el(
    'section',
    { class: 'block' },
    label && el('h3', { class: 'label' }, named(label)),
    text && (json ? jsonBlock(text) : textBlock(text)),
  );
}

function rawEntry({ label, seq, text, json, asked, open }) {
  const body = el('div');
  const formatted = json && el('button', { 'aria-pressed': 'true', onclick: () => fill(true) }, 'Formatted');
  const stored = json && el('button', { 'aria-pressed': 'false', onclick: () => fill(false) }, 'As stored');
  const copy = el('button', { onclick: () => copyText(copy, text) }, 'Copy');
  function fill(pretty) {
    formatted?.setAttribute?.('aria-pressed', String(pretty));
    stored?.setAttribute?.('aria-pressed', String(!pretty));
    body.replaceChildren(pretty && json ? jsonBlock(text) : textBlock(text, 'code'));
  }
  const entry = el(
    'details',
    { class: asked ? 'raw asked' : 'raw', open, ontoggle: () => body.childElementCount === 0 && fill(true) },
    el('summary', {}, el('span', { class: 'seq' }, seq === null ? '' : String(seq)), el('code', {}, named(label))),
    el('div', { class: 'tools' }, formatted, stored, copy),
    body,
  );
  if (open) fill(true);
  return entry;
}

async function copyText(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  setTimeout(() => (button.textContent = 'Copy'), 1500);
}
