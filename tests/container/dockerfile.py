"""Reads a Dockerfile and a .dockerignore, as far as this project uses them."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_LINE_BREAK = re.compile(r"\\\n\s*")
_NEVER_ASKED = {".git", ".venv", "node_modules"}


class Instruction(NamedTuple):
    """One instruction: `RUN`, `COPY` and the like, and what follows it."""

    name: str
    text: str


class Stage(NamedTuple):
    """One stage of a build, from one `FROM` to the next."""

    base: str
    alias: str
    instructions: tuple[Instruction, ...]

    def find(self, name: str) -> str:
        """Find the text of the last instruction of this name, which is the one that counts."""
        return [each.text for each in self.instructions if each.name == name][-1]

    @property
    def environment(self) -> dict[str, str]:
        """All variables that the stage sets, on top of a usual `PATH`."""
        variables = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
        for each in self.instructions:
            if each.name == "ENV":
                variables |= read_variables(each.text, variables)
        return variables

    @property
    def health_check(self) -> list[str]:
        """The command that tells whether the server is well."""
        return read_command(self.find("HEALTHCHECK").partition(" CMD ")[2])

    @property
    def command(self) -> list[str]:
        """The command that a container runs."""
        return read_command(self.find("ENTRYPOINT")) + read_command(self.find("CMD"))


def read_dockerfile(text: str) -> list[Stage]:
    """Read the stages of a Dockerfile.

    >>> read_dockerfile("FROM a AS b\\n# why\\nRUN c \\\\\\n    d\\nFROM e\\n")[0].find("RUN")
    'c d'
    """
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    stages: list[Stage] = []
    for line in _LINE_BREAK.sub("", "\n".join(lines)).splitlines():
        name, _, rest = line.partition(" ")
        if name == "FROM":
            base, _, alias = rest.partition(" AS ")
            stages.append(Stage(base, alias, ()))
        else:
            done = (*stages[-1].instructions, Instruction(name, rest))
            stages[-1] = stages[-1]._replace(instructions=done)
    return stages


def read_command(text: str) -> list[str]:
    """Read a command in its exec form, a list in JSON."""
    words: list[str] = json.loads(text)
    return words


def read_variables(text: str, known: Mapping[str, str]) -> dict[str, str]:
    """Read the variables of an `ENV`; they may use those that are known.

    >>> read_variables('A=1 B=2:$A C="$B x"', {"A": "0", "B": "b"})
    {'A': '1', 'B': '2:0', 'C': 'b x'}
    """
    pairs = (word.partition("=") for word in shlex.split(text))
    return {name: Template(value).substitute(known) for name, _, value in pairs}


def list_context(root: Path = ROOT) -> Iterator[Path]:
    """List the files below *root* that its .dockerignore lets into the build."""
    lines = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    for folder, names, files in os.walk(root):
        names[:] = sorted(set(names) - _NEVER_ASKED)
        for path in (Path(folder, file).relative_to(root) for file in sorted(files)):
            if not is_ignored(path, patterns):
                yield path


def is_ignored(path: Path, patterns: list[str]) -> bool:
    """Decide whether a file stays out: the last pattern that matches it or a parent decides.

    >>> rules = ["*", "!src", "**/__pycache__", "src/*/dist"]
    >>> [is_ignored(Path(p), rules) for p in ("a", "src/b", "src/b/__pycache__/c", "src/b/dist/d")]
    [True, False, True, True]
    """
    names = [str(each) for each in (path, *path.parents)]
    decided = False
    for pattern in patterns:
        rule = re.compile(_to_regex(pattern.removeprefix("!")))
        if any(rule.fullmatch(name) for name in names):
            decided = not pattern.startswith("!")
    return decided


def _to_regex(pattern: str) -> str:
    """Translate a pattern: `**/` stands for any folders, `*` for anything but a slash."""
    known = {"**/": "(?:.*/)?", "*": "[^/]*"}
    parts = re.split(r"(\*\*/|\*)", pattern)
    return "".join(known.get(part, re.escape(part)) for part in parts)
