"""Components that run: what they import is given to them, what they export is called."""

from __future__ import annotations

import ctypes
import threading
from ctypes import byref
from typing import Any, Callable, Mapping, Optional

from wasmtime import Engine, Store, WasmtimeError
from wasmtime import component as wit

from wasmtime import _ffi as c

from ._values import Codec, codec, delete

MEMORY = 64 << 20
"""Bytes that one instance may use."""

Imports = Mapping[str, Callable[..., Any]]
"""What an instance is given, by `interface/function`."""

_running = threading.local()
"""Whose imports are called: imports come in on the thread that called the instance."""


class Trap(Exception):
    """The component broke down; its instance is of no use any more."""


class Program:
    """A component that is compiled and linked. It may be shared between threads."""

    def __init__(self, engine: Engine, component: wit.Component) -> None:
        self._engine = engine
        self._component = component
        self._linker = wit.Linker(engine)
        self.exports: dict[str, tuple[wit.ExportIndex, Function]] = {}
        self._callbacks: list[Any] = []
        for name, instance in component.type.imports(engine).items():
            self._link(name, instance.ty)
        for name, item in component.type.exports(engine).items():
            index = _found(component.get_export_index(name))
            if isinstance(item.ty, wit.FuncType):
                self.exports[name] = index, Function(item.ty)
            elif isinstance(item.ty, wit.ComponentInstanceType):
                for function, of in item.ty.exports(engine).items():
                    if isinstance(of.ty, wit.FuncType):
                        inner = _found(component.get_export_index(function, index))
                        self.exports[f"{_short(name)}/{function}"] = inner, Function(of.ty)

    def _link(self, name: str, instance: wit.ComponentItem) -> None:
        assert isinstance(instance, wit.ComponentInstanceType)
        with self._linker.root() as root, root.add_instance(name) as into:
            for function, of in instance.exports(self._engine).items():
                if isinstance(of.ty, wit.FuncType):
                    callback = Function(of.ty).callback(f"{_short(name)}/{function}")
                    self._callbacks.append(callback)
                    encoded = function.encode()
                    error = c.wasmtime_component_linker_instance_add_func(
                        into.ptr(), ctypes.create_string_buffer(encoded), len(encoded), callback, None, _NO_FINALIZER
                    )
                    if error:
                        raise WasmtimeError._from_ptr(error)

    def start(self, imports: Imports) -> Instance:
        """A fresh instance."""
        store = Store(self._engine)
        store.set_limits(memory_size=MEMORY)
        return Instance(self, store, self._linker.instantiate(store, self._component), imports)


class Instance:
    """A component that runs. One call at a time."""

    def __init__(self, program: Program, store: Store, instance: wit.Instance, imports: Imports) -> None:
        self._program = program  # What is called back goes with it.
        self._store = store
        self._instance = instance
        self._functions: dict[str, tuple[Any, Function]] = {}
        self.imports = imports
        self.raised: Optional[BaseException] = None

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls an export. An exception that an import raised comes out as it is. After any exception the instance is useless."""
        if name not in self._functions:
            index, function = self._program.exports[name]
            self._functions[name] = _found(self._instance.get_func(self._store, index))._func, function
        raw, function = self._functions[name]
        before, _running.instance = getattr(_running, "instance", None), self
        try:
            return function.call(raw, self._store._context(), arguments)
        except WasmtimeError as error:
            if self.raised is None:
                raise Trap(str(error)) from error
        finally:
            _running.instance = before
        try:
            raise self.raised
        finally:
            self.raised = None


class Function:
    """How one function is called, from either side."""

    def __init__(self, of: wit.FuncType) -> None:
        self._parameters = [codec(parameter) for _, parameter in of.params]
        self._result: Optional[Codec] = None if of.result is None else codec(of.result)

    def call(self, function: Any, context: Any, arguments: tuple[Any, ...]) -> Any:
        """Calls a function of a component."""
        values = (c.wasmtime_component_val_t * len(self._parameters))()
        answer = c.wasmtime_component_val_t()
        try:
            for parameter, argument, value in zip(self._parameters, arguments, values, strict=True):
                parameter.lower(argument, value)
            error = c.wasmtime_component_func_call(
                byref(function), context, values, len(values), byref(answer), 0 if self._result is None else 1
            )
            if error:
                raise WasmtimeError._from_ptr(error)
            return None if self._result is None else self._result.lift(answer)
        finally:
            delete(byref(answer))
            for value in values:
                delete(byref(value))

    def callback(self, name: str) -> Any:
        """What a component calls as its import of that name."""

        def call(_data: Any, _context: Any, _type: Any, arguments: Any, _count: int, results: Any, _results: int) -> int:
            instance: Instance = _running.instance
            try:
                lifted = [parameter.lift(arguments[place]) for place, parameter in enumerate(self._parameters)]
                answer = instance.imports[name](*lifted)
                if self._result is not None:
                    self._result.lower(answer, results[0])
                return 0
            except BaseException as error:
                # Nothing but an error can leave through the component. It is kept aside, and goes on at the other end.
                instance.raised = error
                trap = WasmtimeError(f"`{name}` raised an exception")._consume()
                return ctypes.cast(trap, ctypes.c_void_p).value or 0

        return c.wasmtime_component_func_callback_t(call)


_NO_FINALIZER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)()


def _short(interface: str) -> str:
    """`storage` of `agent:session/storage@0.1.0`."""
    return interface.partition("/")[2].partition("@")[0]


def _found(export: Any) -> Any:
    assert export is not None
    return export
