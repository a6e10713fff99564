// A log that is open: its bytes in one worker for the timeline, in another for the rules, so that neither waits for the other.

import { Remote } from './remote.js';
import { size } from './text/numbers.js';

/** What browsers can hold in one piece of memory. */
const LARGEST = 2 ** 31 - 1;

export class Session {
  /** What the rules found. `broken` is undefined until they have checked, and null where they can't. */
  findings = { damage: undefined, closers: [], refusal: undefined, broken: undefined };
  #pairing = null;

  constructor(name, onprogress) {
    this.name = name;
    this.timeline = new Remote('./workers/timeline.js', onprogress);
    this.rules = new Remote('./workers/rules.js');
  }

  async open(blob) {
    if (blob.size > LARGEST)
      throw new Error(`${this.name} has ${size(blob.size)}; a browser can hold ${size(LARGEST)} of it at most.`);
    const [log] = await Promise.all([this.timeline.call('open', blob), this.#examine(blob)]);
    Object.assign(this, log);
    this.tally = await this.timeline.call('judge', this.findings);
  }

  /** Whether anything in the file reads as an event of a session. */
  get isLog() {
    return this.header !== null || this.types.length > 0;
  }

  async #examine(blob) {
    try {
      await this.rules.call('open', blob);
      Object.assign(this.findings, await this.rules.call('examine'));
    } catch (refusal) {
      this.findings.refusal = refusal;
    }
  }

  async check() {
    this.findings.broken = this.findings.refusal ? null : await this.rules.call('check').catch(() => null);
  }

  /** Derives the messages unless they are there already. */
  async derive(pairing) {
    if (this.#pairing === pairing) return;
    this.#pairing = null;
    await this.rules.call('derive', pairing);
    this.#pairing = pairing;
  }

  close() {
    this.timeline.close();
    this.rules.close();
  }
}
