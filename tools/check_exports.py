"""Check the compiled functions: those that Python calls are exports, and none raises an error.

    python tools/check_exports.py

A function marked with `jit` belongs to compiled code alone. Where plain Python names it, the call
would run as slow Python beside a shared library, so it must be marked with `export`. Compiled code
has no errors, and its indexes do not count from the end. The check reads the sources; it imports
nothing.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).parents[1] / "src"
JIT = "jit"
EXPORT = "export"
ALLOWED_PLAIN = ("pleasance.compiled",)
"""The packages that handle marked functions themselves."""


class Module(NamedTuple):
    """One source file."""

    name: str
    path: Path
    tree: ast.Module


class Fault(NamedTuple):
    """A line that breaks a rule."""

    path: Path
    line: int
    reason: str


def read_modules(root: Path) -> list[Module]:
    """Read all modules below a folder, tests left out."""
    found = []
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if "tests" not in parts and "node_modules" not in parts:
            name = ".".join(parts).removesuffix(".__init__")
            found.append(Module(name, path, ast.parse(path.read_text(encoding="utf-8"))))
    return found


def mark_of(function: ast.FunctionDef) -> str | None:
    """Return the mark of a compiled function, `None` for plain Python."""
    for decorator in function.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(target, ast.Name) and target.id in (JIT, EXPORT):
            return target.id
    return None


def marked_functions(modules: list[Module]) -> dict[str, str]:
    """Collect the marked functions by their full names."""
    return {
        f"{module.name}.{node.name}": mark
        for module in modules
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef) and (mark := mark_of(node))
    }


def imported_names(module: Module) -> dict[str, str]:
    """Map each imported name to the full name it stands for."""
    names = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def full_name(node: ast.expr, names: dict[str, str]) -> str | None:
    """Resolve a name or an attribute of a module."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = names.get(node.value.id)
        return owner and f"{owner}.{node.attr}"
    return None


def plain_nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all nodes outside marked functions and imports."""
    for node in tree.body:
        if not (isinstance(node, ast.FunctionDef) and mark_of(node)):
            yield from ast.walk(node)


def find_plain_calls(modules: list[Module]) -> Iterator[Fault]:
    """Find where plain Python names a function that is no export."""
    marked = marked_functions(modules)
    for module in modules:
        if module.name.startswith(ALLOWED_PLAIN):
            continue
        names = imported_names(module)
        names |= {
            node.name: f"{module.name}.{node.name}"
            for node in module.tree.body
            if isinstance(node, ast.FunctionDef)
        }
        for node in plain_nodes(module.tree):
            if isinstance(node, ast.Name | ast.Attribute):
                name = full_name(node, names)
                if name and marked.get(name) == JIT:
                    yield Fault(module.path, node.lineno, f"{name} is no export")


def compiled_nodes(modules: list[Module]) -> Iterator[tuple[Module, ast.AST]]:
    """Yield all nodes of marked functions."""
    for module in modules:
        for function in module.tree.body:
            if isinstance(function, ast.FunctionDef) and mark_of(function):
                yield from ((module, node) for node in ast.walk(function))


def find_raises(modules: list[Module]) -> Iterator[Fault]:
    """Find `raise` and `assert` in compiled functions."""
    for module, node in compiled_nodes(modules):
        if isinstance(node, ast.Raise | ast.Assert):
            yield Fault(module.path, node.lineno, "compiled code may not raise")


def find_negative_indexes(modules: list[Module]) -> Iterator[Fault]:
    """Find indexes that count from the end: compiled code reads what lies before the array."""
    for module, node in compiled_nodes(modules):
        if isinstance(node, ast.Subscript):
            index = node.slice
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            if any(isinstance(part, ast.UnaryOp) for part in parts):
                yield Fault(module.path, node.lineno, "an index may not be negative")


def find_faults(root: Path) -> list[Fault]:
    """Find every fault below a folder of sources."""
    modules = read_modules(root)
    return [
        *find_plain_calls(modules),
        *find_raises(modules),
        *find_negative_indexes(modules),
    ]


def main() -> None:
    """Print every fault; exit with 1 if there are any."""
    faults = find_faults(SOURCES)
    for fault in faults:
        print(f"{fault.path}:{fault.line}: {fault.reason}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
