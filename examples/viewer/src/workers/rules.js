// The rules component over a log's bytes. It judges; what it says is shown as it is.

import { blocksOf, nameOf, plainText } from '../log/content.js';
import { LENT_HEADER, lacksHeader } from '../log/read.js';
import { around, finder } from '../text/find.js';
import { oneLine } from '../text/plain.js';
import core from '../rules/core.js';
import { instantiate } from '../rules/rules.js';
import { serve } from './serve.js';
import { plainValue } from './values.js';

const compiled = new WebAssembly.Module(Uint8Array.from(atob(core), (character) => character.charCodeAt(0)));

/** So many kinds of blocks are named in a row. */
const MOST_NOTES = 4;

let bytes = new Uint8Array();
/** How many bytes stand before those of the file. */
let lent = 0;
let messages = [];
let shown = [];
let pattern = null;

/** Calls the component in an instance of its own, so that its memory goes when it has answered. */
function rules(call, ...args) {
  try {
    return instantiate(() => compiled, {}).eventRules[call](bytes, ...args);
  } catch (error) {
    if (typeof error?.tag === 'string') throw { tag: error.tag, value: plainValue(error.val, lent) };
    throw new Error(`The rules component failed: ${error?.message ?? error}`);
  }
}

serve({
  async open(blob) {
    const content = new Uint8Array(await blob.arrayBuffer());
    lent = lacksHeader(content) ? LENT_HEADER.length : 0;
    bytes = lent ? new Uint8Array(await new Blob([LENT_HEADER, content]).arrayBuffer()) : content;
  },

  examine() {
    const { damage, closers } = rules('examine');
    return { damage: damage && plainValue(damage, lent), closers: closers.map((event) => plainValue(event)) };
  },

  check() {
    return rules('check');
  },

  derive(pairing) {
    messages = rules('derive', pairing).map(({ role, content, source }) => ({ role, content, source: Number(source) }));
    return messages.length;
  },

  view(query) {
    pattern = finder(query);
    shown = pattern ? messages.filter(({ role, content }) => pattern.test(content) || pattern.test(role)) : messages;
    return shown.length;
  },

  rows(from, to) {
    return shown.slice(from, to).map(describe);
  },

  detail(index) {
    const message = shown[index];
    return message && { ...message, blocks: blocksOf(JSON.parse(message.content), message.content, []) };
  },
});

function describe({ role, content, source }) {
  const blocks = JSON.parse(content);
  const kinds = [...new Set(blocks.map((block) => (typeof block?.type === 'string' ? block.type : 'block')))];
  const said =
    plainText(blocks) ||
    blocks
      .filter((block) => block?.type === 'tool-call')
      .map((block) => `calls ${nameOf(block)}`)
      .join(', ');
  const text = pattern && !pattern.test(said) && pattern.test(content) ? content : said;
  return {
    role,
    source,
    text: oneLine(pattern ? around(text, pattern) : text),
    notes: kinds
      .filter((kind) => kind !== 'text')
      .slice(0, MOST_NOTES)
      .map((kind) => oneLine(kind, 40)),
    failed: blocks.some((block) => block?.type === 'tool-result' && block.isError === true),
  };
}
