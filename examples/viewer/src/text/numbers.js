// Numbers, sizes and times as people read them.

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

export const count = (number) => whole.format(number);
export const brief = (number) => (number < 1000 ? whole.format(number) : short.format(number));

/** `1 event`, `2 events`. */
export const many = (number, noun, plural = `${noun}s`) => `${count(number)} ${number === 1 ? noun : plural}`;

export function size(bytes) {
  if (bytes < 1024) return many(bytes, 'byte');
  const unit = bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3;
  return `${(bytes / 1024 ** unit).toFixed(1)} ${['', 'KiB', 'MiB', 'GiB'][unit]}`;
}

/** Dates past this are no dates to JavaScript. */
const LAST = 8.64e15;
const dated = (format, time) => (time === null || time > LAST ? '' : format.format(time));

export const clockTime = (time) => dated(clock, time);
export const dayTime = (time) => dated(day, time);

export function lasted(milliseconds) {
  if (!(milliseconds >= 0)) return '';
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return `${milliseconds} ms`;
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${count(hours)} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}
