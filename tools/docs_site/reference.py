"""Pages of the API reference: which names a page documents, from their docstrings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path


def write_reference(title: str, text: str, names: Sequence[str], source: Path) -> str:
    """Write a page with an import and the docstring of each name; modules bring all their names."""
    parts = [f"# {title}", text.strip()]
    if imports := list(_write_imports(names, source)):
        parts.append("\n".join(["```python", *imports, "```"]))
    return "\n\n".join([*parts, *(f"::: {name}" for name in names)]) + "\n"


def _write_imports(names: Sequence[str], source: Path) -> Iterator[str]:
    """Write the import statements of the names that are no modules."""
    members = sorted(name.rpartition(".") for name in names if not _is_module(name, source))
    for module, group in groupby(members, key=lambda member: member[0]):
        line = f"from {module} import " + ", ".join(name for _, _, name in group)
        yield line if len(line) <= 76 else _wrap(line)


def _is_module(name: str, source: Path) -> bool:
    path = source.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def _wrap(line: str) -> str:
    """Write a long import with one name on each line."""
    head, _, names = line.partition(" import ")
    return "\n".join([f"{head} import (", *(f"    {name}," for name in names.split(", ")), ")"])
