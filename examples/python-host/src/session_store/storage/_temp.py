"""A file that is to become a log."""

from __future__ import annotations

import fcntl
import os
from typing import Optional

from . import StorageError
from ._files import Dir, File, explaining
from ._names import Name


class Temp:
    """An empty file, locked, with the name that the unfinished log of an id has. Whoever wants to make that log has to get
    this first, so one does it at a time. The name goes in the end, unless the file was renamed."""

    def __init__(self, folder: Dir, name: Name) -> None:
        self._folder = folder
        self._name = name.log_temp
        self._renamed = False
        while True:
            created = self._create()
            if created is None:
                self._sweep()
                continue
            self.file = created
            # Until it is locked, another who finds it must take it for a leftover.
            if self._lock(self.file):
                return
            self.file.close()

    def __enter__(self) -> Temp:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._renamed:
            try:
                self._folder.unlink(self._name)
            except OSError:
                pass  # What can't be removed now is removed by whoever makes that log next.
            self.file.close()

    def rename(self, to: str) -> File:
        """Gives the file its final name, if nothing has it."""
        self._folder.rename_new(self._name, to)
        self._renamed = True
        return self.file

    def _create(self) -> Optional[File]:
        """None if there is one already."""
        with explaining("create", self._name):
            try:
                return self._folder.create(self._name)
            except FileExistsError:
                return None
            except FileNotFoundError:
                why = "the store's folder was removed, or is none in which files can be made"
                raise StorageError("failed", f"can't create `{self._name}`: {why}") from None

    def _sweep(self) -> None:
        """Removes what a crash has left; `busy` if somebody is at work on it."""
        with explaining("open", self._name):
            try:
                file = self._folder.open(self._name, os.O_RDONLY)
            except FileNotFoundError:
                return
        with file:
            if self._lock(file):
                with explaining("remove", self._name):
                    self._folder.unlink(self._name)

    def _lock(self, file: File) -> bool:
        """Whether the file is locked and still has its name."""
        with explaining("lock", self._name):
            if not file.lock(fcntl.LOCK_EX):
                raise StorageError("busy", f"it is being created as `{self._name}`")
            return self._folder.leads_to(self._name, file.stat())
