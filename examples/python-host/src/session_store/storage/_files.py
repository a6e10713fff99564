"""Open files and folders: all that the folder of logs asks of the operating system."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import stat
import struct
from contextlib import contextmanager
from typing import Iterator

from . import StorageError

WINDOW = 1 << 20
"""Bytes held in memory while they go from one file to another."""

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def explaining(doing: str, name: str) -> Iterator[None]:
    """What the operating system's errors mean to the caller."""
    try:
        yield
    except OSError as error:
        text = f"can't {doing} `{name}`: {error.strerror or error}"
        if error.errno == errno.ENOENT:
            raise StorageError("not-found") from error
        if error.errno == errno.EEXIST:
            raise StorageError("already-exists") from error
        if error.errno in _NO_SPACE:
            raise StorageError("no-space") from error
        if error.errno == errno.EROFS:
            raise StorageError("read-only") from error
        if error.errno in (errno.EACCES, errno.EPERM):
            raise StorageError("access-denied", text) from error
        if error.errno == errno.ENAMETOOLONG:
            raise StorageError("invalid-id", text) from error
        raise StorageError("failed", text) from error


def same(one: os.stat_result, other: os.stat_result) -> bool:
    """The same file, while one of the two is open: so long its number is not used again."""
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def modified(found: os.stat_result) -> int:
    """When it last changed, in milliseconds since the Unix epoch."""
    return found.st_mtime_ns // 10**6


def must_be_file(found: os.stat_result) -> None:
    """Refuses all but regular files."""
    _must(stat.S_ISREG(found.st_mode), "a regular file", found)


def must_be_folder(found: os.stat_result) -> None:
    """Refuses all but folders."""
    _must(stat.S_ISDIR(found.st_mode), "a folder", found)


def _must(is_so: bool, wanted: str, found: os.stat_result) -> None:
    kinds = {stat.S_IFLNK: "a symbolic link", stat.S_IFDIR: "a folder", stat.S_IFREG: "a file"}
    what = kinds.get(stat.S_IFMT(found.st_mode), "no file but a pipe, a socket or a device")
    if not is_so:
        raise OSError(errno.EINVAL, f"it is {what}, and must be {wanted}; move it away")


class File:
    """An open regular file. Its lock ends with it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._process = os.getpid()

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Gives the lock back at once, even if a child process that is just being started still has the descriptor. A child
        that was forked gives back nothing: the lock is its parent's."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            if self.is_ours():
                fcntl.flock(fd, fcntl.LOCK_UN)
            os.close(fd)

    def is_ours(self) -> bool:
        """Whether this process opened it, and not one that it was forked from."""
        return self._process == os.getpid()

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

    def lock(self, kind: int) -> bool:
        """Takes a lock (`fcntl.LOCK_EX` or `LOCK_SH`), or says that somebody has it."""
        try:
            fcntl.flock(self._fd, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False

    def unlock(self) -> None:
        """Gives it back."""
        fcntl.flock(self._fd, fcntl.LOCK_UN)


class Dir:
    """An open folder. No name leads out of it, and links are not followed."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def __enter__(self) -> Dir:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Lets it go."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def open(self, name: str, access: int = os.O_RDONLY) -> File:
        """Opens a regular file that exists. Nothing else can be opened, and nothing makes this wait."""
        try:
            file = File(os.open(name, access | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._fd))
        except FileNotFoundError:
            raise
        except OSError:
            # The kernel says "too many links" or "no such device"; people want to know what stands there.
            must_be_file(self.stat(name))
            raise
        must_be_file(file.stat())
        return file

    def create(self, name: str) -> File:
        """Makes a file that did not exist, for its owner alone, to be appended to."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        fd = os.open(name, flags, 0o600, dir_fd=self._fd)
        os.fchmod(fd, 0o600)  # The umask may have taken more than it should.
        return File(fd)

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

    def born(self, name: str) -> int:
        """When the file was made, in nanoseconds; 0 where that is not known. Numbers of files are used again."""
        if _statx is None:
            return 0
        answer = ctypes.create_string_buffer(256)
        failed = _statx(self._fd, os.fsencode(name), _NO_FOLLOW, _BORN, answer)
        mask, seconds, nanoseconds = struct.unpack_from("=I76xqI", answer)
        return 0 if failed or not mask & _BORN else seconds * 10**9 + nanoseconds

    def rename(self, old: str, new: str) -> None:
        """Puts a file in the place of another."""
        os.rename(old, new, src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def rename_new(self, old: str, new: str) -> None:
        """Renames a file unless the new name is taken."""
        os.link(old, new, src_dir_fd=self._fd, dst_dir_fd=self._fd, follow_symlinks=False)
        try:
            self.unlink(old)
        except OSError:
            pass  # The new name is there, and that is what counts; the old one is swept like any leftover.

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
            must_be_folder(self.stat(name))
            raise

    def remove_folder(self, name: str) -> None:
        """Removes a folder that is empty."""
        os.rmdir(name, dir_fd=self._fd)

    def names(self) -> list[str]:
        """All names in it."""
        return os.listdir(self._fd)

    def sync(self) -> None:
        """Makes the names in it durable."""
        os.fsync(self._fd)


_statx = getattr(ctypes.CDLL(None), "statx", None)
_NO_FOLLOW = 0x100
_BORN = 0x800
