"""Compiled code, kept between runs: compiling takes a second, and loading what was compiled a few milliseconds.

Compiled code is trusted code: whoever can write it runs in this process. So it is kept only in a folder that is the user's own and
that nobody else can write to, and a file counts only if it begins with the hash of the rest.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Optional

from wasmtime import Engine, WasmtimeError
from wasmtime.component import Component

_KEPT = 8
"""More versions than anybody goes between; past that, the oldest go."""
_HASH = 32


def compiled(engine: Engine, wasm: bytes) -> Component:
    """The component, as it was compiled before, or compiled now and kept."""
    folder = _folder()
    if folder is None:
        return Component(engine, wasm)
    file = folder / f"{hashlib.sha256(wasm).hexdigest()}-{version('wasmtime')}.cwasm"
    code = _read(file)
    if code is not None:
        try:
            # wasmtime refuses what another version or for another machine was compiled.
            return Component.deserialize(engine, code)
        except WasmtimeError:
            pass
    component = Component(engine, wasm)
    try:
        _write(file, bytes(component.serialize()))
    except OSError:
        pass  # A cache that can't be written only costs time.
    return component


def _folder() -> Optional[Path]:
    """None if there is none that is fit to hold trusted code."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "session-store-python"
        folder.mkdir(0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except (OSError, RuntimeError):
        return None
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
    return folder if private else None


def _read(file: Path) -> Optional[bytes]:
    try:
        content = file.read_bytes()
    except OSError:
        return None
    seal, code = content[:_HASH], content[_HASH:]
    return code if seal == hashlib.sha256(code).digest() else None


def _write(file: Path, code: bytes) -> None:
    """Writes beside and renames, so that nobody ever sees half of it."""
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as unfinished:
        unfinished.write(hashlib.sha256(code).digest() + code)
    os.replace(unfinished.name, file)
    for old in sorted(file.parent.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)[_KEPT:]:
        old.unlink()
