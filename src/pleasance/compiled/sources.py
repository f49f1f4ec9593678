"""The hash of the sources of compiled code: all that the marked functions of a package reach.

From each function marked with `jit` or `export` the names in it are followed to what they stand
for: functions, constants, types, in whatever module of ours. Docstrings, comments, layout and
plain Python that no marked function needs do not count, so a library need not be built again for
them. What builds libraries counts as a whole.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

_GAME_FOLDERS = ("bots", "kernel", "training")
_BUILDERS = (
    *("arrays", "export", "jit", "jit_backend", "signature"),
    *("build.__main__", "build.ir", "build.link", "build.targets", "build.wrappers"),
)
"""The modules of `pleasance.compiled` that count as a whole."""

_MARKS = ("jit", "export")
_IGNORED = ("ctx", "kind", "type_comment", "type_params")
"""Parts of a syntax tree that only some versions of Python know."""


class _Module(NamedTuple):
    """A module: which statement defines a name, and what its imports stand for."""

    statements: list[ast.stmt]
    defined: dict[str, int]
    imported: dict[str, str]


def find_path(module: str) -> Path | None:
    """Find the file of a module of ours, or of a test's package, without importing it."""
    top, *rest = module.split(".")
    folder = Path(import_module(top).__path__[0]).joinpath(*rest)
    for path in (folder.with_suffix(".py"), folder / "__init__.py"):
        if path.is_file():
            return path
    return None


def hash_sources(package: str) -> tuple[str, list[str]]:
    """Hash what the compiled code of a package consists of; list the modules that hold it."""
    reached = sorted(_reach(package))
    digest = hashlib.sha256()
    for module, place in reached:
        node = _read(module).statements[place]
        digest.update(f"{module}:{_describe(_without_docstring(node))}".encode())
    return digest.hexdigest(), sorted({module for module, _ in reached})


def hash_file(module: str) -> str | None:
    """Hash the bytes of a module, if it is there."""
    path = find_path(module)
    return None if path is None else hashlib.sha256(path.read_bytes()).hexdigest()


def _reach(package: str) -> set[tuple[str, int]]:
    """Follow all names from the marked functions of a package."""
    found: set[tuple[str, int]] = set()
    waiting = [*_starts(package)]
    while waiting:
        module, place = waiting.pop()
        if (module, place) not in found:
            found.add((module, place))
            waiting += _needs(module, _read(module).statements[place])
    return found


def _starts(package: str) -> Iterator[tuple[str, int]]:
    """List the marked functions of a package, and all statements of what builds libraries."""
    root = find_path(package)
    assert root is not None, package
    for folder in _GAME_FOLDERS:
        for path in sorted((root.parent / folder).rglob("*.py")):
            parts = path.relative_to(root.parent).with_suffix("").parts
            module = ".".join((package, *parts)).removesuffix(".__init__")
            for place, node in enumerate(_read(module).statements):
                if isinstance(node, ast.FunctionDef) and _is_marked(node):
                    yield module, place
    for name in _BUILDERS:
        module = f"pleasance.compiled.{name}"
        yield from ((module, place) for place in range(len(_read(module).statements)))


def _is_marked(function: ast.FunctionDef) -> bool:
    """Return whether a function is compiled."""
    called = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    return any(isinstance(each, ast.Name) and each.id in _MARKS for each in called)


def _needs(module: str, node: ast.stmt) -> Iterator[tuple[str, int]]:
    """Find the statements that define the names in a statement, but those of its own variables."""
    own = set()
    if isinstance(node, ast.FunctionDef):
        own = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        own |= {
            part.id
            for part in ast.walk(node)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
    for part in ast.walk(node):
        name, attribute = part, ""
        if isinstance(part, ast.Attribute):
            name, attribute = part.value, part.attr
        if isinstance(name, ast.Name) and name.id not in own:
            yield from _find(module, name.id, attribute)


def _find(module: str, name: str, attribute: str = "") -> Iterator[tuple[str, int]]:
    """Find what a name stands for, and with it what changes it: loops and calls of its module."""
    known = _read(module)
    if name in known.defined:
        yield module, known.defined[name]
        for place, node in enumerate(known.statements):
            if isinstance(node, ast.For | ast.While | ast.If | ast.With | ast.AugAssign):
                yield module, place
    elif name in known.imported:
        target = known.imported[name]
        owner, _, last = target.rpartition(".")
        if find_path(target) is None:
            yield from _find(owner, last)
        elif attribute:
            yield from _find(target, attribute)


@cache
def _read(module: str) -> _Module:
    """Read a module."""
    path = find_path(module)
    assert path is not None, module
    statements = ast.parse(path.read_text(encoding="utf-8")).body
    defined: dict[str, int] = {}
    imported: dict[str, str] = {}
    ours = ("pleasance", module.partition(".")[0])
    for place, node in enumerate(statements):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ours:
            imported |= {
                each.asname or each.name: f"{node.module}.{each.name}" for each in node.names
            }
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined[node.name] = place
        else:
            stored = (part for part in ast.walk(node) if isinstance(part, ast.Name))
            defined |= {part.id: place for part in stored if isinstance(part.ctx, ast.Store)}
    return _Module(statements, defined, imported)


def _without_docstring(node: ast.stmt) -> ast.stmt:
    """Leave out the docstring of a function or class, and texts that stand alone."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        body = [part for part in node.body if not _is_text(part)]
        return ast.copy_location(type(node)(**{**dict(ast.iter_fields(node)), "body": body}), node)
    return ast.Pass() if _is_text(node) else node


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is nothing but a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _describe(node: object) -> str:
    """Write a syntax tree so that every version of Python writes the same."""
    if isinstance(node, ast.AST):
        parts = (
            f"{name}={_describe(value)}"
            for name, value in ast.iter_fields(node)
            if value not in (None, []) and name not in _IGNORED
        )
        return f"{type(node).__name__}({', '.join(parts)})"
    if isinstance(node, list):
        return f"[{', '.join(map(_describe, node))}]"
    return repr(node)
