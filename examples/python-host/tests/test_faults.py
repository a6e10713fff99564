"""What becomes of sessions when a store, the component or the person at the keyboard breaks into a call."""

from __future__ import annotations

import gc
import signal
from typing import Optional

import pytest

from session_store import Event, Json, Memory, SessionError, Sessions, StorageError, _service
from session_store.storage import LogInfo


class Raising(Memory):
    """Raises what it is told to in the next call of one kind, before it does anything or after."""

    def __init__(self, other: Optional[Memory] = None) -> None:
        super().__init__(other)
        self.error: Optional[BaseException] = None
        self.after = False

    def append(self, id: str, at: int, content: bytes, /) -> None:
        if self.after:
            super().append(id, at, content)
        self._raise()
        super().append(id, at, content)

    def acquire(self, id: str, /) -> LogInfo:
        found = super().acquire(id)
        self._raise()
        return found

    def _raise(self) -> None:
        error, self.error = self.error, None
        if error:
            raise error


class Bloated(Memory):
    """Answers once with more than the component has room for."""

    bloated = False
    in_all = False

    def stat(self, id: str, /) -> LogInfo:
        found = super().stat(id)
        if not self.bloated:
            return found
        self.bloated = self.in_all
        return LogInfo("x" * (70 << 20), found.name, found.length, found.modified, found.identity, found.held)


def test_an_instance_outlives_whoever_made_it() -> None:
    program = _service.program.__wrapped__()
    instance = program.start({"clock/now": lambda: 7, **_service.storage_imports(Memory())})
    del program
    gc.collect()
    assert instance.call("session-persistence/has", "x") is False


def note(sessions: Sessions, id: str) -> int:
    return sessions.emit(id, "note", {"text": "a"})


@pytest.mark.parametrize("error", [RuntimeError("out of order"), KeyError(1), SystemExit(3), KeyboardInterrupt()])
def test_what_a_store_raises_comes_out_and_sessions_go_on(error: BaseException) -> None:
    store = Raising()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        store.error = error
        with pytest.raises(type(error)) as raised:
            note(sessions, "x")
        assert raised.value is error
        assert raised.value.__context__ is None
        assert note(sessions, "x") == 1


def test_what_was_written_before_a_store_raised_is_found_again() -> None:
    store = Raising()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        store.error, store.after = RuntimeError("out of order"), True
        with pytest.raises(RuntimeError):
            note(sessions, "x")
        store.after = False
        assert sessions.inspect("x").length == 2
        assert note(sessions, "x") == 2


def test_an_error_of_storage_is_data_and_keeps_the_instance() -> None:
    store = Raising()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        instance = sessions._service._instance
        store.error = StorageError("no-space")
        with pytest.raises(SessionError) as error:
            note(sessions, "x")
        assert error.value.code == "no-space"
        assert sessions._service._instance is instance


def test_the_text_of_an_error_may_hold_what_is_no_text() -> None:
    store = Raising()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        store.error = StorageError("failed", "a name of \udcff")
        with pytest.raises(SessionError, match=r"a name of \\udcff"):
            note(sessions, "x")


def test_a_session_that_is_not_stored_yet_outlives_the_instance() -> None:
    store = Raising()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        header = sessions.create("y", cwd="/work")
        store.error = RuntimeError("out of order")
        with pytest.raises(RuntimeError):
            note(sessions, "x")
        assert not sessions.has("y")
        assert sessions.header("y") == header
        with pytest.raises(SessionError) as error:
            sessions.fork("x", "y")
        assert error.value.code == "already-exists"
        assert note(sessions, "y") == 0
        assert sessions.header("y") == header


def test_a_session_that_another_has_stored_meanwhile_is_told_once() -> None:
    store = Raising()
    with Sessions(store) as sessions, Sessions(Memory(store)) as other:
        sessions.create("x")
        note(sessions, "x")
        sessions.create("y")
        store.error = RuntimeError("out of order")
        with pytest.raises(RuntimeError):
            note(sessions, "x")
        other.create("y")
        note(other, "y")
        other.release("y")
        with pytest.raises(SessionError) as error:
            note(sessions, "y")
        assert error.value.code == "already-exists"
        assert note(sessions, "y") == 1


def test_a_claim_outlives_the_instance_but_not_a_failed_wake() -> None:
    store = Raising()
    with Sessions(store) as sessions, Sessions(Memory(store)) as other:
        sessions.create("x")
        note(sessions, "x")
        store.error = RuntimeError("out of order")
        with pytest.raises(RuntimeError):
            note(sessions, "x")
        with pytest.raises(SessionError) as error:
            note(other, "x")
        assert error.value.code == "busy"
        store.error = RuntimeError("out of order")
        with pytest.raises(RuntimeError):
            sessions.wake("x")
        assert note(other, "x") == 1


