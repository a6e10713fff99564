"""What sessions do, seen from Python."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import threading
from pathlib import Path
from typing import Any, Callable

import pytest
from conftest import REPOSITORY, log_of

from session_store import (
    Damage,
    Event,
    Json,
    Listed,
    Memory,
    Rejected,
    SequenceConflict,
    SessionError,
    Sessions,
    StorageError,
    Unreadable,
    errors,
    open_sessions,
)


def turn(sessions: Sessions, id: str) -> None:
    """A turn that is open, with one call that nothing answered."""
    sessions.emit(id, "turn/start", {"turn": 1})
    sessions.emit(id, "step/start", {"step": 1})
    call = {"type": "tool-call", "id": "a", "name": "read", "arguments": "{}"}
    sessions.emit(id, "assistant/message", {"content": [call]})


def repr_or_type(value: object) -> str:
    return type(value).__name__


def code_of(error: pytest.ExceptionInfo[SessionError]) -> str:
    assert str(error.value)
    return error.value.code


def test_nothing_is_stored_until_the_first_event(sessions: Sessions) -> None:
    header = sessions.create("x", cwd="/work")
    assert (header.id, header.cwd, header.version) == ("x", "/work", 0)
    assert not sessions.has("x")
    assert sessions.header("x") == header
    assert sessions.emit("x", "note", 1) == 0
    assert sessions.has("x")


def test_a_flush_stores_a_session_without_events(sessions: Sessions) -> None:
    sessions.create("x")
    sessions.flush("x")
    assert sessions.inspect("x").length == 0


def test_events_come_back_as_they_were_emitted(sessions: Sessions) -> None:
    sessions.create("x")
    for number in range(3):
        assert sessions.emit("x", "note", {"number": number}) == number
    events = list(sessions.events("x"))
    assert [(event.seq, event.type, event.data.parse()) for event in events] == [(n, "note", {"number": n}) for n in range(3)]
    assert all(event.time >= sessions.header("x").created_at for event in events)
    assert list(sessions.events("x", 2)) == events[2:]
    assert list(sessions.events("x", 3)) == []


def test_events_of_some_types_are_left_out(sessions: Sessions) -> None:
    sessions.create("x")
    for type in ("note", "assistant/chunk", "note"):
        sessions.emit("x", type, None)
    assert [event.seq for event in sessions.events("x", without=["assistant/chunk"])] == [0, 2]


@pytest.mark.parametrize(
    "data",
    [
        '{"id":2512292042121000001,"f":1.0,"e":1e400}',
        '{"b":1,"a":2,"a":3}',
        '{"t":"\\ud83d"}',
        '{"t":"\\u0000"}',
        '"\u2028\u2029\u0085é😀"',
        "9" * 10_000,
        "[" * 100 + "]" * 100,
        ' { "spaced" : [ ] } '.strip(),
    ],
)
def test_json_is_kept_byte_for_byte(sessions: Sessions, data: str) -> None:
    sessions.create("x")
    sessions.emit("x", "note", Json(data))
    assert [event.data for event in sessions.events("x")] == [data]
    sessions.append("x", [Event(1, 7, 'a"\n', Json(data))])
    assert list(sessions.events("x", 1)) == [Event(1, 7, 'a"\n', Json(data))]


@pytest.mark.parametrize("value", [{"t": "\ud83d"}, {"t": "\0"}, 2**200, -0.5, "é\u2028\n", None, [True, {"a": []}]])
def test_a_value_comes_back(sessions: Sessions, value: object) -> None:
    sessions.create("x")
    sessions.emit("x", "note", value)
    (event,) = sessions.events("x")
    assert event.data.parse() == value


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, 10**5000], ids=repr_or_type)
def test_a_value_that_is_no_json_is_rejected(sessions: Sessions, value: object) -> None:
    sessions.create("x")
    with pytest.raises(SessionError) as error:
        sessions.emit("x", "note", value)
    assert code_of(error) == "rejected"


@pytest.mark.parametrize("data", ["", "{", "1 2", "1\n", '"\ud83d"', "[" * 200 + "]" * 200])
def test_text_that_is_no_json_on_one_line_is_rejected(sessions: Sessions, data: str) -> None:
    sessions.create("x")
    with pytest.raises(SessionError) as error:
        sessions.emit("x", "note", Json(data))
    assert code_of(error) == "rejected"
    assert sessions.emit("x", "note", 1) == 0


def test_a_batch_that_does_not_continue_the_log_says_where_it_goes_on(sessions: Sessions) -> None:
    sessions.create("x")
    sessions.append("x", [Event(0, 1, "note", Json("1")), Event(1, 1, "note", Json("2"))])
    with pytest.raises(SessionError) as error:
        sessions.append("x", [Event(7, 1, "note", Json("3"))])
    assert (code_of(error), error.value.detail) == ("sequence", SequenceConflict(expected=2, actual=7))


def lines(start: int, count: int, size: int) -> str:
    return "".join(f'{{"type":"note","seq":{seq},"time":1,"data":"{"é" * (size // 2)}"}}\n' for seq in range(start, start + count))


def test_lines_are_kept_byte_for_byte(sessions: Sessions, root: Path) -> None:
    sessions.create("x")
    sessions.flush("x")
    written = '{"seq":0, "type":"a","data":{"x" :1.0},"time":1,"more":[]}\n{"type":"b","seq":1,"time":1,"data":2}\r\n'
    assert sessions.append_lines("x", written) == 2
    assert "".join(sessions.lines("x")) == written
    assert log_of(root, "x").read_bytes().endswith(written.encode())
    events = [(event.type, event.data) for event in sessions.events("x")]
    assert events == [("a", '{"x" :1.0}'), ("b", "2")]


def test_what_stands_behind_the_data_is_no_part_of_it(sessions: Sessions) -> None:
    sessions.create("x")
    sessions.append_lines("x", '{"type":"a","seq":0,"time":1,"data":{"x":1},"more":{"y":2}}')
    assert [event.data for event in sessions.events("x")] == ['{"x":1}']


def test_a_text_that_is_too_long_for_one_call_is_appended_in_batches(sessions: Sessions) -> None:
    sessions.create("x")
    text = lines(0, 8_000, 400)
    assert len(text.encode()) > 2_500_000
    assert sessions.append_lines("x", text) == 8_000
    assert "".join(sessions.lines("x")) == text
    assert sum(1 for _ in sessions.events("x")) == 8_000


def test_a_line_that_is_rejected_is_counted_from_the_start_of_the_text(sessions: Sessions) -> None:
    sessions.create("x")
    with pytest.raises(SessionError) as error:
        sessions.append_lines("x", lines(0, 7_000, 500) + "no record\n")
    assert isinstance(error.value.detail, Rejected)
    assert (code_of(error), error.value.detail.index) == ("rejected", 7_000)
    assert 0 < sessions.inspect("x").length <= 7_000


def test_no_lines_are_no_events(sessions: Sessions) -> None:
    sessions.create("x")
    assert sessions.append_lines("x", "") == 0


@pytest.mark.parametrize("size", [2_500_001, 4_000_000, 17_000_000])
def test_what_no_call_can_carry_is_too_large_and_nothing_is_stored(sessions: Sessions, size: int) -> None:
    sessions.create("x")
    text = Json('"' + "a" * size + '"')
    calls: list[Callable[[], object]] = [
        lambda: sessions.emit("x", "note", text),
        lambda: sessions.append("x", [Event(0, 1, "note", text)]),
        lambda: sessions.append_lines("x", f'{{"type":"note","seq":0,"time":1,"data":{text}}}\n'),
        lambda: sessions.hand_off("x", text),
    ]
    for call in calls:
        with pytest.raises(SessionError) as error:
            call()
        assert code_of(error) == "too-large"
    assert not sessions.has("x")


def test_an_event_of_two_and_a_half_million_bytes_can_be_carried(sessions: Sessions) -> None:
    sessions.create("x", cwd="/" + "w" * 60_000)
    sessions.emit("x", "note", Json('"' + "a" * 2_499_900 + '"'))
    (event,) = sessions.events("x")
    assert len(event.data) == 2_499_902


def test_a_type_that_grows_when_it_is_written_is_too_large_and_nothing_is_stored(sessions: Sessions) -> None:
    sessions.create("x")
    with pytest.raises(SessionError) as error:
        sessions.emit("x", "\x01" * 1_000_000, 1)
    assert code_of(error) == "too-large"
    assert sessions.emit("x", "note", 1) == 0


def test_waking_closes_what_was_interrupted(root: Path) -> None:
    with open_sessions(root) as sessions:
        sessions.create("x")
        turn(sessions, "x")
    with open_sessions(root) as sessions:
        assert sessions.inspect("x").turn_open
        state = sessions.wake("x")
        assert [event.type for event in state.recovery.closers] == ["tool/result", "step/end", "turn/end"]
        assert not state.turn_open
        assert sessions.wake("x").recovery.closers == []
        assert state.recovery.closers == list(sessions.events("x", 3))


def test_waking_can_keep_a_turn_open(sessions: Sessions) -> None:
    sessions.create("x")
    turn(sessions, "x")
    assert sessions.wake("x", open_turn="keep").turn_open


def test_a_torn_tail_is_named_and_kept_aside(sessions: Sessions, root: Path) -> None:
    sessions.create("x")
    sessions.emit("x", "note", 1)
    sessions.release("x")
    with log_of(root, "x").open("ab") as log:
        log.write(b'{"type":"user/mess')
    with pytest.raises(SessionError) as error:
        sessions.emit("x", "note", 2)
    assert code_of(error) == "needs-wake"
    assert isinstance(error.value.detail, Damage)
    assert (error.value.detail.kind, error.value.detail.length) == ("torn", 18)
    state = sessions.wake("x")
    (aside,) = sessions.asides("x")
    assert state.recovery.kept_at == aside.name and state.asides == [aside.name]
    assert sessions.read_aside("x", aside.name) == b'{"type":"user/mess'
    with pytest.raises(SessionError) as error:
        sessions.read_aside("x", "0.0000000000000000")
    assert code_of(error) == "not-found"


def test_damage_with_records_behind_it_is_left_alone_until_told(sessions: Sessions, root: Path) -> None:
    sessions.create("x")
    for number in range(3):
        sessions.emit("x", "note", number)
    sessions.release("x")
    log = log_of(root, "x")
    log.write_bytes(log.read_bytes().replace(b'"seq":1', b'"seq":?'))
    with pytest.raises(SessionError) as error:
        sessions.wake("x")
    assert code_of(error) == "corrupt" and "offset" in str(error.value)
    assert [event.seq for event in sessions.events("x")] == [0]
    damage = sessions.verify("x").recovery.damage
    assert damage and (damage.kind, damage.expected, damage.records) == ("malformed", 1, 1)
    assert sessions.wake("x", on_damage="set-aside").length == 1


def test_a_fork_lives_on_without_its_parent(sessions: Sessions) -> None:
    sessions.create("x", cwd="/work")
    turn(sessions, "x")
    child = sessions.fork("x", "y", length=1)
    assert (child.parent_session, child.seed_length, child.cwd) == ("x", 1, "/work")
    sessions.delete("x")
    assert not sessions.has("x")
    assert [event.type for event in sessions.events("y")] == ["turn/start", "turn/end"]
    with pytest.raises(SessionError) as error:
        sessions.fork("y", "z", length=9)
    assert code_of(error) == "refused"


def test_messages_are_what_a_model_is_to_see(sessions: Sessions) -> None:
    sessions.create("x")
    turn(sessions, "x")
    sessions.emit("x", "user/message", {"content": "The login fails."})
    paired = list(sessions.messages("x"))
    assert [message.role for message in paired] == ["assistant", "user", "user"]
    assert paired[2].content.parse() == [{"type": "text", "text": "The login fails."}]
    assert [message.source for message in sessions.messages("x", pairing="recorded")] == [2, 3]
    assert list(sessions.messages("x", length=2)) == []


def test_messages_of_many_pages_come_in_order(sessions: Sessions) -> None:
    sessions.create("x")
    for _ in range(5):
        sessions.emit("x", "user/message", {"content": "a" * 500_000})
    assert [message.source for message in sessions.messages("x")] == [0, 1, 2, 3, 4]


def test_a_hand_off_lets_another_go_on(root: Path) -> None:
    with open_sessions(root) as one, open_sessions(root) as other:
        one.create("x")
        assert one.hand_off("x", {"note": "back at nine"}) == 0
        boundary = other.wake("x").boundary
        assert boundary and boundary.data == '{"note":"back at nine"}'


def test_broken_rules_are_told(sessions: Sessions) -> None:
    sessions.create("x")
    sessions.emit("x", "turn/end", {})
    assert len(sessions.check("x")) == 1


def test_a_second_writer_is_busy_and_may_read(root: Path) -> None:
    with open_sessions(root) as one, open_sessions(root) as other:
        one.create("x")
        one.emit("x", "note", 1)
        with pytest.raises(SessionError) as error:
            other.emit("x", "note", 2)
        assert code_of(error) == "busy" and "this process" in str(error.value)
        assert other.inspect("x").held
        assert len(list(other.events("x"))) == 1
        one.release("x")
        assert other.emit("x", "note", 2) == 1


def test_lists_go_on_page_by_page_and_hide_nothing(sessions: Sessions, root: Path) -> None:
    for number in range(7):
        sessions.create(f"s{number}", cwd="/a" if number % 2 else "/b")
        sessions.flush(f"s{number}")
    (root / "y.jsonl").write_text("no log")
    items = list(sessions.list())
    assert [item.header.id for item in items if isinstance(item, Listed)] == [f"s{number}" for number in range(7)]
    (unreadable,) = (item for item in items if isinstance(item, Unreadable))
    assert (unreadable.id, unreadable.reason.code) == ("y", "corrupt")

    paged, cursor = [], None
    while True:
        page = sessions.page(cursor=cursor, limit=3)
        paged += page.items
        if (cursor := page.next) is None:
            break
    assert [str(item) for item in paged] == [str(item) for item in items]
    in_a = [item.header.id for item in sessions.list(cwd="/a", order="recent") if isinstance(item, Listed)]
    assert sorted(in_a) == ["s1", "s3", "s5"]


def test_a_session_that_was_released_before_it_was_stored_is_forgotten(sessions: Sessions) -> None:
    sessions.create("x")
    sessions.release("x")
    with pytest.raises(SessionError) as error:
        sessions.emit("x", "note", 1)
    assert (code_of(error), error.value.detail) == ("not-found", "x")


AWKWARD = ["../x", "/etc/x", "..\\x", "a/b", ".", "..", "C:x", "~", "CON", "nul.txt", "a.", "a ", "é\u2028\n😀", "x" * 240]


@pytest.mark.parametrize("id", AWKWARD)
def test_any_text_can_be_an_id(sessions: Sessions, root: Path, id: str) -> None:
    sessions.create(id)
    sessions.emit(id, "note", 1)
    assert [item.header.id for item in sessions.list() if isinstance(item, Listed)] == [id]
    assert [entry.parent for entry in root.iterdir()] == [root]


@pytest.mark.parametrize("id", ["", "a\0b", "\ud83d", "x" * 241, "x" * 256, "é" * 10_000_000])
def test_what_can_be_no_id_is_refused(sessions: Sessions, id: str) -> None:
    calls: list[Callable[[str], object]] = [sessions.create, sessions.wake, sessions.inspect, sessions.asides]
    for call in calls:
        with pytest.raises(SessionError) as error:
            call(id)
        assert code_of(error) == "invalid-id"


def test_a_working_directory_that_is_no_text_is_refused(sessions: Sessions) -> None:
    with pytest.raises(SessionError) as error:
        sessions.create("x", cwd="/srv/\udcff")
    assert code_of(error) == "refused"


@pytest.mark.parametrize("member", ["cwd", "parent_session", "cursor"])
def test_what_is_no_text_is_refused_where_sessions_are_listed(sessions: Sessions, member: str) -> None:
    with pytest.raises(SessionError) as error:
        sessions.page(**{member: "\udcff"})  # type: ignore[arg-type]
    assert code_of(error) == "refused"


def test_a_word_that_is_none_of_those_there_are_is_refused_and_a_session_that_is_held_stays_held(root: Path) -> None:
    sessions: Any
    with open_sessions(root) as sessions, open_sessions(root) as other:
        sessions.create("x")
        sessions.emit("x", "note", 1)
        calls: list[tuple[Any, dict[str, Any]]] = [
            (sessions.wake, {"open_turn": "clsoe"}),
            (sessions.wake, {"on_damage": None}),
            (lambda id, **options: list(sessions.messages(id, **options)), {"pairing": "some"}),
            (lambda id, **options: sessions.page(**options), {"order": "by-name"}),
        ]
        for call, options in calls:
            with pytest.raises(ValueError, match="is one of"):
                call("x", **options)
        with pytest.raises(SessionError) as error:
            other.wake("x")
        assert code_of(error) == "busy"


@pytest.mark.parametrize("text", [None, 7, b"x"])
def test_what_is_no_text_where_one_belongs_is_a_type_error(root: Path, text: object) -> None:
    sessions: Any
    with open_sessions(root) as sessions:
        sessions.create("x")
        calls: list[tuple[Any, ...]] = [
            (sessions.has, text),
            (sessions.wake, text),
            (sessions.emit, "x", text, 1),
            (sessions.append_lines, "x", text),
        ]
        for call, *arguments in calls:
            with pytest.raises(TypeError, match="must be a str, not"):
                call(*arguments)


@pytest.mark.parametrize("number", [-1, 1 << 64])
def test_a_number_that_is_no_place_is_a_mistake_of_the_caller_s(sessions: Sessions, number: int) -> None:
    sessions.create("x")
    sessions.emit("x", "note", 1)
    with pytest.raises(ValueError, match="64 bits"):
        list(sessions.events("x", number))
    assert sessions.emit("x", "note", 2) == 1


def test_every_error_of_the_contract_has_a_text() -> None:
    def cases(file: str, variant: str) -> set[str]:
        body = re.search(rf"variant {variant} \{{(.*?)\n    \}}", (REPOSITORY / "wit" / file).read_text(), re.DOTALL)
        assert body
        return set(re.findall(r"^ +([a-z-]+)(?:\(.*\))?,$", body[1], re.MULTILINE))

    of_trees = cases("session-tree.wit", "tree-error") - {"session"}
    assert len(of_trees) > 8
    assert cases("types.wit", "error") | of_trees | {"trapped"} == set(errors._TEXTS)


def test_an_error_goes_from_process_to_process(sessions: Sessions) -> None:
    sessions.create("x")
    sessions.flush("x")
    with pytest.raises(SessionError) as error:
        sessions.append("x", [Event(7, 1, "note", Json("3"))])
    for there in (error.value, StorageError("busy", "somebody")):
        back = pickle.loads(pickle.dumps(there))
        assert (type(back), str(back), vars(back)) == (type(there), str(there), vars(there))


def test_an_event_that_is_cut_off_while_it_is_read_is_told() -> None:
    store = Memory()
    with Sessions(store) as sessions:
        sessions.create("x")
        sessions.append_lines("x", '{"type":"a","seq":0,"time":1,"data":1}\n{"seq":1,"type":"b","time":1,"data":2}\n')
        events = sessions.events("x")
        assert next(events).type == "a"
        sessions.release("x")
        store.acquire("x")
        store.set_aside("x", store.stat("x").length - 20)
        with pytest.raises(SessionError) as error:
            next(events)
        assert code_of(error) == "moved"


def test_sessions_that_are_closed_say_so(root: Path) -> None:
    sessions = open_sessions(root)
    sessions.create("x")
    sessions.close()
    sessions.close()
    with pytest.raises(ValueError, match="closed"):
        sessions.emit("x", "note", 1)


def test_the_clock_is_the_one_that_was_given() -> None:
    with Sessions(Memory(), clock=lambda: 1763681581550) as sessions:
        assert sessions.create("x").created_at == 1763681581550
        sessions.emit("x", "note", 1)
        assert [event.time for event in sessions.events("x")] == [1763681581550]


def test_threads_share_sessions(sessions: Sessions) -> None:
    sessions.create("x")
    seqs: list[int] = []

    def write() -> None:
        for _ in range(50):
            seqs.append(sessions.emit("x", "note", {"text": "a" * 100}))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seqs) == list(range(200))


def test_threads_have_sessions_of_their_own(root: Path) -> None:
    lengths: list[int] = []

    def write(number: int) -> None:
        with open_sessions(root) as sessions:
            sessions.create(f"s{number}")
            for _ in range(50):
                sessions.emit(f"s{number}", "note", {"text": "a" * 100})
            lengths.append(len(list(sessions.events(f"s{number}"))))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lengths == [50] * 4


def test_a_process_that_is_forked_off_while_another_thread_is_in_a_call_can_use_them() -> None:
    entered, go_on = threading.Event(), threading.Event()

    class Waiting(Memory):
        def sync(self, id: str, /) -> None:
            entered.set()
            go_on.wait()

    with Sessions(Waiting()) as sessions:
        sessions.create("x")
        sessions.emit("x", "note", 1)
        thread = threading.Thread(target=sessions.flush, args=("x",))
        thread.start()
        entered.wait()
        child = os.fork()
        if child == 0:
            outcome = 1
            try:
                signal.alarm(60)  # Waiting for ever would be the failure.
                outcome = 0 if sessions.inspect("x").length == 1 else 2
            finally:
                os._exit(outcome)
        assert os.waitpid(child, 0)[1] == 0
        go_on.set()
        thread.join()
        assert sessions.emit("x", "note", 2) == 1


def test_lines_are_json_for_anybody(sessions: Sessions) -> None:
    sessions.create("x")
    sessions.emit("x", "note", {"a": [1, "é"]})
    (line,) = "".join(sessions.lines("x")).splitlines()
    assert json.loads(line)["data"] == {"a": [1, "é"]}
