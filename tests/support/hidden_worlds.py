"""Scripts of one game that look alike to one seat but differ in hidden draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, TypeVar

from conformance import Configuration, make_fair
from conformance.rooms import make_config
from pleasance.core.fair_draws import FairDraws
from pleasance.core.game import Draw, Over, Seat
from pleasance.core.playout import play_out, rng_from_seed
from pleasance.core.steps import Chose, read_choice, read_outcome
from pleasance.players.registry import make_player
from pleasance.table.table_config import TableConfig

Outcome = TypeVar("Outcome")


class ScriptedDraw(NamedTuple):
    """One draw of a script and its seat, `None` if all see it."""

    to: Seat | None
    token: str
    others: tuple[str, ...]
    """The other possible outcomes."""


@dataclass(frozen=True)
class Script:
    """The choices, turn by turn, and the draws of a game."""

    choices: tuple[tuple[str, ...], ...]
    draws: tuple[ScriptedDraw, ...]

    @property
    def drawn(self) -> tuple[str, ...]:
        """The outcome of every draw."""
        return tuple(draw.token for draw in self.draws)

    def hidden_from(self, viewer: Seat | None) -> list[int]:
        """List the indices of draws that *viewer* may not see."""
        return [n for n, draw in enumerate(self.draws) if draw.to not in {None, viewer}]


def record_script(config: Configuration, seed: int, part: float) -> Script:
    """Play at random; keep the first *part* of the turns, but never the last turn."""
    playout = play_out(
        config.game,
        [make_player("random", config.game)] * config.seats,
        make_fair(config.seats, seed),
        rngs=[rng_from_seed(str(seed), Seat(seat)) for seat in range(config.seats)],
    )
    choices = [tuple(map(str, s.choices)) for s in playout.steps if isinstance(s, Chose)]
    kept_turns = tuple(choices[: max(1, int(part * (len(choices) - 1)))])
    draws = tuple(str(s.outcome) for s in playout.steps if not isinstance(s, Chose))
    script = replay(config, kept_turns, draws)
    assert script is not None, f"{config.name} cannot be replayed"
    return script


def replay(
    config: Configuration, choices: Sequence[tuple[str, ...]], drawn: Sequence[str]
) -> Script | None:
    """Play the choices with other draws; `None` where the rules do not allow it."""
    game, state = config.game, config.game.start(config.seats)
    draws: list[ScriptedDraw] = []
    left = iter(choices)
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Draw):
            possible = {str(outcome): outcome for outcome, _ in game.chances(state)}
            token = drawn[len(draws)]
            if token not in possible:
                return None
            draws.append(ScriptedDraw(turn.to, token, tuple(t for t in possible if t != token)))
            state = game.reveal(state, possible[token])
            continue
        chosen = next(left, None)
        if chosen is None:
            break
        legal = [{str(c): c for c in game.legal(state, seat)} for seat in turn.seats]
        if any(token not in known for token, known in zip(chosen, legal, strict=True)):
            return None
        state = game.play(state, [known[token] for token, known in zip(chosen, legal, strict=True)])
    return Script(tuple(choices), tuple(draws))


def branch(config: Configuration, script: Script, turns: int) -> tuple[tuple[str, ...], Script]:
    """Split a script after *turns* turns into opening tokens and the rest."""
    game, state = config.game, config.game.start(config.seats)
    opening: list[str] = []
    made = drawn = 0
    while made < turns:
        if isinstance(game.turn(state), Draw):
            opening.append(script.draws[drawn].token)
            state = game.reveal(state, read_outcome(game, opening[-1]))
            drawn += 1
        else:
            opening += script.choices[made]
            state = game.play(state, [read_choice(game, token) for token in script.choices[made]])
            made += 1
    return tuple(opening), Script(script.choices[made:], script.draws[drawn:])


def find_variant(
    config: Configuration, script: Script, viewer: Seat | None, rng: Random, tries: int
) -> Script:
    """Vary the draws hidden from *viewer*, as far as the public draws allow it."""
    slots = script.hidden_from(viewer)
    variant = script
    for _ in range(tries):
        drawn = list(variant.drawn)
        first, second = rng.choice(slots), rng.choice(slots)
        if rng.random() < 0.5 or not variant.draws[first].others:
            drawn[first], drawn[second] = drawn[second], drawn[first]
        else:
            other = rng.choice(variant.draws[first].others)
            if other in drawn:  # two draws trade places
                drawn[len(drawn) - 1 - drawn[::-1].index(other)] = drawn[first]
            drawn[first] = other
        if any(drawn[n] != script.drawn[n] for n in range(len(drawn)) if n not in slots):
            continue
        variant = replay(config, script.choices, drawn) or variant
    assert [draw.to for draw in variant.draws] == [draw.to for draw in script.draws]
    return variant


@dataclass(frozen=True)
class ScriptedFair(FairDraws):
    """A source of draws that follows a script and shows a fixed commitment."""

    drawn: tuple[str, ...] = ()
    fixed_commitment: str = ""

    @property
    def commitment(self) -> str:
        """The fixed commitment."""
        return self.fixed_commitment

    def draw(self, index: int, chances: Sequence[tuple[Outcome, int]]) -> Outcome:
        """Return the scripted outcome."""
        return next(o for o, _ in chances if str(o) == self.drawn[index - 1])


@dataclass(frozen=True, kw_only=True)
class ScriptedConfig(TableConfig):
    """A table config with scripted draws, and a commitment that is independent of the secret."""

    drawn: tuple[str, ...]
    fixed_commitment: str

    def fair(self, nonces: tuple[str | None, ...]) -> FairDraws:
        """Build the scripted source of draws."""
        made = super().fair(nonces)
        return ScriptedFair(made.secret, made.nonces, self.drawn, self.fixed_commitment)

    @property
    def commitment(self) -> str:
        """The fixed commitment."""
        return self.fixed_commitment


def make_scripted_config(
    config: Configuration, script: Script, seed: int, opening: tuple[str, ...] = ()
) -> ScriptedConfig:
    """Configure a table for a script; the secret and the bot seed follow from *seed*."""
    table_config = make_config(config, seed, opening=opening)
    facts = {name: getattr(table_config, name) for name in TableConfig.__dataclass_fields__}
    commitment = make_config(config, 0).commitment
    facts |= {"drawn": script.drawn, "fixed_commitment": commitment}
    return ScriptedConfig(**facts | {"is_public": True})
