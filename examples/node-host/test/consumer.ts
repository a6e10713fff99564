// What a program in TypeScript sees: never run, only checked.

import {
  JsonlFolder, SessionError, componentImports, openSessions, openSessionsInWorker, type Committed, type Entry, type Event, type SessionState,
  type Sessions, type Storage, type Tree, type WorkerTree,
} from 'session-store-wasm';

const sessions: Sessions = openSessions({ root: 'sessions' });
const state: SessionState = sessions.wake('x', { openTurn: 'keep' });
const seq: number = sessions.emit('x', 'turn/start', { turn: state.length });
for await (const event of sessions.events('x', { start: seq })) {
  const { type, data }: Event = event;
  console.log(type, data.turn);
}
for await (const item of sessions.list({ order: 'recent' })) {
  console.log('reason' in item ? item.reason.message : item.header.createdAt);
}
const [{ role, content }] = await sessions.messages('x');
console.log(role, content.length);

const tree: Tree = sessions.tree('x', { text: true });
const { first, stats }: Committed = tree.commit([
  { entry: { id: 'a', type: 'custom', customType: 'note', payload: {} } },
  { setValue: { namespace: 'app', key: 'k', value: 1 } },
], { timestamp: 5 });
for await (const { id, number } of tree.branchEntries('a', { direction: 'oldest-first', cursor: first })) {
  console.log(id, number + stats.messageCount);
}
tree.fork('y', { branch: 'main', before: 'a' });

const remote = await openSessionsInWorker({ root: 'sessions' });
const length: number = (await remote.inspect('x')).length;
for await (const block of remote.lines('x', { start: length })) {
  block.trimEnd();
}
try {
  await remote.close();
} catch (error) {
  if (error instanceof SessionError && error.code === 'busy') {
    console.log(error.message, error.payload);
  }
}

const remoteTree: WorkerTree = remote.tree('x');
const entries: Entry[] = await remoteTree.getEntries(['a']);
for await (const { name, tip = 'none' } of remoteTree.branches()) {
  console.log(name, tip, entries.length);
}

declare const storage: Storage;
openSessions({ storage, clock: () => 0 }).close();
declare const instantiate: (imports: { 'agent:session/clock@0.1.0': { now(): bigint } }) => void;
instantiate(componentImports(new JsonlFolder('sessions'), { clock: () => 0 }));

// @ts-expect-error A session is waked by its id.
sessions.wake(7);
// @ts-expect-error There is no such option.
sessions.wake('x', { openTurn: 'drop' });
// @ts-expect-error There is no such code.
new SessionError('bussy');
// @ts-expect-error A path is no store.
componentImports('sessions');
// @ts-expect-error In a worker every answer is a promise.
const now: SessionState = remote.inspect('x');
// @ts-expect-error A store has more to do.
openSessions({ storage: { acquire() {} } });
// @ts-expect-error There is no such write.
tree.commit([{ entry: { id: 'a', type: 'note', payload: {} } }]);
// @ts-expect-error It is cut at one place.
tree.fork('y', { branch: 'main', at: 'a', before: 'b' });
// @ts-expect-error In a worker every answer is a promise.
const there: Entry[] = remoteTree.getEntries([]);
