"""One log in the hands of its only writer."""

from __future__ import annotations

import fcntl
import os
import time
import zlib
from dataclasses import dataclass, replace
from typing import Optional

from . import StorageError
from ._files import Dir, File, same

_PATIENCE = 1000
"""How often a writer asks again while a reader has the lock, which needs an instant."""
_PAUSE = 0.0001


@dataclass
class Extent:
    """How far a log reaches, and how far it is safe. Of the bytes from `known` on, which this holder wrote, the checksum is
    kept: where a sync fails, the kernel may forget them and read back something else."""

    synced: int
    known: int
    length: int
    checksum: int = 0


class Claim:
    """A lock on an open log. While it is fit, the log's name leads to the open file, and that is as long as the extent says.
    Everything is refused to a claim that is unfit."""

    def __init__(self, folder: Dir, name: str, file: File, synced: bool) -> None:
        self._folder = folder
        self.name = name
        self.file = file
        self._opened = file.stat()
        self.identity = folder.identity(name, self._opened)
        length = self._opened.st_size
        self.extent = Extent(length if synced else 0, length, length)
        self.sync_failed = False
        self._moved: Optional[str] = None

    @staticmethod
    def take(folder: Dir, name: str) -> Claim:
        """Becomes the writer of a log that exists. How far that reaches, `renew` says."""
        while True:
            file = folder.open(name, os.O_RDWR | os.O_APPEND)
            _lock(name, file)
            # Before this writer got the lock, another may have removed the log and made it anew.
            if folder.leads_to(name, file.stat()):
                return Claim(folder, name, file, synced=False)
            file.close()

    def close(self) -> None:
        """Stops being the writer."""
        self.file.close()

    def is_current(self) -> bool:
        """Whether the log's name still leads to the file that is held."""
        return self._folder.leads_to(self.name, self._opened)

    def renew(self) -> os.stat_result:
        """Makes a claim fit again and takes the log as it stands; `moved` if it is another one by now."""
        if not self.is_current():
            raise self._move_away("it was removed or replaced")
        found = self.file.stat()
        self._moved = None
        self._believe(found.st_size)
        self._make_fit()
        return found

    def append(self, at: int, content: bytes) -> None:
        """Adds bytes at the end, which must be `at`, in one write."""
        self._make_fit()
        if at != self.extent.length:
            raise self._move_away(f"it has {self.extent.length} bytes where {at} were expected")
        self._expect(at)
        try:
            self.file.append(content)
        except OSError:
            self._roll_back(at, content)
            raise
        self.extent.length += len(content)
        self.extent.checksum = zlib.crc32(content, self.extent.checksum)
        try:
            self._expect(self.extent.length)
        except OSError as error:
            raise self._lose_sight(f"it was written at byte {at} and could not be looked at then: {error}") from error

    def sync(self) -> None:
        """Makes every byte of the log durable, also those that an earlier holder wrote."""
        self._make_fit()
        try:
            self.file.sync()
        except OSError:
            self.sync_failed = True
            raise
        self._all_is_safe()
        # What was synced must be the log, and not a file that was it once.
        self._expect(self.extent.length)

    def look(self) -> int:
        """The log's length, if this claim is fit."""
        self._make_fit()
        self._expect(self.extent.length)
        return self.extent.length

    def cut(self, at: int) -> None:
        """Drops all bytes from `at` on, durably."""
        self.look()
        self.file.truncate(at)
        self._believe(at)
        try:
            self.sync()
        except (OSError, StorageError) as error:
            raise StorageError("outcome-unknown", f"`{self.name}` was cut at byte {at}, perhaps not durably: {error}") from error

    def _believe(self, length: int) -> None:
        if length != self.extent.length:
            self.extent = Extent(min(self.extent.synced, length), length, length)

    def _all_is_safe(self) -> None:
        length = self.extent.length
        self.extent = Extent(length, length, length)

    def _make_fit(self) -> None:
        if self._moved is not None:
            raise StorageError("moved", self._moved)
        if self.sync_failed:
            self._write_again()

    def _expect(self, length: int) -> None:
        """Makes sure that the log's name still leads to this file, and that it has this length."""
        try:
            found = self._folder.stat(self.name)
        except FileNotFoundError:
            raise self._move_away("it was removed") from None
        if not same(found, self._opened):
            raise self._move_away("it was replaced by another file")
        if found.st_size != length:
            raise self._move_away(f"it has {found.st_size} bytes where {length} were expected")

    def _move_away(self, how: str) -> StorageError:
        self._moved = f"`{self.name}`: {how}"
        return StorageError("moved", self._moved)

    def _lose_sight(self, why: str) -> StorageError:
        """Bytes may stand in the log that are not accounted for: all is refused until the log was looked at afresh."""
        self._moved = f"`{self.name}`: {why}"
        return StorageError("outcome-unknown", self._moved)

    def _roll_back(self, at: int, content: bytes) -> None:
        """After a failed write: cuts off what was written of it, unless somebody else's bytes stand there too."""
        try:
            written = self.file.stat().st_size - at
            ours = 0 <= written <= len(content) and self.file.read(at, written) == content[:written]
            if ours and written:
                self.file.truncate(at)
        except OSError as error:
            raise self._lose_sight(f"writing at byte {at} failed and can't be undone: {error}") from error
        if not ours:
            raise self._lose_sight(f"writing at byte {at} failed, and somebody else wrote there too")

    def _write_again(self) -> None:
        """After a failed sync: puts the same bytes in their place once more, so that there is something to sync."""
        extent = replace(self.extent)
        self._expect(extent.length)
        with self._folder.open(self.name, os.O_RDWR) as file:
            _overwrite(file, extent.synced, extent.known)
            found = _overwrite(file, extent.known, extent.length)
            file.sync()
        self.sync_failed = False
        self._all_is_safe()
        if found != extent.checksum:
            raise self._lose_sight("a failed sync lost bytes that were written before")
        self._expect(extent.length)


def _overwrite(file: File, start: int, end: int) -> int:
    """Writes a stretch over itself; answers the checksum of its bytes."""
    checksum = 0
    for window in file.windows(start, end):
        file.overwrite(start, window)
        checksum = zlib.crc32(window, checksum)
        start += len(window)
    return checksum


def _lock(name: str, file: File) -> None:
    """Takes the writer's lock, or says who has it."""
    for _ in range(_PATIENCE):
        if file.lock(fcntl.LOCK_EX):
            return
        # A lock that can be shared is no writer's: somebody asks just now whether the log is held.
        if not file.lock(fcntl.LOCK_SH):
            raise StorageError("busy", f"`{name}`{_holder(file.stat())}")
        file.unlock()
        time.sleep(_PAUSE)
    raise StorageError("busy", f"`{name}` is locked by another program that only reads it")


def _holder(file: os.stat_result) -> str:
    """Who holds the lock on a file, in words, where the system tells: `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`."""
    place = f"{os.major(file.st_dev):02x}:{os.minor(file.st_dev):02x}:{file.st_ino}"
    try:
        with open("/proc/locks", encoding="ascii") as locks:
            for fields in map(str.split, locks):
                if fields[1] == "FLOCK" and fields[3] == "WRITE" and fields[5] == place:
                    return " (this process)" if fields[4] == str(os.getpid()) else f" (process {fields[4]})"
    except (OSError, IndexError):
        pass
    return ""
