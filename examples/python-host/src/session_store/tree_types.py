"""The vocabulary of the WIT interface `session-tree`, as Python types."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal, Optional, TypedDict, Union, get_args

from .types import Json

__all__ = [
    "Address",
    "AppendList",
    "Branch",
    "BranchScan",
    "Committed",
    "ContextMessage",
    "Cost",
    "DeleteList",
    "DeleteValue",
    "Direction",
    "Entry",
    "EntryScan",
    "EntryStructure",
    "EntryType",
    "Label",
    "ListElement",
    "NewEntry",
    "NewUsage",
    "RangeScan",
    "RefusedCommit",
    "SetValue",
    "Stats",
    "StoredValue",
    "TreeState",
    "UsageRow",
    "UsageSum",
    "ValueScan",
    "Write",
]

EntryType = Literal["message", "compaction", "branch-summary", "custom"]
"""A message of the conversation, what stands for all before it, what happened on a branch that was left, or anything else."""
Direction = Literal["oldest-first", "newest-first"]
ENTRY_TYPES: tuple[str, ...] = get_args(EntryType)
DIRECTIONS: tuple[str, ...] = get_args(Direction)


@dataclass(frozen=True)
class Address:
    """Where a value or a list is kept; one of each may have the same address. `pi` and all namespaces that begin with `pi.` are
    the tree's own."""

    namespace: str
    key: str = ""


@dataclass(frozen=True)
class NewEntry:
    """Adds an entry. `payload` is an object with the members of its type, or `Json`, which is kept byte for byte."""

    id: str
    """Entries and rows of usage share one space of names."""
    type: EntryType
    payload: Any
    parent: Optional[str] = None
    """The entry that it follows; none for a root."""
    custom_type: Optional[str] = None
    """What the application calls it; `custom` entries need it."""


@dataclass(frozen=True)
class NewUsage:
    """Adds a row to the ledger. `usage` and `details` are values, or `Json`, which is kept byte for byte."""

    id: str
    """Entries and rows of usage share one space of names."""
    usage: Any
    """`{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0, "cost": {…}}`."""
    entry: Optional[str] = None
    """The entry that it was used for. It need not be there."""
    adjustment: bool = False
    """A correction in place of a provider's report."""
    details: Optional[Any] = None
    """Anything of the application's; absent if none, so that `null` is `Json("null")`."""


@dataclass(frozen=True)
class SetValue:
    """Sets a value, whether or not there was one."""

    address: Address
    value: Any


@dataclass(frozen=True)
class DeleteValue:
    """Deletes a value. There need not be one."""

    address: Address


@dataclass(frozen=True)
class AppendList:
    """Adds an element to the end of a list."""

    address: Address
    value: Any


@dataclass(frozen=True)
class DeleteList:
    """Deletes a whole list. There need not be one."""

    address: Address


Write = Union[NewEntry, NewUsage, SetValue, DeleteValue, AppendList, DeleteList]


@dataclass(frozen=True)
class Cost:
    """What a provider charges for."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    total: float


@dataclass(frozen=True)
class UsageSum:
    """A sum over rows of the ledger."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_one_hour: Optional[float]
    """Of what was written to the cache, what is kept for an hour; none if no row says."""
    reasoning: Optional[float]
    """None if no row says."""
    total_tokens: float
    cost: Cost


@dataclass(frozen=True)
class Stats:
    """Totals."""

    message_count: int
    """Entries of the type `message`."""
    usage: UsageSum
    """The ledger's sum."""


@dataclass(frozen=True)
class Committed:
    """What was committed."""

    first: int
    """The number of the first write; the others follow without a hole. Of no writes: the number that the next will have."""
    timestamp: int
    stats: Stats
    """Totals right after it."""


@dataclass(frozen=True)
class RefusedCommit:
    """A `tree/commit` event that breaks a rule. It changed nothing."""

    event: int
    """Its `seq`."""
    reason: str


@dataclass(frozen=True)
class TreeState:
    """Where a tree stands."""

    name: Optional[str]
    """What the session is called."""
    next: int
    """The number that the next write will have."""
    stats: Stats
    entry_count: int
    usage_count: int
    refused: list[RefusedCommit]
    """Commits of the log that break a rule, the first hundred of them."""


