"""Real processes for tests: started, listened to, stopped, never left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from commands import heed_ctrl_c

COMMAND = (sys.executable, "-c", "from pleasance.cli import main; main()")


@contextmanager
def started(
    command: Sequence[str], home: Path, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a home of its own; end it, should it still run."""
    # The path too: the process shall run the same program as the test.
    names = ("PATH", "HOME", "TMPDIR", "PYTHONPATH")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    with (
        TemporaryFile("w+", encoding="utf-8") as errors,  # a pipe might fill up and hold it up
        subprocess.Popen(
            command,
            env={**kept, "PLEASANCE_HOME": str(home), "PLEASANCE_LANGUAGE": "en", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            preexec_fn=heed_ctrl_c,  # noqa: PLW1509  (it calls nothing but one function of the system)
        ) as process,
    ):
        process.stderr = errors
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def read_until(process: subprocess.Popen[str], word: str) -> str:
    """Read what a process prints up to the line that contains *word*; give this line."""
    assert process.stdout
    seen = []
    for line in process.stdout:
        seen.append(line)
        if word in line:
            return line.rstrip("\n")
    raise AssertionError(f"no {word} in {''.join(seen)}; {_read_errors(process)}")


def finish(process: subprocess.Popen[str], number: int | None = None) -> tuple[int, str, str]:
    """Send a signal, if any, and wait for the end; give the status and what was said."""
    if number is not None:
        process.send_signal(number)
    assert process.stdout
    out = process.stdout.read()
    process.wait(timeout=60)
    return process.returncode, out, _read_errors(process)


def _read_errors(process: subprocess.Popen[str]) -> str:
    assert process.stderr
    process.stderr.seek(0)
    return process.stderr.read()
