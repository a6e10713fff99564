// Where a session stands, read from its log alone.

import sessions from "agent:session/session-persistence@0.1.0";

/** The next attempt at a call, which has an id of its own. */
export const again = (call) => ({ ...call, id: `${call.id}-again` });

/**
 * What a harness must know before it goes on. All but `turn` tells of the time since a turn was last completed:
 * - `turn`: the number of the next turn;
 * - `asked`: what the person asked for;
 * - `begun`: whether a model has called tools for it;
 * - `open`: the calls that did not come to their end; what a `started` one did, nobody knows until it is answered.
 */
export function findPlace(session) {
  const place = { turn: 1, asked: [], begun: false, open: [] };
  let next = 0; // a `u64` is a Number here; a BigInt would be a trap
  for (;;) {
    // The chunks of a streamed answer stand once more in its message.
    const page = sessions.getEvents(session, next, 256, ["assistant/chunk"]);
    if (page.events.length === 0) return place;
    next = page.next;
    // Others write in this log too, and data may be any JSON.
    for (const event of page.events) take(place, event.type, JSON.parse(event.data) ?? {});
  }
}

function take(place, type, data) {
  // Ids are used again in other turns: the last call of that id is meant.
  const called = place.open.findLastIndex((call) => call.id === string(data.callId));
  switch (type) {
    case "turn/start": {
      const number = Number.isSafeInteger(data.turn) && data.turn >= 0 ? data.turn : place.turn;
      place.turn = Math.min(number + 1, Number.MAX_SAFE_INTEGER);
      break;
    }
    case "turn/end":
      if (data.reason?.kind === "completed") Object.assign(place, { asked: [], begun: false, open: [] });
      break;
    case "user/message":
      place.asked.push(...[text(data.content)].filter((text) => text));
      break;
    case "assistant/message":
      for (const block of blocks(data.content)) if (block?.type === "tool-call") call(place, block);
      break;
    case "tool/call":
      if (called >= 0) place.open[called].started = true;
      break;
    case "tool/result":
      // These are written when the session is woken: that call was interrupted.
      if (["TOOL_NOT_STARTED", "TOOL_OUTCOME_UNKNOWN"].includes(data.error?.code)) break;
      if (called >= 0) place.open.splice(called, 1);
      break;
  }
}

/** A call is made. If it repeats another, it takes its place, and nobody knows more than before how that one ended. */
function call(place, block) {
  const id = string(block.id);
  place.begun = true;
  const repeated = place.open.find((call) => again(call).id === id);
  if (repeated) repeated.id = id;
  else place.open.push({ id, name: string(block.name), arguments: string(block.arguments), started: false });
}

/** The text of a message: its content is an array of blocks, or a string. */
function text(content) {
  return string(content) || blocks(content).map((block) => string(block?.text)).join("");
}

const blocks = (content) => (Array.isArray(content) ? content : []);
const string = (value) => (typeof value === "string" ? value : "");
