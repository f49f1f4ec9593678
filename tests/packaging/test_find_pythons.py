"""The Pythons that the wheel is tried with: one of each version, by what it says of itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from measure_install import find_pythons


def make_program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_a_python_counts_as_the_version_that_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("python3.13t", "python3.9-config", "python3.98.exe", "python3.98"):
        make_program(tmp_path / name, "echo 3 98")
    make_program(tmp_path / "python3.12", "echo 3 99")
    make_program(tmp_path / "python3.97", "exit 1")
    make_program(tmp_path / "python3.10", "echo 3 10")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    expected = [Path(sys.executable), tmp_path / "python3.98", tmp_path / "python3.12"]
    assert find_pythons() == expected
