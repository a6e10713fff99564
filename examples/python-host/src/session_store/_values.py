"""Values across the border of a component, fast.

`wasmtime` for Python converts each value after asking anew what its type is, and a list of bytes one byte at a time, which takes
1.4 µs for each. This asks once for a function, and copies bytes by stride, some hundred times faster. It speaks the C API through
`wasmtime._ffi`, which is no promise of that package; so it is checked here that all of it is there, and the dependency is
pinned.

A record is an object with attributes, a variant a `Variant`, the error of a result an `Err`; all else is what anybody would expect.
"""

from __future__ import annotations

import ctypes
from ctypes import byref, sizeof
from dataclasses import dataclass
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any, Callable, NamedTuple, Optional

from wasmtime import component as wit

try:
    from wasmtime import _ffi as c

    _VAL = c.wasmtime_component_val_t
    _SIZE, _BYTE = sizeof(_VAL), _VAL.of.offset
    _KIND_IS_FIRST = _VAL.kind.offset == 0 and _VAL.kind.size == 1
    _U8, _BOOL, _U32, _U64, _F64, _STRING, _LIST, _RECORD, _VARIANT, _ENUM, _OPTION, _RESULT = (
        getattr(c, f"WASMTIME_COMPONENT_{kind}").value
        for kind in "U8 BOOL U32 U64 F64 STRING LIST RECORD VARIANT ENUM OPTION RESULT".split()
    )
    _new_list, _new_record = c.wasmtime_component_vallist_new_uninit, c.wasmtime_component_valrecord_new_uninit
    _new_text, _box, delete = c.wasm_byte_vec_new_uninitialized, c.wasmtime_component_val_new, c.wasmtime_component_val_delete
except (ImportError, AttributeError) as error:
    _KIND_IS_FIRST = False
    _why = str(error)
else:
    _why = "its values are laid out in another way"
if not _KIND_IS_FIRST:
    raise ImportError(
        f"session-store can't speak to wasmtime {version('wasmtime')} ({_why}); "
        "install the version that it names as its dependency"
    )

CHUNK = 4096
"""Bytes that are spread over values at a time: what fits into a processor's cache."""


class Variant(NamedTuple):
    """One case of several."""

    tag: str
    value: Any = None


@dataclass(frozen=True)
class Err:
    """The error of a result."""

    value: Any


class Codec(NamedTuple):
    """How values of one type go in and come out.

    A slot is filled from the outside in, with nothing but zeros inside, so that it can be deleted whenever filling it fails.
    Nothing that comes out is freed here: who owns the outermost value deletes it as a whole.
    """

    lower: Callable[[Any, Any], None]
    lift: Callable[[Any], Any]


def codec(of: wit.ValType) -> Codec:
    """How values of this type cross."""
    if isinstance(of, wit.Bool):
        return _number(_BOOL, "boolean", 1)
    if isinstance(of, wit.U32):
        return _number(_U32, "u32", 32)
    if isinstance(of, wit.U64):
        return _number(_U64, "u64", 64)
    if isinstance(of, wit.F64):
        return Codec(_lower_float, lambda slot: slot.of.f64)
    if isinstance(of, wit.String):
        return _text(_STRING, "string")
    if isinstance(of, wit.EnumType):
        return _text(_ENUM, "enumeration")
    if isinstance(of, wit.ListType):
        return Codec(_lower_bytes, _lift_bytes) if isinstance(of.element, wit.U8) else _list(codec(of.element))
    if isinstance(of, wit.RecordType):
        return _record([(name, codec(field)) for name, field in of.fields])
    if isinstance(of, wit.VariantType):
        return _variant({name: _maybe(case) for name, case in of.cases})
    if isinstance(of, wit.OptionType):
        return _option(codec(of.payload))
    if isinstance(of, wit.ResultType):
        return _result(_maybe(of.ok), _maybe(of.err))
    raise NotImplementedError(f"values of {type(of).__name__}")


def _maybe(of: Optional[wit.ValType]) -> Optional[Codec]:
    return None if of is None else codec(of)


def _number(kind: int, field: str, bits: int) -> Codec:
    def lower(value: int, slot: Any) -> None:
        # ctypes would take the lowest bits.
        if not 0 <= value < 1 << bits:
            raise ValueError(f"{value} is no whole number of {bits} bits")
        slot.kind = kind
        setattr(slot.of, field, value)

    return Codec(lower, lambda slot: getattr(slot.of, field))


def _lower_float(value: float, slot: Any) -> None:
    slot.kind = _F64
    slot.of.f64 = value


