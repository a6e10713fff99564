// Elements. Whatever comes from a log gets into the page as a text node and in no other way.

import { pieces } from '../text/plain.js';

/** An element with attributes, listeners (`onclick`) and children; a child may be a list of children, and is left out if it is null or false. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  for (const child of children.flat(2))
    if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** The text as nodes, with every match of a global pattern marked. */
export function marked(text, pattern) {
  if (!pattern) return [text];
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '') continue;
    nodes.push(text.slice(at, match.index), el('mark', {}, match[0]));
    at = match.index + match[0].length;
  }
  return [...nodes, text.slice(at)];
}

/** The text as at most so many nodes, its characters that would show nothing named. */
export function visible(text, most = Infinity) {
  const nodes = [];
  for (const piece of pieces(text)) {
    if (nodes.length >= most) break;
    nodes.push(
      piece.odd
        ? el('span', { class: 'odd', title: 'a character that shows nothing by itself' }, piece.text)
        : piece.text,
    );
  }
  return nodes;
}

const LABEL = 160;

/** The same of a name that stands above something else, however long it is. */
export const named = (text) => visible(text.length > LABEL ? `${text.slice(0, LABEL)}…` : text);
