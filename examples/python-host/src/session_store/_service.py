"""The component over a store: a fresh instance wherever the last one broke down, which goes on with what that one had."""

from __future__ import annotations

import functools
import threading
from importlib import resources
from types import SimpleNamespace
from typing import Any, Callable, Optional

from wasmtime import Engine

from ._cache import compiled
from ._component import Imports, Instance, Program, Trap
from ._fork import tell
from ._signals import waiting
from ._values import Err, Variant
from .errors import SessionError, session_error
from .storage import BARE, Copy, Part, Place, Storage, StorageError

WRITE_MAX = 2_500_000
"""Bytes that one call may write. Each takes 48 on its way out of the component, and wasmtime lets 128 MiB through."""

Changed = Callable[[str, str], None]


class Service:
    """One call at a time; whoever calls meanwhile waits."""

    def __init__(self, storage: Storage, clock: Callable[[], int]) -> None:
        self.storage = storage
        self.lock = threading.RLock()
        self._imports: Imports = {"clock/now": clock, **storage_imports(storage, self._changed)}
        self._instance: Optional[Instance] = None
        self._pending: dict[str, SimpleNamespace] = {}
        self._known: set[str] = set()
        self._wrote = False
        self._running = False
        self._closed = False
        tell(self)

    def forked(self) -> None:
        """The parent's instance and its claims are not ours, and a thread that had the lock is not there to give it back."""
        self.lock = threading.RLock()
        self._instance = None
        self._running = False

    def call(self, name: str, *arguments: Any, about: Optional[str] = None) -> Any:
        """Calls the component. `about` names the session that the call goes on with."""
        with self.lock:
            self._refuse_within()
            self.refuse_if_closed()
            used = self._instance is not None
            try:
                return self._attempt(name, arguments, about)
            except SessionError as error:
                if error.code != "trapped" or not used:
                    raise
            # Nothing was written, and what earlier calls left in its memory may be what it had no room for.
            return self._attempt(name, arguments, about)

    def created(self, session: SimpleNamespace) -> None:
        """Remembers a session that the instance has just created: it has no log yet, so that nothing else knows of it."""
        self._pending[session.id] = session
        self._known.add(session.id)

    def dropped(self, id: str) -> None:
        """The session is no longer to be."""
        self._pending.pop(id, None)

    def is_pending(self, id: str) -> bool:
        """Whether the session was created here and is not stored yet."""
        return id in self._pending

    def broke_down(self) -> bool:
        """Whether the last call took its instance with it."""
        return self._instance is None and not self._running

    def refuse_if_closed(self) -> None:
        """Raises what a call after `close` is told."""
        if self._closed:
            raise ValueError("these sessions are closed")

    def close(self) -> None:
        """Stops being the writer of anything."""
        with self.lock:
            self._refuse_within()
            if not self._closed:
                self._closed, self._instance = True, None
                self.storage.close()

    def _refuse_within(self) -> None:
        # The lock lets in a store that is being called: it is the same thread.
        if self._running:
            raise SessionError("refused", "a store or a clock called the sessions that were just calling it")

    def _attempt(self, name: str, arguments: tuple[Any, ...], about: Optional[str]) -> Any:
        if self._instance is None:
            self._instance, self._known = program().start(self._imports), set()
        session = self._pending.get(about) if about else None
        if session and session.id not in self._known:
            try:
                self._run("session-persistence/create", (session,))
            except SessionError as error:
                if error.code == "already-exists":
                    # Another has stored it meanwhile. Whoever hears of that and goes on means the one that is there.
                    self.dropped(session.id)
                raise
            self._known.add(session.id)
        return self._run(name, arguments)

    def _run(self, name: str, arguments: tuple[Any, ...]) -> Any:
        # It is put back only if it has come to an answer.
        instance, self._instance = self._instance, None
        assert instance is not None
        self._wrote = False
        self._running = True
        try:
            with waiting():
                answer = instance.call(name, *arguments)
                self._instance = instance
        except Trap as trap:
            why = " ".join(str(trap).rpartition("Caused by:")[2].split())
            if self._wrote:
                raise SessionError("outcome-unknown", why) from trap
            if "fuel allocated for hostcalls" in why:
                raise SessionError("too-large", f"one call writes at most some {WRITE_MAX} bytes in Python") from trap
            raise SessionError("trapped", why) from trap
        finally:
            self._running = False
        if isinstance(answer, Err):
            raise session_error(answer.value)
        return answer

    def _changed(self, function: str, id: str) -> None:
        self._wrote = True
        if function == "publish":
            self.dropped(id)


def storage_imports(storage: Storage, changed: Changed = lambda function, id: None) -> Imports:
    """A store as a component imports it. Tells of each call that has changed what is kept, or may have."""

    def answering(name: str, function: Callable[..., Any], changes: bool) -> Callable[..., Any]:
        def answer(id: Any, *arguments: Any) -> Any:
            try:
                value = function(id, *arguments)
            except StorageError as error:
                if error.code == "outcome-unknown":
                    changed(name, id)
                text = None if error.code in BARE else error.text.encode(errors="backslashreplace").decode()
                return Err(Variant(error.code, text))
            if changes:
                changed(name, id)
            return value

        return answer

    def publish(id: str, parts: list[Variant]) -> Any:
        return storage.publish(id, [_part(part) for part in parts])

    def listed(order: Any, after: Optional[SimpleNamespace], max: int) -> Any:
        return storage.list(order, Place(**vars(after)) if after else None, max)

    changing: dict[str, Callable[..., Any]] = {
        "publish": publish,
        "append": storage.append,
        "set-aside": storage.set_aside,
        "remove": storage.remove,
    }
    others: dict[str, Callable[..., Any]] = {
        "acquire": storage.acquire,
        "release": storage.release,
        "sync": storage.sync,
        "stat": storage.stat,
        "read": storage.read,
        "asides": storage.asides,
        "read-aside": storage.read_aside,
        "list": listed,
        "save-checkpoint": storage.save_checkpoint,
        "load-checkpoint": storage.load_checkpoint,
    }
    return {
        f"storage/{name}": answering(name, function, changes)
        for functions, changes in ((changing, True), (others, False))
        for name, function in functions.items()
    }


def _part(part: Variant) -> Part:
    return Copy(**vars(part.value)) if part.tag == "copy" else bytes(part.value)


@functools.cache
def program() -> Program:
    """The component of sessions, compiled once a process."""
    engine = Engine()
    return Program(engine, compiled(engine, (resources.files(__package__) / "session-store.wasm").read_bytes()))
