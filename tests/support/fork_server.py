"""A fork server: it has imported everything, so each server it forks is up at once.

Each line on its standard input is JSON with a name and settings; it forks a server with these
settings. The standard output reports each process: `child NAME PID`, `ready NAME LINK`,
`gone NAME STATUS`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import traceback
from typing import Any

import pleasance.server.app  # noqa: F401  (imported once for all servers)
from pleasance.server.base.settings import ServerSettings
from pleasance.server.serve import run_server


def print_line(*words: object) -> None:
    """Print a line in one write, which lines of other processes cannot interrupt."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def serve(name: str, settings: dict[str, Any], read_end: int) -> None:
    """Serve as `pleasance serve` does, until the fork server ends and *read_end* closes."""

    def exit_with_fork_server() -> None:
        os.read(read_end, 1)
        os._exit(1)

    threading.Thread(target=exit_with_fork_server, daemon=True).start()
    run_server(ServerSettings(**settings), on_ready=lambda run: print_line("ready", name, run.link))


def supervise(name: str, settings: dict[str, Any], read_end: int) -> None:
    """Fork a server and wait for its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if not child:
        serve(name, settings, read_end)
        os._exit(0)
    print_line("child", name, child)
    _, status = os.waitpid(child, 0)
    print_line("gone", name, os.waitstatus_to_exitcode(status))
    os._exit(0)


def main() -> None:
    """Fork a server for each line of the standard input."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing waits for its children
    read_end, write_end = os.pipe()
    print_line("open")
    for line in sys.stdin:
        request = json.loads(line)
        if not os.fork():
            os.close(write_end)  # only the fork server may hold it open
            try:
                supervise(request["name"], request["settings"], read_end)
            except BaseException:
                traceback.print_exc()  # no other process reports it
                raise
            finally:
                os._exit(1)


if __name__ == "__main__":
    main()
