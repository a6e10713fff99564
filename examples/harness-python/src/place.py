"""Where a session stands, read from its log alone."""

import json
from dataclasses import dataclass, field, replace
from typing import Any, Self

from wit_world.imports import session_persistence as sessions

MAX_TURN = 2**53 - 1
"""The last number of a turn that every reader of JSON keeps as it is."""


@dataclass
class Call:
    """A tool call as the log tells of it."""

    id: str
    name: str
    arguments: str
    """JSON in a string, as models write it."""
    started: bool = False
    """Once it is, nobody knows what it did until it is answered."""

    def again(self) -> Self:
        """The next attempt at it, which has an id of its own."""
        return replace(self, id=f"{self.id}-again")


@dataclass
class Place:
    """What a harness must know before it goes on. All but `turn` tells of the time since a turn was last completed."""

    turn: int = 1
    """The number of the next turn."""
    asked: list[str] = field(default_factory=list)
    """What the person asked for."""
    begun: bool = False
    """Whether a model has called tools for it."""
    open: list[Call] = field(default_factory=list)
    """The calls that did not come to their end."""

    @classmethod
    def find(cls, session: str) -> Self:
        place = cls()
        start = 0
        # The chunks of a streamed answer stand once more in its message.
        while (page := sessions.get_events(session, start, 256, ["assistant/chunk"])).events:
            start = page.next
            for event in page.events:
                place.take(event.type, parse(event.data))
        return place

    def take(self, type: str, data: Any) -> None:
        # Ids are used again in other turns: the last call of that id is meant.
        id = string(data, "callId")
        called = next((call for call in reversed(self.open) if call.id == id), None)
        match type:
            case "turn/start":
                number = whole(data, "turn")
                self.turn = min((self.turn if number is None else number) + 1, MAX_TURN)
            case "turn/end":
                if string(member(data, "reason", dict), "kind") == "completed":
                    self.asked, self.begun, self.open = [], False, []
            case "user/message":
                if text := string(data, "content") or "".join(string(block, "text") for block in blocks(data)):
                    self.asked.append(text)
            case "assistant/message":
                for block in blocks(data):
                    if string(block, "type") == "tool-call":
                        self.call(Call(string(block, "id"), string(block, "name"), string(block, "arguments")))
            case "tool/call":
                if called:
                    called.started = True
            case "tool/result":
                # These are written when the session is woken: that call was interrupted.
                code = string(member(data, "error", dict), "code")
                if called and code not in ("TOOL_NOT_STARTED", "TOOL_OUTCOME_UNKNOWN"):
                    self.open = [call for call in self.open if call is not called]

    def call(self, call: Call) -> None:
        """A call is made. If it repeats another, it takes its place, and nobody knows more of that one than before."""
        self.begun = True
        for open in self.open:
            if open.again().id == call.id:
                open.id = call.id
                return
        self.open.append(call)


def parse(text: str) -> Any:
    """JSON of the log, where others write too.

    Python refuses a whole text for an integer of more than 4,300 digits, where a float will do.
    """
    return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 100 else float(digits))


def member[T](value: Any, name: str, kind: type[T]) -> T | None:
    """A member, where there is one of that kind."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if type(found) is kind else None


def whole(value: Any, name: str) -> int | None:
    """A number that counts turns, however it is written: to JSON 1.0 is 1."""
    found = value.get(name) if isinstance(value, dict) else None
    if type(found) in (int, float) and 0 <= found <= MAX_TURN and found == int(found):
        return int(found)
    return None


def string(value: Any, name: str) -> str:
    return member(value, name, str) or ""


def blocks(data: Any) -> list[Any]:
    return member(data, "content", list) or []
