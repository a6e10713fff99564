// The page: opens sessions, and keeps the views, the controls and the keyboard together.

import { sample } from './sample.js';
import { Session } from './session.js';
import { count } from './text/numbers.js';
import { emptyDetail } from './ui/detail.js';
import { byId } from './ui/dom.js';
import { chooseFile, intake } from './ui/intake.js';
import { listen, showKeys } from './ui/keys.js';
import { MessagesView } from './ui/messages.js';
import { showMarks, showOverview } from './ui/overview.js';
import { showRecovery } from './ui/recovery.js';
import { VIEWS, current, tabs } from './ui/tabs.js';
import { TimelineView } from './ui/timeline.js';
import { refusalWords } from './words.js';

let session = null;
const say = (text) => (byId('status').textContent = text);
const timeline = new TimelineView(say);
const messages = new MessagesView(say, (seq) => goTo(seq));
const views = { timeline, messages };

const choose = tabs((view) => {
  if (!session) return;
  byId('search').value = views[view]?.query ?? '';
  closeDetail();
  emptyDetail();
  if (view === 'recovery') say('');
  return views[view]?.enter(session);
});

function phase(name) {
  document.body.dataset.phase = name;
  for (const id of ['empty', 'reading', 'session']) byId(id).hidden = id !== name;
}

async function open(blob, name) {
  session?.close();
  const opened = new Session(name, (fraction) => opened === session && (byId('progress').value = fraction));
  session = opened;
  timeline.reset();
  messages.reset();
  byId('progress').removeAttribute('value');
  byId('reading-name').textContent = `Reading ${name}`;
  byId('problem').textContent = '';
  byId('marks').replaceChildren();
  byId('name').textContent = '';
  say(`Reading ${name}`);
  phase('reading');
  try {
    await opened.open(blob);
    if (opened !== session) return;
    if (!opened.isLog) throw new Error(`Nothing in ${name} reads as a line of a session log.`);
  } catch (error) {
    if (opened === session) fail(error);
    return;
  }
  phase('session');
  showSession(opened);
  await opened.check();
  if (opened === session) showFindings(opened);
}

function fail(error) {
  session.close();
  session = null;
  phase('empty');
  say('');
  byId('problem').textContent = refusalWords(error);
}

function showSession(opened) {
  showOverview(opened);
  showFindings(opened);
  const { refusal } = opened.findings;
  const notice = refusal
    ? refusalWords(refusal)
    : opened.headerless
      ? 'These are events without a header line. They are judged as if they had one.'
      : '';
  showNotice(notice, Boolean(refusal));
  document.title = `${byId('name').textContent} · Session viewer`;
  choose('timeline');
  timeline.focus();
}

function showNotice(text, warns) {
  byId('notice').hidden = !text;
  byId('notice').textContent = text;
  byId('notice').classList.toggle('is-warn', warns);
}

// What fails behind a view is told, so that an empty place is never taken for an empty log.
addEventListener('unhandledrejection', ({ reason }) => {
  showNotice(`A part of this log could not be shown. ${refusalWords(reason)}`, true);
});

function showFindings(opened) {
  showMarks(opened.findings);
  showRecovery(opened, { goTo, toDamage });
}

/** Shows the event with this number, wherever it is folded in. */
async function goTo(seq) {
  await choose('timeline');
  if (!(await timeline.goTo(seq))) say(`There is no event ${count(seq)} in this log.`);
}

async function toDamage() {
  await choose('timeline');
  await timeline.toDamage();
}

/** Whether the detail lies over the list, as it does in a narrow window, instead of beside it. */
const covering = () => getComputedStyle(byId('detail')).position === 'fixed';

/** Brings the detail up; and into it, where it covers the list or where that is `wanted`. */
function openDetail(wanted = false) {
  document.body.classList.add('detailed');
  if (wanted || covering()) byId('detail').focus({ preventScroll: true });
}

function closeDetail() {
  const open = document.body.classList.contains('detailed') && covering();
  const was = open || byId('detail').contains(document.activeElement);
  document.body.classList.remove('detailed');
  if (was) views[current()]?.focus();
  return was;
}

