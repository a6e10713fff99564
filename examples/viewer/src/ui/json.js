// JSON as it is written, laid out and coloured; and plain text of any length.

import { layout } from '../text/json.js';
import { size } from '../text/numbers.js';
import { el, visible } from './dom.js';

/** More characters, or elements, than this at once would make the page wait. */
const MOST = { characters: 60_000, pieces: 4_000 };

/** A text, whole where it is short; else its beginning and a button for more. */
export function textBlock(text, className = 'prose') {
  return growing(text.length, ({ characters, pieces }) => {
    const nodes = visible(text.slice(0, characters), pieces);
    return {
      block: el('pre', { class: className, dir: 'auto' }, nodes),
      whole: text.length <= characters && nodes.length < pieces,
    };
  });
}

/** JSON over many lines. Only white space between tokens differs from what is stored. */
export function jsonBlock(text) {
  return growing(text.length, ({ characters, pieces }) => {
    const nodes = [];
    let [left, room] = [characters, pieces];
    for (const piece of layout(text)) {
      if (left <= 0 || room <= 0) return { block: el('pre', { class: 'code' }, nodes), whole: false };
      const shown = piece.kind === 'space' ? [piece.text] : visible(piece.text.slice(0, left), room);
      nodes.push(piece.kind === 'space' ? piece.text : el('span', { class: `json-${piece.kind}` }, shown));
      left -= piece.text.length;
      room -= shown.length;
    }
    return { block: el('pre', { class: 'code' }, nodes), whole: left >= 0 && room > 0 };
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
