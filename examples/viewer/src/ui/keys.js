// The keyboard: one table for what keys do and for what the help says.

import { byId, el } from './dom.js';

/** `{ keys, does, run }`; `run` is called with the event. Keys typed into a field are left to it, but for Escape. */
export function listen(table) {
  const dialog = byId('keys');
  dialog.replaceChildren(
    el('h2', { id: 'keys-title' }, 'Keys'),
    el(
      'dl',
      {},
      ...table
        .filter(({ does }) => does)
        .map(({ keys, does }) =>
          el('div', {}, el('dt', {}, ...keys.map((key) => el('kbd', {}, NAMES[key] ?? key))), el('dd', {}, does)),
        ),
    ),
    el('form', { method: 'dialog' }, el('button', { class: 'primary' }, 'Close')),
  );
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.open) return;
    const field = event.target.closest('input:not([type=radio]), select, textarea');
    if (field && event.key !== 'Escape') return;
    const entry = table.find(({ keys }) => keys.includes(event.key));
    if (entry?.run(event)) event.preventDefault();
  });
}

const NAMES = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
};

export const showKeys = () => byId('keys').showModal();
