/**
 * Numbers for the BigInts of the component, none of which is past 2^53. Offsets are those of the file, before which so many
 * bytes were lent.
 */
export function plainValue(value, lent = 0) {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  const plain = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainValue(member)]));
  if ('offset' in plain) plain.offset -= lent;
  return plain;
}
