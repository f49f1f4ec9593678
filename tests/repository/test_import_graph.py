"""The import graph: no circles, no crowded folder, and a picture as fresh as the code."""

from pathlib import Path

import grimp
import import_graph
import pytest


def graph_of(*edges: tuple[str, str], modules: tuple[str, ...] = ()) -> grimp.ImportGraph:
    """Make a graph of planted imports."""
    graph = grimp.ImportGraph()
    for module in {name for edge in edges for name in edge} | set(modules):
        for end in range(1, module.count(".") + 2):
            graph.add_module(".".join(module.split(".")[:end]))
    for importer, imported in edges:
        graph.add_import(importer=importer, imported=imported)
    return graph


PLANTED = [
    (graph_of(("p.a", "p.b"), ("p.b", "p.a")), "modules: import circle"),
    (graph_of(("p.a.x", "p.b.y"), ("p.b.z", "p.a.w")), "inside p: import circle"),
    (graph_of(modules=tuple(f"p.a.m{n}" for n in range(21))), "p.a has 21 modules"),
]


def test_folders_and_modules_import_each_other_in_no_circle_and_no_folder_is_crowded() -> None:
    assert list(import_graph.find_faults(import_graph.load_graph())) == []


@pytest.mark.parametrize(("graph", "fault"), PLANTED)
def test_a_planted_circle_or_crowd_is_found(graph: grimp.ImportGraph, fault: str) -> None:
    assert any(line.startswith(fault) for line in import_graph.find_faults(graph))


def test_a_graph_without_faults_passes() -> None:
    assert not list(import_graph.find_faults(graph_of(("p.a.x", "p.b.y"), ("p.a.x", "p.c"))))


def test_imports_for_type_checkers_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "graph_sample"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "a.py").write_text("from graph_sample import b\n")
    (package / "b.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from graph_sample import a\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    graph = grimp.build_graph("graph_sample", cache_dir=None)
    assert any("import circle" in fault for fault in import_graph.find_faults(graph))


def test_the_picture_is_as_fresh_as_the_code() -> None:
    """When this fails: `make graph`."""
    drawn = import_graph.draw(import_graph.load_graph())
    assert import_graph.PICTURE.read_text(encoding="utf-8") == drawn
