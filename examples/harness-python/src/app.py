"""A harness in a sandbox: it sees sessions and a clock, and nothing else.

A real one would ask a model what to do next; this one knows its lines. They are those of `examples/demo-harness`,
event for event, so that what a harness in one language leaves undone, one in another takes up.
"""

from typing import Never

import wit_world
from componentize_py_types import Err
from wit_world.imports import session_persistence as sessions
from wit_world.imports import types

from place import Call, Place
from turn import Turn
from words import why


class WitWorld(wit_world.WitWorld):
    """The harness. Each call of `run` is one turn."""

    def run(self, session: str, input: str) -> str:
        # Any other exception than `Err` is a trap, of which nobody learns more than that it was one.
        try:
            wake(session)
        except Exception as error:
            raise Err(f"can't wake {session}: {why(error)}")
        try:
            return stall(session) if input == "stall" else resume(session, input)
        except Exception as error:
            raise Err(f"can't go on with {session}: {why(error)}")


def wake(session: str) -> None:
    """Become the session's writer. Whatever a harness before this one left open is closed by it."""
    try:
        sessions.wake(session, types.WakeOptions(types.OpenTurn.CLOSE, types.OnDamage.REFUSE))
    except Err as error:
        if not isinstance(error.value, types.Error_NotFound):
            raise
        sessions.create(types.NewSession(session, cwd=None, parent_session=None, created_at=None))


def stall(session: str) -> Never:
    """A turn that never ends: its second tool hangs, as tools do, until somebody stops the harness."""
    edit = Call("call-1", "replace", '{"file":"config.toml","old":"retries","new":"attempts"}')
    test = Call("call-2", "run_tests", "{}")

    turn = Turn.start(session, Place.find(session).turn + 1)
    turn.user_says("Rename the config key `retries` to `attempts` and run the tests.")
    turn.step_start(1)
    for text in ["I'll rename ", "the key first, ", "then run the tests."]:
        turn.emit("assistant/chunk", 1, {"chunk": {"type": "text-delta", "index": 0, "text": text}})
    turn.assistant_says(1, "I'll rename the key first, then run the tests.", [edit, test])
    turn.tool_starts(1, edit)
    turn.tool_answers(1, edit, "config.toml: 1 line changed, `attempts = 3`")
    turn.tool_starts(1, test)
    sessions.flush(session)
    while True:
        pass


def resume(session: str, input: str) -> str:
    """A turn that takes up what the log says is undone."""
    place = Place.find(session)
    turn = Turn.start(session, place.turn + 1)
    if input:
        turn.user_says(input)

    step = 1
    for lost in place.unknown:
        again = Call(f"{lost.id}-again", lost.name, lost.arguments)
        turn.step_start(step)
        text = f"Nobody knows how `{lost.name}` ended; doing it twice does no harm, so I do it again."
        turn.assistant_says(step, text, [again])
        turn.tool_starts(step, again)
        turn.tool_answers(step, again, "12 passed, 0 failed")
        turn.step_end(step)
        step += 1

    outcome = "Nothing was left open."
    if place.unknown:
        outcome = f"Done, and the tests pass. You asked: {place.asked or 'nothing'}"
    turn.step_start(step)
    turn.assistant_says(step, outcome, [])
    turn.step_end(step)
    turn.end()
    sessions.flush(session)
    # JSON may hold half a surrogate pair, which no string of a component can.
    return outcome.encode(errors="replace").decode()
