"""What goes into the component is checked here: a text that is none, or too much of it, would only break the call."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, Callable, Optional

from . import _arguments as arguments
from ._service import WRITE_MAX
from .errors import Rejected, SessionError
from .tree_types import Address
from .types import Event, Json

_ID_MAX = 255


def is_text(what: str, text: str) -> bool:
    try:
        arguments.text(what, text).encode()
        return True
    except UnicodeEncodeError:
        return False


def some_text(what: str, text: str) -> str:
    if not is_text(what, text):
        raise SessionError("refused", f"{what} holds half a surrogate pair, and is no text")
    return text


def check_text(what: str, text: Optional[str]) -> Optional[str]:
    return None if text is None else some_text(what, text)


def check_word(what: str, word: str, *words: str) -> str:
    if word not in words:
        raise ValueError(f"{what} is one of {', '.join(words)}, and not {word!r}")
    return word


def check_address(what: str, address: Address) -> Address:
    if not isinstance(address, Address):
        raise arguments.wrong(what, "an Address", address)
    some_text(f"namespace of {what}", address.namespace)
    some_text(f"key of {what}", address.key)
    return address


def session_id(id: str, what: str = "id") -> str:
    if not is_text(what, id):
        raise SessionError("invalid-id", "it holds half a surrogate pair, and is no text")
    if len(id.encode()) > _ID_MAX:
        raise SessionError("invalid-id", f"an id has at most {_ID_MAX} bytes, this one has {len(id.encode())}")
    return id


def to_json(data: Any) -> str:
    return json_or("data", data, lambda why: SessionError("rejected", Rejected(0, f"its data can't be written as JSON: {why}")))


def json_or(what: str, value: Any, refused: Callable[[str], SessionError]) -> str:
    if isinstance(value, Json):
        return value
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        # Half a surrogate pair is no text, but has an escape.
        text = text if is_text(what, text) else json.dumps(value, allow_nan=False, separators=(",", ":"))
        within = _json_within(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise refused(str(error)) from error
    if within:
        raise TypeError(f"{what} holds a Json, which would become a text in it; only the whole of {what} can be one, so hand over its parse()")
    return text


def _json_within(data: Any) -> bool:
    if isinstance(data, dict):
        return any(map(_json_within, data.values()))
    if isinstance(data, (list, tuple)):
        return any(map(_json_within, data))
    return isinstance(data, Json)


def json_text(what: str, text: str, place: int = 0) -> bytes:
    try:
        return arguments.text(what, text).encode()
    except UnicodeEncodeError as error:
        why = f"it holds half a surrogate pair at character {error.start}, and is no text; write it as an escape"
        raise SessionError("rejected", Rejected(place, why)) from error


def check_event(type: str, data: str, place: int = 0, of: str = "") -> int:
    return len(json_text(f"type{of}", type, place)) + len(json_text(f"data{of}", data, place))


def check_placed(event: Event, place: int) -> int:
    if not isinstance(event, Event):
        raise arguments.wrong(f"event {place}", "an Event", event)
    of = f" of event {place}"
    arguments.number(f"seq{of}", event.seq)
    arguments.number(f"time{of}", event.time)
    return check_event(event.type, event.data, place, of)


def check_size(what: str, size: int, advice: str = "") -> None:
    if size > WRITE_MAX:
        raise SessionError("too-large", f"{what} has {size} bytes, and one call writes at most {WRITE_MAX} in Python{advice}")


def new_session(
    id: str, cwd: Optional[arguments.Path], parent_session: Optional[str], created_at: Optional[int], what: str = "id"
) -> SimpleNamespace:
    parent = None if parent_session is None else session_id(parent_session, "parent_session")
    directory, created = arguments.path("cwd", cwd), arguments.number_or_none("created_at", created_at)
    check_text("cwd", directory)
    return SimpleNamespace(id=session_id(id, what), cwd=directory, parent_session=parent, created_at=created)
