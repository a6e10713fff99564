"""Every rule of the contract, tried on every store: `docs/conformance.md`."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, Callable

import pytest
from wasmtime import Engine
from wasmtime.component import Component

from session_store import Folder, Memory, Storage
from session_store._component import Program, Trap
from session_store._service import program, storage_imports
from session_store.sessions import _now

HOST = Path(__file__).parents[3] / "host" / "component"

Pair = Callable[[Path], tuple[Storage, Storage]]


def two_on_memory(_: Path) -> tuple[Storage, Storage]:
    memory = Memory()
    return memory, Memory(memory)


def two_on_a_folder(path: Path) -> tuple[Storage, Storage]:
    return Folder(path), Folder(path)


STORES: dict[str, Pair] = {"folder": two_on_a_folder, "memory": two_on_memory}

CAN_NOT_HOLD = {
    # It hands over five million bytes. wasmtime lets 128 MiB out of a component in a call, and counts 48 for each byte where
    # values are dynamic, as they are in its C API.
    "storage: publishing takes a log of several megabytes": "fuel allocated for hostcalls has been exhausted",
}
"""Cases that can't hold in Python, and what they die of."""


@functools.cache
def conformance() -> Program:
    engine = Engine()
    return Program(engine, Component.from_file(engine, HOST / "conformance.wasm"))


def imports(storage: Storage, other: Storage) -> dict[str, Callable[..., Any]]:
    """A holder, and sessions over another one on the same place."""
    sessions = program().start({"clock/now": _now, **storage_imports(other)})
    exports = [name for name in program().exports if not name.startswith("event-rules/")]
    return {**storage_imports(storage), **{name: functools.partial(sessions.call, name) for name in exports}}


def cases() -> list[str]:
    memory = Memory()
    found: list[str] = conformance().start(imports(memory, Memory(memory))).call("cases")
    return found


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("case", cases())
def test_the_contract(case: str, store: str, tmp_path: Path) -> None:
    case_runs = conformance().start(imports(*STORES[store](tmp_path / "place")))
    if case in CAN_NOT_HOLD:
        with pytest.raises(Trap, match=CAN_NOT_HOLD[case]):
            case_runs.call("run", case)
    else:
        assert case_runs.call("run", case) is None
