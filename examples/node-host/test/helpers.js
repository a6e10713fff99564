import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Does something with an empty folder of its own, which is removed in the end. @template T @param {(root: string) => T} use @returns {T} */
export function withFolder(use) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'session-store-'));
  const remove = () => fs.rmSync(root, { recursive: true, force: true });
  let result;
  try {
    result = use(root);
  } catch (error) {
    remove();
    throw error;
  }
  if (result instanceof Promise) {
    return /** @type {T} */ (result.finally(remove));
  }
  remove();
  return result;
}

/** @template T @param {AsyncIterable<T>} items */
export async function all(items) {
  const found = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
}

/** The command of the Rust host. */
const COMMAND = process.env.SESSION_BIN ?? fileURLToPath(new URL('../../../target/release/session', import.meta.url));

export function command() {
  if (!fs.existsSync(COMMAND)) {
    throw new Error(`there is no \`${COMMAND}\`: run \`cargo build --release\` first, or say in SESSION_BIN where the command is`);
  }
  return COMMAND;
}

/** Runs the Rust host's command to its end. @param {string} root @param {string[]} args */
export function session(root, args, input = '') {
  const { status, stdout, stderr } = spawnSync(command(), ['--root', root, ...args], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status, stdout, stderr };
}

/** The same where it must succeed; answers what it printed. @param {string} root @param {string[]} args */
export function done(root, args, input = '') {
  const { status, stdout, stderr } = session(root, args, input);
  if (status !== 0) {
    throw new Error(`session ${args.join(' ')} ended with ${status}: ${stderr}`);
  }
  return stdout;
}

/** A process that answers line by line. */
export class Talking {
  #lines;

  /** @param {string} program @param {string[]} args */
  constructor(program, args) {
    this.process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = readline.createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.ended = once(this.process, 'exit');
  }

  /** The Rust host's command. @param {string} root @param {string[]} args */
  static session(root, ...args) {
    return new Talking(command(), ['--root', root, ...args]);
  }

  /** A program of this package's tests. @param {string} file @param {string[]} args */
  static node(file, ...args) {
    return new Talking(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args]);
  }

  /** @param {string} line */
  say(line) {
    this.process.stdin.write(`${line}\n`);
  }

  /** The next line that it says; none at its end. @returns {Promise<string | undefined>} */
  async hear() {
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  /** Lets it come to its own end. */
  async end() {
    this.process.stdin.end();
    await this.ended;
  }

  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
