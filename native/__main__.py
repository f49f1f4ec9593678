"""Builds the package with its busiest modules compiled by mypyc, and runs commands with it.

    python native                   build it, unless it is there: make native
    python native run COMMAND …     run a command with it, if it is fresh
    python native play COMMAND …    the same, and otherwise build it meanwhile: make play

A build lies in build/native, in a folder named by a hash of its inputs; a process with that folder
in PYTHONPATH runs it instead of the sources. Only Python's standard library is used here, except by
the smoke test of a build.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from background_build import build_until_parent_exits, run_background_build, start_background_build
from build_requirements import find_missing_requirement
from builds import (
    LOG,
    ROOT,
    acquire_build,
    build,
    build_lock,
    can_build_in_background,
    clear_leftovers_if_unlocked,
    is_ready,
    make_key,
)


def main(arguments: list[str]) -> int:
    """Run one command."""
    match arguments:
        case []:
            return make_native()
        case ["run" | "play" as how, *command] if command:
            run_with(find_package(builds=how == "play"), command)
        case ["background"]:
            if not os.fork():  # so that the game has no child that it knows nothing of
                run_background_build()
        case ["build"]:
            build_until_parent_exits()
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def find_package(*, builds: bool) -> Path | None:
    """Find the build of these sources; if there is none, start one in the background."""
    package = None
    with suppress(OSError, ValueError):  # without a build the sources run
        key = make_key(ROOT)
        package = acquire_build(key)
        if builds and package is not None:
            clear_leftovers_if_unlocked()
        elif builds and can_build_in_background(key):
            start_background_build()
    return package


def run_with(package: Path | None, command: list[str]) -> NoReturn:
    """Replace this process by *command*, with the *package* before the sources in PYTHONPATH."""
    environment = dict(os.environ)
    if package is not None:
        others = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([str(package), *([others] if others else [])])
    try:
        os.execvpe(command[0], command, environment)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(127)


def make_native() -> int:
    """Build the package now, unless it is there, and print the result."""
    try:
        if not is_ready(make_key(ROOT)):
            compile_now()
    except subprocess.SubprocessError:
        lines = LOG.read_text(encoding="utf-8", errors="replace").splitlines()
        print(*lines[-20:], sep="\n", file=sys.stderr)
        print("make native: compiling failed; the lines above say why", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"make native: {error}", file=sys.stderr)
        return 1
    print("Ready: make play runs what is compiled, until the sources change.")
    return 0


def compile_now() -> None:
    """Build the package, unless another process finished it while this one waited."""
    missing = find_missing_requirement()
    if missing is not None:
        raise OSError(missing)
    with build_lock(waits=True):
        if not is_ready(make_key(ROOT)):
            print("Compiling: this takes a few minutes ...", flush=True)
            build()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
