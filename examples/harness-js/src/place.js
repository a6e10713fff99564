// Where a session stands, read from its log alone.

import messages from "agent:session/messages@0.1.0";
import sessions from "agent:session/session-persistence@0.1.0";

/**
 * What a harness must know before it goes on:
 * - `turn`: the number of the last turn; 0 if there was none;
 * - `unknown`: tools of the last turn that were running when it was interrupted: nobody knows what they did;
 * - `asked`: what the person last asked for.
 */
export function findPlace(session) {
  const place = { turn: 0, unknown: [], asked: lastQuestion(session) };
  let running = [];
  let next = 0; // a `u64` is a Number here; a BigInt would be a trap
  for (;;) {
    // The chunks of a streamed answer stand once more in its message.
    const page = sessions.getEvents(session, next, 256, ["assistant/chunk"]);
    if (page.events.length === 0) return place;
    next = page.next;
    for (const event of page.events) {
      // Others write in this log too, and data may be any JSON.
      const data = JSON.parse(event.data) ?? {};
      const text = (name) => (typeof data[name] === "string" ? data[name] : "");
      switch (event.type) {
        case "turn/start":
          place.turn = Number.isSafeInteger(data.turn) && data.turn >= 0 ? data.turn : place.turn + 1;
          place.unknown = [];
          running = [];
          break;
        case "tool/call":
          running.push({ id: text("callId"), name: text("name"), arguments: text("arguments") });
          break;
        case "tool/result":
          if (data.error?.code === "TOOL_OUTCOME_UNKNOWN") {
            place.unknown.push(...running.filter((call) => call.id === text("callId")).slice(0, 1));
          }
          break;
      }
    }
  }
}

/**
 * The text of the last message that a person wrote.
 * Tool results are messages of the user too, but hold no text of theirs.
 */
function lastQuestion(session) {
  let asked = null;
  let start = 0;
  do {
    const page = messages.deriveMessages(session, { pairing: "paired", start, maxBytes: 1 << 20 });
    for (const message of page.messages.filter((message) => message.role === "user")) {
      const texts = JSON.parse(message.content).map((block) => block?.text);
      if (texts.every((text) => typeof text === "string")) asked = texts.join("") || asked;
    }
    start = page.next;
  } while (start !== null);
  return asked;
}
