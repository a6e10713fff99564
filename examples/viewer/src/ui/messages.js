// The messages that a model would get.

import { finder } from '../text/find.js';
import { many } from '../text/numbers.js';
import { refusalWords } from '../words.js';
import { showMessage } from './detail.js';
import { byId } from './dom.js';
import { MESSAGE_HEIGHT } from './heights.js';
import { messageRow } from './rows.js';
import { View } from './view.js';

export class MessagesView extends View {
  #pairing = 'paired';
  #goTo;

  /** `goTo` shows the event that a message comes from. */
  constructor(say, goTo) {
    super('messages', say, {
      rows: (from, to) => this.session.rules.call('rows', from, to),
      row: (row) => messageRow(row, finder(this.query, 'giu')),
    });
    this.#goTo = goTo;
  }

  reset() {
    super.reset();
    this.#pairing = 'paired';
    byId('pairing').querySelector('[value=paired]').checked = true;
  }

  pair(pairing) {
    this.#pairing = pairing;
    return this.show();
  }

  // Messages stand in no turns.
  turn() {}
  unfold() {}

  async show() {
    const { session } = this;
    let length = 0;
    let why = this.query ? 'No message fits. Escape clears the search.' : 'No event of this log derives a message.';
    try {
      if (this.list.length === 0) this.explain('Being derived…');
      await session.derive(this.#pairing);
      length = await session.rules.call('view', this.query);
    } catch (error) {
      why = `There are no messages. ${refusalWords(error)}`;
    }
    if (session !== this.session) return;
    await this.list.show(new Uint8Array(length).fill(MESSAGE_HEIGHT));
    this.explain(length > 0 ? '' : why);
    this.say(many(length, 'message'));
  }

  async selectedRow(index) {
    const message = await this.session.rules.call('detail', index);
    if (message && index === this.selected) showMessage(message, index, this.#goTo);
  }
}