byId('detail').addEventListener('close', closeDetail);
for (const view of Object.values(views)) view.onopen = () => openDetail();

let typing;
byId('search').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => views[current()]?.search(byId('search').value), 120);
});
byId('search').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  views[current()]?.focus();
});
byId('jump').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  const text = byId('jump').value.replace(/[\s,._#]/g, '');
  byId('jump').value = '';
  if (/^\d{1,16}$/.test(text)) goTo(Number(text));
  else say('A sequence number is digits alone.');
});
byId('filter').addEventListener('change', () => timeline.filter(byId('filter').value));
byId('level').addEventListener('change', (event) => timeline.level(event.target.value));
byId('pairing').addEventListener('change', (event) => messages.pair(event.target.value));

function escape() {
  if (closeDetail()) return true;
  clearTimeout(typing);
  const field = document.activeElement?.closest('input, select');
  byId('search').value = '';
  byId('jump').value = '';
  views[current()]?.clear();
  if (field) views[current()]?.focus();
  return true;
}

function enter(view) {
  choose(view);
  (views[view] ?? byId(view)).focus();
  return true;
}

function toggleTheme() {
  document.documentElement.dispatchEvent(new Event('toggletheme'));
  return true;
}

function field(id) {
  if (byId(id).hidden) choose('timeline');
  byId(id).focus();
  byId(id).select();
  return true;
}

const inList = (run) => (event) => {
  const view = views[current()];
  // The report scrolls by itself, and so does the detail once the keyboard is in it.
  const elsewhere = event.key.length > 1 && event.target.closest('.detail, button, [role=tab], fieldset');
  if (!session || !view || elsewhere) return false;
  run(view, event);
  return true;
};

listen([
  { keys: ['j', 'ArrowDown'], does: 'Next row', run: inList((view) => view.move(1)) },
  { keys: ['k', 'ArrowUp'], does: 'Row before', run: inList((view) => view.move(-1)) },
  {
    keys: ['PageDown', 'PageUp'],
    does: 'A windowful on or back',
    run: inList((view, event) => view.page(event.key === 'PageDown' ? 1 : -1)),
  },
  {
    keys: ['Home', 'End'],
    does: 'First row, last row',
    run: inList((view, event) => view.end(event.key === 'End')),
  },
  {
    keys: [']', '['],
    does: 'Next turn, turn before',
    run: inList((view, event) => view.turn(event.key === ']' ? 1 : -1)),
  },
  {
    keys: ['ArrowRight', 'ArrowLeft'],
    does: 'Unfold or fold a turn, at the level of turns',
    run: inList((view, event) => view.unfold(event.key === 'ArrowRight')),
  },
  {
    keys: ['Enter'],
    does: 'Into the detail of the row',
    run: inList((view) => view.selected >= 0 && openDetail(true)),
  },
  { keys: ['/'], does: 'Search', run: () => session && current() !== 'recovery' && field('search') },
  { keys: ['g'], does: 'Go to a sequence number', run: () => session && field('jump') },
  { keys: ['Escape'], does: 'Close the detail; then clear the search', run: () => session && escape() },
  {
    keys: ['1', '2', '3'],
    does: 'Timeline, messages, recovery',
    run: (event) => session && enter(VIEWS[event.key - 1]),
  },
  { keys: ['o'], does: 'Open a log', run: () => (chooseFile(), true) },
  { keys: ['t'], does: 'Light or dark', run: toggleTheme },
  { keys: ['?'], does: 'These keys', run: () => (showKeys(), true) },
]);

byId('open').addEventListener('click', chooseFile);
byId('choose').addEventListener('click', chooseFile);
byId('theme').addEventListener('click', toggleTheme);
byId('help').addEventListener('click', showKeys);
const openSample = () => open(new Blob([sample()]), 'the sample');
byId('sample').addEventListener('click', openSample);
intake(open);
emptyDetail();
if (location.hash === '#sample') openSample();
