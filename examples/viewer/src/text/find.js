// Searching: plain text, upper and lower case alike.

/** Matches what is searched for, as it reads and as JSON writes it; null where nothing is. */
export function finder(query, flags = 'iu') {
  if (!query) return null;
  const written = JSON.stringify(query).slice(1, -1);
  const patterns = [...new Set([query, written])].map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(patterns.join('|'), flags);
}

/** The text from a little before its first match, so that a short line shows it. */
export function around(text, pattern, before = 40) {
  const at = text.search(pattern);
  if (at <= before) return text;
  const lead = text.slice(at - before, at);
  // From the beginning of a word, if one begins there.
  return `… ${lead.slice(lead.search(/\s/) + 1)}${text.slice(at)}`;
}
