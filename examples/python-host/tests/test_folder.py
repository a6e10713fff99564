"""The folder of logs: what the contract component can't see."""

from __future__ import annotations

import errno
import fcntl
import gc
import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Sequence

import pytest

from session_store import Folder, Memory, StorageError
from session_store.storage import Copy, Storage
from session_store.storage._names import Name, id_of_log


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "logs"


@pytest.fixture
def folder(place: Path) -> Folder:
    return Folder(place)


def fails(code: str, call: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(StorageError) as error:
        call(*arguments)
    assert error.value.code == code, error.value
    return str(error.value)


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("fix-login_2.x", "fix-login_2.x.jsonl"),
        ("Fix login", "~46ix~20login.jsonl"),
        ("nul.txt", "~6eul.txt.jsonl"),
        ("com7", "~63om7.jsonl"),
        ("com", "com.jsonl"),
        ("com77", "com77.jsonl"),
        ("con", "~63on.jsonl"),
        ("CON", "~43~4f~4e.jsonl"),
        ("nul\n", "nul~0a.jsonl"),
        (".", "~2e.jsonl"),
        ("..", "~2e~2e.jsonl"),
        ("a.", "a~2e.jsonl"),
        ("../x", "~2e.~2fx.jsonl"),
        ("é~", "~c3~a9~7e.jsonl"),
    ],
)
def test_an_id_has_one_name(id: str, name: str) -> None:
    assert Name(id).log == name
    assert id_of_log(name) == id


@pytest.mark.parametrize("name", ["A.jsonl", "~41", "~4.jsonl", "~61.jsonl", "~ff.jsonl", "é.jsonl", "con.jsonl", ".jsonl", "~00.jsonl"])
def test_a_name_that_encodes_no_id_is_nobody_s(name: str) -> None:
    assert id_of_log(name) is None


def test_files_are_for_their_owner_alone(place: Path) -> None:
    before = os.umask(0o277)
    try:
        folder = Folder(place / "deep" / "er")
        folder.publish("x", [b"one\n"])
        folder.save_checkpoint("x", b"note")
        folder.set_aside("x", 2)
    finally:
        os.umask(before)
    modes = {path.relative_to(place.parent): stat.S_IMODE(path.stat().st_mode) for path in place.parent.rglob("*")}
    assert len(modes) == 7
    for path in place.parent.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.parametrize("store", ["folder", "memory"])
def test_a_claim_is_held_until_its_holder_is_gone_and_no_longer(place: Path, store: str) -> None:
    memory = Memory()
    sibling: Callable[[], Storage] = (lambda: Folder(place)) if store == "folder" else (lambda: Memory(memory))
    published, other = sibling(), sibling()
    published.publish("x", [b"one\n"])
    fails("busy", other.acquire, "x")
    del published
    gc.collect()
    other.acquire("x")
    other.append("x", 4, b"two\n")
    third = sibling()
    fails("busy", third.acquire, "x")
    other.close()
    third.acquire("x")
    assert third.read("x", 0, 99) == b"one\ntwo\n"


def test_a_writer_who_is_busy_is_named(folder: Folder, place: Path) -> None:
    folder.publish("x", [b"one\n"])
    code = "import sys, session_store as s\ntry: s.Folder(sys.argv[1]).acquire('x')\nexcept s.StorageError as error: print(error)"
    said = subprocess.run([sys.executable, "-c", code, str(place)], capture_output=True, text=True, check=True).stdout
    assert said == f"`x.jsonl` (process {os.getpid()})\n"
    assert "this process" in fails("busy", Folder(place).acquire, "x")


def test_a_reader_who_asks_whether_a_log_is_held_holds_up_no_writer(folder: Folder, place: Path) -> None:
    folder.publish("x", [b"one\n"])
    folder.release("x")
    with (place / "x.jsonl").open() as reader:
        fcntl.flock(reader, fcntl.LOCK_SH)
        assert "only reads" in fails("busy", folder.acquire, "x")
    assert not folder.stat("x").held
    assert folder.acquire("x").held


def test_a_process_that_is_forked_off_holds_nothing_and_frees_nothing(folder: Folder, place: Path) -> None:
    folder.publish("x", [b"one\n"])
    child = os.fork()
    if child == 0:
        # A failure here must not run the tests of the parent once more.
        outcome = 1
        try:
            fails("moved", folder.append, "x", 4, b"two\n")
            fails("busy", folder.acquire, "x")
            folder.close()
            outcome = 0
        finally:
            os._exit(outcome)
    assert os.waitpid(child, 0)[1] == 0
    fails("busy", Folder(place).acquire, "x")
    folder.append("x", 4, b"two\n")


