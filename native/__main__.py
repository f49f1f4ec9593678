"""The package with its busiest modules compiled by mypyc: build it, and run commands with it.

    python native                   build it, unless it is there: make native
    python native run COMMAND …     run a command with it, where it is fresh
    python native play COMMAND …    the same, and build it meanwhile where it is not: make play

It lies in build/native, in a folder named after all that it was made from; whoever has that folder
in PYTHONPATH runs it instead of the sources. Nothing but Python's standard library is used here,
except to try a build out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from beside import begin_beside, build_beside, build_in_game
from builds import (
    LOG,
    ROOT,
    build,
    can_be_built_beside,
    clear_if_alone,
    is_ready,
    locking,
    make_key,
    take,
)
from computer import find_lack


def main(arguments: list[str]) -> int:
    """Do what is asked for."""
    match arguments:
        case []:
            return make_native()
        case ["run" | "play" as how, *command] if command:
            run_with(find_package(builds=how == "play"), command)
        case ["beside"]:
            if not os.fork():  # so that the game has no child that it knows nothing of
                build_beside()
        case ["build"]:
            build_in_game()
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def find_package(*, builds: bool) -> Path | None:
    """Find what is compiled from these sources; where there is none, have it made meanwhile."""
    package = None
    with suppress(OSError, ValueError):  # whatever is wrong with it, the sources run
        key = make_key(ROOT)
        package = take(key)
        if builds and package is not None:
            clear_if_alone()
        elif builds and can_be_built_beside(key):
            begin_beside()
    return package


def run_with(package: Path | None, command: list[str]) -> NoReturn:
    """Become *command*; let it and all it starts find the *package* before the sources."""
    environment = dict(os.environ)
    if package is not None:
        others = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([str(package), *([others] if others else [])])
    try:
        os.execvpe(command[0], command, environment)
    except OSError as trouble:
        print(f"{command[0]}: {trouble.strerror}", file=sys.stderr)
        sys.exit(127)


def make_native() -> int:
    """Build it now, unless it is there, and say how it went."""
    try:
        if not is_ready(make_key(ROOT)):
            compile_now()
    except subprocess.SubprocessError:
        lines = LOG.read_text(encoding="utf-8", errors="replace").splitlines()
        print(*lines[-20:], sep="\n", file=sys.stderr)
        print("make native: compiling failed; the lines above say why", file=sys.stderr)
        return 1
    except OSError as trouble:
        print(f"make native: {trouble}", file=sys.stderr)
        return 1
    print("Ready: make play runs what is compiled, until the sources change.")
    return 0


def compile_now() -> None:
    """Build it, unless another has done so while we waited."""
    lack = find_lack()
    if lack is not None:
        raise OSError(lack)
    with locking(waits=True):
        if not is_ready(make_key(ROOT)):
            print("Compiling: this takes a few minutes ...", flush=True)
            build()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
