// What content blocks say. Content comes from strangers: every shape is possible.

import { pick } from '../text/json.js';
import { many } from '../text/numbers.js';

/** So many blocks are shown; the raw event holds all of them. */
const MOST_BLOCKS = 200;

/** The text of content: its text blocks and those of its results, one after another. No deeper, however deep a log goes. */
export function plainText(content) {
  return joined(content, (block) => (block?.type === 'tool-result' ? joined(block.content, textOf) : textOf(block)));
}

function joined(content, read) {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(read).filter(Boolean).join('\n') : '';
}

function textOf(block) {
  if (typeof block?.text === 'string') return block.text;
  return typeof block?.thinking === 'string' ? block.thinking : '';
}

/** What a chunk adds to the text of its message. */
export function chunkText(data) {
  const chunk = data?.chunk ?? data;
  return typeof chunk?.text === 'string' ? chunk.text : '';
}

/**
 * The blocks of content as they are shown: `{ label, text, json }`. `text` is the JSON that holds them and `path` says where;
 * whatever is no text is shown as it is written there.
 */
export function blocksOf(content, text, path, inResult = false) {
  if (typeof content === 'string') return [{ label: '', text: content }];
  if (!Array.isArray(content))
    return content === undefined ? [] : [written('content that is no list of blocks', text, path)];
  const shown = content
    .slice(0, MOST_BLOCKS)
    .flatMap((block, index) => blockOf(block, text, [...path, index], inResult));
  const rest = content.length - MOST_BLOCKS;
  return rest > 0 ? [...shown, { label: `and ${many(rest, 'more block')}`, text: '' }] : shown;
}

function blockOf(block, text, path, inResult) {
  switch (block?.type) {
    case 'text':
      if (typeof block.text === 'string') return [{ label: '', text: block.text }];
      break;
    case 'thinking':
    case 'reasoning':
      if (textOf(block)) return [{ label: block.type, text: textOf(block) }];
      break;
    case 'tool-call':
      return [{ ...argumentsOf(block.arguments, text, [...path, 'arguments']), label: `calls ${nameOf(block)}` }];
    case 'tool-result':
      if (inResult) break;
      return [
        {
          label: `${block.isError === true ? 'error' : 'result'} for ${callOf(block)}`,
          text: '',
        },
        ...blocksOf(block.content, text, [...path, 'content'], true),
      ];
  }
  return [written(typeof block?.type === 'string' ? block.type : 'block', text, path)];
}

/** The tool that a call names. */
export const nameOf = (block) => (typeof block.name === 'string' ? block.name : 'a tool');

const callOf = (block) => (typeof block.toolCallId === 'string' ? `call ${block.toolCallId.slice(0, 80)}` : 'no call');

/** Arguments are mostly JSON in a string. */
export function argumentsOf(value, text, path) {
  if (typeof value !== 'string') return written('', text, path);
  return { label: '', text: value, json: /^\s*[{[]/.test(value) };
}

function written(label, text, path) {
  return { label, text: pick(text, path) ?? '', json: true };
}
