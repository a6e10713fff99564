/** The vocabulary of trees, as in the WIT interface `session-tree`. Numbers are whole, from 0 to 2^53 - 1, but for sums of usage. */

/** What an entry is: a message of the conversation, what stands for all before it, what happened on a branch that was left, or anything else. */
export type EntryType = 'message' | 'compaction' | 'branch-summary' | 'custom';

/** In which order to go. */
export type Direction = 'oldest-first' | 'newest-first';

/** An entry to be written. */
export interface NewEntry {
  /** Its name. Entries and rows of usage share one space of names. */
  id: string;
  /** The entry that it follows; none for a root. */
  parent?: string;
  /** What it is. */
  type: EntryType;
  /** What the application calls it; `custom` entries need it. */
  customType?: string;
  /** An object with the members of its type, for example `{ message: {…} }`. */
  payload: any;
}

/** A row of the ledger to be written. */
export interface NewUsage {
  /** Its name. Entries and rows of usage share one space of names. */
  id: string;
  /** The entry that it was used for. It need not be there. */
  entry?: string;
  /** A correction in place of a provider's report; false by default. */
  adjustment?: boolean;
  /** `{ input, output, cacheRead, cacheWrite, totalTokens, cost: {…} }`. */
  usage: any;
  /** Anything of the application's. */
  details?: any;
}

/** Where a value or a list is kept. One of each may have the same address. */
export interface Address {
  /** Whose it is. `pi` and all that begins with `pi.` is the tree's own. */
  namespace: string;
  /** Which one; it may be empty. */
  key: string;
}

/** A value to be kept. */
export interface NewValue extends Address {
  /** What. */
  value: any;
}

/** One change. */
export type Write =
  | { entry: NewEntry }
  | { usage: NewUsage }
  | { setValue: NewValue }
  | { deleteValue: Address }
  | { appendList: NewValue }
  | { deleteList: Address };

/** Number and time that are given to a commit, where they come from elsewhere. */
export interface CommitOptions {
  /** The number of the first write, not below the next one, which is the default. */
  first?: number;
  /** When the entries came to be, in milliseconds since the Unix epoch; now by default. */
  timestamp?: number;
}

/** A sum over rows of the ledger. */
export interface UsageSum {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Of what was written to the cache, what is kept for an hour; absent if no row says. */
  cacheWriteOneHour?: number;
  /** Absent if no row says. */
  reasoning?: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

/** Totals. */
export interface Stats {
  /** Entries of the type `message`. */
  messageCount: number;
  /** The ledger's sum. */
  usage: UsageSum;
}

/** What was committed. */
export interface Committed {
  /** The number of the first write; the others follow without a hole. Of no writes: the number that the next will have. */
  first: number;
  /** When. */
  timestamp: number;
  /** Totals right after it. */
  stats: Stats;
}

/** Where a tree stands. */
export interface TreeState {
  /** What the session is called. */
  name?: string;
  /** The number that the next write will have. */
  next: number;
  /** Totals. */
  stats: Stats;
  /** Entries of every type. */
  entryCount: number;
  /** Rows of the ledger. */
  usageCount: number;
  /** Commits of the log that break a rule and changed nothing, the first hundred of them: the `seq` of each event, and why. */
  refused: { event: number; reason: string }[];
}

/** An entry without its payload. */
export interface EntryStructure {
  /** Its name. */
  id: string;
  /** The entry that it follows; absent for a root. */
  parent?: string;
  /** Its number. */
  number: number;
  /** When it was committed, in milliseconds since the Unix epoch. */
  timestamp: number;
  /** What it is. */
  type: EntryType;
  /** What the application calls it. */
  customType?: string;
}

/** An entry. */
export interface Entry extends EntryStructure {
  /** An object with the members of its type. */
  payload: any;
}

/** A row of the ledger. */
export interface UsageRow extends NewUsage {
  /** Its number. */
  number: number;
  adjustment: boolean;
}

/** A value as it is kept. */
export interface StoredValue extends NewValue {
  /** The number of the write that set it last. */
  number: number;
}

/** An element of a list. */
export interface ListElement {
  /** The number of the write that added it. */
  number: number;
  /** What was added. */
  value: any;
}

/** A named tip. */
export interface Branch {
  /** Its name. */
  name: string;
  /** The entry that it stands at; absent before the first. */
  tip?: string;
}

/** A label of an entry. */
export interface Label {
  /** Which entry. */
  entry: string;
  /** What it is called. */
  text: string;
}

/**
 * Which entries of a branch. First the path is put in order, then cut after the first entry at which to stop, then filtered,
 * then what the cursor has passed is left out, and then the limit counts.
 */
export interface BranchScan {
  /** The last entry wanted, in the order of the scan. */
  stopAtId?: string;
  /** The first entry of this type is the last wanted, in the order of the scan. */
  stopAtType?: EntryType;
  /** Only those of this type. */
  type?: EntryType;
  /** Only those that the application calls so. */
  customType?: string;
  /** `newest-first` by default. */
  direction?: Direction;
  /** Only those beyond this number, in the order of the scan. */
  cursor?: number;
  /** At most so many; all by default. */
  limit?: number;
}

/** Which rows of the ledger, elements of a list or entries of the whole session. */
export interface RangeScan {
  /** Not below this number. */
  from?: number;
  /** Not above this number. */
  to?: number;
  /** `oldest-first` by default. */
  direction?: Direction;
  /** At most so many; all by default. */
  limit?: number;
}

/** Which entries of the whole session. */
export interface EntryScan extends RangeScan {
  /** Only those of this type. */
  type?: EntryType;
  /** Only those that the application calls so. */
  customType?: string;
}

/** Which values of a namespace. */
export interface ValueScan {
  /** Keys that begin so; all by default. */
  prefix?: string;
  /** Only keys behind this one. */
  after?: string;
  /** At most so many; all by default. */
  limit?: number;
}

/** Some items, in the order asked for. */
export interface TreePage<Item> {
  items: Item[];
  /** The answer would have been too long: go on beyond the last of these. */
  more: boolean;
}

/** Which part of the tree to fork: one branch that is a lane, up to its tip, up to an entry, or up to the one before an entry. */
export type BranchFork = { branch: string; at?: string; before?: undefined } | { branch: string; before: string; at?: undefined };

/** A message of a branch's context. */
export interface ContextMessage {
  /** The entry that it comes from. */
  entry: string;
  /** As it was recorded, or `{ role: 'compactionSummary', … }`, or `{ role: 'branchSummary', … }`. */
  message: any;
}

/** A place in a branch's context. */
export interface ContextPlace {
  /** The number of an entry. */
  number: number;
  /** Which of the messages that come from it. */
  index: number;
}

/** Some messages of a branch's context. */
export interface ContextPage {
  /** In the order of the conversation. */
  messages: ContextMessage[];
  /** Where to go on; absent at the end. */
  next?: ContextPlace;
}
