"""Where a session stands, read from its log alone."""

import json
from dataclasses import dataclass, field
from typing import Any, Self

from wit_world.imports import messages, types
from wit_world.imports import session_persistence as sessions


@dataclass
class Call:
    """A tool call as the log tells of it."""

    id: str
    name: str
    arguments: str
    """JSON in a string, as models write it."""


@dataclass
class Place:
    """What a harness must know before it goes on."""

    turn: int = 0
    """The number of the last turn; 0 if there was none."""
    unknown: list[Call] = field(default_factory=list)
    """Tools of the last turn that were running when it was interrupted: nobody knows what they did."""
    asked: str | None = None
    """What the person last asked for."""

    @classmethod
    def find(cls, session: str) -> Self:
        place = cls(asked=last_question(session))
        running: list[Call] = []
        start = 0
        # The chunks of a streamed answer stand once more in its message.
        while (page := sessions.get_events(session, start, 256, ["assistant/chunk"])).events:
            start = page.next
            for event in page.events:
                data = parse(event.data)
                match event.type:
                    case "turn/start":
                        turn = member(data, "turn", int)
                        place.turn = place.turn + 1 if turn is None or turn < 0 else turn
                        place.unknown, running = [], []
                    case "tool/call":
                        names = ("callId", "name", "arguments")
                        running.append(Call(*(member(data, name, str) or "" for name in names)))
                    case "tool/result":
                        if member(member(data, "error", dict), "code", str) == "TOOL_OUTCOME_UNKNOWN":
                            id = member(data, "callId", str) or ""
                            place.unknown.extend([call for call in running if call.id == id][:1])
        return place


def last_question(session: str) -> str | None:
    """The text of the last message that a person wrote.

    Tool results are messages of the user too, but hold no text of theirs.
    """
    asked: str | None = None
    start: int | None = 0
    while start is not None:
        options = types.DeriveOptions(length=None, pairing=types.Pairing.PAIRED, start=start, max_bytes=1 << 20)
        page = messages.derive_messages(session, options)
        for message in page.messages:
            if message.role == types.Role.USER:
                blocks = parse(message.content) or []
                texts = [text for block in blocks if (text := member(block, "text", str)) is not None]
                if len(texts) == len(blocks):
                    asked = "".join(texts) or asked
        start = page.next
    return asked


def parse(text: str) -> Any:
    """JSON of the log, where others write too.

    Python refuses an integer of more than 4,300 digits: then there is nothing.
    """
    try:
        return json.loads(text)
    except ValueError:
        return None


def member[T](value: Any, name: str, kind: type[T]) -> T | None:
    """A member, where there is one of that kind."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if type(found) is kind else None
