"""The trees that all hosts share: what this one answers, and writes, is what is written down there."""

from __future__ import annotations

import json
import shutil
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Callable

import pytest
from conftest import REPOSITORY, log_of
from session_store import (
    Address,
    AppendList,
    DeleteList,
    DeleteValue,
    Folder,
    Json,
    NewEntry,
    NewUsage,
    Rejected,
    SessionError,
    Sessions,
    SetValue,
    Tree,
    Write,
)

CORPUS = REPOSITORY / "tests" / "corpus-trees"
CASES = sorted(case.name for case in CORPUS.iterdir() if case.is_dir())
NOW = 1763681581550


def new_entry(type: Any, payload: str, *, id: str, parent: Any = None, customType: Any = None) -> NewEntry:
    return NewEntry(id, type, Json(payload), parent, customType)


def new_usage(usage: str, details: Any = None, **more: Any) -> NewUsage:
    return NewUsage(usage=Json(usage), details=details and Json(details), **more)


WRITES: dict[str, Callable[..., Write]] = {
    "entry": new_entry,
    "usage": new_usage,
    "setValue": lambda value, **address: SetValue(Address(**address), Json(value)),
    "deleteValue": lambda **address: DeleteValue(Address(**address)),
    "appendList": lambda value, **address: AppendList(Address(**address), Json(value)),
    "deleteList": lambda **address: DeleteList(Address(**address)),
}

OPTIONS = {"stopAtId": "stop_at_id", "stopAtType": "stop_at_type", "customType": "custom_type", "from": "start", "to": "end"}


def options(scan: dict[str, Any]) -> Any:
    return {OPTIONS.get(name, name): value for name, value in scan.items()}


def written(write: dict[str, Any]) -> Write:
    ((kind, members),) = write.items()
    return WRITES[kind](**members)


class Calls:
    """Each call, as it stands in `calls.jsonl`."""

    def __init__(self, sessions: Sessions, root: Path, id: str) -> None:
        self.sessions, self.root, self.id = sessions, root, id
        self.tree: Tree = sessions.tree(id)

    def append(self, branch: str, entry: dict[str, Any]) -> Any:
        return self.tree.append(branch, new_entry(**entry))

    def branch_entries(self, start: str, scan: Any) -> Any:
        return list(self.tree.branch_entries(start, **options(scan)))

    def branch_structure(self, start: str, scan: Any) -> Any:
        return list(self.tree.branch_structure(start, **options(scan)))

    def branches(self) -> Any:
        return list(self.tree.branches())

    def commit(self, writes: list[dict[str, Any]], **given: int) -> Any:
        return self.tree.commit(map(written, writes), **given)

    def context(self, branch: str) -> Any:
        return list(self.tree.context(branch))

    def create_branch(self, name: str, at: Any = None) -> Any:
        return self.tree.create_branch(name, at)

    def emit(self, type: str, data: str) -> Any:
        return self.sessions.emit(self.id, type, Json(data))

    def entries(self, scan: Any, **only: str) -> Any:
        return list(self.tree.entries(**options({**scan, **only})))

    def fork(self, child: str, **part: str) -> Any:
        self.tree.fork(child, created_at=NOW, **part)
        return lines(log_of(self.root, child))

    def get_entries(self, ids: list[str]) -> Any:
        return self.tree.get_entries(ids)

    def get_labels(self, entries: list[str]) -> Any:
        return self.tree.get_labels(entries)

    def get_values(self, addresses: list[dict[str, str]]) -> Any:
        return self.tree.get_values(Address(**address) for address in addresses)

    def list(self, address: dict[str, str], scan: Any) -> Any:
        return list(self.tree.list(Address(**address), **options(scan)))

    def move_branch(self, name: str, to: Any = None) -> Any:
        return self.tree.move_branch(name, to)

    def set_label(self, entry: str, text: Any = None) -> Any:
        return self.tree.set_label(entry, text)

    def set_name(self, name: Any = None) -> Any:
        return self.tree.set_name(name)

    def state(self) -> Any:
        return self.tree.state()

    def usage(self, scan: Any) -> Any:
        return list(self.tree.usage(**options(scan)))

    def values(self, namespace: str, prefix: str) -> Any:
        return list(self.tree.values(namespace, prefix))

    def wake(self) -> Any:
        return [closer.type for closer in self.sessions.wake(self.id).recovery.closers]


def lines(file: Path) -> list[str]:
    # Not `splitlines`, which takes other characters too for the end of a line.
    return file.read_bytes().decode().split("\n")[:-1]


def parsed(id: str, file: str) -> list[Any]:
    return [json.loads(line) for line in lines(CORPUS / id / file)]


def shown(answer: Any) -> Any:
    """An answer as it is written down: with the names of JSON, and without what is none."""
    if isinstance(answer, list):
        return [shown(item) for item in answer]
    if not is_dataclass(answer):
        return answer
    members: dict[str, Any] = {}
    for field in fields(answer):
        value = shown(getattr(answer, field.name))
        if field.name == "address":
            members |= value
        elif value is not None:
            first, *rest = field.name.split("_")
            members[first + "".join(word.capitalize() for word in rest)] = value
    return members


def answered(call: Callable[[], Any]) -> Any:
    try:
        return shown(call())
    except SessionError as error:
        if isinstance(error.detail, Rejected):
            return {"error": error.code, **vars(error.detail)}
        return {"error": error.code, "of": error.detail} if isinstance(error.detail, str) else {"error": error.code}


def test_there_is_a_corpus_and_it_makes_every_call() -> None:
    assert len(CASES) > 12
    made = {call["call"].replace("-", "_") for id in CASES for call in parsed(id, "calls.jsonl")}
    assert made == {name for name in vars(Calls) if not name.startswith("_")}


@pytest.mark.parametrize("id", CASES)
def test_what_is_answered_of(id: str, root: Path) -> None:
    with Sessions(Folder(root), clock=lambda: NOW) as sessions:
        given, log = CORPUS / id / "log.jsonl", log_of(root, id)
        if given.exists():
            shutil.copy(given, log)
        else:
            sessions.create(id, created_at=NOW)
        calls, expected = parsed(id, "calls.jsonl"), parsed(id, "answers.jsonl")
        assert len(calls) == len(expected)
        for call, answer in zip(calls, expected):
            members = dict(call)
            made = getattr(Calls(sessions, root, members.pop("session", id)), members.pop("call").replace("-", "_"))
            assert answered(lambda: made(**members)) == answer, call
    assert log.read_bytes() == (CORPUS / id / "after.jsonl").read_bytes()
