"""OpenSpiel's own tree searches as players: an independent baseline for ours.

An adapter shows a game to OpenSpiel. Seats that choose at the same time choose one after the other
without seeing the earlier choices; draws are chance nodes; the information state is the view.
Positions in the tree follow the rules. Rollouts run on the kernel where there is one, which allows
many more simulations than OpenSpiel's own rollouts.

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
from pleasance.core.budget import SearchBudget
from pleasance.core.game import AnyGame, AnyView, Choose, Draw, Over, Seat, Turn
from pleasance.core.playout import Player

UCT_C = 1.4
"""The exploration constant of UCT, for returns between -1 and 1."""

_SIMULATIONS_PER_WORLD = 100
"""Simulations of plain tree search in one determinized world."""

_MIN_VISITS = 2
"""With fewer visits the tree has no statistics."""

_MAX_GAME_LENGTH = 10_000
"""An upper bound of the choices and draws of a game."""


class TimeUpError(Exception):
    """Ends a search whose time is up."""


class Position:
    """A position with the choices of a simultaneous turn that are still hidden."""

    __slots__ = ("chosen", "state")

    def __init__(self, state: Any, chosen: tuple[Any, ...] = ()) -> None:
        self.state = state
        self.chosen = chosen

    def __deepcopy__(self, _: object) -> Position:
        return self  # it never changes


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """Adapts a game with a number of seats to OpenSpiel's `Game`."""

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
            max_game_length=_MAX_GAME_LENGTH,
        )
        super().__init__(kind, facts, {})
        self.rules = game
        self.seats = seats
        self.first = first
        """The seat that chooses first in a simultaneous turn."""

    def new_initial_state(self) -> SpielState:
        """Return the first position."""
        return SpielState(self, Position(self.rules.start(self.seats)))

    def imagine(self, view: AnyView[Any], rng: Random) -> SpielState:
        """Sample a position that fits *view*."""
        return SpielState(self, Position(self.rules.imagine(view, rng)))


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """Adapts a position to OpenSpiel's `State`."""

    def __init__(self, game: SpielGame, position: Position) -> None:
        super().__init__(game)
        self.game = game
        self.position = position

    def clone(self) -> SpielState:
        """Copy the state; positions are immutable and shared."""
        return SpielState(self.game, self.position)

    @property
    def turn(self) -> Turn:
        """Return the turn of the position."""
        turn: Turn = self.game.rules.turn(self.position.state)
        return turn

    def current_player(self) -> int:
        """Return the seat that chooses now, or the number for chance or the end."""
        turn = self.turn
        if isinstance(turn, Over):
            return int(pyspiel.PlayerId.TERMINAL)
        if isinstance(turn, Draw):
            return int(pyspiel.PlayerId.CHANCE)
        return self._order(turn)[len(self.position.chosen)]

    def _order(self, turn: Choose) -> tuple[Seat, ...]:
        """Order the seats of a simultaneous turn, beginning with the first seat."""
        first = self.game.first
        return tuple(sorted(turn.seats, key=lambda seat: (seat - first) % self.game.seats))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return isinstance(self.turn, Over)

    def is_chance_node(self) -> bool:
        """Return whether a draw is due."""
        return isinstance(self.turn, Draw)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """List the codes of the legal choices, or of the outcomes of a draw."""
        if self.is_chance_node():
            return [code for code, _ in self.chance_outcomes()]
        seat = Seat(self.current_player() if player is None else player)
        rules = self.game.rules
        return [rules.space.code(choice) for choice in rules.legal(self.position.state, seat)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the outcomes of the draw with their probabilities."""
        rules = self.game.rules
        chances = rules.chances(self.position.state)
        total = sum(weight for _, weight in chances)
        return [(rules.draws.code(outcome), weight / total) for outcome, weight in chances]

    def apply_action(self, action: int) -> None:
        """Carry out a draw or a choice; a simultaneous turn waits for all choices."""
        rules, (state, chosen) = self.game.rules, (self.position.state, self.position.chosen)
        turn = self.turn
        if isinstance(turn, Draw):
            self.position = Position(rules.reveal(state, rules.draws.actions[action]))
            return
        assert isinstance(turn, Choose), "the game is over"
        chosen += (rules.space.actions[action],)
        if len(chosen) < len(turn.seats):
            self.position = Position(state, chosen)
            return
        choice_of = dict(zip(self._order(turn), chosen, strict=True))
        self.position = Position(rules.play(state, [choice_of[seat] for seat in turn.seats]))

    def information_state_string(self, player: int | None = None) -> str:
        """Hash the view of a seat."""
        seat = Seat(self.current_player() if player is None else player)
        return str(hash(self.game.rules.view(self.position.state, seat)))

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Sample the hidden state of a seat again, with the hidden choices of others."""
        rng = Random(sampler())
        world = self.game.imagine(self.game.rules.view(self.position.state, Seat(player)), rng)
        for _ in self.position.chosen:
            world.apply_action(rng.choice(world.legal_actions()))
        return world

    def returns(self) -> list[float]:
        """Return a zero-sum return for each seat; a sole winner gets 1."""
        winners = self.game.rules.winners(self.position.state)
        shares = [(seat in winners) / len(winners) for seat in range(self.game.seats)]
        return _to_returns(shares)

    def __str__(self) -> str:
        return f"{self.position.state} {self.position.chosen}"


class Rollouts(mcts.Evaluator):  # type: ignore[misc]  # open_spiel has no types
    """Evaluates a position by one random rollout, with a uniform prior."""

    def __init__(self, kernel: Kernel | None, rng: Random) -> None:
        self._kernel = kernel
        self._rng = rng
        self._rng_state = np.array([rng.getrandbits(64) or 1], dtype=np.uint64)
        self._shares = np.zeros(8, dtype=np.float64)

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """Return a uniform prior for choices, and the probabilities of a draw."""
        if state.is_chance_node():
            return state.chance_outcomes()
        codes = state.legal_actions()
        return [(code, 1 / len(codes)) for code in codes]

    def evaluate(self, state: SpielState) -> Any:
        """Play to the end once and return the returns."""
        state = state.clone()
        while not state.is_terminal() and (self._kernel is None or state.position.chosen):
            codes, weights = zip(*self.prior(state), strict=True)
            state.apply_action(self._rng.choices(codes, weights)[0])
        if self._kernel is None or state.is_terminal():
            return np.array(state.returns())
        position, rules = self._kernel.pack(state.position.state), self._kernel.rules
        rules.playout(self._kernel.constants, position, self._rng_state)
        rules.shares(self._kernel.constants, position, self._shares)
        return np.array(_to_returns(self._shares[: state.game.seats].tolist()))


def _to_returns(shares: list[float]) -> list[float]:
    """Convert shares of one victory into zero-sum returns."""
    seats = len(shares)
    return [(seats * share - 1) / (seats - 1) for share in shares]


def make_openspiel(name: str, game: AnyGame, budget: SearchBudget) -> Player[Any, Any]:
    """Make the player of one of OpenSpiel's searches."""
    search = _SEARCHES[name]
    kernel = game.kernel() if game.kernel is not None else None
    assert kernel is None or isinstance(kernel, Kernel), kernel

    def choose(view: AnyView[Any], rng: Random) -> Any:
        assert view.seat is not None, "spectators do not choose"
        if len(view.legal) == 1:
            return view.legal[0]
        spiel = SpielGame(game, view.seats, first=view.seat)
        code = search(spiel, view, budget, rng=rng, rollouts=Rollouts(kernel, rng))
        return game.space.actions[code]

    return choose


def _choose_by_ismcts(
    game: SpielGame, view: AnyView[Any], budget: SearchBudget, *, rng: Random, rollouts: Rollouts
) -> int:
    """Search one tree over as many worlds as there are simulations."""
    simulations = budget.spend()

    def resample(_state: SpielState, _player: int) -> SpielState:
        if next(simulations, None) is None:
            raise TimeUpError
        return game.imagine(view, rng)

    generator = np.random.RandomState(rng.getrandbits(32))
    bot = ismcts.ISMCTSBot(game, rollouts, UCT_C, _MAX_GAME_LENGTH**2, random_state=generator)
    bot.set_resampler(resample)
    root = game.imagine(view, rng)
    with suppress(TimeUpError):
        bot.run_search(root)
    node = bot.lookup_node(root)
    if node.total_visits < _MIN_VISITS - 1:
        return rng.choice(root.legal_actions())
    policy = bot.get_final_policy(root, node)
    return int(max(policy, key=lambda part: part[1])[0])


def _choose_by_mcts(
    game: SpielGame, view: AnyView[Any], budget: SearchBudget, *, rng: Random, rollouts: Rollouts
) -> int:
    """Search a tree in each of several worlds; choose the action with the most visits in all."""
    visits: Counter[int] = Counter()
    for size in _split(budget):
        generator = np.random.RandomState(rng.getrandbits(32))
        bot = mcts.MCTSBot(game, UCT_C, size, rollouts, random_state=generator)
        root = bot.mcts_search(game.imagine(view, rng))
        visits.update({child.action: child.explore_count for child in root.children})
    most_visits = max(visits.values())
    return rng.choice([code for code in sorted(visits) if visits[code] == most_visits])


_SEARCHES = {"openspiel-ismcts": _choose_by_ismcts, "openspiel-mcts": _choose_by_mcts}
"""The search function of each player."""


def _split(budget: SearchBudget) -> Iterator[int]:
    """Yield the number of simulations for each world until the budget is spent."""
    if budget.simulations is None:
        yield from (_SIMULATIONS_PER_WORLD for _ in budget.spend())
        return
    full, rest = divmod(budget.simulations, _SIMULATIONS_PER_WORLD)
    yield from [_SIMULATIONS_PER_WORLD] * full
    if rest > 1 or not full:
        yield max(2, rest)
