// The views, one at a time.

import { byId } from './dom.js';

export const VIEWS = ['timeline', 'messages', 'recovery'];
let chosen = 'timeline';

export const current = () => chosen;

/** Calls `shown(view)` whenever another view comes up. */
export function tabs(shown) {
  for (const [index, view] of VIEWS.entries()) {
    const tab = byId(`tab-${view}`);
    tab.addEventListener('click', () => choose(view, shown));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.stopPropagation();
      const next = VIEWS[(index + step + VIEWS.length) % VIEWS.length];
      choose(next, shown);
      byId(`tab-${next}`).focus();
    });
  }
  return (view) => choose(view, shown);
}

function choose(view, shown) {
  chosen = view;
  for (const name of VIEWS) {
    const tab = byId(`tab-${name}`);
    tab.setAttribute('aria-selected', String(name === view));
    tab.tabIndex = name === view ? 0 : -1;
    byId(name).hidden = name !== view;
  }
  for (const control of document.querySelectorAll('[data-for]')) control.hidden = control.dataset.for !== view;
  byId('search').hidden = view === 'recovery';
  document.body.dataset.view = view;
  return shown(view);
}
