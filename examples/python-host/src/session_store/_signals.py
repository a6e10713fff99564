"""Signals wait until a component has answered.

What Python does on a signal it does before the next step of Python, and in the midst of a call that is the first step of an import.
An exception raised there (`KeyboardInterrupt`, say) has nowhere to go: C would take what it finds for the import's answer, and
the process crashes.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` looks up names for numbers, which takes longer than an import.
import signal
import threading
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Iterator, Optional

_SIGNALS = tuple(map(int, signal.valid_signals()))


@contextmanager
def waiting() -> Iterator[None]:
    """Keeps aside every signal that Python code would handle, and has it handled in the end."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python handles signals in its main thread alone.
        return
    handlers = {number: handler for number in _SIGNALS if callable(handler := _signal.getsignal(number))}
    came: list[tuple[int, Optional[FrameType]]] = []
    for number in handlers:
        _signal.signal(number, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            _signal.signal(number, handler)
        # Each is handled, also where the one before raises an exception. The last that is pushed is called first.
        with ExitStack() as handled:
            for number, frame in reversed(came):
                handled.callback(handlers[number], number, frame)
