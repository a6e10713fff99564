"""The fast conversion of values, and what becomes of it where wasmtime for Python is another one."""

from __future__ import annotations

import os
import subprocess
import sys
from ctypes import byref
from types import SimpleNamespace
from typing import Any

import pytest
from wasmtime import Engine, _ffi
from wasmtime.component import Component, ComponentInstanceType, FuncType

from session_store._values import CHUNK, Codec, Err, Variant, codec, delete

TYPES = """
(component (import "i" (instance
  (export "bytes" (func (param "v" (list u8))))
  (type $r (record (field "a-b" string) (field "c" (option u64)))) (export "r" (type $R (eq $r)))
  (type $e (enum "one" "two")) (export "e" (type $E (eq $e)))
  (type $v (variant (case "none") (case "some" $R) (case "bytes" (list u8)))) (export "v" (type $V (eq $v)))
  (export "list" (func (param "v" (list $R))))
  (export "enum" (func (param "v" $E)))
  (export "variant" (func (param "v" $V)))
  (export "result" (func (param "v" (result (list string) (error $V)))))
  (export "bare" (func (param "v" (result))))
  (export "bool" (func (param "v" bool)))
  (export "u32" (func (param "v" u32)))
  (export "f64" (func (param "v" f64)))
  (export "f32" (func (param "v" f32))))))
"""


def codec_of(name: str) -> Codec:
    engine = Engine()
    instance = Component(engine, TYPES).type.imports(engine)["i"].ty
    assert isinstance(instance, ComponentInstanceType)
    function = instance.exports(engine)[name].ty
    assert isinstance(function, FuncType)
    return codec(function.params[0][1])


def across(name: str, value: object) -> Any:
    there, slot = codec_of(name), _ffi.wasmtime_component_val_t()
    try:
        there.lower(value, slot)
        return there.lift(slot)
    finally:
        delete(byref(slot))


@pytest.mark.parametrize("size", [0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 1_000_003])
def test_bytes_cross(size: int) -> None:
    value = os.urandom(size)
    assert across("bytes", value) == value


RECORD = SimpleNamespace(a_b="é\0😀", c=2**64 - 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("list", []),
        ("list", [RECORD, SimpleNamespace(a_b="", c=None)]),
        ("enum", "two"),
        ("variant", Variant("none")),
        ("variant", Variant("some", RECORD)),
        ("variant", Variant("bytes", b"\0\xff")),
        ("result", ["a", ""]),
        ("result", Err(Variant("none"))),
        ("bare", None),
        ("bare", Err(None)),
        ("bool", True),
        ("u32", 0),
        ("u32", 2**32 - 1),
        ("f64", 0.1),
        ("f64", -1e300),
    ],
)
def test_a_value_crosses(name: str, value: object) -> None:
    assert across(name, value) == value


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("bytes", bytearray(b"a"), TypeError),
        ("bytes", "text", TypeError),
        ("list", [RECORD, SimpleNamespace(a_b="\ud83d", c=1)], UnicodeEncodeError),
        ("list", [RECORD, SimpleNamespace(a_b="a", c="1")], TypeError),
        ("list", [RECORD, SimpleNamespace(a_b="a")], AttributeError),
        ("list", [RECORD, SimpleNamespace(a_b="a", c=2**64)], ValueError),
        ("enum", 1, TypeError),
        ("variant", Variant("unheard-of"), KeyError),
        ("variant", Variant("some", None), AttributeError),
        ("result", ["a", None], TypeError),
        ("u32", -1, ValueError),
        ("u32", 2**32, ValueError),
    ],
)
def test_a_value_of_another_type_is_refused_and_leaves_nothing_behind(name: str, value: object, error: type[Exception]) -> None:
    there = codec_of(name)
    for _ in range(1000):
        slot = _ffi.wasmtime_component_val_t()
        with pytest.raises(error):
            there.lower(value, slot)
        delete(byref(slot))


def test_a_type_that_is_not_in_use_is_named() -> None:
    with pytest.raises(NotImplementedError, match="F32"):
        codec_of("f32")


@pytest.mark.parametrize(
    "change",
    [
        "del ffi.wasm_byte_vec_new_uninitialized",
        "del ffi.WASMTIME_COMPONENT_U8",
        "del ffi.wasmtime_component_vallist_new_uninit",
        "ffi.wasmtime_component_val_t = ctypes.c_uint64",
        "ffi.wasmtime_component_val_t = type('V', (ctypes.Structure,), {'_fields_': [('kind', ctypes.c_uint32), ('of', ctypes.c_uint64)]})",
        "sys.modules['wasmtime._ffi'] = None; del wasmtime._ffi",
    ],
)
def test_another_wasmtime_is_refused_in_words(change: str) -> None:
    code = f"import ctypes, sys, wasmtime.component\nfrom wasmtime import _ffi as ffi\n{change}\nimport session_store"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: session-store can't speak to wasmtime 5"), ran.stderr
    assert "install the version that it names" in last
