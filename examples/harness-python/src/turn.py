"""How a turn is written down."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

from wit_world.imports import session_persistence as sessions

from place import Call


def emit(session: str, type: str, data: dict[str, Any]) -> None:
    """Append an event.

    `json` escapes all but ASCII: half a surrogate pair too, which no string of a component can hold.
    """
    sessions.emit_event(session, type, json.dumps(data, separators=(",", ":")))


@dataclass
class Turn:
    """An open turn of a session. The store gives each event its place and time."""

    session: str
    number: int

    @classmethod
    def start(cls, session: str, number: int) -> Self:
        emit(session, "turn/start", {"turn": number, "trigger": {"kind": "message", "source": {"kind": "user"}}})
        return cls(session, number)

    def user_says(self, text: str) -> None:
        emit(self.session, "user/message", {"content": [{"type": "text", "text": text}], "source": {"kind": "user"}})

    def step_start(self, step: int) -> None:
        self.emit("step/start", step, {})

    def assistant_says(self, step: int, text: str, calls: list[Call]) -> None:
        content = [{"type": "text", "text": text}, *({"type": "tool-call", **asdict(call)} for call in calls)]
        self.emit("assistant/message", step, {"content": content})

    def tool_starts(self, step: int, call: Call) -> None:
        self.emit("tool/call", step, {"callId": call.id, "name": call.name, "arguments": call.arguments})

    def tool_answers(self, step: int, call: Call, text: str) -> None:
        content = [{"type": "text", "text": text}]
        self.emit("tool/result", step, {"callId": call.id, "content": content, "isError": False})

    def step_end(self, step: int) -> None:
        self.emit("step/end", step, {})

    def end(self) -> None:
        emit(self.session, "turn/end", {"turn": self.number, "reason": {"kind": "completed"}})

    def emit(self, type: str, step: int, data: dict[str, Any]) -> None:
        """An event of one of the turn's steps."""
        emit(self.session, type, {"turn": self.number, "step": step, **data})
