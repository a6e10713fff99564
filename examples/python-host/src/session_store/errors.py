"""Why a call on sessions failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Union, cast

from ._values import Variant
from .storage import StorageError

__all__ = ["Damage", "ErrorCode", "Rejected", "SequenceConflict", "SessionError", "UnknownAside"]

ErrorCode = Literal[
    "not-found",
    "already-exists",
    "invalid-id",
    "busy",
    "sequence",
    "rejected",
    "refused",
    "unsupported-version",
    "needs-wake",
    "corrupt",
    "moved",
    "too-large",
    "no-space",
    "read-only",
    "access-denied",
    "outcome-unknown",
    "storage",
    "duplicate-id",
    "missing-parent",
    "unknown-branch",
    "branch-exists",
    "unknown-target",
    "pending-message",
    "not-on-branch",
    "not-a-lane",
    "reserved-namespace",
    "refused-write",
    "trapped",
]


@dataclass(frozen=True)
class Damage:
    """Where a stored log stops being sound, and how."""

    kind: str
    """`torn`: nothing from there on is a record; `malformed`, `gap` or `repeated`: records stand behind it."""
    expected: int
    """The `seq` that a sound record would have carried there; so also the number of sound events before it."""
    offset: int
    length: int
    records: int
    detail: str


@dataclass(frozen=True)
class SequenceConflict:
    """A batch that does not continue the log."""

    expected: int
    actual: int


@dataclass(frozen=True)
class Rejected:
    """An event or a write that can't be stored."""

    index: int
    reason: str


@dataclass(frozen=True)
class UnknownAside:
    """Nothing of that name was set aside from the session."""

    id: str
    name: str


Detail = Union[None, str, int, Damage, SequenceConflict, Rejected, UnknownAside]


class SessionError(Exception):
    """A call failed. Nothing was stored, but for `outcome-unknown`, and for `moved` where the log was changed during the call
    itself.

    `code` is the case of `error` in `wit/types.wit`, or of `tree-error` in `wit/session-tree.wit`, or `trapped`: the component
    broke down, and the next call gets a fresh one.
    The text is for people. `detail` is what comes with the case.
    """

    def __init__(self, code: ErrorCode, detail: Detail = None) -> None:
        super().__init__(_text(code, detail))
        self.code: ErrorCode = code
        self.detail: Detail = detail

    def __reduce__(self) -> tuple[Any, ...]:
        return SessionError, (self.code, self.detail)


def session_error(error: Variant) -> SessionError:
    """The error that a component answered."""
    if error.tag == "session":
        # The tree's errors hold those that can befall every call on a session.
        return session_error(error.value)
    types: dict[str, Any] = {
        "sequence": SequenceConflict,
        "rejected": Rejected,
        "refused-write": Rejected,
        "needs-wake": Damage,
        "corrupt": Damage,
    }
    of = types.get(error.tag)
    return SessionError(cast(ErrorCode, error.tag), of(**vars(error.value)) if of else error.value)


def from_storage(asked: Union[str, UnknownAside], error: StorageError) -> SessionError:
    """What storage answered when it was asked without the component for a session, or for what was set aside from one."""
    code: ErrorCode = "storage" if error.code == "failed" else error.code
    return SessionError(code, asked if code in ("not-found", "already-exists") else error.text)


_TEXTS: dict[ErrorCode, str] = {
    "not-found": "there is no session {0!r}; check the id, or list the sessions there are",
    "already-exists": "the session {0!r} exists already; choose another id, or wake it to go on with it",
    "invalid-id": "invalid id: {0}",
    "busy": "the session is held by another writer ({0}); wait until it lets go, or only read",
    "sequence": "the log goes on with seq {0.expected}, not {0.actual}; number the events from {0.expected}",
    "rejected": "event {0.index} of this call cannot be stored: {0.reason}",
    "refused": "refused: {0}",
    "unsupported-version": "the log has format version {0}, which this release does not read; use a newer one",
    "needs-wake": "the log has a torn tail of {0.length} bytes at offset {0.offset}, after {0.expected} sound events "
    "({0.detail}); wake the session first",
    "corrupt": "{0}",
    "moved": "the log was changed by somebody else while it was held: {0}; wake the session again",
    "too-large": "too large: {0}",
    "no-space": "no space is left where the sessions are kept; make room and try again",
    "read-only": "the store of sessions is read-only",
    "access-denied": "access denied: {0}",
    "outcome-unknown": "part or all of it may be stored: {0}; wake the session keeping its open turn, and compare its length",
    "storage": "storage failed: {0}",
    "duplicate-id": "an entry or a row of usage has the id {0!r} already; choose another",
    "missing-parent": "there is no entry {0!r} to follow, or it comes later; write the parent first",
    "unknown-branch": "there is no branch {0!r}; create it, or list the branches there are",
    "branch-exists": "there is a branch {0!r} already; choose another name, or move that one",
    "unknown-target": "there is no entry {0!r}; check the id",
    "pending-message": "the message of entry {0!r} is still being written; commit it once it has come to its end",
    "not-on-branch": "entry {0!r} is not on the branch that is to be forked; choose one between its tip and its root",
    "not-a-lane": "the branch {0!r} has no lane, or half of one; only a lane can be forked, or the whole tree",
    "reserved-namespace": "there is no rule for copying {0!r}, a namespace of the tree's own; delete its values and lists first",
    "refused-write": "write {0.index} is refused: {0.reason}",
    "trapped": "the session component broke down: {0}; this is a bug, please report it",
}


def _text(code: ErrorCode, detail: Detail) -> str:
    if isinstance(detail, UnknownAside):
        return f"nothing called {detail.name!r} was set aside from the session {detail.id!r}; `asides` tells what was"
    return _TEXTS[code].format(_corrupt(detail) if code == "corrupt" and isinstance(detail, Damage) else detail)


def _corrupt(damage: Damage) -> str:
    if damage.offset == 0:
        return f"the log can't be read: {damage.detail}; nothing of it is sound until its first line is put right"
    return (
        f"the log is damaged at offset {damage.offset}, after {damage.expected} sound events, with {damage.records} records in "
        f"the {damage.length} bytes behind ({damage.detail}); it was left as it is: read or fork what precedes the damage, or "
        "wake the session setting them aside"
    )
