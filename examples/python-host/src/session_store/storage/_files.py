"""Open files and folders: all that the folder of logs asks of the operating system."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import functools
import os
import stat
import struct
from contextlib import suppress
from typing import Callable, Iterator, ParamSpec, TypeVar

from . import StorageError, StorageErrorCode
from .._fork import tell

WINDOW = 1 << 20
"""Bytes held in memory while they go from one file to another."""

_CODES: dict[int, StorageErrorCode] = {
    errno.ENOENT: "not-found",
    errno.EEXIST: "already-exists",
    errno.ENOSPC: "no-space",
    errno.EDQUOT: "no-space",
    errno.EFBIG: "no-space",
    errno.EROFS: "read-only",
    errno.EACCES: "access-denied",
    errno.EPERM: "access-denied",
    errno.ENAMETOOLONG: "invalid-id",
}
P = ParamSpec("P")
T = TypeVar("T")
Self = TypeVar("Self", bound="_Open")


def explained(doing: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """What the operating system's errors mean to the caller of a method about one log."""

    def decorate(method: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(method)
        def call(*arguments: P.args, **named: P.kwargs) -> T:
            try:
                return method(*arguments, **named)
            except OSError as error:
                place = error.filename if isinstance(error.filename, str) else arguments[1]
                code = _CODES.get(error.errno or 0, "failed")
                raise StorageError(code, f"can't {doing} `{place}`: {error.strerror or error}") from error

        return call

    return decorate


def same(one: os.stat_result, other: os.stat_result) -> bool:
    """The same file, while one of the two is open: so long its number is not used again."""
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def modified(found: os.stat_result) -> int:
    """When it last changed, in milliseconds since the Unix epoch; 0 if before."""
    return max(found.st_mtime_ns // 10**6, 0)


def must_be(kind: int, found: os.stat_result, name: str) -> os.stat_result:
    """Refuses all but regular files (`S_IFREG`), or all but folders (`S_IFDIR`)."""
    kinds = {stat.S_IFREG: "a file", stat.S_IFDIR: "a folder", stat.S_IFLNK: "a symbolic link"}
    what = kinds.get(stat.S_IFMT(found.st_mode), "no file but a pipe, a socket or a device")
    if what != kinds[kind]:
        raise OSError(errno.EINVAL, f"it is {what}, and must be {kinds[kind]}; move it away", name)
    return found


class _Open:
    """A descriptor that is closed in the end."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Lets it go. Nothing is left to fail: what had to be safe was synced."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            with suppress(OSError):
                os.close(fd)


class File(_Open):
    """An open regular file. Its lock ends with it."""

    def __init__(self, fd: int) -> None:
        super().__init__(fd)
        self._process = os.getpid()

    def close(self) -> None:
        """Gives the lock back at once, even if a child process that is just being started still has the descriptor. A child
        that was forked gives back nothing: the lock is its parent's."""
        if self._fd >= 0 and self.is_ours():
            with suppress(OSError):  # Closing gives it back too.
                self.unlock()
        super().close()

    def is_ours(self) -> bool:
        """Whether this process opened it, and not one that it was forked from."""
        return self._process == os.getpid()

    def forked(self) -> None:
        """A lock lives as long as anybody has the descriptor: without this, a child would keep that of a parent which was killed."""
        super().close()

    def stat(self) -> os.stat_result:
        """What is known of it."""
        return os.fstat(self._fd)

    def read(self, at: int, size: int) -> bytes:
        """Bytes from `at`; fewer only at its end."""
        size = min(size, max(self.stat().st_size - at, 0))
        pieces: list[bytes] = []
        while size > 0 and (piece := os.pread(self._fd, size, at)):
            pieces.append(piece)
            at, size = at + len(piece), size - len(piece)
        return b"".join(pieces)

    def windows(self, start: int, end: int) -> Iterator[bytes]:
        """A stretch, piece by piece."""
        while start < end:
            window = self.read(start, min(WINDOW, end - start))
            if not window:
                raise OSError(errno.EIO, f"it ends at byte {start}, before byte {end}")
            yield window
            start += len(window)

    def append(self, content: bytes) -> None:
        """Writes at the end. After an error some of the bytes may be there."""
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(self._fd, rest) :]

    def overwrite(self, at: int, content: bytes) -> None:
        """Writes at a place; for a file that was not opened to append."""
        rest = memoryview(content)
        while rest:
            written = os.pwrite(self._fd, rest, at)
            at, rest = at + written, rest[written:]

    def truncate(self, length: int) -> None:
        """Drops what is behind."""
        os.ftruncate(self._fd, length)

    def sync(self) -> None:
        """Makes it durable."""
        os.fsync(self._fd)

    def make_private(self) -> None:
        """The umask may have taken more than it should."""
        os.fchmod(self._fd, 0o600)

    def lock(self, kind: int) -> bool:
        """Takes a lock (`fcntl.LOCK_EX` or `LOCK_SH`), or says that somebody has it."""
        tell(self)
        try:
            fcntl.flock(self._fd, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False

    def unlock(self) -> None:
        """Gives it back."""
        fcntl.flock(self._fd, fcntl.LOCK_UN)


class Dir(_Open):
    """An open folder. No name leads out of it, and links are not followed."""

    def open(self, name: str, access: int = os.O_RDONLY) -> File:
        """Opens a regular file that exists. Nothing else can be opened, and nothing makes this wait."""
        try:
            file = File(os.open(name, access | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600, dir_fd=self._fd))
        except FileNotFoundError:
            raise
        except OSError:
            # The kernel says "too many links" or "no such device"; people want to know what stands there.
            with suppress(FileNotFoundError):
                must_be(stat.S_IFREG, self.stat(name), name)
            raise
        must_be(stat.S_IFREG, file.stat(), name)
        return file

    def create(self, name: str) -> File:
        """Makes a file that did not exist, for its owner alone, to be appended to."""
        file = self.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        file.make_private()
        return file

    def stat(self, name: str) -> os.stat_result:
        """What stands there."""
        return os.stat(name, dir_fd=self._fd, follow_symlinks=False)

    def exists(self, name: str) -> bool:
        """Whether anything stands there."""
        try:
            self.stat(name)
            return True
        except FileNotFoundError:
            return False

    def leads_to(self, name: str, file: os.stat_result) -> bool:
        """Whether that name leads to this file, which must be open."""
        try:
            return same(self.stat(name), file)
        except FileNotFoundError:
            return False

    def is_locked(self, name: str) -> bool:
        """Whether a writer holds it. Takes a shared lock for an instant; writers know it by that."""
        try:
            with self.open(name) as file:
                return not file.lock(fcntl.LOCK_SH)
        except OSError:
            return False

    def identity(self, name: str, file: os.stat_result) -> str:
        """Tells the file of that name from every other, one that had its name before it among them: by when it was made, too, as
        numbers of files are used again."""
        born = 0
        if _statx:
            answer = ctypes.create_string_buffer(256)
            failed = _statx(self._fd, os.fsencode(name), _NO_FOLLOW, _BORN, answer)
            mask, seconds, nanoseconds = struct.unpack_from("=I76xqI", answer)
            born = 0 if failed or not mask & _BORN else seconds * 10**9 + nanoseconds
        return f"{file.st_dev:x}-{file.st_ino:x}-{born:x}"

    def rename(self, old: str, new: str) -> None:
        """Puts a file in the place of another."""
        os.rename(old, new, src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def rename_new(self, old: str, new: str) -> None:
        """Renames a file unless the new name is taken."""
        try:
            os.link(old, new, src_dir_fd=self._fd, dst_dir_fd=self._fd, follow_symlinks=False)
        except OSError as error:
            if error.errno in (errno.EPERM, errno.EOPNOTSUPP):
                why = "this file system makes no hard links, and they are needed; keep the store elsewhere"
                raise OSError(errno.EOPNOTSUPP, why, new) from error
            raise
        with suppress(OSError):
            self.unlink(old)  # The new name is there, and that is what counts; the old one is swept like any leftover.

    def unlink(self, name: str) -> bool:
        """Removes a file; answers whether there was one."""
        try:
            os.unlink(name, dir_fd=self._fd)
            return True
        except FileNotFoundError:
            return False

    def make_folder(self, name: str) -> Dir:
        """The folder of that name, made for its owner alone if it is missing."""
        try:
            os.mkdir(name, 0o700, dir_fd=self._fd)
            os.chmod(name, 0o700, dir_fd=self._fd)
        except FileExistsError:
            pass
        return self.open_folder(name)

    def open_folder(self, name: str) -> Dir:
        """The folder of that name."""
        try:
            return Dir(os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self._fd))
        except NotADirectoryError:
            must_be(stat.S_IFDIR, self.stat(name), name)
            raise

    def remove_folder(self, name: str) -> None:
        """Removes a folder that is empty."""
        os.rmdir(name, dir_fd=self._fd)

    def remove_folder_if_empty(self, name: str) -> None:
        """The same, where that can be."""
        with suppress(OSError):
            self.remove_folder(name)

    def names(self) -> list[str]:
        """All names in it."""
        return os.listdir(self._fd)

    def sync(self) -> None:
        """Makes the names in it durable."""
        os.fsync(self._fd)


_statx = getattr(ctypes.CDLL(None), "statx", None)
_NO_FOLLOW = 0x100
_BORN = 0x800
