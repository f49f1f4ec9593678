"""A process that hatches servers: it has loaded all there is to load, so each is up at once.

Each line on its standard input is JSON with a name and settings; a server with these settings
starts in a process of its own. What becomes of it is told on the standard output:
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
from pleasance.server.base.settings import Settings
from pleasance.server.bots.local_pool import LocalCrew
from pleasance.server.serve import run_server


def say(*words: object) -> None:
    """Say something in one piece, so that what others say does not come between."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def serve(name: str, settings: dict[str, Any], watch: int) -> None:
    """Serve as `pleasance serve` does, but no longer than the nest is there."""

    def go_with_the_nest() -> None:
        os.read(watch, 1)
        os._exit(1)

    threading.Thread(target=go_with_the_nest, daemon=True).start()
    # Rules need not be compiled: simple bots use none.
    vars(app)["LocalCrew"] = partial(LocalCrew, games=())
    run_server(Settings(**settings), on_ready=lambda running: say("ready", name, running.link))


def keep(name: str, settings: dict[str, Any], watch: int) -> None:
    """Start a server and wait for its end."""
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
    """Hatch whatever is asked for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait
    watch, ours = os.pipe()
    say("open")
    for line in sys.stdin:
        wish = json.loads(line)
        if not os.fork():
            os.close(ours)  # so that only the nest holds it open
            try:
                keep(wish["name"], wish["settings"], watch)
            except BaseException:
                traceback.print_exc()  # into the log: nobody else will say why
                raise
            finally:
                os._exit(1)


if __name__ == "__main__":
    main()
