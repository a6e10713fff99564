"""Pages of the logs in a folder. One page costs one pass over the names, and memory for the page."""

from __future__ import annotations

import heapq
import os
from typing import Iterator, Optional

from . import Order, Place
from ._files import Dir, modified
from ._names import id_of_log, is_log

Key = tuple[int, str]
Entry = tuple[str, str, Optional[os.stat_result]]
"""A file that is called like a log: its name, that as text, and what is known of it, if it can be looked at."""


def page(folder: Dir, order: Order, after: Optional[Place], max: int) -> list[Entry]:
    """At most `max` entries behind `after`; fewer only at the end."""
    place = _key(order, after.name, after.modified) if after else None
    found: list[Entry] = []
    while len(found) < max:
        wanted = max - len(found)
        first = heapq.nsmallest(wanted, _behind(folder, order, place), key=lambda keyed: keyed[0])
        for _, (file, name, stat) in first:
            # Where the order needs no stat, only what is on the page gets one; and what is gone by now leaves room.
            try:
                found.append((file, name, _stat(folder, file) if order == "by-id" else stat))
            except FileNotFoundError:
                pass
        if len(first) < wanted:
            break
        place = first[-1][0]
    return found


def _behind(folder: Dir, order: Order, place: Optional[Key]) -> Iterator[tuple[Key, Entry]]:
    for file in folder.names():
        if not is_log(file):
            continue
        try:
            stat = _stat(folder, file) if order == "recent" else None
        except FileNotFoundError:
            continue
        name = _text(file)
        key = _key(order, name, modified(stat) if stat else 0)
        if place is None or key > place:
            yield key, (file, name, stat)


def _key(order: Order, name: str, modified: int) -> Key:
    """Where an entry stands. Text in the order of its characters is in that of its bytes."""
    if order == "recent":
        return -modified, name
    id = id_of_log(name)
    return (1, name) if id is None else (0, id)


def _stat(folder: Dir, file: str) -> Optional[os.stat_result]:
    """None if it can't be looked at: one bad file is to hide no others."""
    try:
        return folder.stat(file)
    except FileNotFoundError:
        raise
    except OSError:
        return None


def _text(file: str) -> str:
    """A name as text that differs for different names: bytes that are no text are escaped, and so is what escapes them."""
    return os.fsencode(file).replace(b"\\", rb"\\").decode("utf-8", "backslashreplace")
