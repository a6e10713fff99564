"""The package as it is handed on."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import REPOSITORY

HERE = Path(__file__).parents[1]
WASM = REPOSITORY / "host" / "component" / "session-store.wasm"


def run(*arguments: str, cwd: Path = HERE) -> str:
    ran = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=cwd)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_types_are_sound(tmp_path: Path) -> None:
    run("-m", "mypy", "--cache-dir", str(tmp_path))


@pytest.mark.parametrize("source", ["repository", "sdist"])
def test_the_wheel_carries_the_component(tmp_path: Path, source: str) -> None:
    build = ("-m", "hatchling", "build", "-d", str(tmp_path))
    if source == "repository":
        run(*build, "-t", "wheel")
    else:
        run(*build, "-t", "sdist")
        (sdist,) = tmp_path.glob("*.tar.gz")
        with tarfile.open(sdist) as files:
            assert all(member.isfile() for member in files)
        subprocess.run(["tar", "-xzf", sdist, "-C", tmp_path], check=True)
        run(*build, "-t", "wheel", cwd=tmp_path / sdist.name.removesuffix(".tar.gz"))
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as files_in_wheel:
        assert files_in_wheel.read("session_store/session-store.wasm") == WASM.read_bytes()
        assert "session_store/py.typed" in files_in_wheel.namelist()


def test_the_readme_s_program_runs_twice(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    assert "turn/end" not in run("-c", program, cwd=tmp_path)
    assert "turn/end" in run("-c", program, cwd=tmp_path)


def test_the_program_that_explains_the_tree_does_what_it_says(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (HERE.parent.parent / "docs/tree.md").read_text(), re.DOTALL)
    assert run("-c", program, cwd=tmp_path).splitlines()[1:] == ["d", "c", "a"]


def test_the_readme_is_no_longer_than_a_screen() -> None:
    assert len((HERE / "README.md").read_text().splitlines()) <= 60
