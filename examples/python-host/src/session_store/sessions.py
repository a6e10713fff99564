"""Durable sessions, for Python: the interfaces `session-persistence` and `messages`."""

from __future__ import annotations

import os
import time
from types import SimpleNamespace
from typing import Any, Callable, Iterable, Iterator, Literal, Optional, Sequence, Union

from . import _arguments as arguments
from . import types
from ._checks import check_event, check_placed, check_size, check_text, check_word, json_text, new_session, session_id, to_json
from ._lines import batches, events_of
from ._service import WRITE_MAX, Service
from .errors import Rejected, SessionError, UnknownAside, from_storage, session_error
from .storage import Aside, Storage, StorageError
from .storage.folder import Folder
from .tree import Tree
from .types import Event, Header, Json, Listed, ListPage, Message, State, Unreadable

_PAGE = 1 << 20
"""Bytes that are read at a time."""


def open_sessions(root: Union[str, os.PathLike[str]]) -> Sessions:
    """The sessions in a folder, which is made if it is missing; `OSError` where that can't be. Close them, or use them in a `with`
    block."""
    return Sessions(Folder(root))


def _now() -> int:
    return time.time_ns() // 10**6


class Sessions:
    """Durable sessions over one store, which they own.

    They may be shared between threads; one call is served at a time. What is claimed here stays claimed until it is released, or
    these are closed. A call that fails leaves nothing behind, and raises `SessionError`; an exception that a store raises comes
    out as it is. An argument of a wrong kind is a `TypeError` or `ValueError` before anything happens, and so is a call after
    `close`. A signal (Ctrl-C) waits until the call that runs has come to its end.
    """

    def __init__(self, storage: Storage, clock: Callable[[], int] = _now) -> None:
        """Serves the sessions that are kept there. The clock gives milliseconds since the Unix epoch."""
        self._service = Service(arguments.store(storage), arguments.clock(clock))

    def __enter__(self) -> Sessions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops being the writer of anything. What was created and never stored is forgotten."""
        self._service.close()

    def create(
        self,
        id: str,
        *,
        cwd: Optional[arguments.Path] = None,
        parent_session: Optional[str] = None,
        created_at: Optional[int] = None,
    ) -> Header:
        """Registers a session. Nothing is stored until its first event or `flush`. Make `cwd` absolute: it is kept, and compared, as
        it is given."""
        session = new_session(id, cwd, parent_session, created_at)
        with self._service.lock:
            header = Header(**vars(self._call("create", session, about=id)))
            session.created_at = header.created_at
            self._service.created(session)
        return header

    def append(self, id: str, events: Iterable[Event]) -> None:
        """Appends events that carry their own `seq` and continue the log without a hole: all or none."""
        session_id(id)
        events = list(arguments.several("events", "Event", events))
        size = sum(check_placed(event, place) + 200 for place, event in enumerate(events))
        check_size("the event" if len(events) == 1 else "the batch", size, "" if len(events) == 1 else "; append it in parts")
        self._call("append", id, events, about=id)

    def append_lines(self, id: str, lines: str) -> int:
        """Appends events as JSON lines, kept byte for byte: the bulk road. Returns the log's new length in events.

        A text of more than 2,500,000 bytes is handed over in batches of whole lines; then each batch is all or none.
        """
        session_id(id)
        length = 0
        for before, batch in batches(json_text("lines", lines), WRITE_MAX):
            check_size(f"line {before} of the text", len(batch))
            try:
                length = self._call("append-lines", id, batch.decode(), about=id)
            except SessionError as error:
                if isinstance(error.detail, Rejected) and before:
                    raise SessionError(error.code, Rejected(before + error.detail.index, error.detail.reason)) from error
                raise
        return length

    def emit(self, id: str, type: str, data: Any) -> int:
        """Appends one event; it gets its `seq` and `time` here. `data` is any value that can be JSON, or `Json`, which is kept
        byte for byte. Returns the `seq`. When this returns, a killed process loses nothing; `flush` is for a lost power supply.
        """
        session_id(id)
        text = to_json(data)
        check_size("the event", check_event(type, text))
        seq: int = self._call("emit-event", id, type, text, about=id)
        return seq

    def flush(self, id: str) -> None:
        """Returns once everything appended so far would survive a loss of power. Do it at the end of each turn."""
        self._call("flush", session_id(id), about=id)

    def wake(
        self,
        id: str,
        *,
        open_turn: Literal["close", "keep"] = "close",
        on_damage: Literal["refuse", "set-aside"] = "refuse",
    ) -> State:
        """Becomes the session's writer after a crash or a hand-over: sets a torn tail aside, closes an open turn as interrupted
        unless told otherwise, and syncs. Doing it twice changes nothing more."""
        check_word("open_turn", open_turn, "close", "keep")
        check_word("on_damage", on_damage, "refuse", "set-aside")
        options = SimpleNamespace(open_turn=open_turn, on_damage=on_damage)
        session_id(id)
        with self._service.lock:
            try:
                return types.state(self._call("wake", id, options, about=id))
            except BaseException:
                # A failed wake keeps no claim, also where it is the component that failed.
                if self._service.broke_down():
                    self._service.storage.release(id)
                raise

    def inspect(self, id: str) -> State:
        """Where the session stands, and what waking it would do. Writes nothing, and works beside a living writer."""
        return types.state(self._call("inspect", session_id(id), about=id))

    def verify(self, id: str) -> State:
        """The same as `inspect`, reading every byte."""
        return types.state(self._call("verify", session_id(id), about=id))

    def check(self, id: str) -> Sequence[str]:
        """Every rule of turn and step enclosure that the sound events break, one line of text each."""
        broken: Sequence[str] = self._call("check", session_id(id), about=id)
        return broken

    def hand_off(self, id: str, data: Any) -> int:
        """Records a `session/boundary` event with this data, flushes and releases, in one: before the harness is replaced."""
        session_id(id)
        text = to_json(data)
        check_size("the event", check_event("", text))
        seq: int = self._call("hand-off", id, text, about=id)
        return seq

    def header(self, id: str) -> Header:
        """The first line of the log alone."""
        return Header(**vars(self._call("get-session", session_id(id), about=id)))

    def lines(self, id: str, start: int = 0) -> Iterator[str]:
        """The events from `start` on as JSON lines, byte for byte as stored, in blocks of whole lines of about a megabyte. On a
        damaged log: what precedes the damage."""
        session_id(id)
        start = arguments.number("start", start)
        while block := self._call("get-lines", id, start, _PAGE, about=id):
            yield block
            start += block.count("\n")

    def events(self, id: str, start: int = 0, *, without: Iterable[str] = ()) -> Iterator[Event]:
        """The events from `start` on, but for those of the types `without`. Reads page by page."""
        leave_out = frozenset(arguments.text("a type in without", type) for type in arguments.several("without", "str", without))

        def whole(seq: int) -> Event:
            for record in self._call("get-events", id, seq, 1, [], about=id).events:
                return types.event(record)
            raise SessionError("moved", f"event {seq} of `{id}` was cut off while it was read")

        for block in self.lines(id, start):
            yield from (event for event in events_of(block, start, whole) if event.type not in leave_out)
            start += block.count("\n")

    def messages(self, id: str, *, pairing: Literal["paired", "recorded"] = "paired", length: Optional[int] = None) -> Iterator[Message]:
        """The conversation that the session (or its first `length` events) amounts to, as a model is to see it."""
        check_word("pairing", pairing, "paired", "recorded")
        session_id(id)
        length = arguments.number_or_none("length", length)
        start: Optional[int] = 0
        while start is not None:
            options = SimpleNamespace(length=length, pairing=pairing, start=start, max_bytes=_PAGE)
            page = self._service.call("messages/derive-messages", id, options, about=id)
            for message in page.messages:
                yield Message(message.role, Json(message.content), message.source)
            start = page.next

    def fork(
        self,
        id: str,
        child: str,
        *,
        length: Optional[int] = None,
        cwd: Optional[arguments.Path] = None,
        created_at: Optional[int] = None,
    ) -> Header:
        """A new session that starts with the first `length` events of this one, or with all that are sound. A turn left open by
        the cut is closed in the copy. Claims nothing of the source, and releases the child."""
        session_id(id)
        length = arguments.number_or_none("length", length)
        session = new_session(child, cwd, None, created_at, "child")
        with self._service.lock:
            if self._service.is_pending(child):
                raise SessionError("already-exists", child)
            return Header(**vars(self._call("fork", id, length, session, about=id)))

    def tree(self, id: str) -> Tree:
        """The session as a tree: entries, branches, values, lists and usage."""
        return Tree(self._service, session_id(id))

    def has(self, id: str) -> bool:
        """Whether the session is stored."""
        stored: bool = self._call("has", session_id(id))
        return stored

    def list(
        self,
        *,
        order: Literal["by-id", "recent"] = "by-id",
        cwd: Optional[arguments.Path] = None,
        parent_session: Optional[str] = None,
    ) -> Iterator[Union[Listed, Unreadable]]:
        """All stored sessions, the unreadable ones among them."""
        cursor: Optional[str] = ""
        while cursor is not None:
            page = self.page(order=order, cwd=cwd, parent_session=parent_session, cursor=cursor or None)
            yield from page.items
            cursor = page.next

    def page(
        self,
        *,
        order: Literal["by-id", "recent"] = "by-id",
        cwd: Optional[arguments.Path] = None,
        parent_session: Optional[str] = None,
        cursor: Optional[str] = None,
        limit: int = 50,
    ) -> ListPage:
        """One page of that list; `cursor` is the `next` of the page before."""
        check_word("order", order, "by-id", "recent")
        directory = arguments.path("cwd", cwd)
        for what, text in (("cwd", directory), ("parent_session", parent_session), ("cursor", cursor)):
            check_text(what, text)
        limit = arguments.number("limit", limit, 32)
        options = SimpleNamespace(order=order, cwd=directory, parent_session=parent_session, cursor=cursor, limit=limit)
        page = self._call("list", options)
        return ListPage([_listed(item.tag, item.value) for item in page.items], page.next)

    def delete(self, id: str) -> None:
        """Removes a session and all that belongs to it. Removing one that does not exist is no error."""
        with self._service.lock:
            self._call("delete", session_id(id))
            self._service.dropped(id)

    def release(self, id: str) -> None:
        """Stops being the session's writer. A session that was created and never stored is forgotten."""
        with self._service.lock:
            self._call("release", session_id(id))
            self._service.dropped(id)

    def asides(self, id: str) -> Sequence[Aside]:
        """What was cut off this session's log and kept."""
        session_id(id)
        with self._service.lock:
            self._service.refuse_if_closed()
            try:
                return self._service.storage.asides(id)
            except StorageError as error:
                raise from_storage(id, error) from error

    def read_aside(self, id: str, name: str, at: int = 0, max: int = _PAGE) -> bytes:
        """At most `max` bytes of what was cut off and kept, from `at`; fewer only at its end."""
        session_id(id)
        arguments.text("name", name)
        at, max = arguments.number("at", at), arguments.number("max", max, 32)
        with self._service.lock:
            self._service.refuse_if_closed()
            try:
                return self._service.storage.read_aside(id, name, at, max)
            except StorageError as error:
                raise from_storage(UnknownAside(id, name), error) from error

    def _call(self, name: str, *arguments: Any, about: Optional[str] = None) -> Any:
        return self._service.call(f"session-persistence/{name}", *arguments, about=about)


def _listed(tag: str, item: SimpleNamespace) -> Union[Listed, Unreadable]:
    if tag == "session":
        return Listed(Header(**vars(item.header)), item.bytes, item.modified, item.held)
    return Unreadable(item.name, item.id, session_error(item.reason))
