// How a turn is written down.

import sessions from "agent:session/session-persistence@0.1.0";

/** An open turn of a session. The store gives each event its place and time. */
export class Turn {
  constructor(session, number) {
    this.session = session;
    this.number = number;
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

  stepStart(step) {
    this.emit("step/start", step, {});
  }

  assistantSays(step, text, calls = []) {
    const content = [{ type: "text", text }, ...calls.map((call) => ({ type: "tool-call", ...call }))];
    this.emit("assistant/message", step, { content });
  }

  toolStarts(step, call) {
    this.emit("tool/call", step, { callId: call.id, name: call.name, arguments: call.arguments });
  }

  toolAnswers(step, call, text) {
    this.emit("tool/result", step, { callId: call.id, content: [{ type: "text", text }], isError: false });
  }

  stepEnd(step) {
    this.emit("step/end", step, {});
  }

  end() {
    const data = { turn: this.number, reason: { kind: "completed" } };
    sessions.emitEvent(this.session, "turn/end", JSON.stringify(data));
  }

  /** An event of one of the turn's steps. */
  emit(type, step, data) {
    sessions.emitEvent(this.session, type, JSON.stringify({ turn: this.number, step, ...data }));
  }
}
