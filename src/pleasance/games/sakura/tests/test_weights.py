"""The networks that ship are those that the report beside them tells about, and small."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files

from pleasance.games.sakura import GAME

FOLDER = files("pleasance.games.sakura") / "weights"
MOST_BYTES = 300 * 1024


def test_the_report_knows_the_networks_beside_it() -> None:
    report = json.loads((FOLDER / "training.json").read_text(encoding="utf-8"))
    assert report["rules_version"] == GAME.spec.rules_version
    assert set(report["sha256"]) == {"value.npz", "policy.npz"}
    for name, told in report["sha256"].items():
        data = (FOLDER / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == told
        assert len(data) <= MOST_BYTES
