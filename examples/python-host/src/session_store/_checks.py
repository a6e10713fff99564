"""What goes into the component is checked here: a text that is none, or too much of it, would only break the call."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, Callable, Optional

from ._service import WRITE_MAX
from .errors import Rejected, SessionError
from .types import Json

_ID_MAX = 255


def new_session(id: str, cwd: Optional[str], parent_session: Optional[str], created_at: Optional[int]) -> SimpleNamespace:
    if cwd is not None and not is_text(cwd):
        raise SessionError("refused", "the working directory holds half a surrogate pair, and is no text")
    parent = None if parent_session is None else session_id(parent_session)
    return SimpleNamespace(id=session_id(id), cwd=cwd, parent_session=parent, created_at=created_at)


def is_text(text: str) -> bool:
    try:
        text.encode()
        return True
    except UnicodeEncodeError:
        return False


def session_id(id: str) -> str:
    if not is_text(id):
        raise SessionError("invalid-id", "it holds half a surrogate pair, and is no text")
    if len(id.encode()) > _ID_MAX:
        raise SessionError("invalid-id", f"an id has at most {_ID_MAX} bytes, this one has {len(id.encode())}")
    return id


def to_json(data: Any) -> str:
    return json_or(data, lambda why: SessionError("rejected", Rejected(0, f"its data can't be written as JSON: {why}")))


def json_or(value: Any, refused: Callable[[str], SessionError]) -> str:
    if isinstance(value, Json):
        return value
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        # Half a surrogate pair is no text, but has an escape.
        return text if is_text(text) else json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise refused(str(error)) from error


def json_text(text: str, place: int = 0) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        why = f"it holds half a surrogate pair at character {error.start}, and is no text; write it as an escape"
        raise SessionError("rejected", Rejected(place, why)) from error


def check_event(type: str, data: str, place: int = 0) -> int:
    return len(json_text(type, place)) + len(json_text(data, place))


def check_size(size: int) -> None:
    if size > WRITE_MAX:
        raise SessionError("too-large", f"it has {size} bytes, and one call takes at most {WRITE_MAX} in Python; hand it over in parts")
