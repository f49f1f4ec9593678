"""A full disk during games: commands are refused, nothing is lost, play resumes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.chaos.clients import PlayerGroup, ServerList, open_client_pool
from support.chaos.request_log import RETRYABLE
from support.live_server import open_server

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a small disk, if permitted.

    It holds the write-ahead log of a whole test: space used by the database itself cannot be freed.
    """
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "none", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, check=False).returncode:
        pytest.skip("no permission to mount")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(ballast: Path) -> None:
    """Use up all the room there is."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1 << 14)):
                pass
        except OSError:
            assert shutil.disk_usage(ballast.parent).free == 0


async def test_a_full_disk_is_reported_and_loses_nothing(
    small_disk: Path, ready_file: Path
) -> None:
    shutil.copy(ready_file, small_disk / "pleasance.db")
    url = f"sqlite:///{small_disk / 'pleasance.db'}"
    ballast = small_disk / "ballast"
    groups = PlayerGroup("sakura", 3), PlayerGroup("sanssouci", 2)
    with open_server(url) as server:
        async with open_client_pool(ServerList(server.link), 7, *groups) as pool:
            for _ in range(3):
                await pool.wait_for_answers(60)
                fill(ballast)
                await pool.wait_for_refusals("storage_full", 20)
                ballast.unlink()
            await pool.wait_for_answers(60)
            await pool.finish()
            await pool.compare()
            pool.request_log.check_database(url)
            assert RETRYABLE & set(pool.request_log.codes) == {"storage_full"}
