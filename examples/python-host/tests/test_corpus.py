"""The corpus that all hosts share: what this one says of each log is what is written down there."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Callable, Literal

import pytest
from conftest import REPOSITORY, log_of
from session_store import Damage, SessionError, Sessions

CORPUS = REPOSITORY / "tests" / "corpus"
CASES = sorted(case.name for case in CORPUS.iterdir() if case.is_dir())


def answer(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except SessionError as error:
        if error.code == "corrupt":
            assert isinstance(error.detail, Damage)
            return {"error": error.code, "damage": asdict(error.detail)}
        if error.code == "unsupported-version":
            return {"error": error.code, "version": error.detail}
        return {"error": str(error)}


def inspected(sessions: Sessions, id: str) -> Any:
    state = sessions.inspect(id)
    damage = state.recovery.damage
    return {
        "length": state.length,
        "turnOpen": state.turn_open,
        "damage": damage and asdict(damage),
        "closers": [[closer.type, closer.data] for closer in state.recovery.closers],
    }


def messages(sessions: Sessions, id: str, pairing: Literal["paired", "recorded"]) -> Any:
    return answer(lambda: [[message.role, message.source, message.content] for message in sessions.messages(id, pairing=pairing)])


def woken(sessions: Sessions, id: str, on_damage: Literal["refuse", "set-aside"]) -> Any:
    def wake() -> str:
        sessions.wake(id, on_damage=on_damage)
        sessions.release(id)
        return "done"

    return answer(wake)


def test_there_is_a_corpus() -> None:
    assert len(CASES) > 20


@pytest.mark.parametrize("id", CASES)
def test_what_is_said_of(id: str, root: Path, sessions: Sessions) -> None:
    log = log_of(root, id)
    log.write_bytes((CORPUS / id / "log.jsonl").read_bytes())
    found = {
        "inspect": answer(lambda: inspected(sessions, id)),
        "check": answer(lambda: list(sessions.check(id))),
        "paired": messages(sessions, id, "paired"),
        "recorded": messages(sessions, id, "recorded"),
        "wake": woken(sessions, id, "refuse"),
        "wake, set aside": woken(sessions, id, "set-aside"),
        "paired when woken": messages(sessions, id, "paired"),
    }
    assert found == json.loads((CORPUS / id / "expected.json").read_text(encoding="utf-8"))
    assert log.read_bytes() == (CORPUS / id / "woken.jsonl").read_bytes()