@dataclass(frozen=True)
class EntryStructure:
    """An entry without its payload."""

    id: str
    parent: Optional[str]
    """The entry that it follows; none for a root."""
    number: int
    """Its place among all writes of the session."""
    timestamp: int
    type: EntryType
    custom_type: Optional[str]


@dataclass(frozen=True)
class Entry(EntryStructure):
    """An entry."""

    payload: Json
    """An object with the members of its type."""


@dataclass(frozen=True)
class UsageRow:
    """A row of the ledger."""

    id: str
    number: int
    entry: Optional[str]
    adjustment: bool
    usage: Json
    details: Optional[Json]


@dataclass(frozen=True)
class StoredValue:
    """A value as it is kept."""

    address: Address
    value: Json
    number: int
    """The number of the write that set it last."""


@dataclass(frozen=True)
class ListElement:
    """An element of a list."""

    number: int
    """The number of the write that added it."""
    value: Json


@dataclass(frozen=True)
class Branch:
    """A named tip."""

    name: str
    tip: Optional[str]
    """The entry that it stands at; none before the first."""


@dataclass(frozen=True)
class Label:
    """A label of an entry."""

    entry: str
    text: str


@dataclass(frozen=True)
class ContextMessage:
    """A message of a branch's context."""

    entry: str
    """The entry that it comes from."""
    message: Json
    """As it was recorded, or `{"role": "compactionSummary", …}`, or `{"role": "branchSummary", …}`."""


class BranchScan(TypedDict, total=False):
    """Which entries of a branch. First the path is put in order, then cut after the first entry at which to stop, then filtered,
    then what the cursor has passed is left out, and then the limit counts."""

    stop_at_id: Optional[str]
    """The last entry wanted, in the order of the scan."""
    stop_at_type: Optional[EntryType]
    """The first entry of this type is the last wanted, in the order of the scan."""
    type: Optional[EntryType]
    """Only those of this type."""
    custom_type: Optional[str]
    """Only those that the application calls so."""
    direction: Direction
    """`newest-first` by default."""
    cursor: Optional[int]
    """Only those beyond this number, in the order of the scan."""
    limit: Optional[int]
    """At most so many; all by default."""


class RangeScan(TypedDict, total=False):
    """Which rows of the ledger, elements of a list or entries of the whole session, by number."""

    start: Optional[int]
    """Not below this number."""
    end: Optional[int]
    """Not above this number."""
    direction: Direction
    """`oldest-first` by default."""
    limit: Optional[int]
    """At most so many; all by default."""


class EntryScan(RangeScan, total=False):
    """Which entries of the whole session."""

    type: Optional[EntryType]
    """Only those of this type."""
    custom_type: Optional[str]
    """Only those that the application calls so."""


class ValueScan(TypedDict, total=False):
    """Which values of a namespace."""

    after: Optional[str]
    """Only keys behind this one."""
    limit: Optional[int]
    """At most so many; all by default."""


def stats(record: SimpleNamespace) -> Stats:
    """Totals that a component answered."""
    usage = {**vars(record.usage), "cost": Cost(**vars(record.usage.cost))}
    return Stats(record.message_count, UsageSum(**usage))


def committed(record: SimpleNamespace) -> Committed:
    """What a component answered to a commit."""
    return Committed(record.first, record.timestamp, stats(record.stats))


def tree_state(record: SimpleNamespace) -> TreeState:
    """A state that a component answered."""
    refused = [RefusedCommit(**vars(commit)) for commit in record.refused]
    return TreeState(record.name, record.next, stats(record.stats), record.entry_count, record.usage_count, refused)


def structure(record: SimpleNamespace) -> EntryStructure:
    """An entry that a component answered, without its payload."""
    return EntryStructure(**vars(record))


def entry(record: SimpleNamespace) -> Entry:
    """An entry that a component answered."""
    return Entry(**vars(record.structure), payload=Json(record.payload))


def usage_row(record: SimpleNamespace) -> UsageRow:
    """A row that a component answered."""
    row = record.row
    details = None if row.details is None else Json(row.details)
    return UsageRow(row.id, record.number, row.entry, row.adjustment, Json(row.usage), details)


def stored_value(record: SimpleNamespace) -> StoredValue:
    """A value that a component answered."""
    return StoredValue(Address(**vars(record.address)), Json(record.value), record.number)


def element(record: SimpleNamespace) -> ListElement:
    """An element that a component answered."""
    return ListElement(record.number, Json(record.value))