def test_a_process_that_is_forked_off_keeps_no_claim_of_a_parent_that_was_killed(place: Path) -> None:
    read_end, write_end = os.pipe()
    end_of_child, keeps_child = os.pipe()
    parent = os.fork()
    if parent == 0:
        folder = Folder(place)
        folder.publish("x", [b"one\n"])
        if os.fork() == 0:
            os.write(write_end, b"forked")
            os.close(keeps_child)
            os.read(end_of_child, 1)  # To the end of the test.
            os._exit(0)
        os.kill(os.getpid(), signal.SIGKILL)
    assert os.read(read_end, 6) == b"forked"
    assert os.waitpid(parent, 0)[1] == signal.SIGKILL
    Folder(place).acquire("x")
    os.close(keeps_child)


@pytest.mark.parametrize("complains", ["flock", "close"])
def test_a_log_is_let_go_also_where_the_system_complains(
    folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch, complains: str
) -> None:
    def fail(fd: int, *_: object) -> None:
        os.closerange(fd, fd + 1)
        raise OSError(errno.EIO, "out of order")

    other = Folder(place)
    for id in ("x", "y"):
        folder.publish(id, [b"one\n"])
    with monkeypatch.context() as patch:
        patch.setattr(fcntl if complains == "flock" else os, complains, fail)
        folder.release("x")
        folder.close()
    other.acquire("x")
    other.acquire("y")


def test_a_log_that_was_removed_and_made_anew_is_told_from_the_first(folder: Folder) -> None:
    first = folder.publish("x", [b"one\n"])
    assert folder.stat("x").identity == first.identity
    folder.append("x", 4, b"two\n")
    assert folder.stat("x").identity == first.identity
    folder.remove("x")
    assert folder.publish("x", [b"one\n"]).identity != first.identity


@pytest.mark.parametrize("change", ["append", "replace", "remove", "truncate"])
def test_what_somebody_else_did_to_a_log_is_noticed_before_anything_is_acknowledged(folder: Folder, place: Path, change: str) -> None:
    folder.publish("x", [b"one\n"])
    log = place / "x.jsonl"
    if change == "append":
        with log.open("ab") as file:
            file.write(b"foreign\n")
    elif change == "replace":
        (place / "new").write_bytes(b"one\n")
        (place / "new").rename(log)
    elif change == "remove":
        log.unlink()
    else:
        os.truncate(log, 2)
    found = log.read_bytes() if log.exists() else None
    for call in (lambda: folder.append("x", 4, b"two\n"), lambda: folder.sync("x"), lambda: folder.save_checkpoint("x", b"note")):
        fails("moved", call)
    assert (log.read_bytes() if log.exists() else None) == found
    if found is None:
        fails("not-found", folder.acquire, "x")
    else:
        folder.append("x", folder.acquire("x").length, b"two\n")
        assert log.read_bytes() == found + b"two\n"


def limited(bytes: int) -> tuple[int, int]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, before[1]))
    return before


def test_a_full_disk_leaves_the_log_as_it_was(folder: Folder, place: Path) -> None:
    folder.publish("x", [b"one\n"])
    before = limited(10)
    try:
        fails("no-space", folder.append, "x", 4, b"two\nthree\n")
        fails("no-space", folder.publish, "y", [b"far too long\n"])
        assert folder.read("x", 0, 99) == b"one\n"
        folder.append("x", 4, b"two\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [path.name for path in place.iterdir()] == ["x.jsonl"]


def once(monkeypatch: pytest.MonkeyPatch, function: str, error: int, act: Callable[..., Any] = lambda *_: None) -> Sequence[object]:
    """Lets a system call fail once."""
    real, calls = getattr(os, function), []

    def fail(*arguments: Any, **named: Any) -> Any:
        calls.append(arguments)
        if len(calls) > 1:
            return real(*arguments, **named)
        act(*arguments)
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, function, fail)
    return calls


def overwritten(monkeypatch: pytest.MonkeyPatch) -> Sequence[tuple[bytes, int]]:
    """What is written over bytes that are there."""
    real, written = os.pwrite, []

    def note(fd: int, content: memoryview, at: int) -> int:
        written.append((bytes(content), at))
        return real(fd, content, at)

    monkeypatch.setattr(os, "pwrite", note)
    return written


