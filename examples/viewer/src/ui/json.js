// JSON as it is written, laid out and coloured; and plain text of any length.

import { layout } from '../text/json.js';
import { size } from '../text/numbers.js';
import { el, visible } from './dom.js';

/** More characters, or elements, than this at once would make the page wait. */
const MOST = { characters: 60_000, pieces: 4_000 };

/** A text, whole where it is short; else its beginning and a button for more. */
export function textBlock(text, className = 'prose') {
  return growing(text.length, ({ characters }) => ({
    block: el('pre', { class: className, dir: 'auto' }, visible(text.slice(0, characters))),
    whole: text.length <= characters,
  }));
}

/** JSON over many lines. Only white space between tokens differs from what is stored. */
export function jsonBlock(text) {
  return growing(text.length, ({ characters, pieces }) => {
    const nodes = [];
    let left = characters;
    for (const piece of layout(text)) {
      if (left <= 0 || nodes.length >= pieces) return { block: el('pre', { class: 'code' }, nodes), whole: false };
      if (piece.kind === 'space') nodes.push(piece.text);
      else nodes.push(el('span', { class: `json-${piece.kind}` }, visible(piece.text.slice(0, left))));
      left -= piece.text.length;
    }
    return { block: el('pre', { class: 'code' }, nodes), whole: left >= 0 };
  });
}

/** What `make` makes within limits, and a button that makes it again within wider ones. */
function growing(length, make, most = MOST) {
  const { block, whole } = make(most);
  if (whole) return block;
  const wider = { characters: most.characters * 8, pieces: most.pieces * 8 };
  const grow = () => outer.replaceWith(growing(length, make, wider));
  const outer = el('div', {}, block, el('button', { class: 'more', onclick: grow }, `Show more of ${size(length)}`));
  return outer;
}
