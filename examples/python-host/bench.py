"""What the calls cost, in microseconds per event, beside the bare system calls; and how long the adapters are.

Events have some 500 bytes. The best of several rounds counts, because machines are noisy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import tokenize
from functools import partial
from pathlib import Path
from typing import Callable, Iterable

from session_store import Memory, Sessions, open_sessions, storage

DATA = {"text": "words, words and no end of words " * 13}
ROUNDS = 5


def lines(first: int, count: int) -> str:
    text = DATA["text"]
    numbers = range(first, first + count)
    return "".join(f'{{"type":"assistant/chunk","seq":{seq},"time":1763681581550,"data":{{"text":"{text}"}}}}\n' for seq in numbers)


def measure(name: str, events: int, *work: Callable[[], object], times: int = 1) -> None:
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(times):
            for step in work:
                step()
        taken.append((time.perf_counter() - began) / (events * times) * 1e6)
    print(f"{name:<44} {min(taken):10.1f} µs")


def exhaust(items: Iterable[object]) -> None:
    for _ in items:
        pass


def calls(where: str, sessions: Sessions) -> None:
    sessions.create("x")
    sessions.flush("x")
    emit, flush = partial(sessions.emit, "x", "note", DATA), partial(sessions.flush, "x")
    measure(f"{where}: emit", 1, emit, times=500)
    measure(f"{where}: emit and flush", 1, emit, flush, times=20)
    measure(f"{where}: append_lines, 0.5 MB", 1000, lambda: sessions.append_lines("x", lines(sessions.inspect("x").length, 1000)))
    length = sessions.inspect("x").length
    measure(f"{where}: lines", length, lambda: exhaust(sessions.lines("x")))
    measure(f"{where}: events", length, lambda: exhaust(sessions.events("x")))
    measure(f"{where}: events, and parse their data", length, lambda: exhaust(event.data.parse() for event in sessions.events("x")))
    sessions.create("m")
    exhaust(sessions.emit("m", "user/message", {"content": DATA["text"]}) for _ in range(500))
    measure(f"{where}: messages", 500, lambda: exhaust(sessions.messages("m")))


def bare(folder: Path) -> None:
    file = os.open(folder / "bare", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    write, sync = partial(os.write, file, lines(0, 1).encode()), partial(os.fsync, file)
    measure("bare: write", 1, write, times=500)
    measure("bare: write and fsync", 1, write, sync, times=20)
    os.close(file)


def start(folder: Path) -> None:
    code = "import sys, session_store as s\nwith s.open_sessions(sys.argv[1]) as x: x.has('x')"
    cache = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))

    def run(*arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], check=True, env=cache)

    began = time.perf_counter()
    run("-c", code, str(folder))
    print(f"{'a process that asks for one, nothing compiled':<44} {(time.perf_counter() - began) * 1e6:10.1f} µs")
    measure("a process that asks for one", 1, lambda: run("-c", code, str(folder)))
    measure("a process that does nothing", 1, lambda: run("-c", "pass"))


def code_lines(*files: Path) -> int:
    """Lines that hold code: neither blank nor comment nor documentation."""
    nothing = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
    count = 0
    for path in files:
        found: set[int] = set()
        with tokenize.open(path) as file:
            before = tokenize.NEWLINE
            for token in tokenize.generate_tokens(file.readline):
                is_text_alone = token.type == tokenize.STRING and before in nothing
                if token.type not in nothing and not is_text_alone:
                    found.update(range(token.start[0], token.end[0] + 1))
                before = token.type
        count += len(found)
    return count


def main() -> None:
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as temporary:
        folder = Path(temporary)
        bare(folder)
        with open_sessions(folder) as sessions:
            calls("folder", sessions)
        start(folder)
    with Sessions(Memory()) as sessions:
        calls("memory", sessions)
    adapters = Path(storage.__file__).parent
    folder_files = [path for path in adapters.glob("*.py") if path.name not in ("__init__.py", "memory.py")]
    print(f"lines of code: folder {code_lines(*folder_files)}, memory {code_lines(adapters / 'memory.py')}")
    print(f"of the whole package {code_lines(*adapters.parent.rglob('*.py'))}")


if __name__ == "__main__":
    main()
