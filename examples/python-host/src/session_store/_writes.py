"""What a tree is told to write, as it goes into the component."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional, Sequence, get_args

from . import _arguments as arguments
from ._checks import check_word, is_text, json_or
from ._values import Variant
from .errors import Rejected, SessionError
from .tree_types import ENTRY_TYPES, Address, AppendList, DeleteList, DeleteValue, NewEntry, NewUsage, SetValue, Write

_AROUND = 160
"""Bytes of the log that a write takes beside its texts, about."""


class Outgoing:
    """Checks and converts writes, and counts the bytes that they will take."""

    def __init__(self) -> None:
        self.size = 0
        self._index = 0
        self._name = "the entry"

    def all(self, writes: Sequence[Write]) -> list[Variant]:
        """Each in its turn."""
        converted = []
        for self._index, write in enumerate(writes):
            self._name = f"write {self._index}"
            converted.append(self._write(write))
        return converted

    def entry(self, entry: NewEntry) -> SimpleNamespace:
        """One entry."""
        if not isinstance(entry, NewEntry):
            raise arguments.wrong(self._name, "a NewEntry", entry)
        return SimpleNamespace(
            id=self._text("id", entry.id),
            parent=self._maybe("parent", entry.parent),
            type=check_word(f"type of {self._name}", entry.type, *ENTRY_TYPES),
            custom_type=self._maybe("custom_type", entry.custom_type),
            payload=self._json("payload", entry.payload),
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
        raise arguments.wrong(self._name, f"one of {', '.join(kind.__name__ for kind in get_args(Write))}", write)

    def _usage(self, row: NewUsage) -> SimpleNamespace:
        return SimpleNamespace(
            id=self._text("id", row.id),
            entry=self._maybe("entry", row.entry),
            adjustment=arguments.truth(f"adjustment of {self._name}", row.adjustment),
            usage=self._json("usage", row.usage),
            details=None if row.details is None else self._json("details", row.details),
        )

    def _value(self, write: SetValue | AppendList) -> SimpleNamespace:
        return SimpleNamespace(address=self._address(write.address), value=self._json("value", write.value))

    def _address(self, address: Address) -> SimpleNamespace:
        if not isinstance(address, Address):
            raise arguments.wrong(f"address of {self._name}", "an Address", address)
        return SimpleNamespace(namespace=self._text("namespace", address.namespace), key=self._text("key", address.key))

    def _json(self, what: str, value: Any) -> str:
        def refused(why: str) -> SessionError:
            return self._refused(f"its {what} can't be written as JSON: {why}")

        return self._text(what, json_or(f"{what} of {self._name}", value, refused))

    def _maybe(self, what: str, text: Optional[str]) -> Optional[str]:
        return None if text is None else self._text(what, text)

    def _text(self, what: str, text: str) -> str:
        if not is_text(f"{what} of {self._name}", text):
            raise self._refused(f"its {what} holds half a surrogate pair, and is no text")
        self.size += len(text.encode())
        return text

    def _refused(self, why: str) -> SessionError:
        return SessionError("refused-write", Rejected(self._index, why))
