// Text of strangers, made fit to be shown.

/**
 * Characters that show nothing or turn the text around them: controls, marks of direction, fillers, tags that spell out what
 * only a model reads, halves of surrogate pairs. Those that join and vary the characters of honest text are left in peace.
 */
const odd =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\ufff9-\ufffb]|(?![\u200c\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|\p{Cs}/gu;

/** `{ text, odd }` pieces of a text, each odd character a piece of its own that names it. */
export function* pieces(text) {
  let at = 0;
  for (const match of text.matchAll(odd)) {
    if (match.index > at) yield { text: text.slice(at, match.index), odd: false };
    yield { text: nameOf(match[0]), odd: true };
    at = match.index + match[0].length;
  }
  if (at < text.length) yield { text: text.slice(at), odd: false };
}

function nameOf(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The beginning of a text on one line. */
export function oneLine(text, most = 400) {
  return text
    .slice(0, most * 2)
    .replace(/\s+/g, ' ')
    .replace(odd, '\ufffd')
    .trim()
    .slice(0, most)
    .toWellFormed();
}

/** Bytes that may be no UTF-8, as text in which each byte that is none stands as `\xNN`. */
export function showBytes(bytes) {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return strict.decode(bytes);
  } catch {
    return Array.from(bytes, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    ).join('');
  }
}
