from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Iterator

import pytest

import session_store
from session_store import Folder, Sessions

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(scope="session", autouse=True)
def no_cache_of_the_users(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled code is kept for these tests alone."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "sessions"


@pytest.fixture
def sessions(root: Path) -> Iterator[Sessions]:
    with session_store.open_sessions(root) as sessions:
        yield sessions


class Command:
    """The command `session`, in Rust, on a folder."""

    def __init__(self, root: Path) -> None:
        binary = Path(os.environ.get("SESSION_BIN", REPOSITORY / "target" / "release" / "session"))
        assert binary.exists(), f"{binary} is not there: `cargo build --release` makes it, or SESSION_BIN says where it is"
        self.arguments = [str(binary), "--root", str(root), "--json"]

    def __call__(self, *arguments: str, stdin: str = "", code: int = 0) -> str:
        ran = subprocess.run([*self.arguments, *arguments], input=stdin.encode(), capture_output=True, check=False)
        assert ran.returncode == code, ran.stderr.decode()
        return ran.stdout.decode()

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen([*self.arguments, *arguments], stdin=pipe, stdout=pipe, text=True)


@pytest.fixture
def command(root: Path) -> Command:
    return Command(root)


def log_of(root: Path, id: str) -> Path:
    from session_store.storage._names import Name

    return root / Name(id).log


__all__ = ["Command", "Folder", "log_of"]
