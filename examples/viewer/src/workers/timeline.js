// Holds a log's bytes and answers for its timeline, so that the page itself never touches more than it shows.

import { describe } from '../log/describe.js';
import { detail } from '../log/detail.js';
import { fold, unfolded } from '../log/fold.js';
import { factsOf, headerOf, lacksHeader, lines, recordOf, textOf } from '../log/read.js';
import { eventAt, filterOf, inOutline, keyOf, tally, typesOf } from '../log/view.js';
import { finder } from '../text/find.js';
import { heightOf } from '../ui/heights.js';
import { breathe, progress, serve } from './serve.js';

/** How long the worker works without looking for other requests, in milliseconds. */
const STRETCH = 25;

let log = { bytes: new Uint8Array(), events: [] };
let findings = {};
let level = 'steps';
let rows = [];
/** The rows that are shown, in order. */
let shown = [];
let pattern = null;
/** The newest view that was asked for; an older one gives up. */
let newest = 0;

serve({
  async open(blob) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const headerless = lacksHeader(bytes);
    const events = [];
    let header = null;
    let stretch = performance.now();
    for (const line of lines(bytes)) {
      const record = recordOf(textOf(bytes, line));
      if (line.at === 0 && !headerless) header = headerOf(record);
      else events.push(factsOf(line, record));
      if (performance.now() - stretch > STRETCH) {
        progress(line.at / bytes.length);
        await breathe();
        stretch = performance.now();
      }
    }
    log = { bytes, events };
    return { header, headerless, bytes: bytes.length, events: events.length, types: typesOf(events) };
  },

  /** Takes what the rules found: the damage, and the closers that waking would write. */
  judge({ damage, closers }) {
    const until = damage ? log.events.findIndex((event) => event.at >= damage.offset) : -1;
    findings = { damage, closers, until: until < 0 ? log.events.length : until };
    rows = [];
    return tally(log.events, findings.until);
  },

  /** Chooses what is shown. Answers with the height of each row; with nothing if a newer view was asked for meanwhile. */
  async view({ level: wanted, filter, query, opened }) {
    const turn = (newest += 1);
    if (rows.length === 0 || wanted !== level) {
      level = wanted;
      rows = level === 'events' ? unfolded(log.events, findings) : fold(log.events, findings);
    }
    const passes = filterOf(filter, log.events);
    const sought = finder(query);
    // A search looks everywhere, into turns that are folded too.
    const outline = level === 'turns' && !sought && filter === 'all' ? inOutline(new Set(opened)) : () => true;
    const fitting = [];
    let stretch = performance.now();
    for (const row of rows) {
      if (outline(row) && passes(row) && (!sought || matches(row, sought))) fitting.push(row);
      if (performance.now() - stretch > STRETCH) {
        await breathe();
        if (turn !== newest) return null;
        stretch = performance.now();
      }
    }
    shown = fitting;
    pattern = sought;
    return { heights: Uint8Array.from(shown, heightOf), rows: rows.length };
  },

  rows(from, to) {
    return shown
      .slice(from, to)
      .map((row) => ({ ...describe(row, log, pattern), key: row.kind === 'turn' ? keyOf(row) : null }));
  },

  detail(index, line) {
    return shown[index] ? detail(shown[index], log, line) : null;
  },

  /** Where the event with this number is shown: its line, and the row; -1 where it is not among those that are. */
  find(seq) {
    const line = eventAt(log.events, seq);
    const owner = rows.find((row) => row.lines.includes(line));
    return { line, index: shown.indexOf(owner), turn: owner?.turn ? keyOf(owner.turn) : null };
  },

  /** The row, among those that are shown now, of the event that another row begins with. */
  indexOf(line) {
    return shown.findIndex((row) => row.lines.includes(line));
  },

  /** The first event of a row, which stays the same whatever is shown. */
  lineOf(index) {
    return shown[index]?.lines[0] ?? -1;
  },

  /** The turn that a row is, or stands in; null if none. */
  turnOf(index) {
    const row = shown[index];
    const turn = row?.kind === 'turn' ? row : row?.turn;
    return turn ? keyOf(turn) : null;
  },

  /** The next row of one of these kinds from a row on, forwards or backwards; -1 if there is none. */
  next(index, step, kinds) {
    for (let at = index + step; at >= 0 && at < shown.length; at += step) if (kinds.includes(shown[at].kind)) return at;
    return -1;
  },
});

function matches(row, sought) {
  if (row.event) return sought.test(row.event.type) || sought.test(row.event.data);
  return row.lines.some((line) => sought.test(textOf(log.bytes, log.events[line]) ?? ''));
}
