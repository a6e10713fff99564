"""The vocabulary of `wit/types.wit`, as Python types."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal, Optional

from .errors import Damage, SessionError

__all__ = ["Event", "Header", "Json", "Listed", "ListPage", "Message", "Recovery", "State", "Unreadable"]

Role = Literal["system", "user", "assistant"]


class Json(str):
    """JSON text, kept byte for byte: big integers, key order, doubled keys, `1.0`. Hand it to `emit` as it is."""

    __slots__ = ()

    def __new__(cls, text: str) -> Json:
        """Refuses a value, whose text would be Python's and not JSON."""
        if not isinstance(text, str):
            raise TypeError(f"Json takes the text of JSON, not {type(text).__name__}; `emit` takes a value as it is")
        return super().__new__(cls, text)

    def parse(self) -> Any:
        """The value. Numbers keep only the precision that Python gives them."""
        return json.loads(self)


@dataclass(frozen=True)
class Event:
    """One thing that happened in a session."""

    seq: int
    time: int
    type: str
    data: Json


@dataclass(frozen=True)
class Header:
    """What storage knows of a session beside its events. Fixed once the session is created."""

    version: int
    id: str
    created_at: int
    cwd: Optional[str]
    parent_session: Optional[str]
    seed_length: Optional[int]


@dataclass(frozen=True)
class Message:
    """One message of the conversation, as a model is to see it. `content` is an array of blocks."""

    role: Role
    content: Json
    source: int


@dataclass(frozen=True)
class Recovery:
    """What waking a session mended, or would mend."""

    damage: Optional[Damage]
    kept_at: Optional[str]
    closers: list[Event]


@dataclass(frozen=True)
class State:
    """Where a session stands."""

    header: Header
    length: int
    revision: str
    held: bool
    turn_open: bool
    boundary: Optional[Event]
    recovery: Recovery
    asides: list[str]


@dataclass(frozen=True)
class Listed:
    """A session in a list."""

    header: Header
    bytes: int
    modified: int
    held: bool


@dataclass(frozen=True)
class Unreadable:
    """A log in a list that can't be read."""

    name: str
    id: Optional[str]
    reason: SessionError


@dataclass(frozen=True)
class ListPage:
    """Some of the sessions. It may be short and still have a `next`."""

    items: list[Listed | Unreadable]
    next: Optional[str]


def event(record: SimpleNamespace) -> Event:
    """An event that a component answered."""
    return Event(record.seq, record.time, record.type, Json(record.data))


def state(record: SimpleNamespace) -> State:
    """A state that a component answered."""
    mended = record.recovery
    return State(
        header=Header(**vars(record.header)),
        length=record.length,
        revision=record.revision,
        held=record.held,
        turn_open=record.turn_open,
        boundary=record.boundary and event(record.boundary),
        recovery=Recovery(
            damage=mended.damage and Damage(**vars(mended.damage)),
            kept_at=mended.kept_at,
            closers=[event(closer) for closer in mended.closers],
        ),
        asides=record.asides,
    )
