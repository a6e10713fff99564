"""What was cut off a log is kept in a folder beside it, each piece under its offset and the hash of its bytes."""

from __future__ import annotations

import hashlib
import re
import stat

from . import Aside, StorageError
from ._claim import Claim
from ._files import Dir, explaining, must_be_file, must_be_folder
from ._names import Name

_TEMP = "~tmp"
"""A piece that is still being copied. Only the log's holder makes one, so there is never more than one."""
_PIECE = re.compile(r"[0-9]+\.[0-9a-f]{16}", re.ASCII)


def set_aside(folder: Dir, name: Name, claim: Claim, at: int) -> Aside:
    """Moves the end of a log, from `at` on, out of it."""
    length = claim.look()
    if at >= length:
        raise StorageError("moved", f"`{name.log}`: it has {length} bytes, so none from byte {at} on")
    with explaining("set bytes aside in", name.asides):
        try:
            with folder.make_folder(name.asides) as pieces:
                kept = _keep(pieces, claim, at, length)
        except OSError:
            _tidy(folder, name.asides)
            raise
        folder.sync()
    claim.cut(at)
    return kept


def _keep(pieces: Dir, claim: Claim, at: int, length: int) -> Aside:
    """Copies a stretch of the log, durably. An equal piece that a crash has left is replaced by its like."""
    pieces.unlink(_TEMP)
    digest = hashlib.sha256()
    try:
        with pieces.create(_TEMP) as file:
            for window in claim.file.windows(at, length):
                file.append(window)
                digest.update(window)
            file.sync()
        name = f"{at}.{digest.hexdigest()[:16]}"
        pieces.rename(_TEMP, name)
        pieces.sync()
    except OSError:
        pieces.unlink(_TEMP)
        raise
    return Aside(name, length - at)


def _tidy(folder: Dir, asides: str) -> None:
    try:
        folder.remove_folder(asides)
    except OSError:
        pass  # It goes only if it is empty.


def pieces_of(folder: Dir, name: Name) -> list[Aside]:
    """Every piece that is kept for a log, by name."""
    kept = []
    with explaining("list", name.asides):
        try:
            pieces = folder.open_folder(name.asides)
        except FileNotFoundError:
            return []
        with pieces:
            for piece in sorted(filter(_PIECE.fullmatch, pieces.names())):
                found = pieces.stat(piece)
                if stat.S_ISREG(found.st_mode):
                    kept.append(Aside(piece, found.st_size))
    return kept


def read(folder: Dir, name: Name, piece: str, at: int, max: int) -> bytes:
    """At most `max` bytes of one piece. Nothing that is not called like one is ever opened."""
    if not _PIECE.fullmatch(piece):
        raise StorageError("not-found")
    with explaining("read", f"{name.asides}/{piece}"), folder.open_folder(name.asides) as pieces, pieces.open(piece) as file:
        return file.read(at, max)


def remove(folder: Dir, name: Name) -> bool:
    """Removes all pieces; answers whether there was anything to remove. What is not ours is refused while all is there."""
    with explaining("remove", name.asides):
        if not folder.exists(name.asides):
            return False
        must_be_folder(folder.stat(name.asides))
        with folder.open_folder(name.asides) as pieces:
            names = pieces.names()
            for piece in names:
                with explaining("remove", f"{name.asides}/{piece}"):
                    must_be_file(pieces.stat(piece))
                    if piece != _TEMP and not _PIECE.fullmatch(piece):
                        raise OSError(None, "it is nothing that was set aside; move it away")
            for piece in names:
                pieces.unlink(piece)
        folder.remove_folder(name.asides)
        return True
