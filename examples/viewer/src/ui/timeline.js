// The timeline: the rows that the worker folds, the one that is selected, and the way back from a search.

import { finder } from '../text/find.js';
import { many } from '../text/numbers.js';
import { showRow } from './detail.js';
import { byId } from './dom.js';
import { timelineRow } from './rows.js';
import { View } from './view.js';

export class TimelineView extends View {
  #filter = 'all';
  #level = 'steps';
  #opened = new Set();
  /** The event that the selected row begins with, so that it stays selected whatever else is shown. */
  #line = -1;
  /** The event that was gone to, which the detail points out in its row. */
  #sought;

  constructor(say) {
    super('timeline', say, {
      rows: (from, to) => this.#ask('rows', from, to),
      row: (row) =>
        timelineRow(row, {
          pattern: finder(this.query, 'giu'),
          foldable: this.#level === 'turns',
          opened: this.#opened.has(row.key),
        }),
      onopen: (_, event) => (event.target.closest('[data-fold]') ? this.unfold() : this.onopen()),
    });
  }

  reset() {
    super.reset();
    [this.#filter, this.#level, this.#line] = ['all', 'steps', -1];
    this.#opened.clear();
    byId('filter').value = 'all';
    byId('level').querySelector('[value=steps]').checked = true;
  }

  filter(filter) {
    this.#filter = filter;
    return this.show();
  }

  level(level) {
    this.#level = level;
    return this.show();
  }

  async turn(step) {
    const index = await this.#ask('next', this.selected, step, ['turn']);
    if (index >= 0) this.list.select(index);
  }

  /** Unfolds or folds the turn of the selected row; without a word which, the other of what it is. */
  async unfold(open) {
    if (this.#level !== 'turns' || this.selected < 0) return;
    const turn = await this.#ask('turnOf', this.selected);
    if (turn === null) return;
    if (open ?? !this.#opened.has(turn)) this.#opened.add(turn);
    else this.#opened.delete(turn);
    this.#line = turn;
    await this.show();
    this.say(this.#opened.has(turn) ? 'The turn is unfolded' : 'The turn is folded');
  }

  /** Selects the event with this number; false if there is none. */
  async goTo(seq) {
    const found = await this.#ask('find', seq);
    if (found.line < 0) return false;
    await this.#reveal(found, () => this.#ask('find', seq));
    return true;
  }

  async toDamage() {
    const place = async () => ({ index: await this.#ask('next', -1, 1, ['damage']), turn: null });
    await this.#reveal(await place(), place);
  }

  /** Selects a row; if it is not among those that are shown, shows everything first. */
  async #reveal({ index, turn, line }, again) {
    if (index < 0) {
      [this.query, this.#filter] = ['', 'all'];
      [byId('search').value, byId('filter').value] = ['', 'all'];
      if (turn !== null) this.#opened.add(turn);
      await this.show();
      index = (await again()).index;
    }
    this.#sought = line;
    this.list.select(index);
    this.focus();
  }

  async show() {
    const at = this.list.distance(this.selected);
    const view = await this.#ask('view', {
      level: this.#level,
      filter: this.#filter,
      query: this.query,
      opened: [...this.#opened],
    });
    if (!view) return;
    const selected = this.#line < 0 ? -1 : await this.#ask('indexOf', this.#line);
    const shown = await this.list.show(view.heights, { selected, at: selected === this.selected ? at : undefined });
    if (!shown) return;
    // Only now do the rows stand there: what is scrolled from here on stays where it is.
    byId('timeline-list').dataset.level = this.#level;
    const some = view.heights.length < view.rows;
    this.say(
      some
        ? `${many(view.heights.length, 'row')} of ${many(view.rows, 'row').replace(/ rows?$/, '')}`
        : many(view.rows, 'row'),
    );
    const why =
      this.query || this.#filter !== 'all'
        ? 'No row fits. Escape clears the search; the filter may hide more.'
        : 'This session has no events yet.';
    this.explain(view.heights.length > 0 ? '' : why);
  }

  #ask(method, ...args) {
    return this.session.timeline.call(method, ...args);
  }

  async selectedRow(index) {
    const sought = this.#sought;
    this.#sought = undefined;
    const line = await this.#ask('lineOf', index);
    if (index !== this.selected) return;
    this.#line = line;
    const detail = await this.#ask('detail', index, sought);
    if (detail && index === this.selected) showRow(detail);
  }
}