def _text(kind: int, field: str) -> Codec:
    def lower(value: str, slot: Any) -> None:
        if not isinstance(value, str):
            raise TypeError(f"a text was expected, and not {type(value).__name__}")
        _put_text(value.encode(), getattr(slot.of, field))
        slot.kind = kind

    return Codec(lower, lambda slot: _str(getattr(slot.of, field)))


def _put_text(text: bytes, into: Any) -> None:
    _new_text(byref(into), len(text))
    ctypes.memmove(into.data, text, len(text))


def _str(text: Any) -> str:
    return ctypes.string_at(text.data, text.size).decode()


def _lower_bytes(value: bytes, slot: Any) -> None:
    if not isinstance(value, bytes):
        raise TypeError(f"bytes were expected, and not {type(value).__name__}")
    _allocate(_new_list, slot.of.list, len(value))
    slot.kind = _LIST
    # A value of one byte: its kind first, the byte at its place. What is between and behind is never looked at.
    pattern = bytearray([_U8]) * (CHUNK * _SIZE)
    source = (ctypes.c_char * len(pattern)).from_buffer(pattern)
    for start in range(0, len(value), CHUNK):
        part = value[start : start + CHUNK]
        pattern[_BYTE : _BYTE + len(part) * _SIZE : _SIZE] = part
        ctypes.memmove(_address(slot.of.list) + start * _SIZE, source, len(part) * _SIZE)


def _lift_bytes(slot: Any) -> bytes:
    size = slot.of.list.size
    if not size:
        return b""
    values: bytes = (ctypes.c_char * (size * _SIZE)).from_address(_address(slot.of.list))[_BYTE::_SIZE]
    return values


def _list(element: Codec) -> Codec:
    def lower(values: Any, slot: Any) -> None:
        _allocate(_new_list, slot.of.list, len(values))
        slot.kind = _LIST
        data = slot.of.list.data
        for place, value in enumerate(values):
            element.lower(value, data[place])

    def lift(slot: Any) -> Any:
        data = slot.of.list.data
        return [element.lift(data[place]) for place in range(slot.of.list.size)]

    return Codec(lower, lift)


def _record(fields: list[tuple[str, Codec]]) -> Codec:
    named = [(name.encode(), name.replace("-", "_"), field) for name, field in fields]

    def lower(value: Any, slot: Any) -> None:
        _allocate(_new_record, slot.of.record, len(named))
        slot.kind = _RECORD
        data = slot.of.record.data
        for place, (name, attribute, field) in enumerate(named):
            entry = data[place]
            _put_text(name, entry.name)
            field.lower(getattr(value, attribute), entry.val)

    def lift(slot: Any) -> SimpleNamespace:
        data = slot.of.record.data
        return SimpleNamespace(**{attribute: field.lift(data[place].val) for place, (_, attribute, field) in enumerate(named)})

    return Codec(lower, lift)


def _variant(cases: dict[str, Optional[Codec]]) -> Codec:
    def lower(value: Variant, slot: Any) -> None:
        case = cases[value.tag]
        _put_text(value.tag.encode(), slot.of.variant.discriminant)
        slot.of.variant.val = None
        slot.kind = _VARIANT
        if case:
            case.lower(value.value, _boxed(slot.of.variant, "val"))

    def lift(slot: Any) -> Variant:
        tag = _str(slot.of.variant.discriminant)
        case = cases[tag]
        return Variant(tag, case.lift(slot.of.variant.val.contents) if case else None)

    return Codec(lower, lift)


def _option(some: Codec) -> Codec:
    def lower(value: Any, slot: Any) -> None:
        slot.of.option = None
        slot.kind = _OPTION
        if value is not None:
            some.lower(value, _boxed(slot.of, "option"))

    return Codec(lower, lambda slot: some.lift(slot.of.option.contents) if slot.of.option else None)


def _result(ok: Optional[Codec], err: Optional[Codec]) -> Codec:
    def lower(value: Any, slot: Any) -> None:
        is_ok = not isinstance(value, Err)
        slot.of.result.is_ok = is_ok
        slot.of.result.val = None
        slot.kind = _RESULT
        case = ok if is_ok else err
        if case:
            case.lower(value if is_ok else value.value, _boxed(slot.of.result, "val"))

    def lift(slot: Any) -> Any:
        result = slot.of.result
        case = ok if result.is_ok else err
        value = case.lift(result.val.contents) if case else None
        return value if result.is_ok else Err(value)

    return Codec(lower, lift)


def _allocate(new: Any, into: Any, size: int) -> None:
    new(byref(into), size)
    if size:
        ctypes.memset(_address(into), 0, size * sizeof(into.data.contents))


def _address(values: Any) -> int:
    return ctypes.addressof(values.data.contents)


def _boxed(owner: Any, field: str) -> Any:
    setattr(owner, field, _box(byref(_VAL())))
    return getattr(owner, field).contents
