"""Exports: the compiled functions that Python calls, each with exactly one signature.

An export is called like a function. `bind` fixes its arrays and makes later calls cheap. What runs
is the package's shared library; without it Numba's just-in-time compiler; without that plain
Python. `PLEASANCE_KERNELS` asks for one of them: `library`, `jit` or `python`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, update_wrapper
from importlib import import_module
from typing import Any, Generic, Literal, ParamSpec, TypeAlias, TypeVar

from pleasance.compiled.arrays import KernelArgumentError
from pleasance.compiled.jit import COMPILED
from pleasance.compiled.signature import Signature, read_signature

_LOG = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

Purpose: TypeAlias = Literal["play", "train", "test"]
"""The use of an export. The browser gets those for play, no library those for tests."""

Backend: TypeAlias = Literal["library", "jit", "python"]
"""The ways to run an export, the quickest first."""

_BACKENDS: tuple[Backend, ...] = ("library", "jit", "python")

EXPORTS: dict[str, Export[..., Any]] = {}
"""All exports of the modules that are loaded, by their full names."""

KERNEL_FOLDERS = ("kernel", "bots", "training")
"""The folders of a game that hold compiled functions."""

_forced: list[Backend] = []


class KernelError(RuntimeError):
    """Compiled code could not go on, for example because of a division by zero."""


FAILURES = (ArithmeticError, LookupError)
"""The errors of compiled functions where Numba or Python itself runs them."""


class Export(Generic[P, R]):
    """A compiled function that Python calls."""

    def __init__(self, function: Callable[P, R], purpose: Purpose) -> None:
        update_wrapper(self, function)
        self.function, self.purpose = function, purpose
        self.package = package_of(function.__module__)
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._run: Callable[..., Any] | None = None

    @property
    def signature(self) -> Signature:
        """Its parameters and its result."""
        return read_signature(self.function)

    @property
    def symbol(self) -> str:
        """Its name in a library: `bots_network_model_choose_turn`."""
        return self.name.removeprefix(f"{self.package}.").replace(".", "_")

    def arrange(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """Put arguments in the order of the parameters; each must be given exactly once."""
        names = [name for name, _ in self.signature.parameters]
        given = dict(zip(names, arguments, strict=False))
        if len(arguments) > len(names) or given.keys() & named or {*given, *named} != {*names}:
            raise KernelArgumentError(f"{self.name} takes {', '.join(names)}")
        return [named[name] if name in named else given[name] for name in names]

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Call it."""
        run = self._run
        if run is None:
            run = self._run = self.compile(self.backend)
        result: R = run(*arguments, **named)
        return result

    def bind(self, *arguments: Any) -> Callable[..., R]:
        """Fix all arguments but those given as `...`, whole numbers that follow with each call.

        A bound call keeps its arguments in one place, so only one thread may use it at a time.
        """
        bound: Callable[..., R]
        bound = self.compiler(self.backend).bind(self, arguments)
        return bound

    @property
    def backend(self) -> Backend:
        """How it runs; no library holds what only tests call."""
        chosen = choose_backend(self.package)
        return "python" if self.purpose == "test" and chosen == "library" else chosen

    def compile(self, backend: Backend) -> Callable[..., Any]:
        """Make the function that one backend runs."""
        return self.compiler(backend).load(self)

    def compiler(self, backend: Backend) -> Any:
        """Load the module of a backend, which has `load` and `bind`."""
        return import_module(f"pleasance.compiled.{backend}_backend")

    def forget(self) -> None:
        """Choose the backend again at the next call."""
        self._run = None


def export(purpose: Purpose = "play") -> Callable[[Callable[P, R]], Export[P, R]]:
    """Mark a function that Python calls; compiled code may call it, too."""

    def mark(function: Callable[P, R]) -> Export[P, R]:
        made = Export(function, purpose)
        COMPILED.add(function)
        EXPORTS[made.name] = made
        return made

    return mark


def package_of(module: str) -> str:
    """Name the package that a module's exports belong to: its game, or the folder it lies in.

    >>> package_of("pleasance.games.sakura.bots.network.search")
    'pleasance.games.sakura'
    >>> package_of("pleasance.compiled.rng")
    'pleasance.compiled'
    """
    parts = module.split(".")
    cuts = [place for place, part in enumerate(parts) if part in KERNEL_FOLDERS]
    return ".".join(parts[: cuts[0]] if cuts else parts[:-1])


def choose_backend(package: str) -> Backend:
    """Choose how the exports of a package run; say so if it is not the quickest way."""
    return _forced[-1] if _forced else _find_backend(package)


@cache
def _find_backend(package: str) -> Backend:
    """Take the backend that was asked for, or the quickest that works."""
    asked = os.environ.get("PLEASANCE_KERNELS", "")
    for known in _BACKENDS:
        if asked == known:
            return known
    if asked:
        _LOG.warning("PLEASANCE_KERNELS must be library, jit or python, not %s.", asked)
    from pleasance.compiled.library import LibraryError, open_library  # noqa: PLC0415  (a cycle: it loads exports)

    try:
        open_library(package)
    except LibraryError as error:
        backend: Backend = "jit" if _has_numba() else "python"
        how = "Numba compiles it now" if backend == "jit" else "plain Python runs it, slowly"
        _LOG.warning("%s %s.", error, how)
        return backend
    return "library"


def _has_numba() -> bool:
    """Return whether the just-in-time compiler is installed."""
    try:
        import_module("numba")
    except ImportError:
        return False
    return True


@contextmanager
def use_backend(backend: Backend) -> Iterator[None]:
    """Let all exports run by one backend, for tests and benchmarks."""
    _forced.append(backend)
    _forget_all()
    try:
        yield
    finally:
        _forced.pop()
        _forget_all()


def _forget_all() -> None:
    for each in EXPORTS.values():
        each.forget()
