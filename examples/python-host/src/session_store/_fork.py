"""What a process that was forked off has to know at once: it holds nothing, and the threads of its parent are not there."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Heir(Protocol):
    """Something that a process that is forked off finds in its memory."""

    def forked(self) -> None:
        """Called in that process, before anything else."""


_heirs: WeakSet[Heir] = WeakSet()


def tell(heir: Heir) -> None:
    """Tells it of every fork from now on, as long as it lives."""
    _heirs.add(heir)


def _tell_all() -> None:
    for heir in list(_heirs):
        heir.forked()


os.register_at_fork(after_in_child=_tell_all)
