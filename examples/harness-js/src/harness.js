// A harness in a sandbox: it sees sessions and a clock, and nothing else.
//
// A real one would ask a model what to do next; this one knows its lines. They are those of `examples/demo-harness`,
// event for event, so that what a harness in one language leaves undone, one in another takes up.

import sessions from "agent:session/session-persistence@0.1.0";

import { findPlace } from "./place.js";
import { Turn } from "./turn.js";
import { why } from "./words.js";

/** The export of the world. What is thrown is the `err` of its `result<string, string>`. Each call is one turn. */
export function run(session, input) {
  attempt(`can't wake ${session}`, () => wake(session));
  return attempt(`can't go on with ${session}`, () => (input === "stall" ? stall(session) : resume(session, input)));
}

function attempt(what, act) {
  try {
    return act();
  } catch (error) {
    throw `${what}: ${why(error)}`;
  }
}

/** Becomes the session's writer. Whatever a harness before this one left open is closed by it. */
function wake(session) {
  try {
    sessions.wake(session, { openTurn: "close", onDamage: "refuse" });
  } catch (error) {
    if (error.payload?.tag !== "not-found") throw error;
    sessions.create({ id: session });
  }
}

/** A turn that never ends: its second tool hangs, as tools do, until somebody stops the harness. */
function stall(session) {
  const edit = { id: "call-1", name: "replace", arguments: '{"file":"config.toml","old":"retries","new":"attempts"}' };
  const test = { id: "call-2", name: "run_tests", arguments: "{}" };

  const turn = Turn.start(session, findPlace(session).turn + 1);
  turn.userSays("Rename the config key `retries` to `attempts` and run the tests.");
  turn.stepStart(1);
  for (const text of ["I'll rename ", "the key first, ", "then run the tests."]) {
    turn.emit("assistant/chunk", 1, { chunk: { type: "text-delta", index: 0, text } });
  }
  turn.assistantSays(1, "I'll rename the key first, then run the tests.", [edit, test]);
  turn.toolStarts(1, edit);
  turn.toolAnswers(1, edit, "config.toml: 1 line changed, `attempts = 3`");
  turn.toolStarts(1, test);
  sessions.flush(session);
  for (;;);
}

/** A turn that takes up what the log says is undone. */
function resume(session, input) {
  const place = findPlace(session);
  const turn = Turn.start(session, place.turn + 1);
  if (input) turn.userSays(input);

  let step = 1;
  for (const lost of place.unknown) {
    const again = { ...lost, id: `${lost.id}-again` };
    turn.stepStart(step);
    const text = `Nobody knows how \`${lost.name}\` ended; doing it twice does no harm, so I do it again.`;
    turn.assistantSays(step, text, [again]);
    turn.toolStarts(step, again);
    turn.toolAnswers(step, again, "12 passed, 0 failed");
    turn.stepEnd(step);
    step += 1;
  }

  const done = `Done, and the tests pass. You asked: ${place.asked ?? "nothing"}`;
  const outcome = place.unknown.length ? done : "Nothing was left open.";
  turn.stepStart(step);
  turn.assistantSays(step, outcome);
  turn.stepEnd(step);
  turn.end();
  sessions.flush(session);
  // JSON may hold half a surrogate pair, and `JSON.stringify` escapes it; as a string of its own it would be a trap.
  return outcome.toWellFormed();
}
