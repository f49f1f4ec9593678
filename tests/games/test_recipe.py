"""The recipe for a new game in docs/extending.md works: one folder, and nothing else changes."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from support.programs import run_program

ROOT = Path(__file__).parents[2]
POND = ROOT / "tests" / "sample_game" / "pond"
SKIPPED = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", "*_cache")
BROUGHT = ("has_playthroughs", "rule_is_named")
"""The tests of what each game brings along; the sample game is proved in test_pond.py."""
SELECTION = " and not ".join(("lake", *BROUGHT))
CHECKS = (
    ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", "-k", SELECTION),
    ("-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache"),
)


def list_skipped(folder: str, names: list[str]) -> set[str]:
    """List what the copy leaves out; only at the top is `build` what a build has made."""
    built = {"build"} if Path(folder) == ROOT else set()
    return {*SKIPPED(folder, names), *built}


def copy_pond(folder: Path) -> None:
    """Make a game of the sample: other names, absolute imports."""
    shutil.copytree(POND, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.rglob("*"):
        if path.suffix in (".py", ".toml", ".md", ".json"):
            text = path.read_text(encoding="utf-8")
            package = "pleasance.games.pond" + "".join(
                f".{name}" for name in path.relative_to(folder).parent.parts
            )
            text = re.sub(
                r"^from \.\.(?=\w)", "from pleasance.games.pond.", text, flags=re.MULTILINE
            )
            text = re.sub(r"^from \.(?=\w)", f"from {package}.", text, flags=re.MULTILINE)
            text = re.sub(r"^from \. ", f"from {package} ", text, flags=re.MULTILINE)
            path.write_text(text.replace("pond", "lake").replace("Pond", "Lake"), encoding="utf-8")


@pytest.mark.slow
def test_a_copy_of_the_sample_game_is_a_game(tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(ROOT, root, ignore=list_skipped)
    copy_pond(root / "src" / "pleasance" / "games" / "lake")
    paths = os.pathsep.join(str(root / name) for name in ("src", "tests"))
    environment = {**os.environ, "PYTHONPATH": paths}
    for check in CHECKS:
        done = run_program(sys.executable, *check, cwd=root, env=environment)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
