// What the timeline and the messages have in common: a list with a selected row, and a search in it.

import { byId } from './dom.js';
import { List } from './list.js';

export class View {
  query = '';
  /** Called when a row is to be read in full. */
  onopen = () => {};
  session = null;
  say;
  list;
  #section;

  /** `say` tells the reader in a line what is shown; `options` are those of the list. */
  constructor(id, say, options) {
    this.#section = byId(id);
    this.say = say;
    this.list = new List(byId(`${id}-list`), {
      onselect: (index) => this.selectedRow(index),
      onopen: () => this.onopen(),
      ...options,
    });
  }

  get selected() {
    return this.list.selected;
  }

  /** Forgets what another session has left. */
  reset() {
    this.query = '';
    this.list.show([]);
  }

  enter(session) {
    this.session = session;
    return this.show();
  }

  focus() {
    this.list.focus();
  }

  search(query) {
    this.query = query;
    return this.show();
  }

  clear() {
    if (this.query) this.search('');
  }

  move(step) {
    this.list.select(this.selected + step);
  }

  page(direction) {
    this.list.select(this.list.page(direction));
  }

  end(last) {
    this.list.select(last ? this.list.length - 1 : 0);
  }

  /** Says in the place of the rows why there are none; an empty text where there are. */
  explain(text) {
    const none = this.#section.querySelector('.none');
    none.hidden = !text;
    none.textContent = text;
  }
}
