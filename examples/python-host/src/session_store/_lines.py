"""Lines of a log, in bulk."""

from __future__ import annotations

import json
import re
from typing import Callable, Iterator

from .types import Event, Json

_BATCH = 1 << 20

_WRITTEN = re.compile(r'\{"type":"([^"\\]*)","seq":([0-9]+),"time":([0-9]+),"data":', re.ASCII)
"""How a line begins as it is usually written."""
_value_at = json.JSONDecoder().raw_decode


def batches(lines: bytes, most: int) -> Iterator[tuple[int, bytes]]:
    """Cuts a text that is too much for one call at ends of lines. With each batch comes how many lines precede it."""
    if len(lines) <= most:
        yield 0, lines
        return
    start = before = 0
    while start < len(lines):
        end = start + _BATCH
        if end < len(lines):
            end = lines.rfind(b"\n", start, end) + 1 or lines.find(b"\n", end) + 1 or len(lines)
        batch = lines[start:end]
        yield before, batch
        start, before = end, before + batch.count(b"\n")


def events_of(block: str, first: int, whole: Callable[[int], Event]) -> Iterator[Event]:
    """The events of a block of sound lines. `whole` asks for the event of a `seq` where a line is written in another way."""
    for seq, line in enumerate(block.split("\n")[:-1], first):
        yield _event(line) or whole(seq)


def _event(line: str) -> Event | None:
    begun = _WRITTEN.match(line)
    if not begun:
        return None
    # What stands between here and the last brace is the data, if it is one value: other members may follow it.
    try:
        _, end = _value_at(line, begun.end())
    except (ValueError, RecursionError):
        return None  # Python can't read all that is JSON: numbers of thousands of digits.
    if line[end:] != "}":
        return None
    type, seq, time = begun.groups()
    return Event(int(seq), int(time), type, Json(line[begun.end() : end]))
