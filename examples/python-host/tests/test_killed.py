"""A writer that is killed loses nothing that it acknowledged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import log_of

from session_store import open_sessions

WRITER = """
import sys
from session_store import open_sessions
sessions = open_sessions(sys.argv[1])
sessions.create("x")
while True:
    print(sessions.emit("x", "note", {"text": "words " * 50}), flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 2, 50, 400])
def test_what_a_killed_writer_acknowledged_is_there(root: Path, acknowledged: int) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, str(root)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        for seq in range(acknowledged):
            assert writer.stdout.readline() == f"{seq}\n"
        writer.kill()
        last = acknowledged - 1
        for line in writer.stdout:
            last = int(line) if line.endswith("\n") else last
    with open_sessions(root) as sessions:
        length = sessions.wake("x").length
        assert length > last
        assert [event.seq for event in sessions.events("x")] == list(range(length))
        assert {event.data for event in sessions.events("x")} == {'{"text":"' + "words " * 50 + '"}'}
        assert sessions.emit("x", "note", 1) == length


def test_a_half_written_line_of_a_killed_writer_is_set_aside(root: Path) -> None:
    with open_sessions(root) as sessions:
        sessions.create("x")
        sessions.emit("x", "note", 1)
        whole = log_of(root, "x").read_bytes()
        sessions.emit("x", "note", {"text": "é" * 10})
    both = log_of(root, "x").read_bytes()
    for cut in range(len(whole) + 1, len(both) - 1):
        log_of(root, "x").write_bytes(both[:cut])
        with open_sessions(root) as sessions:
            assert sessions.wake("x").length == 1
            assert log_of(root, "x").read_bytes() == whole
