"""The check of compiled functions finds what is planted."""

from __future__ import annotations

from pathlib import Path

import check_exports
import pytest

PLANTED = {
    "a plain call": "def play(state):\n    return reach(state)\n",
    "a call through its module": "from p import kernel\n\nVALUE = kernel.reach(1)\n",
    "a value that keeps it": "RULES = (reach,)\n",
    "an assertion": "@export()\ndef play(state):\n    assert state\n    return 1\n",
    "an index from the end": "@jit\ndef play(state):\n    return state[0, -1]\n",
    "an error": "@jit\ndef play(state):\n    raise ValueError\n",
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_the_check_of_exports_finds(planted: str, tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    kernel = "from pleasance.compiled.jit import jit\n\n@jit\ndef reach(state):\n    return state\n"
    (tmp_path / "p" / "kernel.py").write_text(kernel, encoding="utf-8")
    header = "from pleasance.compiled.export import export\nfrom p.kernel import reach\n\n"
    module = tmp_path / "p" / "player.py"
    module.write_text(header + "@export()\ndef fine(state):\n    return reach(state)\n", "utf-8")
    assert not check_exports.find_faults(tmp_path)
    module.write_text(header + planted, encoding="utf-8")
    assert len(check_exports.find_faults(tmp_path)) == 1


@pytest.mark.slow
def test_the_sources_of_today_pass_the_check_of_exports() -> None:
    assert check_exports.find_faults(check_exports.SOURCES) == []
