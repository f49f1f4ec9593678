"""What a search can find that Sanssouci's network does not know, and how soon.

    python -m pleasance.games.sanssouci.training.search_gain --seconds 240 --threads 16
    python -m pleasance.games.sanssouci.training.search_gain --seconds 240 --threads 16 --search 32

In positions of games for two the best turns by the network are tried in imagined worlds, as
`master` does, but all of them in many worlds, until their player has had one, two and three turns
more. Whoever chooses by some of these worlds is judged by others: what is told is how much a turn
that wins over the network's choice, if everybody then plays on by the network. Leads are rated as
`master` rates them: a point counts 1.1 where both are level, and less where the game is decided.

What a player wins in a whole game over the network's own play adds up from what its turns win over
the network's choice, in the positions that this player comes to; `game` adds it up, as chances of
victory, in percent. With `--search` these are positions of a player who chooses by trials, with the
network as rival. `most` is what the best turn by all worlds together wins by them: too much, since
it was chosen by the luck that judges it, so that by these trials no choice among the tried turns
can win more.
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

from pleasance.compiled.rng import make_luck
from pleasance.core.game import Seat
from pleasance.games.sanssouci.bots.network.lookahead import rate_lead, spread_leads, try_turns
from pleasance.games.sanssouci.bots.network.model import choose_turn, make_bureau
from pleasance.games.sanssouci.bots.network.player import AHEAD, FIELD, PRIOR, load_net, rank_turns
from pleasance.games.sanssouci.bots.planner.rollout import carry_out
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.packing import hide, house_box
from pleasance.games.sanssouci.kernel.rules import OVER, ROUNDS, TAKE
from pleasance.games.sanssouci.kernel.setup import draw, start

LOOKS = (1, 2, 3)
"""Own turns that are played before the network judges."""

FEWEST = 8
"""Half of the worlds choose, the others judge; fewer tell nothing."""

SEATS = 2
PART = 0.2
"""So many of all positions are looked at."""


class Trials(NamedTuple):
    """What came of the best few turns of one position."""

    promised: Any
    """By the network `[turn]`, the best first."""

    tried: Any
    """For each look, world by world `[look, world, turn]`."""

    chances: Any
    """The same as chances of victory."""

    rows: Any
    """The turns themselves, as rows of afterstates."""


def walk(seed: str, search: int) -> Iterator[Any]:
    """Let the network play against itself for ever, and show some of the positions.

    If *search*, the first seat tries its best turns in so many worlds, and only its positions are
    shown.
    """
    bureau, box = make_bureau(load_net()), house_box(())
    luck, rng = make_luck(seed), np.random.default_rng(list(seed.encode()))
    state = np.zeros(at.SIZE, dtype=np.int64)
    while True:
        start(box, state, SEATS)
        while state[at.PHASE] != OVER:
            if state[at.PHASE] != TAKE:
                draw(box, state, luck)
                continue
            is_searching = search > 0 and state[at.ACTOR] == 0
            is_shown = is_searching or not search
            if is_shown and rng.random() < PART:
                yield state.copy()
            row = bureau.rows[choose_turn(box, state, bureau, 1.0)]
            if is_searching and (trials := try_all(state, search, str(luck[0]), looks=(AHEAD,))):
                row = trials.rows[choose(trials, 0, search)]
            carry_out(box, state, row)


def choose(trials: Trials, look: int, worlds: int) -> int:
    """Find the best turn by what the network promised and the first so many worlds of a look."""
    totals = PRIOR * trials.promised + trials.tried[look, :worlds].sum(axis=0)
    return int(totals.argmax())


def try_all(
    position: Any, worlds: int, seed: str, *, looks: tuple[int, ...] = LOOKS
) -> Trials | None:
    """Try the best turns of a position in so many worlds a look; None if there is only one."""
    bureau, box = make_bureau(load_net()), house_box(())
    root = hide(position, Seat(position[at.ACTOR]))
    turns, leads, best = rank_turns(box, root, bureau)
    picked = np.array(best, dtype=np.int64)
    if len(picked) == 1:
        return None
    left = int(ROUNDS - 1 - root[at.TURNS] // SEATS)
    promised = np.array([rate_lead(float(lead), left) for lead in leads[picked]])
    room, luck = np.empty((2, at.SIZE), dtype=np.int64), make_luck(seed)
    tried, chances = np.zeros((2, len(looks), worlds, len(picked)))
    for look, ahead in enumerate(looks):
        for world in range(worlds):
            totals = np.zeros(len(turns))
            try_turns(box, root, turns, picked, len(picked), bureau, ahead, luck, room, totals)
            tried[look, world] = totals[picked]
        chances[look] = to_chances(tried[look], max(left - ahead, 0))
    return Trials(promised, tried, chances, turns[picked])


def to_chances(rated: Any, left: int) -> Any:
    """Tell the chances of victory that belong to rated leads with so many own turns left."""
    leads = np.arange(-200.0, 200.25, 0.25)
    found = np.interp(rated, [rate_lead(lead, left) for lead in leads.tolist()], leads)
    if left == 0:  # the game is over
        return (np.sign(found) + 1) / 2
    return 1 / (1 + np.exp(-found / spread_leads(left)))


def collect(
    seconds: float, threads: int, *, worlds: int, seed: int, search: int = 0
) -> list[Trials]:
    """Look at positions on all threads until the time is up; at one of each thread at least."""
    end = perf_counter() + seconds

    def look(thread: int) -> list[Trials]:
        found: list[Trials] = []
        for number, root in enumerate(walk(f"{seed}:{thread}", search)):
            if found and perf_counter() > end:
                break
            trials = try_all(root, worlds, f"{seed}:{thread}:{number}")
            found += [trials] if trials else []
        return found

    with ThreadPoolExecutor(threads) as pool:
        return [trials for part in pool.map(look, range(threads)) for trials in part]


def judge(trials: Trials, first: int) -> Any:
    """Tell what each turn came to in the worlds from *first* on: rated, and in chances `[2, turn]`.

    One own turn ahead is too near to judge by.
    """
    both = (trials.tried, trials.chances)
    return np.stack([came[1:, first:].mean(axis=(0, 1)) for came in both])


def weigh(trials: Trials, look: int, worlds: int) -> Any:
    """Tell what choosing by the first so many worlds wins, judged by the second half: `[2]`."""
    judged = judge(trials, trials.tried.shape[1] // 2)
    return judged[:, choose(trials, look, worlds)] - judged[:, 0]


def weigh_most(trials: Trials) -> Any:
    """Tell what the best turn by all worlds wins, judged by the same: `[2]`."""
    judged = judge(trials, 0)
    return judged.max(axis=1) - judged[:, 0]


def tell(found: list[Trials]) -> Iterator[dict[str, Any]]:
    """Tell for each look and number of worlds what it wins, with 95 % intervals."""
    most = found[0].tried.shape[1] // 2
    for look, ahead in enumerate(LOOKS):
        for worlds in (2**power for power in range(2, most.bit_length())):
            gains = [weigh(trials, look, worlds) for trials in found]
            yield {"ahead": ahead, "worlds": worlds, **_sum_up("gain", gains)}
    yield _sum_up("most", [weigh_most(trials) for trials in found])


def _sum_up(name: str, gains: list[Any]) -> dict[str, Any]:
    """Tell the mean of what is won in a turn, and in percent of victories in a whole game."""
    mean, spread = np.mean(gains, axis=0), 1.96 * np.std(gains, axis=0) / len(gains) ** 0.5
    return {
        name: round(float(mean[0]), 3),
        "spread": round(float(spread[0]), 3),
        "game": round(float(100 * ROUNDS * mean[1]), 1),
        "game_spread": round(float(100 * ROUNDS * spread[1]), 1),
        "positions": len(gains),
    }


def main(arguments: list[str] | None = None) -> None:
    """Collect and tell, one JSON object a line."""
    parser = argparse.ArgumentParser(description=f"Try the best {FIELD} turns of many positions.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--search", type=int, default=0, help="worlds of who chooses by trials")
    given = parser.parse_args(arguments)
    if given.threads < 1 or given.worlds < FEWEST or given.search < 0:
        parser.error(
            f"at least 1 thread and {FEWEST} worlds are needed, and no fewer than 0 to search by"
        )
    found = collect(
        given.seconds, given.threads, worlds=given.worlds, seed=given.seed, search=given.search
    )
    for line in tell(found):
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
