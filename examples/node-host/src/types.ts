/** The vocabulary of sessions, as in the WIT package `agent:session`. Numbers are whole, from 0 to 2^53 - 1. */

import type { Code } from './errors.js';

export type { Code };

/** One thing that happened in a session. */
export interface Event {
  /** Its position: the first event is 0, and there are no holes. */
  seq: number;
  /** When it was written, in milliseconds since the Unix epoch. */
  time: number;
  /** For example `turn/start` or `tool/result`. Unknown types are kept and carried. */
  type: string;
  /** What happened, as `JSON.parse` reads it. `lines` has it byte for byte. */
  data: any;
}

/** The first line of a session's log. */
export interface SessionHeader {
  /** On-disk format version. */
  version: number;
  /** The session's name. */
  id: string;
  /** When it was created, in milliseconds since the Unix epoch. */
  createdAt: number;
  /** Working directory that it was created in. */
  cwd?: string;
  /** The session that it was forked from. */
  parentSession?: string;
  /** How many leading events were copied from there. */
  seedLength?: number;
}

/** A session to be created. */
export interface NewSession {
  /** Any text of 1 to 255 bytes without U+0000. */
  id: string;
  /** Working directory. Make it absolute: it is kept, and compared, as it is given. */
  cwd?: string;
  /** The session that it goes on from. */
  parentSession?: string;
  /** Defaults to now. */
  createdAt?: number;
}

/** How to wake a session. */
export interface WakeOptions {
  /** A turn that was left open: `close` it as interrupted (the default), or `keep` it open. */
  openTurn?: 'close' | 'keep';
  /** Where records stand behind damage: `refuse` (the default), or `set-aside` those records too. */
  onDamage?: 'refuse' | 'set-aside';
}

/** Where a log stops being sound, and how. */
export interface Damage {
  /** `torn` is the trace of a crash, with no record behind it; behind all others records stand. */
  kind: 'torn' | 'malformed' | 'gap' | 'repeated';
  /** How many sound events come before it. */
  expected: number;
  /** Byte offset of the line. */
  offset: number;
  /** The bytes from there to the end. */
  length: number;
  /** Whole records among those bytes. */
  records: number;
  /** What was read there, and why it is no sound next record. */
  detail: string;
}

/** What waking a session mended, or would mend. */
export interface Recovery {
  /** What is or was wrong with the log. */
  damage?: Damage;
  /** Name of the place where the bytes that were cut are kept. */
  keptAt?: string;
  /** The events that close an interrupted turn. */
  closers: Event[];
}

/** Where a session stands. */
export interface SessionState {
  /** The first line of its log. */
  header: SessionHeader;
  /** Number of events, so also the next `seq`. */
  length: number;
  /** Changes whenever the log does, and not otherwise. */
  revision: string;
  /** Some writer holds the session. */
  held: boolean;
  /** A turn is open at the end. */
  turnOpen: boolean;
  /** The last `session/boundary` event. */
  boundary?: Event;
  /** What waking mended, or would mend. */
  recovery: Recovery;
  /** Names of the places where bytes cut from this log are kept. */
  asides: string[];
}

/** One message of the conversation, as a model is to see it. */
export interface Message {
  /** Who speaks. */
  role: 'system' | 'user' | 'assistant';
  /** Content blocks. */
  content: any[];
  /** The `seq` of the event that it comes from. */
  source: number;
}

/** How to derive messages. */
export interface MessageOptions {
  /** Derive from the first so many events only. */
  length?: number;
  /** `paired` (the default): every tool call is followed at once by its results, as providers demand. `recorded`: in log order. */
  pairing?: 'paired' | 'recorded';
}

/** Which sessions to list. */
export interface ListOptions {
  /** `by-id` (the default), or `recent`: last grown first. */
  order?: 'by-id' | 'recent';
  /** Only those created in this working directory. */
  cwd?: string;
  /** Only those forked from this session. */
  parentSession?: string;
}

/** What stands in a list: a session, or a log that can't be read. */
export type Listed = ListedSession | Unreadable;

/** A session in a list. */
export interface ListedSession {
  /** Its id. */
  id: string;
  /** The first line of its log. */
  header: SessionHeader;
  /** Length of the log in bytes. */
  bytes: number;
  /** When it last grew, in milliseconds since the Unix epoch. */
  modified: number;
  /** Some writer holds it. */
  held: boolean;
}

/** A log that can't be read. */
export interface Unreadable {
  /** The id that its name encodes, if it encodes one. */
  id?: string;
  /** How it is called where it is stored. */
  name: string;
  /** Why. */
  reason: Reason;
}

/** Why a call failed: the case of the WIT variant `error`, and a sentence for people. */
export interface Reason {
  /** The name of the case. */
  code: Code;
  /** What the case carries. */
  payload: unknown;
  /** What was wrong, and what to do. */
  message: string;
}

/** A page of events. */
export interface EventPage {
  /** In log order. */
  events: Event[];
  /** Where to go on. At the end it is where the page was asked to start, or the end of the log. */
  next: number;
}

/** A page of messages. */
export interface MessagePage {
  /** In the order of the conversation. */
  messages: Message[];
  /** Index of the next message; none at the end. */
  next?: number;
}

/** A page of a list. */
export interface ListPage {
  /** In the order asked for. */
  items: Listed[];
  /** Hand this back as `cursor` to go on; none at the end. */
  next?: string;
}

/** What a store knows of one log without reading it. */
export interface LogInfo {
  /** None if the stored name is the encoding of no id. */
  id?: string;
  /** How the log is called where it is stored. */
  name: string;
  /** Length in bytes. */
  length: number;
  /** When its bytes last changed, by an append or a cut and by nothing else. */
  modified: number;
  /** Differs whenever the log was removed and made anew. */
  identity: string;
  /** Some writer holds the log. */
  held: boolean;
}

/** One piece of a log to be published: these bytes, or a stretch of another log. */
export type Part = { tag: 'content'; val: Uint8Array } | { tag: 'copy'; val: { id: string; at: number; length: number } };

/** Bytes that were cut off a log. */
export interface Aside {
  /** Names them among the asides of this log. */
  name: string;
  /** How many. */
  length: number;
}

/** A place in a list: the last log that was seen. */
export interface Place {
  /** What `LogInfo` called it. */
  name: string;
  /** When it had last changed then. */
  modified: number;
}

/**
 * Where the bytes are kept: the WIT interface `storage`, whose rules (`wit/storage.wit`) every store must keep; the
 * conformance component proves that it does. A store answers at once, never with a promise. What it can't do it throws as a
 * `StorageError`; any other error is told as `trapped`, and a fresh instance of the component goes on.
 */
export interface Storage {
  acquire(id: string): LogInfo;
  release(id: string): void;
  publish(id: string, parts: Part[]): LogInfo;
  append(id: string, at: number, content: Uint8Array): void;
  sync(id: string): void;
  stat(id: string): LogInfo;
  read(id: string, at: number, max: number): Uint8Array;
  setAside(id: string, at: number): Aside;
  asides(id: string): Aside[];
  readAside(id: string, name: string, at: number, max: number): Uint8Array;
  list(order: 'by-id' | 'recent', after: Place | undefined, max: number): LogInfo[];
  remove(id: string): void;
  saveCheckpoint(id: string, content: Uint8Array): void;
  loadCheckpoint(id: string): Uint8Array;
  /** Lets go of everything that it holds. */
  close?(): void;
}
