"""What an id is called on disk: one name for each id, the same on every file system. `docs/format.md` has the rules."""

from __future__ import annotations

import re
from typing import Optional

from . import StorageError, check_id

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
_DEVICE = re.compile(rb"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|\Z)")
_ESCAPED = re.compile(rb"~([0-9a-f]{2})")
_TEMP = "~tmp."
_LOG = ".jsonl"
_MAX = 240


class Name:
    """The names of all files that belong to one log."""

    def __init__(self, id: str) -> None:
        check_id(id)
        encoded = _encode(id.encode())
        if len(encoded) > _MAX:
            why = f"its file name would have {len(encoded)} bytes, and this store allows {_MAX}; "
            raise StorageError("invalid-id", why + "choose a shorter one of a-z, 0-9, `_` and `-`")
        self.encoded = encoded
        self.log = encoded + _LOG
        self.log_temp = _TEMP + encoded + _LOG
        self.checkpoint = encoded + ".ckpt"
        self.checkpoint_temp = _TEMP + encoded + ".ckpt"
        self.asides = encoded + ".aside"


def is_log(file_name: str) -> bool:
    """Whether a file of this name is a log, or at least called like one."""
    return file_name.endswith(_LOG) and not file_name.startswith(_TEMP)


def id_of_log(file_name: str) -> Optional[str]:
    """The id whose log is called so; none if the name is not exactly what is made of an id."""
    encoded = file_name.removesuffix(_LOG)
    try:
        id = _ESCAPED.sub(lambda escaped: bytes.fromhex(escaped[1].decode()), encoded.encode()).decode()
        return id if Name(id).log == file_name else None
    except (UnicodeError, StorageError):
        return None


def _encode(id: bytes) -> str:
    device, last = _DEVICE.match(id), len(id) - 1
    plain = (byte in _PLAIN and not (device and place == 0) or byte == 0x2E and 0 < place < last for place, byte in enumerate(id))
    return "".join(chr(byte) if stands else f"~{byte:02x}" for byte, stands in zip(id, plain))
