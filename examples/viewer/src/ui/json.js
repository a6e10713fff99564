// JSON as it is written, laid out and coloured; and plain text of any length.

import { layout } from '../text/json.js';
import { size } from '../text/numbers.js';
import { el, visible } from './dom.js';

/** More than this at once would make the page wait. */
const MOST = 60_000;

/** A text, whole where it is short; else its beginning and a button for the rest. */
export function textBlock(text, className = 'prose') {
  return cut(text.length, (most) => el('pre', { class: className, dir: 'auto' }, ...visible(text.slice(0, most))));
}

/** JSON over many lines. Only white space between tokens differs from what is stored. */
export function jsonBlock(text) {
  return cut(text.length, (most) => {
    const nodes = [];
    let length = 0;
    for (const piece of layout(text)) {
      const shown = piece.text.slice(0, Math.max(0, most - length));
      nodes.push(piece.kind === 'space' ? piece.text : el('span', { class: `json-${piece.kind}` }, ...visible(shown)));
      length += piece.text.length;
      if (length >= most) break;
    }
    return el('pre', { class: 'code' }, ...nodes);
  });
}

function cut(length, make) {
  if (length <= MOST) return make(length);
  const block = el('div', {}, make(MOST));
  const button = el('button', { class: 'more', onclick: () => block.replaceWith(make(Infinity)) }, `Show all of it (${size(length)})`);
  block.append(button);
  return block;
}
