"""What a tree is told to write, as it goes into the component."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional, Sequence

from ._checks import is_text, json_or
from ._values import Variant
from .errors import Rejected, SessionError
from .tree_types import Address, AppendList, DeleteList, DeleteValue, NewEntry, NewUsage, SetValue, Write

_AROUND = 160
"""Bytes of the log that a write takes beside its texts, about."""


class Outgoing:
    """Checks and converts writes, and counts the bytes that they will take."""

    def __init__(self) -> None:
        self.size = 0
        self._index = 0

    def all(self, writes: Sequence[Write]) -> list[Variant]:
        """Each in its turn."""
        converted = []
        for self._index, write in enumerate(writes):
            converted.append(self._write(write))
        return converted

    def entry(self, entry: NewEntry) -> SimpleNamespace:
        """One entry."""
        return SimpleNamespace(
            id=self._text("an id", entry.id),
            parent=self._maybe("a parent", entry.parent),
            type=entry.type,
            custom_type=self._maybe("a custom type", entry.custom_type),
            payload=self._json(entry.payload),
        )

    def _write(self, write: Write) -> Variant:
        self.size += _AROUND
        if isinstance(write, NewEntry):
            return Variant("entry", self.entry(write))
        if isinstance(write, NewUsage):
            return Variant("usage", self._usage(write))
        if isinstance(write, SetValue):
            return Variant("set-value", self._value(write))
        if isinstance(write, DeleteValue):
            return Variant("delete-value", self._address(write.address))
        if isinstance(write, AppendList):
            return Variant("append-list", self._value(write))
        if isinstance(write, DeleteList):
            return Variant("delete-list", self._address(write.address))
        raise TypeError(f"{type(write).__name__} is no write of a tree")

    def _usage(self, row: NewUsage) -> SimpleNamespace:
        return SimpleNamespace(
            id=self._text("an id", row.id),
            entry=self._maybe("an entry", row.entry),
            adjustment=row.adjustment,
            usage=self._json(row.usage),
            details=None if row.details is None else self._json(row.details),
        )

    def _value(self, write: SetValue | AppendList) -> SimpleNamespace:
        return SimpleNamespace(address=self._address(write.address), value=self._json(write.value))

    def _address(self, address: Address) -> SimpleNamespace:
        return SimpleNamespace(namespace=self._text("a namespace", address.namespace), key=self._text("a key", address.key))

    def _json(self, value: Any) -> str:
        return self._text("a value", json_or("a value", value, lambda why: self._refused(f"it has a value that can't be written as JSON: {why}")))

    def _maybe(self, what: str, text: Optional[str]) -> Optional[str]:
        return None if text is None else self._text(what, text)

    def _text(self, what: str, text: str) -> str:
        if not is_text(what, text):
            raise self._refused(f"it has {what} that holds half a surrogate pair, and is no text")
        self.size += len(text.encode())
        return text

    def _refused(self, why: str) -> SessionError:
        return SessionError("refused-write", Rejected(self._index, why))
