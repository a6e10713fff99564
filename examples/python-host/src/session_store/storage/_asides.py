"""What was cut off a log is kept in a folder beside it, each piece under its offset and the hash of its bytes."""

from __future__ import annotations

import hashlib
import re
import stat

from . import Aside, StorageError
from ._claim import Claim
from ._files import Dir, must_be
from ._names import Name

_TEMP = "~tmp"
"""A piece that is still being copied. Only the log's holder makes one, so there is never more than one."""
_PIECE = re.compile(r"[0-9]+\.[0-9a-f]{16}", re.ASCII)


def set_aside(folder: Dir, name: Name, claim: Claim, at: int) -> Aside:
    """Moves the end of a log, from `at` on, out of it."""
    length = claim.look()
    if at >= length:
        raise StorageError("moved", f"`{name.log}`: it has {length} bytes, so none from byte {at} on")
    try:
        with folder.make_folder(name.asides) as pieces:
            kept = _keep(pieces, claim, at, length)
    except OSError:
        folder.remove_folder_if_empty(name.asides)
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


def pieces_of(folder: Dir, name: Name) -> list[Aside]:
    """Every piece that is kept for a log, by name."""
    if not folder.exists(name.asides):
        return []
    with folder.open_folder(name.asides) as pieces:
        found = ((piece, pieces.stat(piece)) for piece in sorted(filter(_PIECE.fullmatch, pieces.names())))
        return [Aside(piece, file.st_size) for piece, file in found if stat.S_ISREG(file.st_mode)]


def read(folder: Dir, name: Name, piece: str, at: int, max: int) -> bytes:
    """At most `max` bytes of one piece. Nothing that is not called like one is ever opened."""
    if not _PIECE.fullmatch(piece):
        raise StorageError("not-found")
    with folder.open_folder(name.asides) as pieces, pieces.open(piece) as file:
        return file.read(at, max)


def remove(folder: Dir, name: Name) -> bool:
    """Removes all pieces; answers whether there was anything to remove. What is not ours is refused while all is there."""
    if not folder.exists(name.asides):
        return False
    with folder.open_folder(name.asides) as pieces:
        names = pieces.names()
        for piece in names:
            path = f"{name.asides}/{piece}"
            must_be(stat.S_IFREG, pieces.stat(piece), path)
            if piece != _TEMP and not _PIECE.fullmatch(piece):
                raise StorageError("failed", f"can't remove `{path}`: it is nothing that was set aside; move it away")
        for piece in names:
            pieces.unlink(piece)
    folder.remove_folder(name.asides)
    return True
