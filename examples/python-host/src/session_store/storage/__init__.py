"""Where the bytes are kept: one append-only text per session, addressed by byte offset.

The twin of the WIT interface `storage`, whose comments are the contract. A store moves bytes and never looks into them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Optional, Protocol, Sequence, Union

__all__ = ["Aside", "Copy", "LogInfo", "Order", "Part", "Place", "Storage", "StorageError", "StorageErrorCode"]

StorageErrorCode = Literal[
    "not-found",
    "already-exists",
    "busy",
    "moved",
    "no-space",
    "read-only",
    "access-denied",
    "invalid-id",
    "outcome-unknown",
    "failed",
]
BARE: frozenset[StorageErrorCode] = frozenset({"not-found", "already-exists", "no-space", "read-only"})
"""Codes that no text goes with."""

Order = Literal["by-id", "recent"]


class StorageError(Exception):
    """Why storage did not do what it was asked. The log is as it was, but for `outcome-unknown`."""

    def __init__(self, code: StorageErrorCode, text: str = "") -> None:
        super().__init__(text or code)
        self.code: StorageErrorCode = code
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        return StorageError, (self.code, self.text)


@dataclass(frozen=True)
class LogInfo:
    """What a store knows of one log without reading it."""

    id: Optional[str]
    name: str
    length: int
    modified: int
    identity: str
    held: bool


@dataclass(frozen=True)
class Aside:
    """Bytes that were cut off a log."""

    name: str
    length: int


@dataclass(frozen=True)
class Place:
    """A place in a list: the last log that the caller has seen."""

    name: str
    modified: int


@dataclass(frozen=True)
class Copy:
    """A stretch of another log, as a part of one to be published."""

    id: str
    at: int
    length: int


Part = Union[bytes, Copy]


class Storage(Protocol):
    """A store, and one holder on it. Each method keeps what the function of that name in `wit/storage.wit` says, and raises
    `StorageError`. It is called by one thread at a time."""

    def acquire(self, id: str, /) -> LogInfo:
        """Become the log's only writer."""

    def release(self, id: str, /) -> None:
        """Stop being the writer."""

    def publish(self, id: str, parts: Sequence[Part], /) -> LogInfo:
        """Bring a new log into being, whole and durable or not at all, and hold it."""

    def append(self, id: str, at: int, content: bytes, /) -> None:
        """Add bytes at the end, which is believed to be `at`."""

    def sync(self, id: str, /) -> None:
        """Return once every byte would survive a loss of power."""

    def stat(self, id: str, /) -> LogInfo:
        """What is known of one log."""

    def read(self, id: str, at: int, max: int, /) -> bytes:
        """At most `max` bytes from `at`; fewer only at the end."""

    def set_aside(self, id: str, at: int, /) -> Aside:
        """Cut the log at `at`, and keep what is cut off."""

    def asides(self, id: str, /) -> Sequence[Aside]:
        """All that was ever set aside, by name."""

    def read_aside(self, id: str, name: str, at: int, max: int, /) -> bytes:
        """At most `max` bytes of it from `at`."""

    def list(self, order: Order, after: Optional[Place], max: int, /) -> Sequence[LogInfo]:
        """At most `max` logs that stand after that place."""

    def remove(self, id: str, /) -> None:
        """Remove the log and all that belongs to it."""

    def save_checkpoint(self, id: str, content: bytes, /) -> None:
        """Keep a note beside a log that is held."""

    def load_checkpoint(self, id: str, /) -> bytes:
        """That note; empty if there is none."""

    def close(self) -> None:
        """Stop being the writer of anything."""


def check_id(id: str) -> None:
    """Refuses what can be the id of no session."""
    size = len(id.encode())
    if not 1 <= size <= 255:
        raise StorageError("invalid-id", f"an id has 1 to 255 bytes, this one {size}")
    if "\0" in id:
        raise StorageError("invalid-id", "an id can't contain U+0000")
