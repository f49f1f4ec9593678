"""Runs exports by Numba's just-in-time compiler: for those who change kernels, and for builds.

Every function marked with `jit` or `export` becomes a dispatcher when it is first needed. Numba is
taught here to take a marked function for its dispatcher.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np
from numba.core.registry import cpu_target
from numba.extending import intrinsic, typeof_impl

from pleasance.compiled import jit as marks
from pleasance.compiled.arrays import check_array, to_number
from pleasance.compiled.export import Export
from pleasance.compiled.python_backend import bind_function, guard
from pleasance.compiled.rng import next_state
from pleasance.compiled.signature import ArrayType, NumberType, StructType, ValueType

# Without its types: they do not know the option that leaves reference counts out.
numba: Any = import_module("numba")
types: Any = import_module("numba.core.types")


@intrinsic
def _count_bits(_context: Any, _mask: Any) -> Any:
    """Count the members of a bitmask by one instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _lowest_bit(_context: Any, _mask: Any) -> Any:
    """Find the lowest member of a set by one instruction."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        false = context.get_constant(types.boolean, 0)
        return builder.cttz(arguments[0], false)

    return types.int64(types.int64), generate


@numba.njit(nogil=True, _nrt=False)
def _next_state(rng_state: Any) -> Any:
    """Advance the generator in unsigned numbers, which wrap around by themselves."""
    state = rng_state[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    rng_state[0] = state
    return np.int64(state >> np.uint64(32))


_SUBSTITUTES = {
    marks.count_bits: _count_bits,
    marks.lowest_bit: _lowest_bit,
    next_state: _next_state,
}
"""Marked functions that are written for Numba in another way."""


@cache
def find_dispatcher(function: Any) -> Any:
    """Make Numba's dispatcher of a marked function; it runs without the interpreter lock.

    The compiled code counts no references to arrays, which makes it twice as fast.
    """
    return numba.njit(nogil=True, _nrt=False)(function)


@typeof_impl.register(FunctionType)
def _type_of_function(function: Any, _context: Any) -> Any:
    """Take a marked function for its dispatcher, wherever compiled code names it."""
    if function in _SUBSTITUTES:
        return cpu_target.typing_context.resolve_value_type(_SUBSTITUTES[function])
    return types.Dispatcher(find_dispatcher(function)) if function in marks.COMPILED else None


@typeof_impl.register(Export)
def _type_of_export(export: Any, _context: Any) -> Any:
    """Take an export for the dispatcher of its function."""
    return types.Dispatcher(find_dispatcher(export.function))


def numba_type(described: ValueType) -> Any:
    """Translate a described type into one of Numba's."""
    if isinstance(described, NumberType):
        return getattr(types, described.item)
    if isinstance(described, ArrayType):
        return types.Array(getattr(types, described.item), len(described.shape), "C")
    parts = [numba_type(part) for _, part in described.fields]
    if len(set(parts)) == 1:
        return types.NamedUniTuple(parts[0], len(parts), described.python_type)
    return types.NamedTuple(parts, described.python_type)


def argument_types(export: Export[..., Any]) -> tuple[Any, ...]:
    """Translate the parameters of an export."""
    return tuple(numba_type(part) for _, part in export.signature.parameters)


def compile_export(export: Export[..., Any]) -> Any:
    """Compile an export for its signature; return its dispatcher.

    Compiled code that calls it may have compiled it for others, such as a literal 0.
    """
    dispatcher = find_dispatcher(export.function)
    dispatcher.compile(argument_types(export))
    return dispatcher


def load(export: Export[..., Any]) -> Callable[..., Any]:
    """Compile an export, and give its arrays to the compiled code as NumPy's."""
    dispatcher = compile_export(export)
    parameters = export.signature.parameters

    def call(*arguments: Any, **named: Any) -> Any:
        pairs = zip(parameters, export.arrange(arguments, named), strict=True)
        return dispatcher(*(_to_numba(name, value, part) for (name, part), value in pairs))

    return guard(export, call)


def bind(export: Export[..., Any], arguments: Sequence[Any]) -> Callable[..., Any]:
    """Fix all arguments but those given as `...`."""
    pairs = zip(export.signature.parameters, arguments, strict=True)
    views = [
        value if value is ... else _to_numba(name, value, part) for (name, part), value in pairs
    ]
    return guard(export, bind_function(compile_export(export), views))


def _to_numba(name: str, value: Any, described: ValueType) -> Any:
    """Give a value the type that compiled code expects, without copying arrays."""
    if isinstance(described, NumberType):
        return to_number(name, value, described)
    if isinstance(described, StructType):
        pairs = zip(described.fields, value, strict=True)
        parts = (_to_numba(f"{name}.{field}", one, part) for (field, part), one in pairs)
        return described.python_type(*parts)
    check_array(name, value, described)
    return np.asarray(value)
