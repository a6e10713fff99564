"""A session as a tree, seen from Python."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Iterator, Optional, Union

import pytest

from session_store import (
    Address,
    AppendList,
    Branch,
    DeleteList,
    DeleteValue,
    Entry,
    EntryStructure,
    Json,
    Label,
    ListElement,
    Memory,
    NewEntry,
    NewUsage,
    SessionError,
    Sessions,
    SetValue,
    StoredValue,
    Tree,
    UsageRow,
)

NOW = 1763681581550
APP = Address("app")
ZERO = '{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}'


@pytest.fixture
def sessions() -> Iterator[Sessions]:
    with Sessions(Memory(), clock=lambda: NOW) as sessions:
        sessions.create("x")
        yield sessions


@pytest.fixture
def tree(sessions: Sessions) -> Tree:
    return sessions.tree("x")


@pytest.fixture
def branched(tree: Tree) -> Tree:
    """Two branches that part behind `a`."""
    tree.commit([said("a"), note("b", "a"), said("c", "b"), note("d", "a")])
    tree.create_branch("main", "c")
    tree.create_branch("side", "d")
    return tree


def said(id: str, parent: Optional[str] = None, text: str = "hello") -> NewEntry:
    return NewEntry(id, "message", {"message": {"role": "user", "content": text}}, parent)


def note(id: str, parent: Optional[str] = None) -> NewEntry:
    return NewEntry(id, "custom", {"data": id}, parent, "note")


def used(tokens: float) -> dict[str, Any]:
    cost = {"input": tokens / 4, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": tokens / 4}
    return {"input": tokens, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": tokens, "cost": cost}


def ids(entries: Iterable[Union[EntryStructure, UsageRow]]) -> list[str]:
    return [entry.id for entry in entries]


def refusal(error: pytest.ExceptionInfo[SessionError]) -> tuple[str, object]:
    assert str(error.value)
    return error.value.code, error.value.detail


def test_a_commit_numbers_its_writes_and_what_it_wrote_is_there(tree: Tree) -> None:
    committed = tree.commit([said("a"), NewUsage("u", used(1), entry="a"), SetValue(APP, [None]), AppendList(APP, "first")])
    assert (committed.first, committed.timestamp) == (1, NOW)
    assert (committed.stats.message_count, committed.stats.usage.total_tokens, committed.stats.usage.cost.total) == (1, 1, 0.25)
    assert committed.stats.usage.reasoning is None
    payload = Json('{"message":{"role":"user","content":"hello"}}')
    assert tree.get_entries(["nix", "a"]) == [Entry("a", None, 1, NOW, "message", None, payload)]
    assert [(row.id, row.number, row.entry, row.adjustment, row.usage.parse(), row.details) for row in tree.usage()] == [
        ("u", 2, "a", False, used(1), None)
    ]
    assert tree.get_values([APP, Address("app", "other")]) == [StoredValue(APP, Json("[null]"), 3)]
    assert list(tree.list(APP)) == [ListElement(4, Json('"first"'))]
    state = tree.state()
    assert (state.name, state.next, state.stats, state.entry_count, state.usage_count, state.refused) == (
        None, 5, committed.stats, 1, 1, [],
    )  # fmt: skip


def test_what_is_deleted_is_gone(tree: Tree) -> None:
    tree.commit([SetValue(APP, 1), AppendList(APP, 1)])
    tree.commit([DeleteValue(APP), DeleteList(APP)])
    assert tree.get_values([APP]) == [] and list(tree.list(APP)) == []


def test_numbers_and_time_of_a_commit_can_be_given(tree: Tree) -> None:
    tree.commit([said("a")], first=7, timestamp=5)
    assert [(entry.number, entry.timestamp) for entry in tree.entries()] == [(7, 5)]


def test_json_is_kept_byte_for_byte(tree: Tree) -> None:
    json = Json('{"data":{"big":12345678901234567890, "one":1.0,"half":"\\ud83d"}}')
    usage = Json('{"totalTokens":1,"input":1.0,"output":0,"cacheRead":0,"cacheWrite":0,"cost":' + ZERO + "}")
    tree.commit([NewEntry("a", "custom", json, None, "note"), SetValue(APP, json), NewUsage("u", usage, details=json)])
    assert [entry.payload for entry in tree.entries()] == [json]
    assert [value.value for value in tree.values("app")] == [json]
    assert [(row.usage, row.details) for row in tree.usage()] == [(usage, json)]


def test_a_commit_is_one_event_of_the_log(sessions: Sessions, branched: Tree) -> None:
    assert [event.type for event in sessions.events("x")] == ["tree/commit"] * 3


def test_branches_are_made_grow_and_move(branched: Tree) -> None:
    branched.append("side", note("e"))
    branched.move_branch("main", "a")
    branched.create_branch("empty")
    assert list(branched.branches()) == [Branch("empty", None), Branch("main", "a"), Branch("side", "e")]
    assert [entry.parent for entry in branched.get_entries(["e"])] == ["d"]


def test_a_branch_is_walked_from_its_tip_or_from_its_root(branched: Tree) -> None:
    assert ids(branched.branch_entries("c")) == ["c", "b", "a"]
    assert ids(branched.branch_entries("c", direction="oldest-first", type="message")) == ["a", "c"]
    assert ids(branched.branch_entries("c", stop_at_id="b")) == ["c", "b"]
    assert ids(branched.branch_entries("c", cursor=3, limit=1)) == ["b"]
    assert list(branched.branch_structure("d", stop_at_type="custom")) == [EntryStructure("d", "a", 4, NOW, "custom", "note")]


def test_entries_usage_and_lists_are_scanned_by_number_either_way(branched: Tree) -> None:
    branched.commit([write for value in (1, 2, 3) for write in (NewUsage(f"u{value}", used(value)), AppendList(APP, value))])
    assert ids(branched.entries(direction="newest-first", custom_type="note")) == ["d", "b"]
    assert ids(branched.entries(start=2, end=3)) == ["b", "c"]
    assert ids(branched.usage(limit=2, direction="newest-first")) == ["u3", "u2"]
    assert [element.value for element in branched.list(APP, start=10)] == ["2", "3"]


def test_values_are_scanned_by_prefix_by_code_points(tree: Tree) -> None:
    tree.commit([SetValue(Address("app", key), 0) for key in ("p/\U00010000", "p/\ue000", "q", "p/a")])
    assert [value.address.key for value in tree.values("app", "p/")] == ["p/a", "p/\ue000", "p/\U00010000"]
    assert [value.address.key for value in tree.values("app", after="p/a", limit=1)] == ["p/\ue000"]


def test_what_is_too_long_for_one_answer_is_read_to_its_end_each_item_once(tree: Tree) -> None:
    names = [f"e{index}" for index in range(10, 19)]
    for index, name in enumerate(names):
        long = "x" * 600_000
        parent = names[index - 1] if index else None
        tree.commit([said(name, parent, long), SetValue(Address("app", name), long), AppendList(APP, long), NewUsage(f"u{name}", used(1), details=long)])
    assert ids(tree.get_entries(names)) == names
    again = ["e10", "none", "e11", "e10", "e12", "e11", "none", "e13", "e10", "e10", "none"]
    assert ids(tree.get_entries(again)) == [name for name in again if name != "none"], "as often as they are asked for"
    assert ids(tree.entries()) == names
    assert ids(tree.entries(direction="newest-first", limit=8)) == names[:0:-1]
    assert ids(tree.branch_entries("e18")) == names[::-1]
    assert ids(tree.branch_entries("e18", direction="oldest-first")) == names
    assert [value.address.key for value in tree.values("app")] == names
    assert [value.address.key for value in tree.get_values([Address("app", name) for name in names])] == names
    assert len(list(tree.list(APP))) == 9
    assert len(list(tree.usage())) == 9
    tree.create_branch("main", "e18")
    assert [message.entry for message in tree.context("main")] == names


def test_labels_and_the_name_are_set_and_taken_away(branched: Tree) -> None:
    branched.set_label("b", "turning point")
    branched.set_label("c", "end")
    branched.set_label("c", None)
    assert branched.get_labels(["c", "b"]) == [Label("b", "turning point")]
    branched.set_name("work")
    assert branched.state().name == "work"
    branched.set_name(None)
    assert branched.state().name is None


def test_the_whole_tree_is_forked_and_one_lane_of_it(sessions: Sessions, branched: Tree) -> None:
    header = branched.fork("all", cwd="/srv")
    assert (header.id, header.cwd, header.parent_session) == ("all", "/srv", "x")
    assert ids(sessions.tree("all").entries()) == ["a", "b", "c", "d"]
    branched.commit([SetValue(Address(namespace, "main"), {}) for namespace in ("pi.lane.config", "pi.lane.state")])
    branched.fork("tip", branch="main")
    branched.fork("at", branch="main", at="b")
    branched.fork("before", branch="main", before="b")
    assert [ids(sessions.tree(child).entries()) for child in ("tip", "at", "before")] == [["a", "b", "c"], ["a", "b"], ["a"]]
    with pytest.raises(ValueError, match="one place of one branch"):
        branched.fork("y", at="b")


def test_a_fork_does_not_take_the_name_of_a_session_that_waits_to_be_stored(sessions: Sessions, branched: Tree) -> None:
    sessions.create("waiting")
    with pytest.raises(SessionError) as error:
        branched.fork("waiting")
    assert refusal(error) == ("already-exists", "waiting")


def test_the_context_of_a_branch_begins_with_its_last_compaction(branched: Tree) -> None:
    compaction = {"summary": "It began.", "retainedTail": [{"role": "user", "content": "kept"}], "tokensBefore": 9, "fromHook": False}
    branched.append("main", NewEntry("e", "compaction", compaction))
    branched.append("main", said("f"))
    context = [(message.entry, message.message.parse()["role"]) for message in branched.context("main")]
    assert context == [("e", "compactionSummary"), ("e", "user"), ("f", "user")]


def test_errors_say_which_and_what_to_do(sessions: Sessions, branched: Tree) -> None:
    pending = {"message": {"role": "assistant", "content": [], "stopReason": "pending"}}
    branched.commit([SetValue(Address("pi.new"), 1)])
    failing: list[tuple[Callable[[], object], str, str]] = [
        (lambda: branched.commit([said("a")]), "duplicate-id", "a"),
        (lambda: branched.commit([said("z", "nix")]), "missing-parent", "nix"),
        (lambda: branched.append("nix", said("z")), "unknown-branch", "nix"),
        (lambda: branched.create_branch("main"), "branch-exists", "main"),
        (lambda: list(branched.branch_entries("nix")), "unknown-target", "nix"),
        (lambda: branched.append("main", NewEntry("z", "message", pending)), "pending-message", "z"),
        (lambda: branched.fork("y", branch="side"), "not-a-lane", "side"),
        (lambda: branched.fork("y"), "reserved-namespace", "pi.new"),
        (lambda: sessions.tree("nix").state(), "not-found", "nix"),
    ]
    for call, code, detail in failing:
        with pytest.raises(SessionError) as error:
            call()
        assert refusal(error) == (code, detail)
    assert branched.state().entry_count == 4


@pytest.mark.parametrize(
    ("write", "why"),
    [
        (SetValue(Address(""), 1), "empty namespace"),
        (SetValue(APP, object()), "can't be written as JSON"),
        (SetValue(APP, Json("{")), "JSON"),
        (said("half \ud83d"), "half a surrogate pair"),
    ],
)
def test_a_write_that_can_not_be_is_refused_with_its_place(tree: Tree, write: Union[SetValue, NewEntry], why: str) -> None:
    with pytest.raises(SessionError, match=f"^write 1 is refused: it.*{why}") as error:
        tree.commit([note("a"), write])
    assert error.value.code == "refused-write"
    assert tree.state().next == 1


def test_a_commit_that_is_too_much_for_one_call_is_refused(tree: Tree) -> None:
    with pytest.raises(SessionError) as error:
        tree.commit([SetValue(APP, "x" * 3_000_000)])
    assert error.value.code == "too-large"


def test_a_text_that_is_none_can_not_be_asked_for(tree: Tree) -> None:
    with pytest.raises(SessionError) as error:
        tree.get_entries(["a\ud83d"])
    assert error.value.code == "refused"
