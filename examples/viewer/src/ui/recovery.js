// The report: how the log stands, what waking it would do, and which rules it breaks.

import { count, many, size } from '../text/numbers.js';
import { brokenCount, closerWords, damageWords, refusalWords, ruleParts } from '../words.js';
import { byId, el, visible } from './dom.js';
import { jsonBlock } from './json.js';

/** Fills the report. `goTo` shows an event by its number, `toDamage` the place of the damage. */
export function showRecovery({ findings, tally }, { goTo, toDamage }) {
  const { damage, closers, refusal, broken } = findings;
  byId('recovery').replaceChildren(
    ...[
      el('h2', {}, 'How the log stands'),
      refusal
        ? el('p', { class: 'lead' }, ...visible(refusalWords(refusal)))
        : damage
          ? damageCard(damage, toDamage)
          : el(
              'p',
              { class: 'lead' },
              `Sound: ${many(tally.events, 'event')}, each the next after the one before, to the last byte.`,
            ),
      !refusal && el('h2', {}, 'What waking would close'),
      !refusal && closersCard(closers, tally),
      el('h2', {}, 'Broken rules'),
      rulesCard(broken, goTo),
    ]
      .flat()
      .filter(Boolean),
  );
  const number = (damage || refusal ? 1 : 0) + (closers.length > 0 ? 1 : 0) + (brokenCount(broken) > 0 ? 1 : 0);
  byId('findings').hidden = number === 0;
  byId('findings').textContent = String(number);
}

function damageCard(damage, toDamage) {
  const { name, what, waking } = damageWords(damage);
  const facts = [
    ['Kind', damage.kind],
    ['Offset', `byte ${count(damage.offset)}`],
    ['Expected there', `event ${count(damage.expected)}`],
    ['From there to the end', `${size(damage.length)}, ${many(damage.records, 'whole record')}`],
    ['Read there', damage.detail],
  ];
  return el(
    'div',
    { class: `card is-${damage.kind === 'torn' ? 'warn' : 'bad'}` },
    el('h3', {}, name),
    el('p', {}, what),
    el('p', {}, waking),
    el(
      'dl',
      { class: 'facts' },
      ...facts.map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, ...visible(value)))),
    ),
    el('button', { onclick: toDamage }, 'Show the place in the timeline'),
  );
}

function closersCard(closers, { turnOpen }) {
  if (closers.length === 0)
    return el(
      'p',
      {},
      turnOpen
        ? 'Nothing: the turn that is open has too many calls to be closed. Waking can keep it open.'
        : 'Nothing: no turn is open.',
    );
  return [
    el(
      'p',
      {},
      `The log ends in the middle of a turn. Waking closes it as interrupted and loses nothing: it would add ${many(closers.length, 'event')}.`,
    ),
    el(
      'ol',
      { class: 'closers' },
      ...closers.map(({ seq, time, type, data }) =>
        el(
          'li',
          {},
          el(
            'details',
            {},
            el(
              'summary',
              {},
              el('span', { class: 'seq' }, String(seq)),
              el('code', {}, type),
              el('span', { class: 'why' }, closerWords(type, data)),
            ),
            jsonBlock(`{"type":${JSON.stringify(type)},"seq":${seq},"time":${time},"data":${data}}`),
          ),
        ),
      ),
    ),
  ];
}

function rulesCard(broken, goTo) {
  if (broken === undefined) return el('p', {}, 'Being checked…');
  if (broken === null) return el('p', {}, "They can't be checked in this log.");
  if (broken.length === 0) return el('p', {}, 'None: turns, steps and calls enclose each other as they should.');
  return [
    el(
      'p',
      {},
      `${many(brokenCount(broken), 'place')} where turns, steps and calls do not enclose each other as they should. The log can be read and woken all the same.`,
    ),
    el('ol', { class: 'rules' }, ...broken.map((line) => ruleItem(ruleParts(line), goTo))),
  ];
}

const ruleItem = ({ seq, text }, goTo) =>
  el(
    'li',
    {},
    seq === null
      ? el('span', { class: 'seq' })
      : el('button', { class: 'link seq', onclick: () => goTo(seq) }, String(seq)),
    el('span', {}, ...visible(text)),
  );
