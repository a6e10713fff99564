// A list of any length: only the rows in sight are in the page, and only they were asked for.

import { el } from './dom.js';

const PAGE = 64;
const PAGES_KEPT = 40;
/** Rows made beyond the edges of what is in sight. */
const MARGIN = 8;
/** Browsers make no element higher than this safely; a longer list scrolls in proportion. */
const HIGHEST = 8_000_000;

export class List {
  selected = -1;
  #element;
  #canvas = el('div', { class: 'canvas', role: 'presentation' });
  #options;
  /** Where each row begins, and at the end where the last one ends. */
  #tops = new Float64Array(1);
  #pages = new Map();
  #elements = new Map();
  #generation = 0;

  /** `options`: `rows(from, to)` fetches rows, `row(data)` makes an element of one, `onselect(index)`, `onopen(index)`. */
  constructor(element, options) {
    this.#element = element;
    this.#options = options;
    element.append(this.#canvas);
    element.addEventListener('scroll', () => this.#draw());
    new ResizeObserver(() => this.#resized()).observe(element);
    this.#canvas.addEventListener('click', (event) => this.#clicked(event));
  }

  get length() {
    return this.#tops.length - 1;
  }

  /**
   * Shows rows of these heights, with one of them selected (-1: none) and, if `at` is given, that far from the top of the
   * window. Answers whether they are shown: others may have been asked for meanwhile.
   */
  async show(heights, { selected = -1, at } = {}) {
    const generation = (this.#generation += 1);
    const tops = new Float64Array(heights.length + 1);
    for (let index = 0; index < heights.length; index += 1) tops[index + 1] = tops[index] + heights[index];
    const start = selected < 0 ? 0 : Math.max(0, tops[selected] - (at ?? this.#height / 3));
    const pages = new Map();
    const first = Math.floor(Math.max(0, indexAt(tops, start) - MARGIN) / PAGE);
    const last = Math.floor(Math.min(heights.length, indexAt(tops, start + this.#height) + MARGIN) / PAGE);
    // The rows are fetched before the old ones go, so that nothing flickers.
    await Promise.all(
      Array.from({ length: heights.length === 0 ? 0 : last - first + 1 }, (_, page) => this.#load(pages, first + page)),
    );
    if (generation !== this.#generation) return false;
    [this.#tops, this.#pages] = [tops, pages];
    this.#elements.clear();
    this.#canvas.replaceChildren();
    this.selected = selected;
    this.#resized();
    this.#scrollTo(start);
    this.#draw();
    return true;
  }

  /** How far below the top of the window a row stands. */
  distance(index) {
    return index < 0 || index >= this.length ? undefined : this.#tops[index] - this.#top;
  }

  select(index) {
    if (this.length === 0) return;
    this.selected = Math.max(0, Math.min(index, this.length - 1));
    const [top, end] = [this.#tops[this.selected], this.#tops[this.selected + 1]];
    const margin = 40;
    if (top - margin < this.#top) this.#scrollTo(top - margin);
    else if (end + margin > this.#top + this.#height) this.#scrollTo(end + margin - this.#height);
    this.#draw();
    this.#options.onselect(this.selected);
  }

  /** The row that is about a windowful above or below the selected one. */
  page(direction) {
    const from = this.#tops[Math.max(0, this.selected)];
    return Math.min(indexAt(this.#tops, from + direction * this.#height * 0.9), this.length - 1);
  }

  focus() {
    this.#element.focus({ preventScroll: true });
  }

  get #height() {
    return this.#element.clientHeight || 600;
  }

  get #total() {
    return this.#tops[this.length];
  }

  /** How much of the list a pixel of scrolling passes. */
  get #scale() {
    const canvas = Math.min(this.#total, HIGHEST);
    return canvas <= this.#height ? 1 : (this.#total - this.#height) / (canvas - this.#height);
  }

  get #top() {
    return this.#element.scrollTop * this.#scale;
  }

  #scrollTo(top) {
    this.#element.scrollTop = Math.max(0, top) / this.#scale;
  }

  #resized() {
    this.#canvas.style.height = `${Math.min(this.#total, HIGHEST)}px`;
    this.#draw();
  }

  #draw() {
    const top = this.#top;
    const from = Math.max(0, indexAt(this.#tops, top) - MARGIN);
    const to = Math.min(this.length, indexAt(this.#tops, top + this.#height) + MARGIN);
    for (const [index, element] of this.#elements) {
      if (index >= from && index < to) continue;
      element.remove();
      this.#elements.delete(index);
    }
    for (let index = from; index < to; index += 1) {
      if (!this.#elements.has(index)) this.#make(index);
      const element = this.#elements.get(index);
      if (!element) continue;
      element.style.transform = `translateY(${this.#element.scrollTop + this.#tops[index] - top}px)`;
      element.setAttribute('aria-selected', String(index === this.selected));
    }
    const active = this.#elements.get(this.selected);
    if (active) this.#element.setAttribute('aria-activedescendant', active.id);
    else this.#element.removeAttribute('aria-activedescendant');
  }

  #make(index) {
    const page = this.#pages.get(Math.floor(index / PAGE));
    if (!Array.isArray(page)) {
      if (!page) this.#load(this.#pages, Math.floor(index / PAGE)).then(() => this.#draw());
      return;
    }
    const data = page[index % PAGE];
    if (!data) return;
    const element = this.#options.row(data);
    element.id = `${this.#element.id}-${index}`;
    element.dataset.index = index;
    element.style.height = `${this.#tops[index + 1] - this.#tops[index]}px`;
    element.setAttribute('role', 'option');
    element.setAttribute('aria-setsize', this.length);
    element.setAttribute('aria-posinset', index + 1);
    this.#elements.set(index, element);
    this.#canvas.append(element);
  }

  async #load(pages, page) {
    const rows = this.#options.rows(page * PAGE, (page + 1) * PAGE);
    pages.set(page, rows);
    pages.set(page, await rows);
    for (const key of pages.keys()) {
      if (pages.size <= PAGES_KEPT) break;
      if (key !== page) pages.delete(key);
    }
  }

  #clicked(event) {
    const row = event.target.closest('[data-index]');
    if (!row) return;
    this.select(Number(row.dataset.index));
    this.#options.onopen(this.selected, event);
  }
}

/** Index of the row that stands at this height; the number of rows behind the last. */
function indexAt(tops, height) {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tops[middle + 1] <= height) low = middle + 1;
    else high = middle;
  }
  return low;
}
