"""What callers hand over is looked at before anything happens. What is of a wrong kind is a `TypeError` or a `ValueError` that
names it."""

from __future__ import annotations

import os
from typing import Any, Iterable, Optional, Union

from .storage import Storage

Path = Union[str, os.PathLike[str]]


def wrong(what: str, wanted: str, value: object) -> TypeError:
    """What is said of a value of another kind."""
    return TypeError(f"{what} must be {wanted}, not {'None' if value is None else type(value).__name__}")


def text(what: str, value: Any) -> str:
    """A text, though perhaps one that has no bytes in UTF-8."""
    if not isinstance(value, str):
        raise wrong(what, "a str", value)
    return value


def path(what: str, value: Optional[Path]) -> Optional[str]:
    """A path as a text, or none."""
    if value is None:
        return None
    found = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(found, str):
        raise wrong(what, "a str or an os.PathLike of one", found)
    return found


def root(value: Path) -> str:
    """The path of a folder."""
    found = path("root", value)
    if found is None:
        raise wrong("root", "a str or an os.PathLike of one", value)
    if not found or "\0" in found:
        raise ValueError(f"root must be the path of a folder, not {found!r}")
    return found


def number(what: str, value: Any, bits: int = 64) -> int:
    """A whole number that the component can hold."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong(what, "an int", value)
    if not 0 <= value < 1 << bits:
        shown = value if value.bit_length() <= 128 else "one of far more"
        raise ValueError(f"{what} must be a whole number of {bits} bits, not {shown}")
    return value


def number_or_none(what: str, value: Any) -> Optional[int]:
    """The same, where it may be left out."""
    return None if value is None else number(what, value)


def truth(what: str, value: Any) -> bool:
    """Yes or no."""
    if not isinstance(value, bool):
        raise wrong(what, "a bool", value)
    return value


def several(what: str, of: str, values: Any) -> Iterable[Any]:
    """Not one text: that would be taken for its characters."""
    if isinstance(values, (str, bytes)) or not hasattr(type(values), "__iter__"):
        raise wrong(what, f"an iterable of {of}", values)
    found: Iterable[Any] = values
    return found


def store(value: Any) -> Storage:
    """An object with every method of `Storage`."""
    methods = (name for name, of in vars(Storage).items() if callable(of) and not name.startswith("_"))
    for name in methods:
        if not callable(getattr(value, name, None)):
            raise TypeError(f"storage must have every method of Storage, and {type(value).__name__} has no {name}")
    found: Storage = value
    return found


def clock(value: Any) -> Any:
    """Something that can be asked for the time."""
    if not callable(value):
        raise wrong("clock", "a function that answers milliseconds", value)
    return value
