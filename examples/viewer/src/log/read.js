// What the lines of a log say, read leniently. Which of them are sound the component alone judges.

import { plainText } from './content.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Each line: where it begins, and its length without the LF. */
export function* lines(bytes) {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    const length = (end < 0 ? bytes.length : end) - at;
    yield { at, length };
    at += length + 1;
  }
}

export const bytesOf = (bytes, { at, length }) => bytes.subarray(at, at + length);

/** The text of a line; null if it is no UTF-8. */
export function textOf(bytes, line) {
  try {
    return utf8.decode(bytesOf(bytes, line));
  } catch {
    return null;
  }
}

/** The object that a line holds; null if it holds none. */
export function recordOf(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** What the timeline keeps of a line; the line is read again when it is shown. */
export function factsOf(line, record) {
  const { type, seq, time, data } = record ?? {};
  const number = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : null);
  return {
    ...line,
    type: typeof type === 'string' ? type : null,
    seq: number(seq),
    time: number(time),
    ...about(type, data),
  };
}

function about(type, data) {
  switch (type) {
    case 'turn/start':
      return { label: labelOf(data?.turn) };
    case 'step/start':
      return { label: labelOf(data?.step) };
    case 'turn/end':
      return { reason: textIn(data?.reason?.kind) ?? textIn(data?.reason) };
    case 'assistant/message':
      return { calls: callsIn(data?.content), usage: usageIn(data?.usage), long: isLong(data?.content) };
    case 'user/message':
    case 'context/message':
    case 'steering/message':
      return { long: isLong(data?.content) };
    case 'compact/summary':
      return { long: isLong(data?.summary) };
    case 'tool/call':
      return { callId: textIn(data?.callId), name: textIn(data?.name) };
    case 'tool/result':
      return { callId: textIn(data?.callId), failed: data?.isError === true };
    default:
      return undefined;
  }
}

/** Whether the text is worth two lines of the timeline. */
const isLong = (content) => plainText(content).length > 64;
const textIn = (value) => (typeof value === 'string' ? value : undefined);
const labelOf = (value) => (typeof value === 'number' || typeof value === 'string' ? String(value).slice(0, 40) : '');

function callsIn(content) {
  if (!Array.isArray(content)) return [];
  return content
    .map((block, index) => ({
      block: index,
      type: block?.type,
      id: textIn(block?.id),
      name: textIn(block?.name) ?? 'tool',
    }))
    .filter(({ type, id }) => type === 'tool-call' && id !== undefined);
}

function usageIn(usage) {
  const tokens = (value) => (Number.isSafeInteger(value) && value > 0 ? value : 0);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage ?? {};
  if ([inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].every((value) => !tokens(value))) return undefined;
  return {
    input: tokens(inputTokens),
    output: tokens(outputTokens),
    read: tokens(cacheReadTokens),
    write: tokens(cacheWriteTokens),
  };
}

export function addUsage(sum, usage) {
  if (!usage) return sum;
  if (!sum) return { ...usage };
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    read: sum.read + usage.read,
    write: sum.write + usage.write,
  };
}

/** What a header tells about its session; null if the first line is no object. */
export function headerOf(record) {
  if (!record) return null;
  const text = (value) => textIn(value)?.slice(0, 300);
  return { id: text(record.id), cwd: text(record.cwd), parentSession: text(record.parentSession) };
}

/** Put before lines that begin with an event, as an export has them, so that the component judges those too. */
export const LENT_HEADER = '{"type":"session","version":0,"id":"-","createdAt":0}\n';

/** Whether the content begins with an event where a log has its header. */
export function lacksHeader(bytes) {
  const [first] = lines(bytes);
  const record = first && recordOf(textOf(bytes, first));
  return (
    Boolean(record) && typeof record.type === 'string' && record.type !== 'session' && Number.isSafeInteger(record.seq)
  );
}
