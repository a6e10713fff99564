// The words of pi and those of the tree.

import { value as valueAt } from '@earendil-works/pi-agent-core/harness/session';

const typeOf = (type) => (type === 'branch_summary' ? 'branch-summary' : type);
const piTypeOf = (type) => (type === 'branch-summary' ? 'branch_summary' : type);

export function writeOf(write) {
  switch (write.kind) {
    case 'entry': {
      const { id, parentId, type, customType, ...payload } = write.entry;
      return { entry: { id, parent: parentId ?? undefined, type: typeOf(type), customType, payload } };
    }
    case 'usage': {
      const { entryId, ...row } = write.row;
      return { usage: { ...row, entry: entryId } };
    }
    case 'value':
      return write.op === 'set' ? { setValue: keptOf(write) } : { deleteValue: addressOf(write) };
    case 'list':
      return write.op === 'append' ? { appendList: keptOf(write) } : { deleteList: addressOf(write) };
  }
}

const addressOf = ({ namespace, key }) => ({ namespace, key });
const keptOf = ({ namespace, key, value }) => ({ namespace, key, value });

export const structureOf = ({ id, parent, number, timestamp, type, customType }) => ({
  id,
  parentId: parent ?? null,
  seq: number,
  timestamp,
  type: piTypeOf(type),
  ...(customType !== undefined && { customType }),
});

export const entryOf = ({ payload, ...structure }) => ({ ...structureOf(structure), ...payload });

export const rowOf = ({ number, entry, ...row }) => ({ ...row, seq: number, ...(entry !== undefined && { entryId: entry }) });

export const valueOf = ({ namespace, key, value, number }) => ({ address: valueAt(namespace, key), value, seq: number });

export const elementOf = ({ number, value }) => ({ seq: number, value });

export function statsOf({ messageCount, usage: { cacheWriteOneHour, ...usage } }) {
  return { messageCount, usage: { ...usage, ...(cacheWriteOneHour !== undefined && { cacheWrite1h: cacheWriteOneHour }) } };
}

const ALL = 2 ** 32 - 1;
export const limitOf = (limit = ALL) => Math.min(Math.max(Math.trunc(limit), 0), ALL);

export const scanOf = ({ fromSeq, toSeq, order, limit }) => ({
  from: fromSeq,
  to: toSeq,
  direction: order === 'desc' ? 'newest-first' : 'oldest-first',
  limit: limitOf(limit),
});

export const entryScanOf = ({ type, customType, ...range }) => ({ ...scanOf(range), type: typeOf(type), customType });

export const pathScanOf = ({ stopAtId, stopAtType, type, customType, order, limit, cursor }) => ({
  stopAtId,
  stopAtType: typeOf(stopAtType),
  type: typeOf(type),
  customType,
  direction: order === 'oldestFirst' ? 'oldest-first' : 'newest-first',
  cursor: cursor?.seq,
  limit: limitOf(limit),
});
