"""The repository keeps its own rules: pins, sizes, commands, and the arrows between packages."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pleasance.games import game_names
from support.programs import run_program

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PIN = re.compile(
    r"^([a-z0-9-]+)==([^ ]+)(?: ; [^\\]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE
)
MADE = {".git", ".venv", ".coverage", "node_modules", "__pycache__", "build", "dist", ".hypothesis"}
SHOWN = {
    "",
    ".md",
    ".py",
    ".toml",
    ".json",
    ".lock",
    ".sh",
    ".txt",
    ".ts",
    ".svelte",
    ".css",
    ".html",
}


def committed(*endings: str) -> Iterator[Path]:
    """Walk through the files that belong to the repository."""
    for folder, names, files in os.walk(ROOT):
        names[:] = [name for name in names if name not in MADE and not name.endswith("_cache")]
        paths = [Path(folder, file) for file in files if file not in MADE]
        yield from (path for path in paths if path.suffix in (endings or SHOWN))


def python_files() -> list[Path]:
    return sorted(committed(".py"))


def show(path: Path) -> str:
    return str(path.relative_to(ROOT))


def pins(lock: Path) -> dict[str, str]:
    return {name: version for name, version, _ in PIN.findall(lock.read_text())}


@pytest.mark.parametrize("lock", LOCKS, ids=show)
def test_a_lock_pins_and_hashes_every_package_and_names_no_host(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    assert not PIN.sub("", text).strip()


def test_the_locks_cover_what_the_project_asks_for_and_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    play, run, dev = (pins(ROOT / f"requirements/{name}.lock") for name in ("play", "run", "dev"))
    assert names(project["project"]["dependencies"]) <= set(play)
    extras = project["project"]["optional-dependencies"]
    assert names(extras["server"]) <= set(play)
    assert names(extras["postgres"]) <= set(run) | {"pleasance"}
    groups = project["dependency-groups"]
    assert names(groups["build"]) <= set(play)
    assert names(groups["docs"]) <= set(pins(ROOT / "requirements/docs.lock"))
    assert names(groups["dev"]) | names(extras["numpy"]) | names(extras["plot"]) <= set(dev)
    assert play.items() | run.items() <= dev.items()


def names(asked: list[str | dict[str, str]]) -> set[str]:
    """Collect the names of packages; groups that include another are dictionaries."""
    return {re.split(r"[\[<>=~; ]", each)[0] for each in asked if isinstance(each, str)}


@pytest.mark.slow
def test_no_file_names_a_registry_or_a_place_outside_the_repository() -> None:
    outside = re.compile(
        r"(?:pypi|pythonhosted|npmjs|yarnpkg)\.(?:org|com)|(?<![\w.])/(?:home|root|work)/\w+"
    )
    above = re.compile(r"(?<![\w./])(?:\.\./)+\w+/")
    found = [
        f"{show(path)}:{number}"
        for path in committed()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if outside.search(line)
        or any(not leads_inside(path.parent / place) for place in above.findall(line))
        if path != Path(__file__)
    ]
    assert not found


def leads_inside(path: Path) -> bool:
    return path.exists() and path.resolve().is_relative_to(ROOT)


def test_a_file_has_at_most_300_lines() -> None:
    long = [
        show(path)
        for path in python_files()
        if path.name != "components.py" and len(path.read_text().splitlines()) > 300
    ]
    assert not long


@pytest.mark.slow
def test_a_function_has_at_most_40_lines() -> None:
    long = [
        f"{show(path)}:{node.lineno} {node.name}"
        for path in python_files()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= 40
    ]
    assert not long


def test_what_is_not_checked_says_which_check_and_why() -> None:
    reason = r" +(?:\(|# )\w"
    silenced = re.compile(rf"# (?:type: ignore|noqa)(?!(?:: [A-Z0-9, ]+|\[[a-z, -]+\]){reason})")
    bare = [
        f"{show(path)}:{number}"
        for path in python_files()
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if silenced.search(line) and path != Path(__file__)
    ]
    assert not bare


def test_the_automatic_check_calls_make_test_and_nothing_else() -> None:
    script = (ROOT / ".ci/run").read_text().splitlines()
    assert script == ["#!/usr/bin/env bash", 'cd "$(dirname "$0")/.." && exec make test']
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_make_lists_all_it_can_do() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == targets()


def test_the_documents_name_only_what_make_can_do() -> None:
    for path in committed(".md"):
        named = set(re.findall(r"`make ([a-z]+)", path.read_text(encoding="utf-8")))
        assert named <= targets(), show(path)
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert targets() == set(re.findall(r"`make ([a-z]+)", told))


TREE = {
    "__main__": "import pleasance.cli",
    **dict.fromkeys(("arena", "bench", "cli", "compiled", "i18n", "training", "tuning"), ""),
    "core/game": "",
    "players/greedy": "",
    "table/table": "",
    "terminal/play": "",
    "games/one/rules/actions": "import pleasance.core.game",
    "games/one/rules/rules": "import pleasance.games.one.rules.actions",
    "games/one/kernel/rules": "import pleasance.games.one.rules.rules",
    "games/one/display/text": "import pleasance.games.one.rules.rules",
    "games/one/bots/greedy": "import pleasance.games.one.kernel.rules",
    "games/one/training/train": "import pleasance.games.one.bots.greedy",
    "games/two/rules/path": "",
    "server/serve": "import pleasance.server.app",
    "server/app": "import pleasance.server.matched_tables",
    "server/matched_tables": "import pleasance.server.live.hub",
    "server/http/socket": "import pleasance.server.live.hub",
    "server/page/routes": "import pleasance.server.live.hub",
    "server/live/hub": "import pleasance.server.bots.pool",
    "server/matchmaking/queue": "import pleasance.server.ratings.model",
    "server/ratings/model": "import pleasance.server.store.store",
    "server/webhooks/sender": "import pleasance.server.identity.sessions",
    "server/bots/pool": "import pleasance.server.store.store",
    "server/admin/tables": "import pleasance.server.identity.sessions",
    "server/identity/sessions": "import pleasance.server.store.store",
    "server/store/store": "import pleasance.server.base.errors",
    "server/base/errors": "",
}
FOR_TYPES = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    "
WRONG = {
    "core/game": "import pleasance.players",
    "table/table": "import pleasance.players.maximizers",
    "core/errors": f"{FOR_TYPES}import pleasance.i18n",
    "beside/all": "",
    "games/two/rules/path": "import pleasance.games.one",
    "games/one/rules/actions": "import pleasance.games.one.kernel.rules",
    "games/one/kernel/rules": "import pleasance.games.one.bots.greedy",
    "games/one/display/text": "import pleasance.games.one.kernel.rules",
    "games/one/bots/greedy": "import pleasance.games.one.training.train",
    "games/one/learn/train": "",
    "core/bits": "import rich",
    "games/one/rules/rules": "import numpy",
    "server/app": "import pleasance.server.serve",
    "server/matched_tables": "import pleasance.server.app",
    "server/page/routes": "import pleasance.server.http.socket",
    "server/live/hub": "import pleasance.server.matchmaking.queue",
    "server/matchmaking/queue": "import pleasance.server.live.hub",
    "server/ratings/model": "import pleasance.server.webhooks.sender",
    "server/webhooks/sender": f"{FOR_TYPES}import pleasance.server.http.socket",
    "server/bots/pool": "import pleasance.server.ratings.model",
    "server/identity/sessions": "import pleasance.server.live.hub",
    "server/store/store": "import pleasance.server.identity.sessions",
    "server/base/errors": "import pleasance.server.store.store",
    "server/helpers": "",
}


def lint_imports(folder: Path, modules: dict[str, str]) -> str:
    """Check the contracts of this project on a small package of the same shape."""
    for module, text in modules.items():
        path = folder / "pleasance" / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
        for parent in path.relative_to(folder).parents[:-1]:
            (folder / parent / "__init__.py").touch()
    found = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command"
    command = (sys.executable, "-c", f"{found} as lint; lint()", "--no-cache")
    return run_program(*command, "--config", ROOT / "pyproject.toml", cwd=folder).stdout


def test_the_arrows_hold_for_any_game(tmp_path: Path) -> None:
    assert "6 kept, 0 broken" in lint_imports(tmp_path, TREE)


@pytest.mark.slow
@pytest.mark.parametrize("module", WRONG)
def test_an_import_against_an_arrow_is_found(tmp_path: Path, module: str) -> None:
    assert "1 broken" in lint_imports(tmp_path, TREE | {module: WRONG[module]})


@pytest.mark.parametrize("name", game_names())
def test_every_rule_is_named_by_a_test(name: str) -> None:
    folder = ROOT / "src" / "pleasance" / "games" / name
    rules = set(re.findall(r"\b[A-Z]-\d+\b", (folder / "RULES.md").read_text()))
    tests = "".join(path.read_text() for path in (folder / "tests").glob("test_*.py"))
    assert rules
    assert rules <= set(re.findall(r"\b[A-Z]-\d+\b", tests))


@pytest.mark.parametrize(
    ("more", "level"),
    [({}, "warning"), ({"PLEASANCE_LOG_LEVEL": "info"}, "info"), ({"ARGS": "--settings a"}, "")],
)
def test_who_plays_sees_no_line_for_every_request(more: dict[str, str], level: str) -> None:
    others = ("PLEASANCE_", "MAKE", "MFLAGS")  # make may run these tests, too
    kept = {name: text for name, text in os.environ.items() if not name.startswith(others)}
    asked = ["make", "-n", "play", "NATIVE=0", f"ARGS={more.get('ARGS', '')}"]
    told = subprocess.check_output(asked, cwd=ROOT, env=kept, text=True)
    command = told.splitlines()[-1].replace(".venv/bin/pleasance serve", "env #")
    shown = subprocess.check_output(["sh", "-c", command], env={**kept, **more}, text=True)
    assert re.findall(r"^PLEASANCE_LOG_LEVEL=(\w*)$", shown, re.MULTILINE) == level.split()
