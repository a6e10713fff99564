// A harness in a sandbox: it sees sessions and a clock, and nothing else.
//
// A real one would ask a model what to do next; this one knows its lines. They are those of `examples/demo-harness`,
// event for event, so that what a harness in one language leaves undone, one in another takes up.

import sessions from "agent:session/session-persistence@0.1.0";

import { again, findPlace } from "./place.js";
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

/** The one job that this harness knows, and what a model would say to it. */
const JOB = "Rename the config key `retries` to `attempts` and run the tests.";
const PLAN = ["I'll rename ", "the key first, ", "then run the tests."];

/** The calls of that plan. */
const PLANNED = [
  { id: "call-1", name: "replace", arguments: '{"file":"config.toml","old":"retries","new":"attempts"}' },
  { id: "call-2", name: "run_tests", arguments: "{}" },
];

/** A turn that never ends: its second tool hangs, as tools do, until somebody stops the harness. */
function stall(session) {
  const turn = Turn.start(session, findPlace(session).turn);
  turn.userSays(JOB);
  turn.stepStart();
  for (const text of PLAN) turn.emit("assistant/chunk", { chunk: { type: "text-delta", index: 0, text } });
  const [edit, test] = PLANNED;
  turn.assistantSays(PLAN.join(""), [edit, test]);
  turn.toolStarts(edit);
  turn.toolAnswers(edit);
  turn.toolStarts(test);
  sessions.flush(session);
  for (;;);
}

/** A turn that takes up what the log says is undone. */
function resume(session, input) {
  const place = findPlace(session);
  const turn = Turn.start(session, place.turn);
  if (input) turn.userSays(input);

  const job = place.begun || place.asked.includes(JOB);
  if (job && !place.begun) turn.wholeStep(PLAN.join(""), PLANNED);
  for (const call of place.open) {
    const unknown = `Nobody knows how \`${call.name}\` ended; doing it twice does no harm, so I do it again.`;
    const text = call.started ? unknown : `\`${call.name}\` was not started, so I do it now.`;
    turn.wholeStep(text, [again(call)]);
  }

  let outcome = "Nothing was left open.";
  if (job) outcome = "Done, and the tests pass.";
  else if (place.asked.length) outcome = "I have no line for that.";
  if (place.asked.length) outcome += ` You asked: ${place.asked.join(" ")}`;
  turn.wholeStep(outcome);
  turn.end();
  sessions.flush(session);
  // JSON may hold half a surrogate pair, and `JSON.stringify` escapes it; as a string of its own it would be a trap.
  return outcome.toWellFormed();
}
