// Makes a session and tells how that went; ends with its input.

import { openSessions } from '../src/index.js';

const [root, id] = process.argv.slice(2);
const sessions = openSessions({ root });
try {
  sessions.create(id);
  sessions.emit(id, 'note', process.pid);
  console.log('made');
} catch (error) {
  console.log(/** @type {any} */ (error).code);
}
process.stdin.resume();
