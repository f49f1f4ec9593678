"""Commands of the pages: what they name that is not there."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command

from pleasance import cli

ROOT = Path(__file__).parents[2]
EXTRAS = set(
    tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
)


def find_missing(words: list[str]) -> list[str]:
    """Find the files, make targets, extras, modules, commands and options that are not there."""
    folders = ("benchmarks/", "examples/", "tools/", "tests/")
    missing = [word for word in words if word.startswith(folders) and not (ROOT / word).exists()]
    match [Path(words[0]).name, *words[1:]]:
        case ["make", target, *_]:
            text = (ROOT / "Makefile").read_text(encoding="utf-8")
            return missing if re.search(rf"^{target}:", text, re.MULTILINE) else [target]
        case ["pip", "install", *packages]:
            return [extra for extra in find_extras(packages) if extra not in EXTRAS]
        case ["python", "-m", module, *_]:
            return missing if find_spec(module) else [module]
        case ["pleasance", *arguments]:
            return missing + find_missing_options(arguments)
        case _:
            return missing


def find_extras(packages: list[str]) -> list[str]:
    """List the extras in the arguments of `pip install`, of the package or of this folder."""
    named = [re.fullmatch(r"(?:pleasance|\.)\[([\w,]+)\]", package) for package in packages]
    return [extra for found in named if found for extra in found[1].split(",")]


def find_missing_options(words: list[str]) -> list[str]:
    """Find the command and the options that the command line does not know."""
    command = get_command(cli.app)
    while isinstance(command, TyperGroup) and words and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return [words[0]]
        command = command.commands[words[0]]
        words = words[1:]
    if command.name == "train":  # the script of the game reads the rest
        return []
    known = {option for parameter in command.params for option in parameter.opts}
    return [word for word in words if word.startswith("--") and word not in known]
