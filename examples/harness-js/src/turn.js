// How a turn is written down.

import sessions from "agent:session/session-persistence@0.1.0";

/** What the tools answer. Running them twice does no harm. */
const answer = ({ name }) =>
  name === "replace" ? "config.toml: 1 line changed, `attempts = 3`" : "12 passed, 0 failed";

/** An open turn of a session. The store gives each event its place and time. */
export class Turn {
  constructor(session, number) {
    this.session = session;
    this.number = number;
    this.step = 0;
  }

  static start(session, number) {
    const data = { turn: number, trigger: { kind: "message", source: { kind: "user" } } };
    sessions.emitEvent(session, "turn/start", JSON.stringify(data));
    return new Turn(session, number);
  }

  userSays(text) {
    const data = { content: [{ type: "text", text }], source: { kind: "user" } };
    sessions.emitEvent(this.session, "user/message", JSON.stringify(data));
  }

  /** A whole step: what the model says, and the calls that it makes, one after another. */
  wholeStep(text, calls = []) {
    this.stepStart();
    this.assistantSays(text, calls);
    for (const call of calls) {
      this.toolStarts(call);
      this.toolAnswers(call);
    }
    this.emit("step/end", {});
  }

  stepStart() {
    this.step += 1;
    this.emit("step/start", {});
  }

  assistantSays(text, calls) {
    const content = [{ type: "text", text }];
    for (const call of calls) {
      content.push({ type: "tool-call", id: call.id, name: call.name, arguments: call.arguments });
    }
    this.emit("assistant/message", { content });
  }

  toolStarts(call) {
    this.emit("tool/call", { callId: call.id, name: call.name, arguments: call.arguments });
  }

  toolAnswers(call) {
    this.emit("tool/result", { callId: call.id, content: [{ type: "text", text: answer(call) }], isError: false });
  }

  end() {
    const data = { turn: this.number, reason: { kind: "completed" } };
    sessions.emitEvent(this.session, "turn/end", JSON.stringify(data));
  }

  /** An event of the turn's present step. */
  emit(type, data) {
    sessions.emitEvent(this.session, type, JSON.stringify({ turn: this.number, step: this.step, ...data }));
  }
}
