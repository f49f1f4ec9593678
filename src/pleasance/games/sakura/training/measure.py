"""Measures the strength of the networks of Sakura: one of them at tables of other players.

    python -m pleasance.games.sakura.training.measure random,folder --tables 2,2t,6 --games 2400

The others are `random`, `greedy`, `planner` or the networks of a folder; a table is named by its
number of seats, with a `t` for the tactical variant. All games are compiled as a whole.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from pleasance.games.sakura.bots.network.storage import make_loader
from pleasance.games.sakura.rules.components import open_box
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.training.layers import NetworkVersions, stack_versions
from pleasance.games.sakura.training.selfplay import GREEDY, PLANNER, RANDOM, SelfPlayPolicy
from pleasance.games.sakura.training.selfplay_pool import TABLE_KINDS, SelfPlayPool, rows_per_thread

Wins: TypeAlias = dict[str, list[float]]
"""For each table the mean share of victory and its standard error."""

PACKAGE = "pleasance.games.sakura"
_OTHERS = {"greedy": GREEDY, "planner": PLANNER, "random": RANDOM}
_TABLES = {f"{seats}{'t' * box}": (box, seats) for box, seats in TABLE_KINDS}
_Z_95 = 1.96
"""Standard errors to each side of a mean that hold 95 %."""


def measure(
    pool: SelfPlayPool,
    versions: NetworkVersions,
    games: int,
    *,
    worlds: int,
    frozen: int | None = None,
) -> Wins:
    """Measure what the newest network wins at tables of simpler players, or against a frozen one.

    It searches *worlds* worlds and always takes the best choice. A table is named by the
    opponents' kind and the number of seats, with a `t` for the tactical variant.
    """
    tables = [(name, kind, table) for name, kind in _OTHERS.items() for table in _TABLES]
    if frozen is not None:
        tables = [("frozen", frozen, "2")]
    return {
        f"{name} {table}": measure_table(
            pool, versions, games, kind=kind, table=table, worlds=worlds
        )
        for name, kind, table in tables
    }


def measure_table(
    pool: SelfPlayPool, versions: NetworkVersions, games: int, *, kind: int, table: str, worlds: int
) -> list[float]:
    """Measure what the newest network wins at one table, and the standard error of that."""
    policy = SelfPlayPolicy(worlds, 0.0, 0.0, 1.0)
    won = pool.play_against((*_TABLES[table], kind), games, versions, policy)
    error = float(won.std()) / max(1, len(won)) ** 0.5
    return [round(float(won.mean()), 4), round(error, 4)]


def load_versions(folders: Sequence[Path | None]) -> NetworkVersions:
    """Load the networks of some folders as versions; `None` is those that ship."""
    box = open_box(PACKAGE, (), None)
    nets = [make_loader(folder)(box) for folder in folders]
    return stack_versions(nets)


def main(arguments: list[str] | None = None) -> None:
    """Measure networks at some tables and print a line about each."""
    parser = argparse.ArgumentParser(prog="python -m pleasance.games.sakura.training.measure")
    parser.add_argument("others", help="random, greedy, planner or a folder; or several")
    parser.add_argument("--tables", default=",".join(_TABLES))
    parser.add_argument("--worlds", type=int, default=128)
    parser.add_argument("--games", type=int, default=2400)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    names, tables = given.others.split(","), given.tables.split(",")
    if unknown := [name for name in names if name not in _OTHERS and not Path(name).is_dir()]:
        parser.error(f"no such players and no such folder: {unknown[0]}")
    if unknown_tables := [table for table in tables if table not in _TABLES]:
        parser.error(f"no such table: {unknown_tables[0]}; there are {', '.join(_TABLES)}")
    boxes = [open_box(PACKAGE, options, None) for options in ((), (TACTICAL,))]
    pool = SelfPlayPool(boxes, given.threads, rows_per_thread(given.games, given.threads))
    for name in names:
        is_network = name not in _OTHERS
        versions = load_versions((None, Path(name)) if is_network else (None,))
        kind = 1 if is_network else _OTHERS[name]
        for table in tables:
            share, error = measure_table(
                pool, versions, given.games, kind=kind, table=table, worlds=given.worlds
            )
            interval = f"{100 * share:.1f} ± {100 * _Z_95 * error:.1f} %"
            sys.stdout.write(f"{name} {table}: {interval} of {given.games} games\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
