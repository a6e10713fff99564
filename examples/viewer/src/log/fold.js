// From events to the rows of the timeline: chunks folded into the message they became, results into their calls,
// the ends of turns and steps into their beginnings.

import { addUsage } from './read.js';

const SAID = new Map([
  ['user/message', 'user'],
  ['context/message', 'context'],
  ['steering/message', 'steering'],
  ['compact/summary', 'summary'],
]);

/**
 * The rows of a log. `until` is the number of events that are sound; behind them stand the closers that waking would write,
 * the damage, and what it keeps from being read.
 */
export function fold(events, findings) {
  return rowsOf(events, findings, new Folding(events));
}

/** The same with a row for each event. */
export function unfolded(events, findings) {
  return rowsOf(events, findings, new Plain(events));
}

function rowsOf(events, { until = events.length, closers = [], damage }, builder) {
  for (let line = 0; line < until; line += 1) builder.add(line);
  const { rows, open } = builder;
  for (const event of closers) rows.push({ kind: 'closer', lines: [], turn: open, event });
  if (damage) rows.push({ kind: 'damage', lines: [], turn: null, damage });
  for (let line = until; line < events.length; line += 1) {
    rows.push({
      kind: events[line].type === null ? 'unreadable' : 'event',
      lines: [line],
      turn: null,
      lost: Boolean(damage),
    });
  }
  return rows;
}

class Plain {
  rows = [];
  open = null;

  constructor(events) {
    this.events = events;
  }

  add(line) {
    const { type } = this.events[line];
    this.rows.push({ kind: type === null ? 'unreadable' : 'event', lines: [line], turn: null });
  }
}

class Folding {
  rows = [];
  /** The rows of the turn and step that are open. */
  open = null;
  step = null;
  /** The row of the chunks that no message has ended yet. */
  stream = null;
  /** What the scope has of each call id: where a message made it, and its row. */
  calls = new Map();

  constructor(events) {
    this.events = events;
  }

  add(line) {
    const event = this.events[line];
    switch (event.type) {
      case 'turn/start':
        this.leaveScope();
        this.open = null;
        this.open = this.push('turn', line, {
          steps: 0,
          tools: 0,
          failures: 0,
          usage: undefined,
          opener: null,
          ended: false,
        });
        this.step = null;
        return;
      case 'turn/end':
        this.leaveScope();
        if (!this.end(this.open, line)) this.push('event', line);
        [this.open, this.step] = [null, null];
        return;
      case 'step/start':
        this.step = this.push('step', line, { usage: undefined, ended: false });
        if (this.open) this.open.steps += 1;
        return;
      case 'step/end':
        this.leaveScope();
        if (!this.end(this.step, line)) this.push('event', line);
        this.step = null;
        return;
      case 'assistant/chunk':
        if (this.stream) this.stream.lines.push(line);
        else this.stream = this.push('assistant', line, { streaming: true, long: true });
        return;
      case 'assistant/message':
        this.message(line, event);
        return;
      case 'tool/call':
      case 'tool/result':
        this.tool(line, event);
        return;
      default:
        this.other(line, event);
    }
  }

  push(kind, line, more) {
    const row = { kind, lines: line === null ? [] : [line], turn: this.open, ...more };
    this.rows.push(row);
    return row;
  }

  end(row, line) {
    if (!row) return false;
    row.lines.push(line);
    row.ended = true;
    return true;
  }

  message(line, { calls, usage, long }) {
    const row = this.stream ?? this.push('assistant', null);
    row.lines.push(line);
    Object.assign(row, { streaming: false, long });
    this.stream = null;
    for (const { id, block, name } of calls) {
      const call = this.call(id);
      call.made ??= { line, block, name };
      if (call.row) call.row.made = call.made;
    }
    for (const scope of [this.open, this.step]) if (scope) scope.usage = addUsage(scope.usage, usage);
  }

  tool(line, event) {
    const part = event.type === 'tool/call' ? 'started' : 'result';
    const call = this.call(event.callId);
    if (call.row && call.row[part] === undefined) call.row.lines.push(line);
    else {
      call.row = this.push('tool', line, { made: call.made });
      if (this.open) this.open.tools += 1;
    }
    call.row[part] = line;
    if (event.failed && this.open) this.open.failures += 1;
  }

  /** What the scope knows of an id; a call without one is nobody's. */
  call(id) {
    if (id === undefined) return {};
    if (!this.calls.has(id)) this.calls.set(id, {});
    return this.calls.get(id);
  }

  other(line, event) {
    const kind = event.type === null ? 'unreadable' : (SAID.get(event.type) ?? 'event');
    const row = this.push(kind, line, { long: event.long });
    if (kind === 'user' && this.open && !this.open.opener) this.open.opener = row;
  }

  /** Calls are matched inside one scope alone, because ids are used again. */
  leaveScope() {
    for (const { made, row } of this.calls.values()) {
      if (row) row.closed = true;
      else if (made) this.push('tool', null, { made, closed: true });
    }
    this.calls = new Map();
    this.stream = null;
  }
}

/** Whether a row is worth two lines. */
export const isLong = (row) => row.long || row.kind === 'damage';

/** How a tool call stands: `done`, `failed`, `no result`, or `unanswered` where its scope has ended. */
export function stateOf(row, events) {
  if (row.result !== undefined) return events[row.result].failed ? 'failed' : 'done';
  return row.closed ? 'unanswered' : 'no result';
}
