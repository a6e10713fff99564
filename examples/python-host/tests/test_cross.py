"""The same files, the same answers: sessions between Python and the command `session`, which is Rust."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, log_of

from session_store import Event, Json, SessionError, Sessions, open_sessions
from session_store.storage import LogInfo, StorageError
from session_store.storage._names import Name
from session_store.storage.folder import Folder

CALLS = [{"type": "tool-call", "id": id, "name": "read", "arguments": "{}"} for id in "ab"]
OPEN_TURN: list[tuple[str, object]] = [
    ("turn/start", {"turn": 1}),
    ("step/start", {"turn": 1, "step": 2}),
    ("user/message", {"content": "Read é\u2028 both."}),
    ("assistant/message", {"content": CALLS}),
    ("tool/call", {"callId": "a"}),
]
AWKWARD = ['{"id":2512292042121000001,"f":1.0,"e":1e400}', '{"b":1,"a":2,"a":3}', '{"t":"\\ud83d\\u0000"}', '"\u2028\u0085é😀"', "9" * 5000]
IDS = ["fix-login", "../x", "a/b", ".", "CON", "nul.txt", "a.", "a ", "é\n😀", "~", "-x", "x" * 240]


def write(sessions: Sessions, id: str) -> None:
    sessions.create(id, cwd="/work")
    for type, data in OPEN_TURN:
        sessions.emit(id, type, data)
    length = len(OPEN_TURN)
    sessions.append(id, [Event(length + place, 7, "note", Json(data)) for place, data in enumerate(AWKWARD)])
    sessions.flush(id)


def stored(sessions: Sessions, id: str) -> str:
    return "".join(sessions.lines(id))


def answer(text: str) -> object:
    return json.loads(text)


def values(text: str) -> list[Any]:
    """One a line. Lines end with a line feed alone, whatever Python takes for the end of one."""
    return [json.loads(line) for line in text.split("\n")[:-1]]


@pytest.mark.parametrize("id", IDS)
def test_what_python_wrote_is_read_in_rust(root: Path, command: Command, id: str) -> None:
    with open_sessions(root) as sessions:
        write(sessions, id)
        shown, messages = stored(sessions, id), list(sessions.messages(id))
    assert command("show", "--", id) == shown
    told = values(command("messages", "--", id))
    assert told == [{"role": m.role, "content": m.content.parse(), "source": m.source} for m in messages]
    assert [value["id"] for value in values(command("list"))] == [id]


@pytest.mark.parametrize("id", IDS)
def test_what_rust_wrote_is_read_in_python(root: Path, command: Command, id: str) -> None:
    stamped = "".join(json.dumps({"type": type, "data": data}) + "\n" for type, data in OPEN_TURN)
    raw = "".join(f'{{"type":"note","seq":{len(OPEN_TURN) + n},"time":7,"data":{data}}}\n' for n, data in enumerate(AWKWARD))
    command("append", "--create", "--stamp", "--", id, stdin=stamped)
    command("append", "--", id, stdin=raw)
    with open_sessions(root) as sessions:
        assert stored(sessions, id) == command("show", "--", id)
        events = list(sessions.events(id))
        assert [(event.type, event.data.parse()) for event in events[: len(OPEN_TURN)]] == OPEN_TURN
        assert [event.data for event in events[len(OPEN_TURN) :]] == AWKWARD


def test_both_close_an_interrupted_turn_with_the_same_bytes(tmp_path: Path, command: Command, root: Path) -> None:
    with open_sessions(root) as sessions:
        write(sessions, "x")
    log = log_of(root, "x")
    before = log.read_bytes()
    state = answer(command("wake", "x"))
    by_rust = log.read_bytes()
    assert by_rust.startswith(before) and len(by_rust) > len(before)

    log.write_bytes(before)
    with open_sessions(root) as sessions:
        woken = sessions.wake("x")
        assert [event.type for event in woken.recovery.closers] == ["tool/result", "tool/result", "step/end", "turn/end"]
    assert log.read_bytes() == by_rust
    assert isinstance(state, dict)
    assert woken.length == state["length"]


def test_both_tell_the_same_of_a_session(root: Path, command: Command) -> None:
    with open_sessions(root) as sessions:
        write(sessions, "x")
        sessions.release("x")
        with log_of(root, "x").open("ab") as log:
            log.write(b'{"type":"torn')
        state, told = sessions.inspect("x"), answer(command("inspect", "x"))
    assert isinstance(told, dict)
    damage = state.recovery.damage
    assert damage and told["recovery"]["damage"] == vars(damage)
    assert (told["revision"], told["length"], told["turnOpen"]) == (state.revision, state.length, state.turn_open)


def test_what_one_sets_aside_the_other_finds(root: Path, command: Command) -> None:
    torn = b'{"type":"torn'
    with open_sessions(root) as sessions:
        write(sessions, "x")
    for wake in ("rust", "python"):
        log = log_of(root, "x")
        log.write_bytes(log.read_bytes() + torn)
        with open_sessions(root) as sessions:
            if wake == "rust":
                command("wake", "x")
            else:
                sessions.wake("x")
            names = [aside.name for aside in sessions.asides("x")]
            sessions.release("x")
            assert [value["name"] for value in values(command("aside", "x"))] == names
            assert command("aside", "x", names[-1]) == torn.decode() == sessions.read_aside("x", names[-1]).decode()
            log.write_bytes(log.read_bytes().removesuffix(torn))


def test_each_goes_on_where_the_other_stopped(root: Path, command: Command) -> None:
    with open_sessions(root) as sessions:
        write(sessions, "x")
        length = sessions.inspect("x").length
        sessions.release("x")
        assert answer(command("emit", "x", "note", "1")) == {"seq": length}
        assert sessions.emit("x", "note", 2) == length + 1
        sessions.hand_off("x", {"note": "back at nine"})
        assert answer(command("emit", "x", "note", "3")) == {"seq": length + 3}


def test_each_forks_what_the_other_wrote_into_the_same_bytes(root: Path, command: Command) -> None:
    with open_sessions(root) as sessions:
        write(sessions, "x")
        for length in range(len(OPEN_TURN) + 1):
            sessions.fork("x", f"p{length}", length=length)
            command("fork", "x", f"r{length}", "--length", str(length))
            assert stored(sessions, f"p{length}") == stored(sessions, f"r{length}") == command("show", f"p{length}")


def test_each_deletes_what_the_other_wrote(root: Path, command: Command) -> None:
    with open_sessions(root) as sessions:
        write(sessions, "x")
        sessions.release("x")
        command("delete", "x")
        assert not sessions.has("x")
        command("create", "x")
        sessions.delete("x")
        command("has", "x", code=3)
    assert list(root.iterdir()) == []


def test_python_holding_a_session_keeps_rust_out(root: Path, command: Command) -> None:
    with open_sessions(root) as sessions:
        write(sessions, "x")
        command("emit", "x", "note", "1", code=4)
        command("wake", "x", code=4)
        command("delete", "x", code=4)
        held = answer(command("inspect", "x"))
        assert isinstance(held, dict) and held["held"]
        sessions.release("x")
        command("emit", "x", "note", "1")


def test_rust_holding_a_session_keeps_python_out(root: Path, command: Command) -> None:
    writer = command.start("append", "x", "--create", "--stamp", "--ack")
    assert writer.stdin and writer.stdout
    with open_sessions(root) as sessions, writer:
        writer.stdin.write('{"type":"note","data":1}\n')
        writer.stdin.flush()
        assert writer.stdout.readline() == "0\n"
        for call in (lambda: sessions.emit("x", "note", 2), lambda: sessions.wake("x"), lambda: sessions.delete("x")):
            with pytest.raises(SessionError, match=f"process {writer.pid}") as error:
                call()
            assert error.value.code == "busy"
        assert sessions.inspect("x").held
        assert len(list(sessions.events("x"))) == 1
        writer.stdin.close()
        writer.wait()
        assert sessions.emit("x", "note", 2) == 1


def test_one_of_many_that_create_a_session_at_once_gets_it(root: Path, command: Command) -> None:
    code = (
        "import sys, session_store as s\n"
        "with s.open_sessions(sys.argv[1]) as sessions:\n"
        "    try:\n"
        "        sessions.create('x', cwd='/' + sys.argv[2])\n"
        "        sessions.flush('x')\n"
        "    except s.SessionError as error:\n"
        "        sys.exit(error.code)"
    )
    with open_sessions(root) as sessions:
        assert not sessions.has("x")  # What is compiled is there for all from here on.
    python = [sys.executable, "-c", code, str(root)]
    starts = [[*python, f"p{n}"] for n in range(4)] + [[*command.arguments, "create", "x", "--cwd", f"/r{n}"] for n in range(4)]
    running = [subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for start in starts]
    said = [process.communicate()[1] for process in running]
    codes = [process.returncode for process in running]
    assert codes.count(0) == 1, said
    assert all(text.strip() in ("", "already-exists", "busy") for text in said[:4]), said
    assert all(code in (0, 4, 6) for code in codes[4:]), said
    winner = codes.index(0)
    with open_sessions(root) as sessions:
        assert sessions.header("x").cwd == (f"/p{winner}" if winner < 4 else f"/r{winner - 4}")
    assert [path.name for path in root.iterdir()] == ["x.jsonl"]


def test_a_rust_writer_that_is_killed_leaves_the_session_free(root: Path, command: Command) -> None:
    writer = command.start("append", "x", "--create", "--stamp", "--ack")
    assert writer.stdin and writer.stdout
    with writer:
        writer.stdin.write('{"type":"turn/start","data":1}\n')
        writer.stdin.flush()
        assert writer.stdout.readline() == "0\n"
        writer.kill()
    with open_sessions(root) as sessions:
        assert [event.type for event in sessions.wake("x").recovery.closers] == ["turn/end"]


def test_a_checkpoint_of_one_serves_the_other(root: Path, command: Command) -> None:
    text = "a" * 1000
    with open_sessions(root) as sessions:
        sessions.create("x")
        for first in range(0, 3000, 1000):
            lines = (f'{{"type":"note","seq":{seq},"time":1,"data":"{text}"}}\n' for seq in range(first, first + 1000))
            sessions.append_lines("x", "".join(lines))
            sessions.flush("x")
    assert (root / "x.ckpt").exists()
    told = answer(command("wake", "x"))
    assert isinstance(told, dict) and told["length"] == 3000

    class Counting(Folder):
        read_bytes = 0

        def read(self, id: str, at: int, max: int, /) -> bytes:
            content = super().read(id, at, max)
            self.read_bytes += len(content)
            return content

    folder = Counting(root)
    with Sessions(folder) as sessions:
        assert sessions.wake("x").length == 3000
        assert folder.read_bytes < 2_000_000


def test_a_line_that_python_could_not_write_is_read(root: Path, command: Command) -> None:
    line = '{"type":"note","seq":0,"time":7,"data":"' + "a" * 6_000_000 + '"}\n'
    command("append", "x", "--create", stdin=line)
    with open_sessions(root) as sessions:
        assert sessions.wake("x").length == 1
        assert stored(sessions, "x") == line
        sessions.fork("x", "y")
        assert len(next(sessions.events("y")).data) == 6_000_002


def test_both_list_what_is_no_log(root: Path, command: Command) -> None:
    root.mkdir()
    (root / "y.jsonl").mkdir()
    (root / "FOO.jsonl").write_text("x")
    (root / "z.jsonl").symlink_to("nowhere")
    with open_sessions(root) as sessions:
        items = [vars(item) for item in sessions.list()]
    told = values(command("list"))
    assert [(item["name"], item["id"]) for item in items] == [(item["unreadable"], item["id"]) for item in told]


def test_ids_that_can_be_none_are_none_to_both(root: Path, command: Command) -> None:
    for id in ("", "x" * 241, "é" * 81):
        with pytest.raises(StorageError):
            Name(id)
        command("create", "--", id, code=6)


def test_both_tell_the_same_identity(root: Path) -> None:
    folder = Folder(root)
    found: LogInfo = folder.publish("x", [b"one\n"])
    device, inode, born = (int(part, 16) for part in found.identity.split("-"))
    log = (root / "x.jsonl").stat()
    assert (device, inode) == (log.st_dev, log.st_ino)
    assert 0 <= born // 10**6 <= found.modified
