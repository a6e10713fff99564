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


JOB = "Rename the config key `retries` to `attempts` and run the tests."
"""The one job that this harness knows, and what a model would say to it."""
PLAN = ["I'll rename ", "the key first, ", "then run the tests."]
PLANNED = [
    Call("call-1", "replace", '{"file":"config.toml","old":"retries","new":"attempts"}'),
    Call("call-2", "run_tests", "{}"),
]


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
    turn = Turn.start(session, Place.find(session).turn)
    turn.user_says(JOB)
    turn.step_start()
    for text in PLAN:
        turn.emit("assistant/chunk", {"chunk": {"type": "text-delta", "index": 0, "text": text}})
    edit, test = PLANNED
    turn.assistant_says("".join(PLAN), [edit, test])
    turn.tool_starts(edit)
    turn.tool_answers(edit)
    turn.tool_starts(test)
    sessions.flush(session)
    while True:
        pass


def resume(session: str, input: str) -> str:
    """A turn that takes up what the log says is undone."""
    place = Place.find(session)
    turn = Turn.start(session, place.turn)
    if input:
        turn.user_says(input)

    job = place.begun or JOB in place.asked
    if job and not place.begun:
        turn.whole_step("".join(PLAN), PLANNED)
    for call in place.open:
        text = f"`{call.name}` was not started, so I do it now."
        if call.started:
            text = f"Nobody knows how `{call.name}` ended; doing it twice does no harm, so I do it again."
        turn.whole_step(text, [call.again()])

    outcome = "Nothing was left open."
    if job:
        outcome = "Done, and the tests pass."
    elif place.asked:
        outcome = "I have no line for that."
    if place.asked:
        outcome += f" You asked: {' '.join(place.asked)}"
    turn.whole_step(outcome, [])
    turn.end()
    sessions.flush(session)
    # JSON may hold half a surrogate pair, which no string of a component can.
    return outcome.encode(errors="replace").decode()
