"""Logs in memory, for tests and for sessions that need not outlive the program."""

from __future__ import annotations

import itertools
import time
import weakref
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

from . import Aside, Copy, LogInfo, Order, Part, Place, StorageError, check_id

_count = itertools.count()
"""What tells one holder, and one log of a name, from the next."""


@dataclass
class _Log:
    content: bytearray
    holder: weakref.ref[Memory] | None
    identity: int = field(default_factory=lambda: next(_count))
    modified: int = field(default_factory=lambda: time.time_ns() // 10**6)
    checkpoint: bytes = b""
    asides: dict[str, bytes] = field(default_factory=dict)

    def info(self, id: str) -> LogInfo:
        return LogInfo(id, id, len(self.content), self.modified, str(self.identity), self.held_by() is not None)

    def held_by(self) -> Optional[Memory]:
        """A claim ends with its holder."""
        return self.holder() if self.holder else None


class Memory:
    """Keeps logs in memory. Nothing is ever durable."""

    def __init__(self, other: Optional[Memory] = None) -> None:
        """A store of its own, empty; or another holder on the place of `other`."""
        self._logs: dict[str, _Log] = {} if other is None else other._logs

    def _log(self, id: str) -> _Log:
        check_id(id)
        if id not in self._logs:
            raise StorageError("not-found")
        return self._logs[id]

    def _held(self, id: str) -> _Log:
        log = self._logs.get(id)
        if log is None or log.held_by() is not self:
            raise StorageError("moved", f"the log of `{id}` is not held")
        return log

    def _refuse_if_busy(self, id: str) -> None:
        log = self._logs.get(id)
        if log and log.held_by() not in (None, self):
            raise StorageError("busy", f"another holder in this process has `{id}`")

    def acquire(self, id: str, /) -> LogInfo:
        log = self._log(id)
        self._refuse_if_busy(id)
        log.holder = weakref.ref(self)
        return log.info(id)

    def release(self, id: str, /) -> None:
        log = self._logs.get(id)
        if log and log.held_by() is self:
            log.holder = None

    def close(self) -> None:
        for id in self._logs:
            self.release(id)

    def publish(self, id: str, parts: Sequence[Part], /) -> LogInfo:
        check_id(id)
        if id in self._logs:
            raise StorageError("already-exists")
        content = b"".join(part if isinstance(part, bytes) else self._stretch(part) for part in parts)
        log = self._logs[id] = _Log(bytearray(content), weakref.ref(self))
        return log.info(id)

    def _stretch(self, part: Copy) -> bytes:
        content = self._log(part.id).content
        if part.at + part.length > len(content):
            why = f"the log of `{part.id}` has {len(content)} bytes, so not {part.length} from byte {part.at} on"
            raise StorageError("failed", why)
        return bytes(content[part.at : part.at + part.length])

    def append(self, id: str, at: int, content: bytes, /) -> None:
        log = self._held(id)
        if at != len(log.content):
            raise StorageError("moved", f"the log of `{id}` ends at {len(log.content)}, not at {at}")
        log.content += content
        log.modified = time.time_ns() // 10**6

    def sync(self, id: str, /) -> None:
        self._held(id)

    def stat(self, id: str, /) -> LogInfo:
        return self._log(id).info(id)

    def read(self, id: str, at: int, max: int, /) -> bytes:
        return bytes(self._log(id).content[at : at + max])

    def set_aside(self, id: str, at: int, /) -> Aside:
        log = self._held(id)
        cut = bytes(log.content[at:])
        if not cut:
            raise StorageError("moved", f"the log of `{id}` ends at {len(log.content)}; nothing is behind {at}")
        del log.content[at:]
        log.modified = time.time_ns() // 10**6
        kept = (name for name, piece in log.asides.items() if name.startswith(f"{at}.") and piece == cut)
        name = next(kept, f"{at}.{len(log.asides)}")
        log.asides[name] = cut
        return Aside(name, len(cut))

    def asides(self, id: str, /) -> Sequence[Aside]:
        check_id(id)
        log = self._logs.get(id)
        return [Aside(name, len(piece)) for name, piece in sorted(log.asides.items())] if log else []

    def read_aside(self, id: str, name: str, at: int, max: int, /) -> bytes:
        asides = self._log(id).asides
        if name not in asides:
            raise StorageError("not-found")
        return asides[name][at : at + max]

    def list(self, order: Order, after: Optional[Place], max: int, /) -> Sequence[LogInfo]:
        def key(name: str, modified: int) -> Any:
            return name if order == "by-id" else (-modified, name)

        place = key(after.name, after.modified) if after else None
        keyed = sorted((key(id, log.modified), id) for id, log in self._logs.items())
        return [self._logs[id].info(id) for at, id in keyed if place is None or at > place][:max]

    def remove(self, id: str, /) -> None:
        check_id(id)
        self._refuse_if_busy(id)
        self._logs.pop(id, None)

    def save_checkpoint(self, id: str, content: bytes, /) -> None:
        self._held(id).checkpoint = content

    def load_checkpoint(self, id: str, /) -> bytes:
        check_id(id)
        log = self._logs.get(id)
        return log.checkpoint if log else b""
