"""The gain of search over the value network's own choice, by rollout length and worlds.

    python -m pleasance.games.sanssouci.training.search_gain --seconds 240 --threads 16
    python -m pleasance.games.sanssouci.training.search_gain --seconds 240 --threads 16 --search 32

In positions of games for two the best turns by the network are simulated in determinized worlds, as
`master` does, but all of them in many worlds, until their player has had one, two and three more
turns. A choice by some of these worlds is evaluated by others: its gain is the value of a turn over
the network's choice, if all then play by the network. Leads are valued as `master` values them: a
point counts 1.1 where both are level, and less where the game is decided.

The gain of a player in a whole game is the sum of the gains of its turns, in the positions that
this player reaches; `game` is this sum as a probability of victory, in percent. With `--search`
these are positions of a player who searches, with the network as rival. `most` is the gain of the
best turn by all worlds, evaluated by the same worlds: an upper bound for every choice among the
simulated turns.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from pleasance.compiled.rng import make_rng_state
from pleasance.games.sanssouci.bots.network.model import choose_turn
from pleasance.games.sanssouci.bots.network.search import (
    MAX_CANDIDATES,
    PRIOR_WORLDS,
    ROLLOUT_TURNS,
    lead_swing,
    lead_value,
    make_search_workspace,
    rank_turns,
    select_candidates,
    simulate_turns,
)
from pleasance.games.sanssouci.bots.network.storage import load_net
from pleasance.games.sanssouci.bots.network.workspace import make_net_workspace
from pleasance.games.sanssouci.bots.planner.rollout import play_afterstate
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.packing import house_constants
from pleasance.games.sanssouci.kernel.playout import draw
from pleasance.games.sanssouci.kernel.setup import start
from pleasance.games.sanssouci.kernel.view import view

HORIZONS = (1, 2, 3)
"""Own turns that a rollout plays before the network evaluates."""

MIN_WORLDS = 8
"""Half of the worlds choose, the others evaluate; fewer are not enough."""

SEATS = 2
SAMPLE_SHARE = 0.2
"""Share of the positions that is sampled."""


class Simulations(NamedTuple):
    """The simulated values of the best few turns of one position."""

    prior: Any
    """The values by the network `[turn]`, the best first."""

    values: Any
    """The values by simulation `[horizon, world, turn]`."""

    victories: Any
    """The same as probabilities of victory."""

    rows: Any
    """The turns themselves, as rows of afterstates."""


def sample_positions(seed: str, search: int) -> Iterator[Any]:
    """Yield a sample of the positions of endless self-play.

    With *search*, the first seat simulates its best turns in that number of worlds, and only its
    positions are yielded.
    """
    constants = house_constants(())
    workspace = make_net_workspace(load_net(), constants)
    rng_state, rng = make_rng_state(seed), np.random.default_rng(list(seed.encode()))
    state = np.zeros(at.SIZE, dtype=np.int64)
    while True:
        start(constants, state, SEATS)
        while state[at.PHASE] != at.OVER:
            if state[at.PHASE] != at.TAKE:
                draw(constants, state, rng_state)
                continue
            is_searching = search > 0 and state[at.ACTOR] == 0
            is_sampled = is_searching or not search
            if is_sampled and rng.random() < SAMPLE_SHARE:
                yield state.copy()
            row = workspace.rows[choose_turn(state, workspace, 1.0)]
            if is_searching and (
                simulations := simulate_all(
                    state, search, str(rng_state[0]), horizons=(ROLLOUT_TURNS,)
                )
            ):
                row = simulations.rows[choose_simulated(simulations, 0, search)]
            play_afterstate(constants, state, row)


def choose_simulated(simulations: Simulations, horizon: int, worlds: int) -> int:
    """Find the best turn by the network's prior and the first *worlds* worlds of a horizon."""
    totals = PRIOR_WORLDS * simulations.prior + simulations.values[horizon, :worlds].sum(axis=0)
    return int(totals.argmax())


