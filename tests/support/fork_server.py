"""A fork server: it has imported everything, so each server it forks is up at once.

Each line on its standard input is JSON with a name and settings; a server with these settings
starts in a process of its own. The standard output reports each process:
`child NAME PID`, `ready NAME LINK`, `gone NAME STATUS`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import traceback
from functools import partial
from typing import Any

from pleasance.server import app
from pleasance.server.base.settings import ServerSettings
from pleasance.server.bots.local_pool import LocalBotPool
from pleasance.server.serve import run_server


def say(*words: object) -> None:
    """Print a line in one write, so that lines of other processes do not mix with it."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def serve(name: str, settings: dict[str, Any], watch: int) -> None:
    """Serve as `pleasance serve` does, until the fork server ends."""

    def exit_with_fork_server() -> None:
        os.read(watch, 1)
        os._exit(1)

    threading.Thread(target=exit_with_fork_server, daemon=True).start()
    # Rules need not be compiled: simple bots use none.
    vars(app)["LocalBotPool"] = partial(LocalBotPool, games=())
    run_server(ServerSettings(**settings), on_ready=lambda run: say("ready", name, run.link))


def supervise(name: str, settings: dict[str, Any], watch: int) -> None:
    """Fork a server and wait for its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if not child:
        serve(name, settings, watch)
        os._exit(0)
    say("child", name, child)
    _, status = os.waitpid(child, 0)
    say("gone", name, os.waitstatus_to_exitcode(status))
    os._exit(0)


def main() -> None:
    """Fork a server for each line of the standard input."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # its children are not waited for
    watch, ours = os.pipe()
    say("open")
    for line in sys.stdin:
        request = json.loads(line)
        if not os.fork():
            os.close(ours)  # only the fork server may hold it open
            try:
                supervise(request["name"], request["settings"], watch)
            except BaseException:
                traceback.print_exc()  # into the log: no other process reports it
                raise
            finally:
                os._exit(1)


if __name__ == "__main__":
    main()
