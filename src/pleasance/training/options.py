"""The command-line arguments of training scripts: settings, output folder, initial weights."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar


class SettingsRecord(Protocol):
    """A dataclass whose fields all have defaults of simple types."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


DEVICES = ("auto", "cpu", "cuda")
"""The values of `--device`."""

S = TypeVar("S", bound=SettingsRecord)


class RunPaths(NamedTuple):
    """The output folder of a run and its initial weights."""

    out: Path
    start: Path | None


def parse_arguments(defaults: S, arguments: Sequence[str] | None) -> tuple[S, RunPaths]:
    """Parse the arguments of a script; missing settings keep their *defaults*."""
    parser = argparse.ArgumentParser(prog=f"python -m {type(defaults).__module__}")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="go on from these weights")
    for field, value in asdict(defaults).items():
        parser.add_argument(f"--{field.replace('_', '-')}", type=type(value), default=value)
    given = vars(parser.parse_args(arguments))
    if "device" in given:
        check_device(parser, given["device"])
    paths = RunPaths(given.pop("out"), given.pop("start"))
    return type(defaults)(**given), paths


def check_device(parser: argparse.ArgumentParser, device: str) -> None:
    """Refuse a device that is unknown, or that needs PyTorch where it is not installed."""
    if device not in DEVICES:
        parser.error(f"--device must be one of {', '.join(DEVICES)}")
    if device == "cuda" and find_spec("torch") is None:
        parser.error("--device cuda needs PyTorch: pip install torch")