def simulate_all(
    position: Any, worlds: int, seed: str, *, horizons: tuple[int, ...] = HORIZONS
) -> Simulations | None:
    """Simulate the best turns of a position in *worlds* worlds a horizon; None if there is one."""
    root = np.empty_like(position)
    view(position, position[at.ACTOR], root)
    search = make_search_workspace(load_net(), house_constants(()), root)
    candidates = search.candidates[: select_candidates(search, rank_turns(search))]
    if len(candidates) == 1:
        return None
    left = int(at.ROUNDS - 1 - root[at.TURNS] // SEATS)
    prior = np.array([lead_value(search.ranked.values[turn], left) for turn in candidates])
    values, victories = np.zeros((2, len(horizons), worlds, len(candidates)))
    rng_state = make_rng_state(seed)
    for horizon, length in enumerate(horizons):
        for world in range(worlds):
            for turn in candidates:
                search.totals[turn] = 0.0
            simulate_turns(search, len(candidates), length, rng_state)
            values[horizon, world] = [search.totals[turn] for turn in candidates]
        victories[horizon] = victory_chances(values[horizon], max(left - length, 0))
    return Simulations(prior, values, victories, np.array(search.ranked.rows)[candidates])


def victory_chances(rated: Any, left: int) -> Any:
    """Turn lead values with *left* own turns to go into probabilities of victory."""
    leads = np.arange(-200.0, 200.25, 0.25)
    found = np.interp(rated, [lead_value(lead, left) for lead in leads.tolist()], leads)
    if left == 0:  # the game is over
        return (np.sign(found) + 1) / 2
    return 1 / (1 + np.exp(-found / lead_swing(left)))


def collect(
    seconds: float, threads: int, *, worlds: int, seed: int, search: int = 0
) -> list[Simulations]:
    """Simulate positions on all threads until the time is up, at least one on each."""
    end = perf_counter() + seconds

    def simulate(thread: int) -> list[Simulations]:
        found: list[Simulations] = []
        for number, root in enumerate(sample_positions(f"{seed}:{thread}", search)):
            if found and perf_counter() > end:
                break
            simulations = simulate_all(root, worlds, f"{seed}:{thread}:{number}")
            found += [simulations] if simulations else []
        return found

    with ThreadPoolExecutor(threads) as pool:
        return [simulations for part in pool.map(simulate, range(threads)) for simulations in part]


def simulated_values(simulations: Simulations, first: int) -> Any:
    """Average each turn over the worlds from *first* on: values and probabilities `[2, turn]`.

    The shortest horizon is left out: it says too little.
    """
    both = (simulations.values, simulations.victories)
    return np.stack([each[1:, first:].mean(axis=(0, 1)) for each in both])


def search_gain(simulations: Simulations, horizon: int, worlds: int) -> Any:
    """Compute the gain of a choice by the first *worlds* worlds in the second half: `[2]`."""
    averages = simulated_values(simulations, simulations.values.shape[1] // 2)
    return averages[:, choose_simulated(simulations, horizon, worlds)] - averages[:, 0]


def max_gain(simulations: Simulations) -> Any:
    """Compute the gain of the best turn by all worlds in the same worlds: `[2]`."""
    averages = simulated_values(simulations, 0)
    return averages.max(axis=1) - averages[:, 0]


def summarize(simulated: list[Simulations]) -> Iterator[dict[str, Any]]:
    """Summarize the gain of each horizon and number of worlds, with 95 % intervals."""
    half = simulated[0].values.shape[1] // 2
    for horizon, ahead in enumerate(HORIZONS):
        for worlds in (2**power for power in range(2, half.bit_length())):
            gains = [search_gain(simulations, horizon, worlds) for simulations in simulated]
            yield {"ahead": ahead, "worlds": worlds, **_mean_gain("gain", gains)}
    yield _mean_gain("most", [max_gain(simulations) for simulations in simulated])


def _mean_gain(name: str, gains: list[Any]) -> dict[str, Any]:
    """Average the gain of a turn, and of a whole game in percent of victories."""
    mean, spread = np.mean(gains, axis=0), 1.96 * np.std(gains, axis=0) / len(gains) ** 0.5
    return {
        name: round(float(mean[0]), 3),
        "spread": round(float(spread[0]), 3),
        "game": round(float(100 * at.ROUNDS * mean[1]), 1),
        "game_spread": round(float(100 * at.ROUNDS * spread[1]), 1),
        "positions": len(gains),
    }


def main(arguments: list[str] | None = None) -> None:
    """Collect and print, one JSON object a line."""
    parser = argparse.ArgumentParser(
        description=f"Simulate the best {MAX_CANDIDATES} turns of many positions."
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--search", type=int, default=0, help="worlds of the player that searches")
    given = parser.parse_args(arguments)
    if given.threads < 1 or given.worlds < MIN_WORLDS or given.search < 0:
        parser.error(
            f"at least 1 thread and {MIN_WORLDS} worlds are needed; --search is not negative"
        )
    found = collect(
        given.seconds, given.threads, worlds=given.worlds, seed=given.seed, search=given.search
    )
    for line in summarize(found):
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