def test_a_component_that_breaks_down_after_other_work_is_tried_again_afresh() -> None:
    store = Bloated()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        sessions.create("y")
        sessions.release("x")
        store.bloated = True
        assert sessions.inspect("x").length == 1
        assert not store.bloated
        assert note(sessions, "y") == 0


def test_a_component_that_breaks_down_afresh_says_so_and_sessions_go_on() -> None:
    store = Bloated()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        sessions.release("x")
        store.bloated = store.in_all = True
        with pytest.raises(SessionError) as error:
            sessions.inspect("x")
        assert error.value.code == "trapped"
        store.bloated = False
        assert sessions.inspect("x").length == 1


def test_a_component_that_breaks_down_after_a_write_says_that_it_may_be_stored() -> None:
    class Once(Memory):
        now = False

        def append(self, id: str, at: int, content: bytes, /) -> None:
            super().append(id, at, content)
            if self.now:
                raise StorageError("outcome-unknown", "x" * (70 << 20))

    store = Once()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        store.now = True
        with pytest.raises(SessionError) as error:
            note(sessions, "x")
        assert error.value.code == "outcome-unknown"
        assert len(str(error.value)) < 1000
        store.now = False
        assert sessions.wake("x").length == 2


def test_a_key_that_interrupts_waits_until_the_call_has_come_to_its_end() -> None:
    class Interrupting(Memory):
        def append(self, id: str, at: int, content: bytes, /) -> None:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGUSR1)
            super().append(id, at, content)

    also: list[int] = []
    before = signal.getsignal(signal.SIGINT), signal.signal(signal.SIGUSR1, lambda number, _: also.append(number))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Sessions(Interrupting()) as sessions:
            sessions.create("x")
            note(sessions, "x")
            instance = sessions._service._instance
            with pytest.raises(KeyboardInterrupt):
                note(sessions, "x")
            assert sessions._service._instance is instance
            assert sessions.inspect("x").length == 2
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
            assert also == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGUSR1, before[1])


def test_a_store_may_use_sessions_of_its_own() -> None:
    class Counting(Memory):
        inner: Optional[Sessions] = None

        def append(self, id: str, at: int, content: bytes, /) -> None:
            super().append(id, at, content)
            if self.inner:
                note(self.inner, "count")

    inner = Sessions(Memory())
    inner.create("count")
    store = Counting()
    store.inner = inner
    with Sessions(store) as sessions:
        sessions.create("x")
        sessions.append("x", [Event(0, 1, "note", Json("1"))])
        assert note(sessions, "x") == 1
        assert inner.inspect("count").length == 1


@pytest.mark.parametrize("use", ["emit", "wake", "has", "close"])
def test_a_store_that_calls_the_sessions_it_serves_is_refused_and_the_call_it_is_in_goes_on(use: str) -> None:
    class Entering(Memory):
        refused: list[str] = []

        def append(self, id: str, at: int, content: bytes, /) -> None:
            arguments = {"emit": ("x", "note", 1), "close": ()}.get(use, ("x",))
            with pytest.raises(SessionError, match="called the sessions that were just calling it") as error:
                getattr(sessions, use)(*arguments)
            self.refused.append(error.value.code)
            super().append(id, at, content)

    store = Entering()
    store.refused = []
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        assert [note(sessions, "x"), note(sessions, "x")] == [1, 2]
        assert store.refused == ["refused", "refused"]
        assert sessions.verify("x").length == 3


def test_a_clock_that_calls_the_sessions_it_serves_is_refused() -> None:
    with Sessions(Memory(), lambda: len(list(sessions.lines("x")))) as sessions:
        with pytest.raises(SessionError, match="called the sessions that were just calling it"):
            sessions.create("x")


@pytest.mark.parametrize("answer", [None, b"x", 7, "text"])
def test_a_store_that_answers_nonsense_is_found_out(answer: object) -> None:
    class Nonsense(Memory):
        wrong = False

        def stat(self, id: str, /) -> LogInfo:
            return answer if self.wrong else super().stat(id)  # type: ignore[return-value]

    store = Nonsense()
    with Sessions(store) as sessions:
        sessions.create("x")
        note(sessions, "x")
        sessions.release("x")
        store.wrong = True
        with pytest.raises((AttributeError, TypeError)):
            sessions.inspect("x")
        store.wrong = False
        assert sessions.inspect("x").length == 1