def test_after_a_failed_sync_the_same_bytes_are_written_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.publish("x", [b"one\n"])
    folder.append("x", 4, b"two\n")
    once(monkeypatch, "fsync", errno.EIO)
    fails("failed", folder.sync, "x")
    written = overwritten(monkeypatch)
    folder.append("x", 8, b"three\n")
    assert written == [(b"two\n", 4)]
    folder.sync("x")
    assert folder.read("x", 0, 99) == b"one\ntwo\nthree\n"


def test_a_failed_sync_is_not_forgotten_when_the_log_is_let_go(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.publish("x", [b"one\n"])
    folder.append("x", 4, b"two\n")
    once(monkeypatch, "fsync", errno.EIO)
    fails("failed", folder.sync, "x")
    folder.release("x")
    written = overwritten(monkeypatch)
    folder.acquire("x")
    assert written == [(b"two\n", 4)]


def test_bytes_that_a_failed_sync_lost_are_missed(folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.publish("x", [b"one\n"])
    folder.append("x", 4, b"two\n")
    once(monkeypatch, "fsync", errno.EIO)
    fails("failed", folder.sync, "x")
    (place / "x.jsonl").write_bytes(b"one\n\0\0\0\0")
    fails("outcome-unknown", folder.append, "x", 8, b"three\n")
    assert folder.acquire("x").length == 8


def test_a_publish_whose_folder_can_not_be_synced_leaves_nothing(folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = once(monkeypatch, "fsync", errno.EIO)
    fails("failed", folder.publish, "x", [b"one\n"])
    assert len(calls) == 1 and list(place.iterdir()) == []
    monkeypatch.undo()

    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: real(fd) if stat.S_ISREG(os.fstat(fd).st_mode) else _raise(errno.EIO))
    fails("failed", folder.publish, "x", [b"one\n"])
    assert list(place.iterdir()) == []
    fails("moved", folder.append, "x", 4, b"two\n")


def _raise(error: int) -> None:
    raise OSError(error, os.strerror(error))


def test_bytes_of_others_are_never_cut_off_when_a_write_fails(folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.publish("x", [b"one\n"])
    log = place / "x.jsonl"

    def somebody_else(*_: object) -> None:
        log.write_bytes(log.read_bytes() + b"foreign\n")

    once(monkeypatch, "write", errno.EIO, somebody_else)
    fails("outcome-unknown", folder.append, "x", 4, b"two\n")
    assert log.read_bytes() == b"one\nforeign\n"
    fails("moved", folder.append, "x", 4, b"two\n")
    assert folder.acquire("x").length == 12


def test_half_a_write_is_cut_off_again(folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.publish("x", [b"one\n"])
    once(monkeypatch, "write", errno.EIO, lambda fd, data: os.pwrite(fd, data[:2], 4))
    fails("failed", folder.append, "x", 4, b"two\n")
    assert (place / "x.jsonl").read_bytes() == b"one\n"
    folder.append("x", 4, b"two\n")


def test_what_a_crash_has_left_is_swept(folder: Folder, place: Path) -> None:
    (place / "~tmp.x.jsonl").write_bytes(b"half a log")
    (place / "x.ckpt").write_bytes(b"of a log that is gone")
    (place / "x.aside").mkdir()
    (place / "x.aside" / "4.0123456789abcdef").write_bytes(b"torn")
    assert folder.list("by-id", None, 9) == []
    folder.publish("x", [b"one\n"])
    assert folder.load_checkpoint("x") == b"" and folder.asides("x") == []
    assert [path.name for path in place.iterdir()] == ["x.jsonl"]


def test_a_second_name_that_a_crash_has_left_goes_with_the_log(folder: Folder, place: Path) -> None:
    folder.publish("x", [b"one\n"])
    os.link(place / "x.jsonl", place / "~tmp.x.jsonl")
    fails("already-exists", Folder(place).publish, "x", [b"two\n"])
    folder.remove("x")
    assert list(place.iterdir()) == []


def test_leftovers_of_a_log_that_does_not_exist_are_removed(folder: Folder, place: Path) -> None:
    (place / "~tmp.x.jsonl").write_bytes(b"half a log")
    (place / "~tmp.x.ckpt").write_bytes(b"half a note")
    folder.remove("x")
    assert list(place.iterdir()) == []


def test_who_creates_a_log_keeps_others_from_it(folder: Folder, place: Path) -> None:
    with (place / "~tmp.x.jsonl").open("w") as unfinished:
        fcntl.flock(unfinished, fcntl.LOCK_EX)
        fails("busy", folder.publish, "x", [b"one\n"])
        folder.publish("y", [b"one\n"])


def test_the_name_of_a_log_that_failed_goes_while_it_is_locked(folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    once(monkeypatch, "write", errno.EIO)
    real, was_locked = os.unlink, []

    def unlink(name: str, dir_fd: int) -> None:
        was_locked.append(Folder(place)._dir.is_locked(name))
        real(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", unlink)
    fails("failed", folder.publish, "x", [b"one\n"])
    assert was_locked == [True] and list(place.iterdir()) == []


def test_what_is_not_ours_among_the_asides_is_not_removed(folder: Folder, place: Path) -> None:
    folder.publish("x", [b"one\ntorn"])
    folder.set_aside("x", 4)
    (place / "x.aside" / "backup").write_text("mine")
    assert "`x.aside/backup`" in fails("failed", folder.remove, "x")
    assert len(folder.asides("x")) == 1 and folder.read("x", 0, 9) == b"one\n"


@pytest.mark.parametrize("piece", ["../x.jsonl", "x", "4.0123456789ABCDEF", "4.0123456789abcdef\n", ""])
def test_nothing_but_a_piece_is_read_as_one(folder: Folder, piece: str) -> None:
    folder.publish("x", [b"one\ntorn"])
    folder.set_aside("x", 4)
    fails("not-found", folder.read_aside, "x", piece, 0, 9)


def test_a_link_in_the_place_of_a_log_is_named_and_not_followed(folder: Folder, place: Path) -> None:
    (place.parent / "secret").write_text("secret")
    (place / "x.jsonl").symlink_to("../secret")
    for call in (folder.acquire, folder.stat, lambda id: folder.read(id, 0, 9), lambda id: folder.publish("y", [Copy(id, 0, 1)])):
        assert "a symbolic link" in fails("failed", call, "x")
    (found,) = folder.list("by-id", None, 9)
    assert found.length == 1


def test_a_link_to_the_folder_is_followed(place: Path) -> None:
    Folder(place).publish("x", [b"one\n"])
    (place.parent / "link").symlink_to(place)
    assert Folder(place.parent / "link").read("x", 0, 9) == b"one\n"


def test_a_pipe_makes_nobody_wait(folder: Folder, place: Path) -> None:
    os.mkfifo(place / "x.jsonl")
    fails("failed", folder.acquire, "x")
    fails("failed", folder.read, "x", 0, 9)


def test_names_that_are_no_text_are_listed(folder: Folder, place: Path) -> None:
    for name in (b"\xff.jsonl", rb"\xff.jsonl"):
        Path(os.fsdecode(os.path.join(os.fsencode(place), name))).write_bytes(b"")
    assert sorted(info.name for info in folder.list("by-id", None, 9)) == [r"\\xff.jsonl", r"\xff.jsonl"]
    assert [info.id for info in folder.list("recent", None, 9)] == [None, None]


def test_a_log_of_before_the_epoch_is_listed(folder: Folder, place: Path) -> None:
    folder.publish("x", [b"one\n"])
    os.utime(place / "x.jsonl", (-5.0, -5.0))
    for order in ("by-id", "recent"):
        (found,) = folder.list(order, None, 9)
        assert found.modified == 0


def test_logs_that_go_meanwhile_leave_room_on_a_page(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    for id in "abcd":
        folder.publish(id, [b"one\n"])
    monkeypatch.setattr(folder._dir, "names", lambda: ["gone.jsonl", "a.jsonl", "b.jsonl", "also-gone.jsonl", "c.jsonl", "d.jsonl"])
    assert [info.id for info in folder.list("by-id", None, 3)] == ["a", "b", "c"]
    assert [info.id for info in folder.list("recent", None, 9)] != []


def test_a_folder_that_can_not_be_written_to_can_be_read(place: Path) -> None:
    Folder(place).publish("x", [b"one\n"])
    os.chmod(place / "x.jsonl", 0o644)
    os.chmod(place, 0o555)
    folder = Folder(place)
    child = os.fork()
    if child == 0:
        outcome = 1
        try:
            if os.geteuid() == 0:
                os.setuid(65534)  # Rights do not bind root: somebody else has to try.
            assert folder.read("x", 0, 9) == b"one\n"
            assert "y.jsonl" in fails("access-denied", folder.publish, "y", [b"one\n"])
            outcome = 0
        finally:
            os._exit(outcome)
    assert os.waitpid(child, 0)[1] == 0


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("nowhere")
    for path in ("file", "file/logs", "link"):
        with pytest.raises(OSError, match="file|link"):
            Folder(tmp_path / path)


def test_a_note_that_can_not_be_read_is_none(folder: Folder, place: Path) -> None:
    folder.publish("x", [b"one\n"])
    (place / "x.ckpt").mkdir()
    assert folder.load_checkpoint("x") == b""
