"""OpenSpiel's own tree searches as players: a yardstick that we did not write.

A game is shown to OpenSpiel as one of its own: seats that choose at the same time do so one after
the other without seeing what the others chose, and draws are chance nodes. What a seat knows is its
view, as everywhere. Positions below the root are played by the rules; from where a search leaves
its tree it plays on at random to the end, on the compiled twin where there is one, so that it gets
many more simulations than with OpenSpiel's own playouts.

Source: https://github.com/google-deepmind/open_spiel, `python/algorithms/ismcts.py` and `mcts.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from pleasance.compiled.kernel import Kernel
from pleasance.core.budget import Thinking
from pleasance.core.game import AnyGame, AnyView, Choose, Draw, Over, Seat, Turn
from pleasance.core.playout import Player
from pleasance.players.budget import parse_budget

CURIOSITY = 1.4
"""How much is tried that has seldom been tried; returns lie between -1 and 1."""

_IN_WORLD = 100
"""Simulations of plain tree search in one imagined world."""

_LEAST = 2
"""Before so many simulations the tree has nothing to say."""

_LONGEST = 10_000
"""No game has so many choices and draws."""


class TimeUpError(Exception):
    """End a search whose time is up."""


class Moment:
    """A position, and what seats have chosen that nobody else has seen yet."""

    __slots__ = ("chosen", "state")

    def __init__(self, state: Any, chosen: tuple[Any, ...] = ()) -> None:
        self.state = state
        self.chosen = chosen

    def __deepcopy__(self, _: object) -> Moment:
        return self  # it never changes


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """One of our games for so many seats, as OpenSpiel knows games."""

    def __init__(self, game: AnyGame, seats: int, first: int = 0) -> None:
        kind = pyspiel.GameType(
            short_name=f"pleasance_{game.spec.name}",
            long_name=game.spec.name,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=game.spec.seats[-1],
            min_num_players=game.spec.seats[0],
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
        )
        facts = pyspiel.GameInfo(
            num_distinct_actions=len(game.space),
            max_chance_outcomes=len(game.draws),
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(kind, facts, {})
        self.rules = game
        self.seats = seats
        self.first = first
        """Who is asked first where several choose at the same time."""

    def new_initial_state(self) -> SpielState:
        """Begin a game."""
        return SpielState(self, Moment(self.rules.start(self.seats)))

    def imagine(self, view: AnyView[Any], rng: Random) -> SpielState:
        """Make a position that looks like *view*, dealing at random what it does not tell."""
        return SpielState(self, Moment(self.rules.imagine(view, rng)))


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A position of one of our games, as OpenSpiel knows positions."""

    def __init__(self, game: SpielGame, moment: Moment) -> None:
        super().__init__(game)
        self.game = game
        self.moment = moment

    def clone(self) -> SpielState:
        """Copy the position; only who goes on from it needs one of their own."""
        return SpielState(self.game, self.moment)

    @property
    def turn(self) -> Turn:
        """Tell what happens next."""
        turn: Turn = self.game.rules.turn(self.moment.state)
        return turn

    def current_player(self) -> int:
        """Name the seat that is asked now."""
        turn = self.turn
        if isinstance(turn, Over):
            return int(pyspiel.PlayerId.TERMINAL)
        if isinstance(turn, Draw):
            return int(pyspiel.PlayerId.CHANCE)
        return self._order(turn)[len(self.moment.chosen)]

    def _order(self, turn: Choose) -> tuple[Seat, ...]:
        """Put those who choose at the same time in the order in which they are asked."""
        first = self.game.first
        return tuple(sorted(turn.seats, key=lambda seat: (seat - first) % self.game.seats))

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return isinstance(self.turn, Over)

    def is_chance_node(self) -> bool:
        """Tell whether a draw is due."""
        return isinstance(self.turn, Draw)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """List the codes of what may be chosen or drawn."""
        if self.is_chance_node():
            return [code for code, _ in self.chance_outcomes()]
        seat = Seat(self.current_player() if player is None else player)
        rules = self.game.rules
        return [rules.space.code(choice) for choice in rules.legal(self.moment.state, seat)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List what the draw can bring, and how likely."""
        rules = self.game.rules
        chances = rules.chances(self.moment.state)
        total = sum(weight for _, weight in chances)
        return [(rules.draws.code(outcome), weight / total) for outcome, weight in chances]

    def apply_action(self, action: int) -> None:
        """Carry out a draw, or a choice; where several choose it waits for all of them."""
        rules, (state, chosen) = self.game.rules, (self.moment.state, self.moment.chosen)
        turn = self.turn
        if isinstance(turn, Draw):
            self.moment = Moment(rules.reveal(state, rules.draws.actions[action]))
            return
        assert isinstance(turn, Choose), "nobody chooses any more"
        chosen += (rules.space.actions[action],)
        if len(chosen) < len(turn.seats):
            self.moment = Moment(state, chosen)
            return
        found = dict(zip(self._order(turn), chosen, strict=True))
        self.moment = Moment(rules.play(state, [found[seat] for seat in turn.seats]))

    def information_state_string(self, player: int | None = None) -> str:
        """Tell what a seat knows, as a number that only equal views share."""
        seat = Seat(self.current_player() if player is None else player)
        return str(hash(self.game.rules.view(self.moment.state, seat)))

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Deal anew what a seat does not know, what others have chosen included."""
        rng = Random(sampler())
        world = self.game.imagine(self.game.rules.view(self.moment.state, Seat(player)), rng)
        for _ in self.moment.chosen:
            world.apply_action(rng.choice(world.legal_actions()))
        return world

    def returns(self) -> list[float]:
        """Tell what each seat has won: 1 for all of the victory, together nothing."""
        winners = self.game.rules.winners(self.moment.state)
        shares = [(seat in winners) / len(winners) for seat in range(self.game.seats)]
        return _to_returns(shares)

    def __str__(self) -> str:
        return f"{self.moment.state} {self.moment.chosen}"


class Rollouts(mcts.Evaluator):  # type: ignore[misc]  # open_spiel has no types
    """Plays to the end at random, and takes all choices for equally good."""

    def __init__(self, kernel: Kernel | None, rng: Random) -> None:
        self._kernel = kernel
        self._rng = rng
        self._luck = np.array([rng.getrandbits(64) or 1], dtype=np.uint64)
        self._shares = np.zeros(8, dtype=np.float64)

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """Weigh choices alike, and draws as they are weighed."""
        if state.is_chance_node():
            return state.chance_outcomes()
        codes = state.legal_actions()
        return [(code, 1 / len(codes)) for code in codes]

    def evaluate(self, state: SpielState) -> Any:
        """Play one game to its end."""
        state = state.clone()
        while not state.is_terminal() and (self._kernel is None or state.moment.chosen):
            codes, weights = zip(*self.prior(state), strict=True)
            state.apply_action(self._rng.choices(codes, weights)[0])
        if self._kernel is None or state.is_terminal():
            return np.array(state.returns())
        flat, steps = self._kernel.pack(state.moment.state), self._kernel.steps
        steps.playout(self._kernel.box, flat, self._luck)
        steps.shares(self._kernel.box, flat, self._shares)
        return np.array(_to_returns(self._shares[: state.game.seats].tolist()))


def _to_returns(shares: list[float]) -> list[float]:
    """Turn shares of one victory into returns whose sum is nothing."""
    seats = len(shares)
    return [(seats * share - 1) / (seats - 1) for share in shares]


def find_openspiel(name: str, budget: str, game: AnyGame) -> Player[Any, Any]:
    """Find a search of OpenSpiel by its name."""
    limit, search = parse_budget(budget), _SEARCHES[name]
    kernel = game.kernel() if game.kernel is not None else None
    assert kernel is None or isinstance(kernel, Kernel), kernel

    def choose(view: AnyView[Any], rng: Random) -> Any:
        assert view.seat is not None, "spectators do not choose"
        if len(view.legal) == 1:
            return view.legal[0]
        spiel = SpielGame(game, view.seats, first=view.seat)
        code = search(spiel, view, limit, rng=rng, rollouts=Rollouts(kernel, rng))
        return game.space.actions[code]

    return choose


def _choose_by_ismcts(
    spiel: SpielGame, view: AnyView[Any], limit: Thinking, *, rng: Random, rollouts: Rollouts
) -> int:
    """Search one tree over as many imagined worlds as there are simulations."""
    spending = limit.spend()

    def resample(_state: SpielState, _player: int) -> SpielState:
        if next(spending, None) is None:
            raise TimeUpError
        return spiel.imagine(view, rng)

    luck = np.random.RandomState(rng.getrandbits(32))
    bot = ismcts.ISMCTSBot(spiel, rollouts, CURIOSITY, _LONGEST**2, random_state=luck)
    bot.set_resampler(resample)
    root = spiel.imagine(view, rng)
    with suppress(TimeUpError):
        bot.run_search(root)
    node = bot.lookup_node(root)
    if node.total_visits < _LEAST - 1:
        return rng.choice(root.legal_actions())
    policy = bot.get_final_policy(root, node)
    return int(max(policy, key=lambda part: part[1])[0])


def _choose_by_mcts(
    spiel: SpielGame, view: AnyView[Any], limit: Thinking, *, rng: Random, rollouts: Rollouts
) -> int:
    """Search a tree in each of some imagined worlds, and take what was tried most in all."""
    tries: Counter[int] = Counter()
    for size in _split(limit):
        luck = np.random.RandomState(rng.getrandbits(32))
        bot = mcts.MCTSBot(spiel, CURIOSITY, size, rollouts, random_state=luck)
        root = bot.mcts_search(spiel.imagine(view, rng))
        tries.update({child.action: child.explore_count for child in root.children})
    most = max(tries.values())
    return rng.choice([code for code in sorted(tries) if tries[code] == most])


_SEARCHES = {"openspiel-ismcts": _choose_by_ismcts, "openspiel-mcts": _choose_by_mcts}
"""How each of them chooses, by the name it has in the arena."""


def _split(limit: Thinking) -> Iterator[int]:
    """Tell how many simulations each imagined world gets, until the budget is spent."""
    if limit.simulations is None:
        yield from (_IN_WORLD for _ in limit.spend())
        return
    whole, rest = divmod(limit.simulations, _IN_WORLD)
    yield from [_IN_WORLD] * whole
    if rest > 1 or not whole:
        yield max(2, rest)
