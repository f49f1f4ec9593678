"""Runs exports as the plain Python that they are written in: slow, and needs nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pleasance.compiled.export import FAILURES, Export, KernelError


def load(export: Export[..., Any]) -> Callable[..., Any]:
    """Return the function itself."""
    return guard(export, export.function)


def guard(export: Export[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function raise the error that it raises in a library."""

    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except FAILURES as error:
            raise KernelError(f"{export.name} failed") from error

    return call


def bind(export: Export[..., Any], arguments: Sequence[Any]) -> Callable[..., Any]:
    """Fix all arguments but those given as `...`."""
    return bind_function(load(export), arguments)


def bind_function(function: Callable[..., Any], arguments: Sequence[Any]) -> Callable[..., Any]:
    """Fix all arguments of a function but those given as `...`."""
    places = [place for place, argument in enumerate(arguments) if argument is ...]

    def call(*numbers: int) -> Any:
        given = list(arguments)
        for place, number in zip(places, numbers, strict=True):
            given[place] = number
        return function(*given)

    return call
