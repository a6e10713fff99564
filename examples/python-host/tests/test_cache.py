"""Compiled code that is kept between runs is trusted, so it has to be ours."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from wasmtime import Engine
from wasmtime.component import Component

from session_store import _cache

WASM = b"\0asm\x0d\0\x01\0"
"""An empty component."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "session-store-python"


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All that is compiled."""
    seen = []

    class Counted(Component):
        def __init__(self, engine: Engine, wasm: bytes) -> None:
            seen.append(wasm)
            super().__init__(engine, wasm)

    monkeypatch.setattr(_cache, "Component", Counted)
    return seen


def test_code_is_compiled_once(cache: Path, compiler: list[bytes]) -> None:
    for _ in range(3):
        _cache.compiled(Engine(), WASM)
    assert compiler == [WASM]
    (file,) = cache.iterdir()
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("place", [0, 40, -1])
def test_code_that_was_changed_is_compiled_anew(cache: Path, compiler: list[bytes], place: int) -> None:
    _cache.compiled(Engine(), WASM)
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    changed = bytearray(whole)
    changed[place] ^= 1
    for content in (bytes(changed), whole[:place], b""):
        compiler.clear()
        file.write_bytes(content)
        _cache.compiled(Engine(), WASM)
        assert compiler == [WASM]
        assert file.read_bytes() == whole


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o750])
def test_a_folder_that_others_can_enter_is_not_used(cache: Path, compiler: list[bytes], mode: int) -> None:
    cache.mkdir()
    cache.chmod(mode)
    for _ in range(2):
        _cache.compiled(Engine(), WASM)
    assert compiler == [WASM, WASM]
    assert list(cache.iterdir()) == []


def test_a_link_in_place_of_the_folder_is_not_used(cache: Path, compiler: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(0o700)
    cache.symlink_to("elsewhere")
    _cache.compiled(Engine(), WASM)
    assert compiler == [WASM] and list((tmp_path / "elsewhere").iterdir()) == []


def test_where_no_folder_can_be_made_code_is_compiled(compiler: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    _cache.compiled(Engine(), WASM)
    assert compiler == [WASM]


def test_the_folder_does_not_grow_for_ever(cache: Path) -> None:
    cache.mkdir(0o700)
    for number in range(20):
        (cache / f"{number}.cwasm").write_bytes(b"")
    _cache.compiled(Engine(), WASM)
    assert len(list(cache.iterdir())) == 8
