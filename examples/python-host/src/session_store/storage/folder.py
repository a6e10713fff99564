"""Logs as files in one folder, the same that the host in Rust reads and writes."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from stat import S_IFREG, S_ISDIR, S_ISREG
from typing import Iterator, Optional, Sequence, Union

from .. import _arguments
from . import Aside, LogInfo, Order, Part, Place, StorageError, _asides, _list
from ._claim import Claim, Extent
from ._files import Dir, File, explained, modified, must_be
from ._names import Name, id_of_log

_UNKNOWN_LENGTH = 1
"""The length that is told of what is listed and can't be opened: nobody would read what is empty, and learn why."""
_CHECKPOINT_MAX = 16 << 20
"""A larger file is no note of ours."""


class Folder:
    """A folder that holds each log as a file of JSON lines, `<encoded id>.jsonl`.

    Files are for their owner alone. Nothing outside the folder is ever touched, whatever an id looks like. A claim is an
    advisory lock (`flock`) on the log itself, so it works over all processes and hosts of one machine and ends with the
    process. A process that was forked off holds nothing.
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        """Opens a folder, and makes it if it is missing; `OSError` where that can't be. It is opened once: what becomes of the
        path later does not matter."""
        root = _arguments.root(path)
        _make(Path(root))
        self._dir = Dir(os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        self._claims: dict[str, Claim] = {}
        self._unsynced: dict[str, tuple[str, Extent]] = {}

    @explained("acquire")
    def acquire(self, id: str, /) -> LogInfo:
        name = Name(id)
        claim = self._claim(id)
        if claim:
            try:
                return self._info(id, name.log, claim.renew(), True)
            except StorageError as error:
                # The claim is on a file that is the log no more; the log must be claimed like any other.
                if error.code != "moved":
                    raise
        self.release(id)
        claim = Claim.take(self._dir, name.log)
        identity, extent = self._unsynced.pop(name.log, (None, claim.extent))
        if identity == claim.identity:
            claim.extent, claim.sync_failed = extent, True
        try:
            found = claim.renew()
        except (OSError, StorageError):
            self._let_go(claim)
            raise
        self._claims[id] = claim
        return self._info(id, name.log, found, True)

    def release(self, id: str, /) -> None:
        claim = self._claims.pop(id, None)
        if claim:
            self._let_go(claim)

    def _let_go(self, claim: Claim) -> None:
        # Whoever holds the log next has to know.
        if claim.sync_failed:
            self._unsynced[claim.name] = claim.identity, claim.extent
        claim.close()

    def close(self) -> None:
        for id in list(self._claims):
            self.release(id)

    @explained("publish")
    def publish(self, id: str, parts: Sequence[Part], /) -> LogInfo:
        name = Name(id)
        self._refuse_if_there(name)
        with self._unfinished(name) as file:
            # Nobody else can make it from here on; but somebody may have, just before.
            self._refuse_if_there(name)
            for part in parts:
                self._write(file, part)
            file.sync()
            self._sweep(name)
            self._dir.rename_new(name.log_temp, name.log)
            claim = Claim(self._dir, name.log, file, synced=True)
            try:
                self._dir.sync()
            except OSError as error:
                # The claim is held to the end of this, so nobody has built upon it.
                try:
                    self._dir.unlink(name.log)
                except OSError as undo:
                    why = f"`{name.log}` is there, perhaps not durably ({error}), and could not be removed: {undo}"
                    raise StorageError("outcome-unknown", why) from error
                raise
        self._claims[id] = claim
        return self._info(id, name.log, file.stat(), True)

    def _refuse_if_there(self, name: Name) -> None:
        if self._dir.exists(name.log):
            raise StorageError("already-exists")

    def _write(self, file: File, part: Part) -> None:
        if isinstance(part, bytes):
            file.append(part)
            return
        with self._dir.open(Name(part.id).log) as other:
            length, end = other.stat().st_size, part.at + part.length
            if end > length:
                raise StorageError("failed", f"`{part.id}` has {length} bytes, so not {part.length} from byte {part.at} on")
            for window in other.windows(part.at, end):
                file.append(window)

    @contextmanager
    def _unfinished(self, name: Name) -> Iterator[File]:
        """An empty file, locked, that is to become a log. Whoever wants to make that log has to get this first, so one does it
        at a time. Its name is gone in the end."""
        while True:
            try:
                file = self._dir.open(name.log_temp, os.O_RDWR | os.O_APPEND | os.O_CREAT)
            except FileNotFoundError:
                why = "the store's folder was removed, or is none in which files can be made"
                raise StorageError("failed", f"can't create `{name.log_temp}`: {why}") from None
            if not file.lock(fcntl.LOCK_EX):
                raise StorageError("busy", f"it is being created as `{name.log_temp}`")
            if self._dir.leads_to(name.log_temp, file.stat()):
                if file.stat().st_size == 0:
                    break
                self._dir.unlink(name.log_temp)  # What a crash has left.
            file.close()
        done = False
        try:
            file.make_private()
            yield file
            done = True
        finally:
            with suppress(OSError):
                self._dir.unlink(name.log_temp)  # What can't be removed now is removed by whoever makes that log next.
            if not done:
                file.close()

    @explained("append to")
    def append(self, id: str, at: int, content: bytes, /) -> None:
        self._held(id).append(at, content)

    @explained("sync")
    def sync(self, id: str, /) -> None:
        self._held(id).sync()

    @explained("look at")
    def stat(self, id: str, /) -> LogInfo:
        log = Name(id).log
        return self._info(id, log, must_be(S_IFREG, self._dir.stat(log), log), self._is_held(id, log))

    @explained("read")
    def read(self, id: str, at: int, max: int, /) -> bytes:
        with self._dir.open(Name(id).log) as file:
            return file.read(at, max)

    @explained("set aside the end of")
    def set_aside(self, id: str, at: int, /) -> Aside:
        return _asides.set_aside(self._dir, Name(id), self._held(id), at)

    @explained("list what was set aside from")
    def asides(self, id: str, /) -> Sequence[Aside]:
        return _asides.pieces_of(self._dir, Name(id))

    @explained("read what was set aside from")
    def read_aside(self, id: str, name: str, at: int, max: int, /) -> bytes:
        return _asides.read(self._dir, Name(id), name, at, max)

    @explained("list logs")
    def list(self, order: Order, after: Optional[Place], max: int, /) -> Sequence[LogInfo]:
        return [self._listed(file, name, found) for file, name, found in _list.page(self._dir, order, after, max)]

    def _listed(self, file: str, name: str, found: Optional[os.stat_result]) -> LogInfo:
        id = id_of_log(name)
        if found is None:
            return LogInfo(id, name, _UNKNOWN_LENGTH, 0, "", False)
        if not S_ISREG(found.st_mode):
            return replace(self._info(id, name, found, False), length=_UNKNOWN_LENGTH)
        return self._info(id, name, found, self._is_held(id, file), file)

    @explained("remove")
    def remove(self, id: str, /) -> None:
        name = Name(id)
        claim = self._claim(id)
        if not (claim and claim.is_current()):
            try:
                claim = Claim.take(self._dir, name.log)
            except FileNotFoundError:
                self.release(id)
                self._remove_leftovers(name)
                return
        try:
            # What belongs to the log goes first, so that a crash can't leave it to another log of that name; and so that nothing
            # is left to fail once the log is gone.
            self._sweep_unfinished(name)
            self._sweep(name)
            self._dir.unlink(name.log)
            try:
                self._dir.sync()
            except OSError as error:
                raise StorageError("outcome-unknown", f"`{name.log}` was removed, perhaps not durably: {error}") from error
            self.release(id)
        finally:
            if self._claims.get(id) is not claim:
                claim.close()

    def _remove_leftovers(self, name: Name) -> None:
        """Removes what was left of a log that does not exist."""
        if any(map(self._dir.exists, (name.log_temp, name.checkpoint, name.checkpoint_temp, name.asides))):
            # Keeps everybody from making such a log meanwhile.
            with self._unfinished(name) as file:
                if self._dir.exists(name.log):
                    raise StorageError("busy", f"`{name.log}` was created just now")
                self._sweep(name)
            file.close()
        # An earlier removal may have failed at just this.
        self._dir.sync()

    def _sweep_unfinished(self, name: Name) -> None:
        """Removes an unfinished log of that name, durably, if there is one and nobody is at work on it."""
        if not self._dir.exists(name.log_temp):
            return
        # It may be a second name of the log itself, and so be locked by its holder.
        if self._dir.leads_to(name.log, self._dir.stat(name.log_temp)):
            self._dir.unlink(name.log_temp)
        else:
            with self._unfinished(name) as file:
                pass
            file.close()
        self._dir.sync()

    def _sweep(self, name: Name) -> None:
        """Removes the checkpoint and what was set aside, durably. For the holder of the log, or of the right to make it."""
        notes = [note for note in (name.checkpoint, name.checkpoint_temp) if self._dir.exists(note)]
        for note in notes:
            if S_ISDIR(self._dir.stat(note).st_mode):
                must_be(S_IFREG, self._dir.stat(note), note)
        found = _asides.remove(self._dir, name)
        for note in notes:
            self._dir.unlink(note)
        if found or notes:
            self._dir.sync()

    @explained("save the checkpoint of")
    def save_checkpoint(self, id: str, content: bytes, /) -> None:
        name = Name(id)
        self._held(id).look()
        self._dir.unlink(name.checkpoint_temp)
        try:
            with self._dir.create(name.checkpoint_temp) as file:
                file.append(content)
            self._dir.rename(name.checkpoint_temp, name.checkpoint)
        except OSError:
            with suppress(OSError):
                self._dir.unlink(name.checkpoint_temp)
            raise

    def load_checkpoint(self, id: str, /) -> bytes:
        # It only saves time, so nobody is to be stopped by one that can't be read.
        with suppress(OSError), self._dir.open(Name(id).checkpoint) as file:
            return file.read(0, _CHECKPOINT_MAX) if file.stat().st_size <= _CHECKPOINT_MAX else b""
        return b""

    def _claim(self, id: str) -> Optional[Claim]:
        claim = self._claims.get(id)
        return claim if claim and claim.file.is_ours() else None

    def _held(self, id: str) -> Claim:
        claim = self._claim(id)
        if claim is None:
            raise StorageError("moved", f"`{id}` is not held; it must be acquired first")
        return claim

    def _is_held(self, id: Optional[str], file: str) -> bool:
        return id is not None and self._claim(id) is not None or self._dir.is_locked(file)

    def _info(self, id: Optional[str], name: str, found: os.stat_result, held: bool, file: Optional[str] = None) -> LogInfo:
        return LogInfo(id, name, found.st_size, modified(found), self._dir.identity(file or name, found), held)


def _make(path: Path) -> None:
    """Makes a folder and those above it that are missing, for their owner alone, durably."""
    if path.is_dir():
        return
    _make(path.parent)
    try:
        path.mkdir(0o700)
    except FileExistsError:
        if path.is_dir():
            return  # Somebody else has made it just now.
        raise
    path.chmod(0o700)  # The umask may have taken more than it should.
    with Dir(os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)) as parent:
        parent.sync()
