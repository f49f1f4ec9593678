"""The page about the architecture: the files and functions that it names are there."""

from __future__ import annotations

import ast
import re

import pytest

from repository.architecture import PAGE, ROOT, Call, read_calls

CHOICE = "One choice, from the click to every screen"
NETWORK = "The life of a network"
MOST_WORDS = 900


def functions_of(source: str) -> set[str]:
    """Name the functions, methods and classes of a module."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {
                f"{node.name}.{part.name}"
                for part in node.body
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
            }
    return names


@pytest.mark.parametrize("call", [*read_calls(CHOICE), *read_calls(NETWORK)], ids=".".join)
def test_a_named_function_is_there(call: Call) -> None:
    if call.file.endswith(".ts"):
        source = (ROOT / "web" / "src" / call.file).read_text(encoding="utf-8")
        assert re.search(rf"^  (private |async )*{call.function}\(", source, re.MULTILINE)
        return
    source = (ROOT / "src" / "pleasance" / call.file).read_text(encoding="utf-8")
    assert call.function in functions_of(source)


def test_the_walk_begins_and_ends_in_the_browser() -> None:
    walk = read_calls(CHOICE)
    assert (walk[0].file, walk[-1].file) == (
        "table/table.svelte.ts",
        "playback/playback.svelte.ts",
    )
    assert len(walk) > 25


def test_every_path_on_the_page_is_there() -> None:
    for path in re.findall(r"`([\w/]+\.py)`", PAGE.read_text(encoding="utf-8")):
        assert (ROOT / "src" / "pleasance" / path).is_file(), path


def test_every_package_is_on_the_map() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for folder in (ROOT / "src" / "pleasance", ROOT / "src" / "pleasance" / "server"):
        for package in folder.glob("*/__init__.py"):
            assert f"`{package.parent.name}`" in page, package


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf-8").replace("|", "").split()) <= MOST_WORDS
