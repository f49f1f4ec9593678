"""Levels of strength for people, and how strong bots are, as data of a game."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

LEVELS = ("apprentice", "journeyman", "foreman", "headgardener")
"""The names that levels have in every game, the weakest first; above them all is `master`."""


class Level(NamedTuple):
    """How a player of one level chooses; worths are in the unit of the game's network."""

    name: str
    loss: float
    """What a choice costs it on average, as the strongest player judges it: this defines it."""

    cap: float
    """It never chooses what its network thinks so much worse than the best."""

    haste: float
    """How much it likes what pays at once: so much worth for each unit of the quick judgement."""

    simulations: int
    """How long it looks ahead; 0 if it trusts the network alone."""

    heat: float
    """A choice that promises so much less is 2.7 times less likely; fitted to the loss."""


def read_levels(package: str) -> tuple[Level, ...]:
    """Read the levels of a game from its folder, the weakest first."""
    text = (files(package) / "levels.toml").read_text(encoding="utf-8")
    return tuple(
        Level(
            name=name,
            loss=float(told["loss"]),
            cap=float(told["cap"]),
            haste=float(told["haste"]),
            simulations=int(told["simulations"]),
            heat=float(told["heat"]),
        )
        for name, told in tomllib.loads(text)["levels"].items()
    )


def read_ratings(package: str) -> Mapping[int, Mapping[str, tuple[float, float]]]:
    """Read from the folder of a game how strong its bots are, for each number of seats."""
    text = (files(package) / "ratings.toml").read_text(encoding="utf-8")
    return {
        int(seats): {bot: (float(mu), float(sigma)) for bot, (mu, sigma) in told.items()}
        for seats, told in tomllib.loads(text).items()
    }
