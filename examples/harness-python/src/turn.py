"""How a turn is written down."""

import json
from dataclasses import dataclass
from typing import Any, Self

from wit_world.imports import session_persistence as sessions

from place import Call


def emit(session: str, type: str, data: dict[str, Any]) -> None:
    """Append an event.

    `json` escapes all but ASCII: half a surrogate pair too, which no string of a component can hold.
    """
    sessions.emit_event(session, type, json.dumps(data, separators=(",", ":")))


def answer(call: Call) -> str:
    """What the tools answer. Running them twice does no harm."""
    return "config.toml: 1 line changed, `attempts = 3`" if call.name == "replace" else "12 passed, 0 failed"


@dataclass
class Turn:
    """An open turn of a session. The store gives each event its place and time."""

    session: str
    number: int
    step: int = 0

    @classmethod
    def start(cls, session: str, number: int) -> Self:
        emit(session, "turn/start", {"turn": number, "trigger": {"kind": "message", "source": {"kind": "user"}}})
        return cls(session, number)

    def user_says(self, text: str) -> None:
        emit(self.session, "user/message", {"content": [{"type": "text", "text": text}], "source": {"kind": "user"}})

    def whole_step(self, text: str, calls: list[Call]) -> None:
        """A whole step: what the model says, and the calls that it makes, one after another."""
        self.step_start()
        self.assistant_says(text, calls)
        for call in calls:
            self.tool_starts(call)
            self.tool_answers(call)
        self.emit("step/end", {})

    def step_start(self) -> None:
        self.step += 1
        self.emit("step/start", {})

    def assistant_says(self, text: str, calls: list[Call]) -> None:
        content = [{"type": "text", "text": text}]
        for call in calls:
            content.append({"type": "tool-call", "id": call.id, "name": call.name, "arguments": call.arguments})
        self.emit("assistant/message", {"content": content})

    def tool_starts(self, call: Call) -> None:
        self.emit("tool/call", {"callId": call.id, "name": call.name, "arguments": call.arguments})

    def tool_answers(self, call: Call) -> None:
        content = [{"type": "text", "text": answer(call)}]
        self.emit("tool/result", {"callId": call.id, "content": content, "isError": False})

    def end(self) -> None:
        emit(self.session, "turn/end", {"turn": self.number, "reason": {"kind": "completed"}})

    def emit(self, type: str, data: dict[str, Any]) -> None:
        """An event of the turn's present step."""
        emit(self.session, type, {"turn": self.number, "step": self.step, **data})
