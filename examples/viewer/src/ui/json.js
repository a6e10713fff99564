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
      if (piece.kind === 'space') {
        nodes.push(piece.text);
        continue;
      }
      if (length >= most) break;
      nodes.push(el('span', { class: `json-${piece.kind}` }, ...visible(piece.text.slice(0, most - length))));
      length += piece.text.length;
    }
    return el('pre', { class: 'code' }, ...nodes);
  });
}

function cut(length, make) {
  if (length <= MOST) return make(Infinity);
  const block = el('div', {}, make(MOST));
  const button = el(
    'button',
    { class: 'more', onclick: () => block.replaceWith(make(Infinity)) },
    `Show all of it (${size(length)})`,
  );
  block.append(button);
  return block;
}
