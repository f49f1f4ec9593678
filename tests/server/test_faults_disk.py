"""The disk gets full while people play: they are told so, nothing is lost, and it goes on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.casino import Doors, Party, open_casino
from server.house import open_house
from server.ledger import UNDECIDED

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a small disk, where that is allowed.

    All that is written ahead in a whole test fits on it: what the database itself has used up,
    nobody could make free.
    """
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "none", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, check=False).returncode:
        pytest.skip("only who may mount can have a small disk")
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


async def test_a_full_disk_is_told_and_loses_nothing(small_disk: Path, ready_file: Path) -> None:
    shutil.copy(ready_file, small_disk / "pleasance.db")
    url = f"sqlite:///{small_disk / 'pleasance.db'}"
    ballast = small_disk / "ballast"
    parties = Party("sakura", 3), Party("sanssouci", 2)
    with open_house(url) as house:
        async with open_casino(Doors(house.link), 7, *parties) as casino:
            for _ in range(3):
                await casino.wait_for_answers(60)
                fill(ballast)
                await casino.wait_for_refusals("storage_full", 20)
                ballast.unlink()
            await casino.wait_for_answers(60)
            await casino.finish()
            await casino.compare()
            casino.ledger.check(url)
            assert UNDECIDED & set(casino.ledger.codes) == {"storage_full"}
