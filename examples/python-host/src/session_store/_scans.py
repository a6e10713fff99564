"""How a tree is read: which part of it, and page after page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, Iterator, Mapping, TypeVar

from . import _arguments as arguments
from ._checks import check_address, check_text, check_word, some_text
from .tree_types import DIRECTIONS, ENTRY_TYPES, Address, BranchScan, EntryScan, RangeScan, ValueScan

ALL = 2**32 - 1
"""The most that can be asked for."""

Item = TypeVar("Item")
Name = TypeVar("Name")
Page = tuple[list[Item], bool]


def _entry_type(what: str, type: Any) -> Any:
    return None if type is None else check_word(what, type, *ENTRY_TYPES)


def _limit(what: str, limit: Any) -> int:
    return ALL if limit is None else arguments.number(what, limit, 32)


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "after": check_text,
    "cursor": arguments.number_or_none,
    "custom_type": check_text,
    "direction": lambda what, direction: check_word(what, direction, *DIRECTIONS),
    "end": arguments.number_or_none,
    "limit": _limit,
    "start": arguments.number_or_none,
    "stop_at_id": check_text,
    "stop_at_type": _entry_type,
    "type": _entry_type,
}
"""What every option of a scan must be."""


def _checked(scan: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of this scan, those too that were left out."""
    names = list(scan.__annotations__)
    for name in given:
        if name not in names:
            raise TypeError(f"there is no option {name}, only {', '.join(names)}")
    return {name: _CHECKS[name](name, given.get(name)) for name in names}


def branch_scan(start: str, scan: BranchScan) -> SimpleNamespace:
    """Which entries of a branch, the newest first unless it says otherwise."""
    return SimpleNamespace(start=some_text("start", start), **_checked(BranchScan, {"direction": "newest-first", **scan}))


def range_scan(scan: RangeScan, of: type = RangeScan) -> SimpleNamespace:
    """What lies between two numbers, the oldest first unless it says otherwise."""
    options = _checked(of, {"direction": "oldest-first", **scan})
    return SimpleNamespace(**{"from": options.pop("start")}, to=options.pop("end"), **options)


def entry_scan(scan: EntryScan) -> SimpleNamespace:
    """The same of entries of the whole session."""
    range = range_scan(scan, EntryScan)
    return SimpleNamespace(type=vars(range).pop("type"), custom_type=vars(range).pop("custom_type"), range=range)


def value_scan(namespace: str, prefix: str, scan: ValueScan) -> SimpleNamespace:
    """Which values of a namespace."""
    return SimpleNamespace(namespace=some_text("namespace", namespace), prefix=some_text("prefix", prefix), **_checked(ValueScan, scan))


def asked_ids(what: str, given: Any) -> list[str]:
    """What entries are asked for."""
    return [some_text(f"an id in {what}", id) for id in arguments.several(what, "str", given)]


def asked_addresses(given: Any) -> list[Address]:
    """What values are asked for."""
    several = arguments.several("addresses", "Address", given)
    return [check_address(f"address {place}", address) for place, address in enumerate(several)]


def along(scan: SimpleNamespace, read: Callable[[], Page[Item]]) -> Iterator[Item]:
    """A whole branch."""

    def go_on(last: Any) -> None:
        scan.cursor = last.number

    return whole(scan, read, go_on)


def by_number(range: SimpleNamespace, read: Callable[[], Page[Item]]) -> Iterator[Item]:
    """All that lies between two numbers."""

    def go_on(last: Any) -> None:
        if range.direction == "oldest-first":
            setattr(range, "from", last.number + 1)
        else:
            range.to = last.number - 1

    return whole(range, read, go_on)


def whole(scan: SimpleNamespace, read: Callable[[], Page[Item]], go_on: Callable[[Item], None]) -> Iterator[Item]:
    """Page after page; `go_on` leads the scan behind the last item of each."""
    more = True
    while more:
        items, more = read()
        yield from items
        if more:
            scan.limit -= len(items)
            go_on(items[-1])


def those(names: list[Name], read: Callable[[list[Name]], Page[Item]], name_of: Callable[[Item], Name]) -> list[Item]:
    """All those of the names that are there, where an answer may end before the last of them."""
    found: list[Item] = []
    more = True
    while more:
        items, more = read(names)
        found += items
        # A name may be asked for again: each item answers the next one that is its own.
        seen = 0
        for item in items:
            seen = names.index(name_of(item), seen) + 1
        names = names[seen:]
    return found
