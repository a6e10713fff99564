"""What is of a wrong kind is refused by a tree before anything happens, by its name."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Callable, Optional

import pytest

from session_store import (
    Address,
    AppendList,
    DeleteList,
    DeleteValue,
    Json,
    Memory,
    NewEntry,
    NewUsage,
    SessionError,
    Sessions,
    SetValue,
    StoredValue,
    Tree,
)

HALF = "a\ud83d"
APP = Address("app", "k")
ENTRY = NewEntry("e", "custom", {}, None, "note")
ROW = NewUsage("u", {})
VALUE = SetValue(APP, 1)
OTHER: Any = 5
TYPES = "is one of message, compaction, branch-summary, custom, and not"
DIRECTIONS = "direction is one of oldest-first, newest-first, and not"


def altered(write: Any, **members: object) -> Any:
    return replace(write, **members)


Row = tuple[str, Callable[[Any], object], type[Exception], str]

WRITES: list[tuple[str, Any, type[Exception], str]] = [
    ("a number", 5, TypeError, "write 1 must be one of NewEntry, NewUsage, SetValue, DeleteValue, AppendList, DeleteList, not int"),
    ("none", None, TypeError, "write 1 must be one of NewEntry, NewUsage, SetValue, DeleteValue, AppendList, DeleteList, not None"),
    ("a dict", {"entry": {}}, TypeError, "write 1 must be one of NewEntry"),
    ("a class", NewEntry, TypeError, "write 1 must be one of NewEntry"),
    ("a stored value", StoredValue(APP, Json("1"), 1), TypeError, "write 1 must be one of NewEntry"),
    ("an entry with a number for an id", altered(ENTRY, id=OTHER), TypeError, "id of write 1 must be a str, not int"),
    ("an entry without an id", altered(ENTRY, id=None), TypeError, "id of write 1 must be a str, not None"),
    ("half a surrogate pair in an id", altered(ENTRY, id=HALF), SessionError, "write 1 is refused: its id holds half a surrogate pair"),
    ("a parent that is an entry", altered(ENTRY, parent=ENTRY), TypeError, "parent of write 1 must be a str, not NewEntry"),
    ("half a surrogate pair in a parent", altered(ENTRY, parent=HALF), SessionError, "write 1 is refused: its parent holds half"),
    ("a type of nobody's", altered(ENTRY, type="branch_summary"), ValueError, f"type of write 1 {TYPES} 'branch_summary'"),
    ("no type", altered(ENTRY, type=None), ValueError, f"type of write 1 {TYPES} None"),
    ("a custom type that is a number", altered(ENTRY, custom_type=OTHER), TypeError, "custom_type of write 1 must be a str, not int"),
    ("a payload that is no JSON", altered(ENTRY, payload=object()), SessionError, "write 1 is refused: its payload can't be written as JSON"),
    ("a payload with JSON within", altered(ENTRY, payload={"data": Json("1")}), TypeError, "payload of write 1 holds a Json"),
    ("half a surrogate pair in a payload", altered(ENTRY, payload=Json(f'{{"data":"{HALF}"}}')), SessionError, "its payload holds half"),
    ("a row with bytes for an id", altered(ROW, id=b"u"), TypeError, "id of write 1 must be a str, not bytes"),
    ("a row of an entry that is a number", altered(ROW, entry=OTHER), TypeError, "entry of write 1 must be a str, not int"),
    ("an adjustment in words", altered(ROW, adjustment="yes"), TypeError, "adjustment of write 1 must be a bool, not str"),
    ("usage that is not a number", altered(ROW, usage={"input": float("nan")}), SessionError, "write 1 is refused: its usage can't be"),
    ("details that are a set", altered(ROW, details={1}), SessionError, "write 1 is refused: its details can't be written as JSON"),
    ("a value at a tuple", SetValue(OTHER, 1), TypeError, "address of write 1 must be an Address, not int"),
    ("a value at a key that is a number", SetValue(Address("app", OTHER), 1), TypeError, "key of write 1 must be a str, not int"),
    ("a value in half a surrogate pair", SetValue(Address(HALF), 1), SessionError, "write 1 is refused: its namespace holds half"),
    ("a value that is no JSON", SetValue(APP, object()), SessionError, "write 1 is refused: its value can't be written as JSON"),
    ("a value to delete at a text", DeleteValue("k"), TypeError, "address of write 1 must be an Address, not str"),  # type: ignore[arg-type]
    ("an element at none", AppendList(None, 1), TypeError, "address of write 1 must be an Address, not None"),  # type: ignore[arg-type]
    ("an element that is no JSON", AppendList(APP, {1: {2}}), SessionError, "write 1 is refused: its value can't be written as JSON"),
    ("a list at no namespace", DeleteList(Address(OTHER)), TypeError, "namespace of write 1 must be a str, not int"),
]

Scan = Callable[..., Callable[[Any], object]]


def calls(name: str, *arguments: object) -> Scan:
    def with_options(**options: object) -> Callable[[Any], object]:
        return lambda tree: list(getattr(tree, name)(*arguments, **options))

    return with_options


RANGES = {"entries": calls("entries"), "usage": calls("usage"), "list": calls("list", APP)}
BRANCHES = {"branch_entries": calls("branch_entries", "a"), "branch_structure": calls("branch_structure", "a")}
VALUES = {"values": calls("values", "app")}


def each(scans: dict[str, Scan], option: str, value: object, kind: type[Exception], message: str) -> list[Row]:
    return [(f"{name} with {option} {value}", scan(**{option: value}), kind, message) for name, scan in scans.items()]


CALLS: list[Row] = [
    ("commit one write", lambda tree: tree.commit(ENTRY), TypeError, "writes must be an iterable of Write, not NewEntry"),
    ("commit a text", lambda tree: tree.commit("writes"), TypeError, "writes must be an iterable of Write, not str"),
    ("commit none", lambda tree: tree.commit(None), TypeError, "writes must be an iterable of Write, not None"),
    ("commit a dict", lambda tree: tree.commit({"entry": ENTRY}), TypeError, "write 0 must be one of NewEntry"),
    ("commit with a slip", lambda tree: tree.commit([], time=5), TypeError, "unexpected keyword argument 'time'"),
    ("commit from a text", lambda tree: tree.commit([], first="9"), TypeError, "first must be an int, not str"),
    ("commit from a truth", lambda tree: tree.commit([], first=True), TypeError, "first must be an int, not bool"),
    ("commit from before", lambda tree: tree.commit([], first=-1), ValueError, "first must be a whole number of 64 bits, not -1"),
    ("commit from far beyond", lambda tree: tree.commit([VALUE], first=2**53), SessionError, "the numbers end at 2^53 - 1"),
    ("commit from farther", lambda tree: tree.commit([VALUE], first=2**64), ValueError, "first must be a whole number of 64 bits"),
    ("commit at a fraction", lambda tree: tree.commit([], timestamp=0.5), TypeError, "timestamp must be an int, not float"),
    ("commit far away", lambda tree: tree.commit([VALUE], timestamp=2**53), SessionError, "the timestamp ends at 2^53 - 1"),
    ("entries of one id", lambda tree: tree.get_entries("a"), TypeError, "ids must be an iterable of str, not str"),
    ("entries of a number", lambda tree: tree.get_entries(["a", 5]), TypeError, "an id in ids must be a str, not int"),
    ("entries of half", lambda tree: tree.get_entries([HALF]), SessionError, "refused: an id in ids holds half a surrogate pair"),
    ("values at one address", lambda tree: tree.get_values(APP), TypeError, "addresses must be an iterable of Address, not Address"),
    ("values at a tuple", lambda tree: tree.get_values([APP, ("app", "k")]), TypeError, "address 1 must be an Address, not tuple"),
    ("values at half", lambda tree: tree.get_values([Address("app", HALF)]), SessionError, "refused: key of address 0 holds half"),
    ("labels of one entry", lambda tree: tree.get_labels("a"), TypeError, "entries must be an iterable of str, not str"),
    ("labels of none", lambda tree: tree.get_labels([None]), TypeError, "an id in entries must be a str, not None"),
    ("a branch without a name", lambda tree: tree.create_branch(None), TypeError, "name must be a str, not None"),
    ("a branch at a number", lambda tree: tree.create_branch("b", 5), TypeError, "at must be a str, not int"),
    ("append to a number", lambda tree: tree.append(5, ENTRY), TypeError, "branch must be a str, not int"),
    ("append a row", lambda tree: tree.append("main", ROW), TypeError, "the entry must be a NewEntry, not NewUsage"),
    ("append a type of nobody's", lambda tree: tree.append("main", altered(ENTRY, type=OTHER)), ValueError, f"type of the entry {TYPES} 5"),
    ("append no id", lambda tree: tree.append("main", altered(ENTRY, id=None)), TypeError, "id of the entry must be a str, not None"),
    ("move none", lambda tree: tree.move_branch(None), TypeError, "name must be a str, not None"),
    ("move to an entry", lambda tree: tree.move_branch("main", ENTRY), TypeError, "to_entry must be a str, not NewEntry"),
    ("label none", lambda tree: tree.set_label(None, "x"), TypeError, "entry must be a str, not None"),
    ("label with a number", lambda tree: tree.set_label("a", 5), TypeError, "text must be a str, not int"),
    ("name a number", lambda tree: tree.set_name(5), TypeError, "name must be a str, not int"),
    ("name half", lambda tree: tree.set_name(HALF), SessionError, "refused: name holds half a surrogate pair"),
    ("fork to none", lambda tree: tree.fork(None), TypeError, "child must be a str, not None"),
    ("fork a number", lambda tree: tree.fork("y", branch=5), TypeError, "branch must be a str, not int"),
    ("fork at a number", lambda tree: tree.fork("y", branch="main", at=5), TypeError, "at must be a str, not int"),
    ("fork before a number", lambda tree: tree.fork("y", branch="main", before=5), TypeError, "before must be a str, not int"),
    ("fork at two places", lambda tree: tree.fork("y", branch="main", at="a", before="a"), ValueError, "at one place of one branch"),
    ("fork at an empty id of no branch", lambda tree: tree.fork("y", at=""), ValueError, "at one place of one branch"),
    ("fork in a number", lambda tree: tree.fork("y", cwd=5), TypeError, "cwd must be a str or an os.PathLike of one, not int"),
    ("a branch from none", lambda tree: tree.branch_entries(None), TypeError, "start must be a str, not None"),
    ("a branch from half", lambda tree: tree.branch_structure(HALF), SessionError, "refused: start holds half a surrogate pair"),
    ("a list at a key", lambda tree: tree.list("k"), TypeError, "address must be an Address, not str"),
    ("values of none", lambda tree: tree.values(None), TypeError, "namespace must be a str, not None"),
    ("values of no prefix", lambda tree: tree.values("app", None), TypeError, "prefix must be a str, not None"),
    ("the context of none", lambda tree: list(tree.context(None)), TypeError, "branch must be a str, not None"),
    *each(RANGES, "max", 3, TypeError, "there is no option max, only start, end, direction, limit"),
    *each(BRANCHES, "start_at", 3, TypeError, "there is no option start_at, only stop_at_id, stop_at_type, type, custom_type, direction,"),
    *each(VALUES, "cursor", 3, TypeError, "there is no option cursor, only after, limit"),
    *each(RANGES | BRANCHES | VALUES, "limit", "3", TypeError, "limit must be an int, not str"),
    *each(RANGES | BRANCHES | VALUES, "limit", 2**32, ValueError, "limit must be a whole number of 32 bits, not 4294967296"),
    *each(RANGES | BRANCHES, "direction", "newest", ValueError, f"{DIRECTIONS} 'newest'"),
    *each(RANGES | BRANCHES, "direction", None, ValueError, f"{DIRECTIONS} None"),
    *each(RANGES, "start", "1", TypeError, "start must be an int, not str"),
    *each(RANGES, "end", -1, ValueError, "end must be a whole number of 64 bits, not -1"),
    *each(BRANCHES, "cursor", 1.0, TypeError, "cursor must be an int, not float"),
    *each(BRANCHES, "cursor", 2**64, ValueError, "cursor must be a whole number of 64 bits"),
    *each(BRANCHES, "stop_at_id", 5, TypeError, "stop_at_id must be a str, not int"),
    *each(BRANCHES, "stop_at_type", "note", ValueError, f"stop_at_type {TYPES} 'note'"),
    *each(BRANCHES | {"entries": RANGES["entries"]}, "type", "Message", ValueError, f"type {TYPES} 'Message'"),
    *each(BRANCHES | {"entries": RANGES["entries"]}, "custom_type", 5, TypeError, "custom_type must be a str, not int"),
    *each(BRANCHES | {"entries": RANGES["entries"]}, "custom_type", HALF, SessionError, "refused: custom_type holds half a surrogate pair"),
    *each(VALUES, "after", 5, TypeError, "after must be a str, not int"),
]


def committing(write: Any) -> Callable[[Any], object]:
    return lambda tree: tree.commit([VALUE, write])


CALLS += [(f"commit {name}", committing(write), kind, message) for name, write, kind, message in WRITES]


@pytest.mark.parametrize(("call", "kind", "message"), [row[1:] for row in CALLS], ids=[row[0] for row in CALLS])
def test_a_wrong_kind_of_argument_is_named_and_nothing_happens(call: Callable[[Any], object], kind: type[Exception], message: str) -> None:
    store = Memory()
    with Sessions(store) as sessions:
        sessions.create("x")
        tree = sessions.tree("x")
        tree.commit([NewEntry("a", "custom", {}, None, "note"), SetValue(Address("pi.branch.tip", "main"), "a")])
        before = sessions.inspect("x"), tree.state()
        with pytest.raises(kind, match=re.escape(message)) as error:
            call(tree)
        assert type(error.value) is kind
        assert (sessions.inspect("x"), tree.state()) == before
        assert [log.id for log in store.list("by-id", None, 9)] == ["x"]


def test_options_of_a_scan_are_known_to_mypy(tree: Tree) -> None:
    tip: Optional[str] = "a"
    assert list(tree.branch_entries("a", stop_at_id=tip, limit=0)) == []
    with pytest.raises(TypeError):
        tree.branch_entries("a", limit="3")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tree.branch_structure("a", end=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError):
        tree.usage(direction="newest")  # type: ignore[arg-type]


@pytest.fixture
def tree(sessions: Sessions) -> Tree:
    sessions.create("x")
    tree = sessions.tree("x")
    tree.commit([NewEntry("a", "custom", {}, None, "note")])
    return tree
