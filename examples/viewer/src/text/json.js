// JSON as text. Nothing here goes through a value: big integers, doubled keys and escapes stay as they are written.

/**
 * Each token of a JSON text with its place. White space between tokens is no token; what is no JSON comes out as `other`,
 * so that every other character is in exactly one token.
 */
export function* tokens(text) {
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (' \t\r\n'.includes(character)) {
      at += 1;
      continue;
    }
    const start = at;
    if (character === '"') at = endOfString(text, at);
    else if ('{}[],:'.includes(character)) at += 1;
    else at = endOfWord(text, at);
    yield { kind: kindOf(text, start, at), start, end: at };
  }
}

function endOfString(text, start) {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

function endOfWord(text, start) {
  const word = /[^ \t\r\n"{}[\],:]+/y;
  word.lastIndex = start;
  word.test(text);
  return word.lastIndex;
}

function kindOf(text, start, end) {
  const first = text[start];
  if ('{}[],:'.includes(first)) return first;
  if (first === '"') return 'string';
  const word = end - start > 400 ? '' : text.slice(start, end);
  if (/^(true|false|null)$/.test(word)) return 'literal';
  return /^-?[0-9]/.test(text.slice(start, start + 2)) ? 'number' : 'other';
}

/**
 * The text laid out over lines: pieces `{ kind, text }`, in which only the pieces of kind `space` are added. They come one by one,
 * so that the beginning of a long text costs no more than it is.
 */
export function* layout(text) {
  let depth = 0;
  let before;
  const fresh = () => ({ kind: 'space', text: `\n${'  '.repeat(Math.min(depth, 64))}` });
  for (const [{ kind, start, end }, next] of withNext(tokens(text))) {
    const opens = kind === '{' || kind === '[';
    if (kind === '}' || kind === ']') {
      depth = Math.max(0, depth - 1);
      if (before !== '{' && before !== '[') yield fresh();
    }
    const shown = kind === 'string' && next?.kind === ':' ? 'key' : '{}[],:'.includes(kind) ? 'mark' : kind;
    yield { kind: shown, text: text.slice(start, end) };
    if (opens) {
      depth += 1;
      if (next?.kind !== '}' && next?.kind !== ']') yield fresh();
    } else if (kind === ',') yield fresh();
    else if (kind === ':') yield { kind: 'space', text: ' ' };
    before = kind;
  }
}

/** Each item with the one behind it; with undefined the last. */
function* withNext(items) {
  let held;
  for (const item of items) {
    if (held) yield [held, item];
    held = item;
  }
  if (held) yield [held, undefined];
}

// One line is asked for many of its values.
let last = { text: '', list: [] };

function listOf(text) {
  if (last.text !== text) last = { text, list: [...tokens(text)] };
  return last.list;
}

/** The text of the value at this path, byte for byte; of doubled members the last counts. Undefined if there is none. */
export function pick(text, path) {
  const list = listOf(text);
  let at = 0;
  for (const step of path) {
    at = child(text, list, at, step);
    if (at === undefined) return undefined;
  }
  const last = list[behind(list, at) - 1];
  return last && text.slice(list[at].start, last.end);
}

/** The values in a JSON text without its keys and marks, strings as they read: what a call is about, on one line. */
export function valuesIn(text) {
  const list = [...tokens(text)];
  return list
    .filter(({ kind }, index) => !'{}[],:'.includes(kind) && list[index + 1]?.kind !== ':')
    .map((token) => (token.kind === 'string' ? nameOf(text, token) : undefined) ?? text.slice(token.start, token.end))
    .join('  ');
}

/** Index of the token at which a member or element begins. */
function child(text, list, parent, step) {
  const open = list[parent]?.kind;
  if (open !== '{' && open !== '[') return undefined;
  let found;
  let at = parent + 1;
  for (let index = 0; at < list.length && list[at].kind !== '}' && list[at].kind !== ']'; index += 1) {
    const value = open === '{' ? at + 2 : at;
    if (value >= list.length) break;
    if (open === '[' && index === step) return value;
    if (open === '{' && nameOf(text, list[at]) === step) found = value;
    at = behind(list, value);
    if (list[at]?.kind === ',') at += 1;
  }
  return found;
}

function nameOf(text, { start, end }) {
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    return undefined;
  }
}

/** Index of the token behind the value that begins at this one. */
function behind(list, at) {
  let depth = 0;
  for (let index = at; index < list.length; index += 1) {
    const { kind } = list[index];
    if (kind === '{' || kind === '[') depth += 1;
    else if (kind === '}' || kind === ']') depth -= 1;
    if (depth <= 0) return index + 1;
  }
  return list.length;
}
