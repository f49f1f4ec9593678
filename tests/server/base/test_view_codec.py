"""The view codec sends a client all that its seat knows, and not one byte more."""

import json
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from conformance import (
    CONFIGURATIONS,
    Configuration,
    each_of,
    every_configuration,
    find_configuration,
    random_game,
)
from pleasance.core.game import Choose, Draw, Seat
from pleasance.i18n.catalog import LANGUAGES, load_messages
from pleasance.server.base.view_codec import (
    TEXT_COLUMNS,
    TextBoxFacts,
    TextView,
    ViewCache,
    box_type,
    encode_box,
    encode_view,
    view_type,
)

SHAPED = [config for config in CONFIGURATIONS if config.game.wire]
PRIVATE_DRAWS = 12

every_shaped = each_of(SHAPED)


def views(config: Configuration, seed: int) -> Iterator[Any]:
    """Encode every position of a random game for every seat and a spectator."""
    for state, _ in random_game(config, seed):
        yield from (config.game.view(state, seat) for seat in config.viewers)


def test_both_games_have_shapes_of_their_own_and_the_third_has_none() -> None:
    assert {config.game.spec.name for config in SHAPED} == {"sakura", "sanssouci"}


@every_configuration
def test_every_view_reads_back_as_the_type_it_promises(config: Configuration) -> None:
    game = config.game
    kind = view_type(game)
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(kind)
    for view in views(config, 1):
        text = encode_view(game, view)
        decoded = decoder.decode(text)
        assert type(decoded) is kind
        assert msgspec.json.encode(decoded) == text
        if game.wire:
            assert decoded == game.wire.view_to_wire(view)


@every_configuration
def test_the_box_reads_back_as_the_type_it_promises(config: Configuration) -> None:
    text = encode_box(config.game, config.seats)
    box: Any = msgspec.json.decode(text, type=box_type(config.game))
    assert box.seats == config.seats
    assert msgspec.json.encode(box) == text == encode_box(config.game, config.seats)


@every_configuration
def test_permuting_what_is_hidden_changes_no_byte(config: Configuration) -> None:
    game, rng = config.game, Random(5)
    others = 0
    for state, _ in random_game(config, 2):
        for seat in config.viewers:
            view = game.view(state, seat)
            world = game.imagine(view, rng)
            others += world != state
            assert encode_view(game, game.view(world, seat)) == encode_view(game, view)
    assert others, "some imagined worlds are other worlds"


@every_configuration
def test_a_position_shown_to_all_tells_each_what_its_view_tells(config: Configuration) -> None:
    game = config.game
    for state, _ in random_game(config, 6):
        view_cache = ViewCache(game, partial(game.view, state))
        for seat in reversed(config.viewers):
            decoded = json.loads(encode_view(game, game.view(state, seat)))
            assert (
                json.loads(view_cache.encode(seat))
                == decoded
                == json.loads(view_cache.encode(seat))
            )


@every_configuration
def test_what_was_shown_before_makes_no_other_bytes(config: Configuration) -> None:
    game, before, same = config.game, None, 0
    for state, _ in random_game(config, 8):
        view_cache = ViewCache(game, partial(game.view, state), before)
        alone = ViewCache(game, partial(game.view, state))
        for seat in config.viewers:
            assert view_cache.encode(seat) == alone.encode(seat)
        if before is not None:
            same += sum(before.parts.get(place) is part for place, part in view_cache.parts.items())
        before = view_cache
    assert same or game.wire is None, "something stays as it is"


@every_shaped
def test_what_all_are_shown_comes_from_a_spectators_view_alone(config: Configuration) -> None:
    game = config.game
    assert game.wire is not None
    for (state, _), (other, _) in pairwise(random_game(config, 7)):
        # Who has a seat looks at another position, so that one can tell what comes from where.
        def look(seat: Seat | None, here: Any = state, there: Any = other) -> Any:
            return game.view(there if seat is None else here, seat)

        view_cache = ViewCache(game, look)
        spectator = json.loads(encode_view(game, game.view(other, None)))
        for seat in map(Seat, range(config.seats)):
            own = game.wire.private_fields(game.view(state, seat))
            decoded = json.loads(view_cache.encode(seat))
            assert {name: decoded[name] for name in decoded if name not in own} == {
                name: spectator[name] for name in spectator if name not in own
            }


@every_configuration
def test_a_private_draw_changes_only_what_its_seat_receives(config: Configuration) -> None:
    game, tried = config.game, 0
    for state, turn in random_game(config, 3):
        if not isinstance(turn, Draw) or turn.to is None or tried == PRIVATE_DRAWS:
            continue
        worlds = [game.reveal(state, outcome) for outcome, _ in game.chances(state)]
        tried += len(worlds) > 1
        for seat in config.viewers:
            texts = {encode_view(game, game.view(world, seat)) for world in worlds}
            assert len(texts) == (len(worlds) if seat == turn.to else 1)
    assert tried


@every_shaped
def test_a_spectator_gets_no_hand_and_a_seat_its_own(config: Configuration) -> None:
    for state, turn in random_game(config, 4):
        spectator = json.loads(encode_view(config.game, config.game.view(state, None)))
        assert spectator["seat"] is None
        assert spectator["hand"] == []
        if not isinstance(turn, Choose):
            continue
        for seat in range(config.seats):
            own = json.loads(encode_view(config.game, config.game.view(state, Seat(seat))))
            assert own["seat"] == seat
            assert len(own["hand"]) == own["hand_sizes"][seat] == spectator["hand_sizes"][seat]


@every_shaped
def test_the_scores_of_a_view_are_those_of_the_game(config: Configuration) -> None:
    game = config.game
    for state, _ in random_game(config, 5):
        decoded = json.loads(encode_view(game, game.view(state, None)))
        points = decoded["scores"] if "scores" in decoded else decoded["tokens"][: config.seats]
        assert tuple(points) == game.scores(state)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_shapes_is_drawn_in_text(language: str) -> None:
    game = find_configuration("pond-2").game
    assert game.wire is None
    view = game.view(game.start(2), Seat(0))
    text = game.render(view, load_messages(language, game.spec.package), TEXT_COLUMNS)
    decoded = msgspec.json.decode(encode_view(game, view, language=language), type=TextView)
    assert decoded == TextView(text)
    box = msgspec.json.decode(encode_box(game, 2), type=TextBoxFacts)
    assert box == TextBoxFacts(seats=2, columns=TEXT_COLUMNS)
