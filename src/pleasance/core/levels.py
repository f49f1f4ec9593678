"""Levels of strength for people, and how strong bots are, as data of a game."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

LEVELS = ("apprentice", "journeyman", "foreman", "headgardener")
"""The levels of every game, the weakest first; `master` stands above them."""


class Level(NamedTuple):
    """The settings of one level; values are in the unit of the game's network."""

    name: str
    loss: float
    """The mean loss of its choices by the strongest player's values: this defines the level."""

    max_loss: float
    """The largest loss of a choice by its network; it never makes a worse one."""

    immediate_weight: float
    """The value added for each unit of the immediate gain."""

    simulations: int
    """The simulations of its search; 0 if it uses the network alone."""

    temperature: float
    """The temperature of its softmax, fitted to the loss."""


def read_levels(package: str) -> tuple[Level, ...]:
    """Load the levels of a game from its folder, the weakest first."""
    text = (files(package) / "levels.toml").read_text(encoding="utf-8")
    return tuple(
        Level(
            name=name,
            loss=float(entry["loss"]),
            max_loss=float(entry["max_loss"]),
            immediate_weight=float(entry["immediate_weight"]),
            simulations=int(entry["simulations"]),
            temperature=float(entry["temperature"]),
        )
        for name, entry in tomllib.loads(text)["levels"].items()
    )


def read_ratings(package: str) -> Mapping[int, Mapping[str, tuple[float, float]]]:
    """Load the measured ratings of a game's bots, for each number of seats."""
    text = (files(package) / "ratings.toml").read_text(encoding="utf-8")
    return {
        int(seats): {bot: (float(mu), float(sigma)) for bot, (mu, sigma) in entry.items()}
        for seats, entry in tomllib.loads(text).items()
    }
