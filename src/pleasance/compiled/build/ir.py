"""Collects the exports of a package and compiles them to one LLVM module, not yet optimized."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import llvmlite.binding as llvm

from pleasance.compiled.build.link import BuildError
from pleasance.compiled.build.wrappers import Compiled, write_wrappers
from pleasance.compiled.export import EXPORTS, Export, Purpose
from pleasance.compiled.jit_backend import argument_types, compile_export
from pleasance.compiled.signature import NumberType

_RENAMED = {"@sqrt(": "@llvm.sqrt.f64("}
"""Functions of the C library that are one instruction of every processor."""

_RESULTS = {
    None: ("none",),
    NumberType("int64"): ("int64", "bool"),
    NumberType("float64"): ("float64",),
}
"""The types that Numba may infer for each result."""

_OF_RULES = re.compile(r"define linkonce_odr .* @_ZN\w*?6kernel")
_MAX_INLINED_LINES = 2000
"""Functions of the rules up to this length, before any optimization, become part of their callers.

The optimizer would judge them by what Numba adds to each call, and leave many out.
"""

_OF_PLAYOUTS = re.compile(r"define .*@_ZN\w*?6kernel7playout")
"""Random games gain nothing from vectors: without them they are a twentieth faster."""

_WRAPAROUND = re.compile(
    r"  (%[\w.]+) = icmp slt i64 ([^,\n]+), 0\n"
    r"  (%[\w.]+) = add i64 \2, [^\n]+\n"
    r"  (%[\w.]+) = select i1 \1, i64 \3, i64 \2\n"
)
"""How Numba lets a negative index count from the end, which costs a tenth of the speed.

Kernels have no negative indexes: `tools/check_exports.py` and the comparison with plain Python see
to it.
"""


def load_exports(package: str, purposes: Sequence[Purpose]) -> list[Export[..., Any]]:
    """Import all modules of a package and list their exports by name."""
    root = import_module(package)
    for module in walk_packages(root.__path__, f"{package}."):
        if "tests" not in module.name.split("."):
            import_module(module.name)
    return [
        export
        for _, export in sorted(EXPORTS.items())
        if export.package == package and export.purpose in purposes
    ]


def compile_module(exports: Sequence[Export[..., Any]], sources: str) -> str:
    """Compile exports with their wrappers to the text of one module.

    *sources* is the hash of the sources, which the library carries.
    """
    compiled = [_compile(export) for export in exports]
    module: Any = None
    for each in compiled:
        part = llvm.parse_assembly(each.text)
        if module is None:
            module = part
        else:
            module.link_in(part)
    module.link_in(llvm.parse_assembly(write_wrappers(compiled, sources)))
    text = _guide_optimizer(str(module))
    text, found = _WRAPAROUND.subn(r"  \4 = add nsw i64 \2, 0\n", text)
    if not found:
        raise BuildError("Numba writes indexes in another way than ir.py expects")
    return text


def _guide_optimizer(text: str) -> str:
    """Mark the functions that must be inlined, and those that must not be vectorized."""
    parts = re.split(r"(?m)^(?=define )", text)
    for place, part in enumerate(parts):
        head, _, body = part.partition("\n")
        length = body.partition("\n}")[0].count("\n")
        if _OF_RULES.match(head) and length < _MAX_INLINED_LINES:
            mark = "alwaysinline"
        elif _OF_PLAYOUTS.match(head):
            mark = "noimplicitfloat"
        else:
            continue
        head = re.sub(r" (#[0-9]+) {$", rf" {mark} \1 {{", head)
        parts[place] = f"{head}\n{body}"
    return "".join(parts)


def _compile(export: Export[..., Any]) -> Compiled:
    """Compile one export with all that it calls."""
    dispatcher = compile_export(export)
    types = argument_types(export)
    overload = dispatcher.overloads[types]
    main = overload.fndesc.llvm_func_name
    text = "\n".join(_clean(dispatcher.inspect_llvm(types), main))
    result = str(overload.signature.return_type)
    if result not in _RESULTS[export.signature.result]:
        raise BuildError(f"{export.name} returns {result}, not what its annotation says")
    return Compiled(export, text, main, result)


def _clean(text: str, main: str) -> Iterator[str]:
    """Drop from the text of a module what ties it to this machine, and Python's own wrappers."""
    is_dropped = False
    for line in text.splitlines():
        if re.match(r"target (triple|datalayout) = ", line):
            continue
        if line.startswith("define") and re.search(r"@(_ZN7cpython|cfunc)", line):
            is_dropped = True
        if not is_dropped:
            yield _make_portable(line, main)
        elif line == "}":
            is_dropped = False


def _make_portable(line: str, main: str) -> str:
    """Write a line of a module for any processor.

    The same function may come with many exports. Loops must stay loops: a processor's own copying
    functions would have to be imported.
    """
    line = re.sub(r'"target-(cpu|features)"="[^"]*"', "", line)
    line = line.replace(" common ", " internal ")
    for old, new in _RENAMED.items():
        line = line.replace(old, new)
    if not line.startswith("define"):
        return line
    line = line.removesuffix("{") + '"no-builtins" {'
    linkage = "" if f'@"{main}"(' in line or f"@{main}(" in line else "linkonce_odr "
    return re.sub(
        r"^define (?!internal|linkonce|private|weak)(?:dso_local )?", f"define {linkage}", line
    )
