// Logs for the tests, made up event by event.

const header = (id) => JSON.stringify({ type: 'session', version: 0, id, createdAt: 1763681581550, cwd: '/srv/shop' });

/** A log of these events, each `[type, data]`, numbered from 0. */
export function logOf(events, id = 'test') {
  return `${[header(id), ...events.map(lineOf)].join('\n')}\n`;
}

export function lineOf([type, data], seq) {
  return JSON.stringify({ type, seq, time: 1763681581550 + seq * 1000, data });
}

export const text = (words) => [{ type: 'text', text: words }];
export const call = (id, name = 'read', args = { path: 'a.txt' }) => ({
  type: 'tool-call',
  id,
  name,
  arguments: JSON.stringify(args),
});

/** One whole turn: a question, a call that is streamed, and its result. */
export const turn = (number, question = `question ${number}`) => [
  ['turn/start', { turn: number }],
  ['user/message', { content: text(question) }],
  ['step/start', { turn: number, step: 1 }],
  ['assistant/chunk', { turn: number, step: 1, chunk: { type: 'text-delta', index: 0, text: 'I will ' } }],
  ['assistant/chunk', { turn: number, step: 1, chunk: { type: 'text-delta', index: 0, text: 'look.' } }],
  [
    'assistant/message',
    {
      turn: number,
      step: 1,
      content: [...text('I will look.'), call('a')],
      usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 0 },
    },
  ],
  ['tool/call', { turn: number, step: 1, callId: 'a', name: 'read' }],
  ['tool/result', { turn: number, step: 1, callId: 'a', content: text(`what it says ${number}`), isError: false }],
  ['step/end', { turn: number, step: 1 }],
  ['turn/end', { turn: number, reason: { kind: 'completed' } }],
];

/** A turn that ends in its middle: one call carried out with no result, one not begun. */
export const interrupted = (number) => [
  ...turn(number).slice(0, 5),
  [
    'assistant/message',
    { turn: number, step: 1, content: [...text('I will look.'), call('a', 'bash'), call('b', 'read')] },
  ],
  ['tool/call', { turn: number, step: 1, callId: 'a', name: 'bash' }],
];

/** Two turns and a half; then a line that is torn in the middle, and records of a second writer behind it. */
export function damagedLog() {
  const events = [...turn(1), ...turn(2), ...interrupted(3)];
  const lines = logOf(events, 'damaged').trimEnd().split('\n');
  const second = [...turn(4)].map((event, index) => lineOf(event, events.length - 3 + index));
  return `${[...lines, '{"type":"tool/result","seq":27,"ti\u0000\u0000\u0000', ...second].join('\n')}\n`;
}
