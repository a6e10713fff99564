"""What is of a wrong kind is refused before anything happens, by its name."""

from __future__ import annotations

import copy
import pickle
import re
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Callable

import pytest

from session_store import Event, Folder, Json, Memory, SessionError, Sessions, UnknownAside, open_sessions


def call_on_a_number(name: str, of: Any) -> object:
    return getattr(of, name)(5)


EVENT = Event(1, 0, "note", Json("1"))

CALLS: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    "create a number": (lambda of: of.create(5), TypeError, "id must be a str, not int"),
    "create none": (lambda of: of.create(None), TypeError, "id must be a str, not None"),
    "create in a number": (lambda of: of.create("y", cwd=5), TypeError, "cwd must be a str or an os.PathLike of one, not int"),
    "create in bytes": (lambda of: of.create("y", cwd=b"/"), TypeError, "cwd must be a str or an os.PathLike of one, not bytes"),
    "create of a number": (lambda of: of.create("y", parent_session=5), TypeError, "parent_session must be a str, not int"),
    "create before time": (lambda of: of.create("y", created_at=-1), ValueError, "created_at must be a whole number of 64 bits, not -1"),
    "create at a text": (lambda of: of.create("y", created_at="7"), TypeError, "created_at must be an int, not str"),
    "create at a fraction": (lambda of: of.create("y", created_at=7.0), TypeError, "created_at must be an int, not float"),
    "create at a truth": (lambda of: of.create("y", created_at=True), TypeError, "created_at must be an int, not bool"),
    "wake a number": (lambda of: of.wake(5), TypeError, "id must be a str, not int"),
    "wake with a word of nobody's": (lambda of: of.wake("x", open_turn="drop"), ValueError, "open_turn is one of close, keep"),
    "emit with no id": (lambda of: of.emit(None, "note", 1), TypeError, "id must be a str, not None"),
    "emit a number": (lambda of: of.emit("x", 5, 1), TypeError, "type must be a str, not int"),
    "emit with JSON within": (lambda of: of.emit("x", "note", {"a": Json("{}")}), TypeError, "data holds a Json"),
    "emit with JSON far within": (lambda of: of.emit("x", "note", [({"a": [Json("1")]},)]), TypeError, "data holds a Json"),
    "hand off with JSON within": (lambda of: of.hand_off("x", [Json("1")]), TypeError, "data holds a Json"),
    "hand off a number": (lambda of: of.hand_off(5, 1), TypeError, "id must be a str, not int"),
    "append an event": (lambda of: of.append("x", EVENT), TypeError, "events must be an iterable of Event, not Event"),
    "append a text": (lambda of: of.append("x", "[]"), TypeError, "events must be an iterable of Event, not str"),
    "append a number": (lambda of: of.append("x", 5), TypeError, "events must be an iterable of Event, not int"),
    "append a dict": (lambda of: of.append("x", [{"seq": 1}]), TypeError, "event 0 must be an Event, not dict"),
    "append data": (
        lambda of: of.append("x", [Event(1, 0, "note", {"a": 1})]),  # type: ignore[arg-type]
        TypeError,
        "data of event 0 must be a str, not dict",
    ),
    "append no type": (
        lambda of: of.append("x", [EVENT, Event(2, 0, 5, Json("1"))]),  # type: ignore[arg-type]
        TypeError,
        "type of event 1 must be a str, not int",
    ),
    "append before the start": (
        lambda of: of.append("x", [Event(-1, 0, "note", Json("1"))]),
        ValueError,
        "seq of event 0 must be a whole number of 64 bits, not -1",
    ),
    "append at a text": (
        lambda of: of.append("x", [Event(1, "0", "note", Json("1"))]),  # type: ignore[arg-type]
        TypeError,
        "time of event 0 must be an int, not str",
    ),
    "append lines of a list": (lambda of: of.append_lines("x", ["{}"]), TypeError, "lines must be a str, not list"),
    "append lines of bytes": (lambda of: of.append_lines("x", b"{}"), TypeError, "lines must be a str, not bytes"),
    "lines before the start": (lambda of: list(of.lines("x", -1)), ValueError, "start must be a whole number of 64 bits, not -1"),
    "events from a text": (lambda of: list(of.events("x", "3")), TypeError, "start must be an int, not str"),
    "events far away": (lambda of: list(of.events("x", 10**5000)), ValueError, "start must be a whole number of 64 bits, not one of"),
    "events without one type": (lambda of: list(of.events("x", without="note")), TypeError, "without must be an iterable of str, not str"),
    "events without a number": (lambda of: list(of.events("x", without=[5])), TypeError, "a type in without must be a str, not int"),
    "messages of a number": (lambda of: list(of.messages(5)), TypeError, "id must be a str, not int"),
    "messages of fewer than none": (lambda of: list(of.messages("x", length=-1)), ValueError, "length must be a whole number of 64 bits"),
    "fork to a number": (lambda of: of.fork("x", 5), TypeError, "child must be a str, not int"),
    "fork with fewer than none": (lambda of: of.fork("x", "y", length=-1), ValueError, "length must be a whole number of 64 bits, not -1"),
    "list in a number": (lambda of: list(of.list(cwd=5)), TypeError, "cwd must be a str or an os.PathLike of one, not int"),
    "list of a number": (lambda of: list(of.list(parent_session=5)), TypeError, "parent_session must be a str, not int"),
    "a page of a text": (lambda of: of.page(limit="5"), TypeError, "limit must be an int, not str"),
    "a page of too many": (lambda of: of.page(limit=1 << 32), ValueError, "limit must be a whole number of 32 bits, not 4294967296"),
    "a page from a number": (lambda of: of.page(cursor=5), TypeError, "cursor must be a str, not int"),
    "an aside of a number": (lambda of: of.read_aside("x", 5), TypeError, "name must be a str, not int"),
    "an aside before its start": (lambda of: of.read_aside("x", "0.0", -1), ValueError, "at must be a whole number of 64 bits, not -1"),
    "an aside of fewer than none": (lambda of: of.read_aside("x", "0.0", 0, -1), ValueError, "max must be a whole number of 32 bits"),
}
CALLS |= {
    f"{name} of a number": (partial(call_on_a_number, name), TypeError, "id must be a str, not int")
    for name in "flush inspect verify check header has delete release asides".split()
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_kind_of_argument_is_named_and_nothing_happens(name: str) -> None:
    call, kind, message = CALLS[name]
    store = Memory()
    with Sessions(store) as sessions:
        sessions.create("x")
        sessions.emit("x", "note", 0)
        before = sessions.inspect("x")
        with pytest.raises(kind, match=re.escape(message)) as error:
            call(sessions)
        assert type(error.value) is kind
        assert sessions.inspect("x") == before
        assert [log.id for log in store.list("by-id", None, 9)] == ["x"]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: open_sessions(5), "root must be a str or an os.PathLike of one, not int"),  # type: ignore[arg-type]
        (lambda: open_sessions(None), "root must be a str or an os.PathLike of one, not None"),  # type: ignore[arg-type]
        (lambda: open_sessions(Memory()), "root must be a str or an os.PathLike of one, not Memory"),  # type: ignore[arg-type]
        (lambda: Folder(b"sessions"), "root must be a str or an os.PathLike of one, not bytes"),  # type: ignore[arg-type]
        (lambda: Sessions("sessions"), "storage must have every method of Storage, and str has no acquire"),  # type: ignore[arg-type]
        (lambda: Sessions(Memory(), 5), "clock must be a function that answers milliseconds, not int"),  # type: ignore[arg-type]
        (lambda: Json({}), "Json takes the text of JSON, not dict"),  # type: ignore[arg-type]
        (lambda: Json(None), "Json takes the text of JSON, not NoneType"),  # type: ignore[arg-type]
    ],
)
def test_what_can_not_be_made_is_refused_at_once(use: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        use()


@pytest.mark.parametrize("root", ["", "a\0b"])
def test_a_root_that_is_no_path_is_a_value_error(root: str) -> None:
    with pytest.raises(ValueError, match="root must be the path of a folder, not '"):
        open_sessions(root)


@pytest.mark.parametrize("root", ["/proc/x/x", "file", "file/x", "n" * 300])
def test_a_folder_that_can_not_be_made_is_an_error_of_the_system_that_names_it(tmp_path: Path, root: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=re.escape(root.removesuffix("/x"))):
        open_sessions(tmp_path / root)


def test_a_directory_may_be_a_path(sessions: Sessions) -> None:
    assert sessions.create("x", cwd=PurePosixPath("/srv/a")).cwd == "/srv/a"
    sessions.flush("x")
    assert sessions.fork("x", "y", cwd=PurePosixPath("/srv/b")).cwd == "/srv/b"
    assert len(list(sessions.list(cwd=PurePosixPath("/srv/b")))) == 1


def test_json_goes_from_process_to_process() -> None:
    for back in (pickle.loads(pickle.dumps(Json("[1]"))), copy.deepcopy(Json("[1]"))):
        assert (type(back), back, back.parse()) == (Json, "[1]", [1])


@pytest.mark.parametrize("use", ["asides", "read_aside", "has", "lines"])
def test_nothing_is_answered_after_the_end(sessions: Sessions, use: str) -> None:
    sessions.close()
    with pytest.raises(ValueError, match="closed"):
        list(getattr(sessions, use)("x", *(["0.0"] if use == "read_aside" else [])))


def test_what_was_never_set_aside_is_told_as_such(sessions: Sessions) -> None:
    sessions.create("x")
    sessions.flush("x")
    for name in ("0.0", "0.0000000000000000"):
        with pytest.raises(SessionError, match=f"nothing called '{name}' was set aside from the session 'x'") as error:
            sessions.read_aside("x", name)
        assert (error.value.code, error.value.detail) == ("not-found", UnknownAside("x", name))


def test_one_event_that_is_too_large_is_not_told_to_go_in_parts(sessions: Sessions) -> None:
    sessions.create("x")
    long = Json('"' + "a" * 2_500_000 + '"')
    line = f'{{"type":"note","seq":0,"time":0,"data":{long}}}\n'
    for call in (
        lambda: sessions.emit("x", "note", long),
        lambda: sessions.append("x", [Event(0, 0, "note", long)]),
        lambda: sessions.append_lines("x", line),
    ):
        with pytest.raises(SessionError, match=r"one call writes at most 2500000 in Python$"):
            call()
    half = Json('"' + "a" * 1_300_000 + '"')
    with pytest.raises(SessionError, match="; append it in parts$"):
        sessions.append("x", [Event(seq, 0, "note", half) for seq in range(2)])


def test_a_typo_in_a_code_is_found_by_mypy(sessions: Sessions) -> None:
    with pytest.raises(SessionError) as error:
        sessions.wake("x")
    assert error.value.code == "not-found"
    assert not error.value.code == "not-fond"  # type: ignore[comparison-overlap]
