"""Every configuration of every game, and random games of each, for conformance tests."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from pleasance.core.errors import PleasanceError
from pleasance.core.fair_draws import FairDraws, secret_from_seed
from pleasance.core.game import AnyGame, Choose, Draw, Over, Seat, Turn, configurations
from pleasance.core.playout import Player, Playout, play_out, rng_from_seed
from pleasance.games import find_game, game_names
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.players.registry import make_player
from sample_game import installed_sample_game


class Configuration(NamedTuple):
    """A game with its options and number of seats."""

    game: AnyGame
    seats: int

    @property
    def name(self) -> str:
        """Name the configuration in test reports."""
        return "-".join((self.game.spec.name, str(self.seats), *self.game.options))

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """List the seats and the spectator."""
        return (*map(Seat, range(self.seats)), None)


def find_configurations() -> Iterator[Configuration]:
    """Find every configuration of every game, the sample game included."""
    with installed_sample_game():
        games = [find_game(name) for name in game_names()]
    for game in games:
        yield from (Configuration(fitted, seats) for fitted, seats in configurations(game))


CONFIGURATIONS = tuple(find_configurations())


def games_with(feature: Callable[[AnyGame], object]) -> list[str]:
    """List the games that have an optional part, such as pictures or levels."""
    return [name for name in game_names() if feature(find_game(name))]


LEVELED = games_with(lambda game: game.heuristics and game.heuristics.levels)
"""The games with levels for people."""


def each_of(configs: Iterable[Configuration]) -> pytest.MarkDecorator:
    """Run a test once for each of these configurations, named after it."""
    params = [pytest.param(config, id=config.name) for config in configs]
    return pytest.mark.parametrize("config", params)


every_configuration = each_of(CONFIGURATIONS)


def find_configuration(name: str) -> Configuration:
    """Find a configuration by its name."""
    return next(config for config in CONFIGURATIONS if config.name == name)


def error_text(refusal: PleasanceError, package: str | None = None) -> str:
    """Return the message of a refusal in English; it must have one in every language."""
    for language in LANGUAGES:
        assert load_messages(language, package).error(refusal)
    return load_messages("en", package).error(refusal)


def random_game(config: Configuration, seed: int) -> Iterator[tuple[Any, Turn]]:
    """Play a random game; yield each position and its turn."""
    yield from continue_randomly(config.game, config.game.start(config.seats), Random(seed))


def continue_randomly(game: AnyGame, state: Any, rng: Random) -> Iterator[tuple[Any, Turn]]:
    """Play on at random from *state*."""
    while True:
        turn = game.turn(state)
        yield state, turn
        match turn:
            case Over():
                return
            case Draw():
                outcomes, weights = zip(*game.chances(state), strict=True)
                state = game.reveal(state, rng.choices(outcomes, weights)[0])
            case Choose(seats):
                state = game.play(state, [rng.choice(game.legal(state, seat)) for seat in seats])


def make_fair(seats: int, seed: int = 1) -> FairDraws:
    """Make a source of draws in which the first seat has a nonce."""
    return FairDraws(secret_from_seed(str(seed)), (b"a nonce!", *(None,) * (seats - 1)))


def play_game(config: Configuration, seed: int, *players: str) -> Playout[Any, Any, Any]:
    """Play a whole game with fair draws; one name is for all seats, none means random players."""
    names = players or ("random",)
    names = names if len(names) > 1 else names * config.seats
    return play_out(
        config.game,
        [make_player(name, config.game) for name in names],
        make_fair(config.seats, seed),
        rngs=[rng_from_seed(str(seed), Seat(seat)) for seat in range(config.seats)],
        names=names,
    )


def play_fair(config: Configuration, players: Sequence[Player[Any, Any]]) -> Playout[Any, Any, Any]:
    """Play a whole game of these players with fair draws."""
    rngs = [Random(seat) for seat in range(config.seats)]
    return play_out(config.game, players, make_fair(config.seats), rngs=rngs)
