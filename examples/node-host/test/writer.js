// A writer that tells each `seq` once it is acknowledged, until it is killed. Goes on where the log ends.

import fs from 'node:fs';
import { openSessions } from '../src/index.js';

const [root, id] = process.argv.slice(2);
const sessions = openSessions({ root });
let length = 0;
if (sessions.has(id)) {
  length = sessions.wake(id, { openTurn: 'keep' }).length;
} else {
  sessions.create(id);
}
for (;; length++) {
  const seq = sessions.emit(id, 'note', { seq: length, text: 'words '.repeat(length % 40) });
  fs.writeSync(1, `${seq}\n`);
}
