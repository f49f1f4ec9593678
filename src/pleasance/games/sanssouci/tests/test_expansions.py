"""Rules of Rewards and Boars."""

from __future__ import annotations

import pytest

from pleasance.core.data import load_builtin_components
from pleasance.core.game import Draw
from pleasance.games.sanssouci import GAME
from pleasance.games.sanssouci.rules.garden import cell_name, cell_names, parse_cell
from pleasance.games.sanssouci.rules.setup import COVERED
from pleasance.games.sanssouci.rules.state import NOWHERE, Phase, Source, State
from pleasance.games.sanssouci.tests.positions import (
    EMPTY,
    at_the_start,
    choose,
    garden,
    legal,
    over,
    points,
    to_take,
)

MARKET = "e d e f e d f e c e"
"""2l 2r 3l 3r 4l 4r 5l 5r 6l 6r."""

SIDE_1A = 0
"""The rewards board `G | 1.a | 2.G1b | 3.2aG.3`."""

SIDE_3A = 4
"""The rewards board `1 | Ga2 | .1bG. | 3a.G23.`: e4 costs two, f4 pays two."""


def ledger(**sources: int) -> tuple[int, ...]:
    """Enter points by source."""
    return tuple(sources.get(source.name.lower(), 0) for source in Source)


def own_ledger(state: State) -> tuple[int, ...]:
    """Look up the actor's points by source."""
    return state.gardens[state.actor].ledger


# Rewards (S-20 to S-23)


def test_a_rewards_board_covers_sixteen_cells() -> None:
    """S-20."""
    assert cell_names(COVERED) == "e3 d4 e4 f4 c5 d5 e5 f5 g5 b6 c6 d6 e6 f6 g6 h6"


def test_a_preprinted_cell_under_a_rewards_board_is_not_built() -> None:
    """S-20: no house garden has one there, so with another box."""
    own_box = load_builtin_components(GAME.spec.package).replace(
        "...#.#...\n#........", "...#.#...\n....#...."
    )
    game = GAME.configure(("rewards",), own_box)
    state = game.start(2)
    while isinstance(game.turn(state), Draw):
        state = game.reveal(state, game.chances(state)[0][0])
    assert state.gardens[0].built >> parse_cell("e3") & 1
    covered = game.play(state, [game.space.actions[309]] * 2)
    assert not covered.gardens[0].built >> parse_cell("e3") & 1
    assert covered.gardens[0].built.bit_count() == 14


def test_a_motif_on_a_motif_bonus_scores_it_at_once() -> None:
    """S-21: d4 pays 1."""
    state = to_take(garden(EMPTY, rewards_side=SIDE_1A), "d", MARKET, "rewards")
    assert own_ledger(choose(state, "d:4r")) == ledger(motif_bonus=1)


def test_a_gardener_on_a_motif_bonus_scores_nothing() -> None:
    """S-21."""
    built = garden("""
        #########
        ...#.....
    """, rewards_side=SIDE_1A)  # fmt: skip
    assert own_ledger(choose(to_take(built, "d", MARKET, "rewards"), "d:2r", "@d4")) == ledger()


def test_a_gardener_on_a_gardener_bonus_scores_three_and_a_motif_nothing() -> None:
    """S-22: e3."""
    built = garden("""
        #########
        ....#....
    """, rewards_side=SIDE_1A)  # fmt: skip
    state = to_take(built, "e", MARKET, "rewards")
    assert own_ledger(choose(state, "e:2l", "@e3")) == ledger(gardener_bonus=3)
    assert own_ledger(choose(state, "e:3l")) == ledger()


@pytest.mark.parametrize(("before", "lost"), [(9, 2), (2, 2), (1, 1), (0, 0)])
def test_a_penalty_takes_what_there_is_but_never_below_zero(before: int, lost: int) -> None:
    """S-23: f4 costs 2, whichever side is up."""
    rich = garden(EMPTY, rewards_side=SIDE_1A, ledger=ledger(walks=before))
    state = to_take(rich, "*", "f f f f f f f f f f", "rewards")
    assert own_ledger(choose(state, "*:4l")) == ledger(walks=before, penalty=-lost)
    taken = rich._replace(built=rich.built | 1 << parse_cell("f2"))
    state = to_take(taken, "*", "f f f f f f f f f f", "rewards")
    assert points(choose(state, "*:2l", "@f4"), state.actor) == before - lost


# Boars (S-24 to S-27)


LONELY = """
    #########
    .........
    ....#....
    ...#&....
    ....#....
"""
CORNERED = """
    #########
    .........
    ....#....
    ...#&#...
    ....#....
"""


@pytest.mark.parametrize("options", [("boars",), ("rewards", "boars")])
def test_every_boar_starts_on_e4_which_is_free(options: tuple[str, ...]) -> None:
    """S-24: in any garden, covered by Rewards or not."""
    state = at_the_start(4, *options)
    for own in state.gardens:
        assert cell_name(own.boar) == "e4"
        assert not own.built >> own.boar & 1
    for layout in state.box.components.gardens:
        assert not layout >> parse_cell("e4") & 1


def test_without_the_expansion_there_is_no_boar() -> None:
    """S-24, S-27."""
    assert all(own.boar == NOWHERE for own in at_the_start(2, "rewards").gardens)


def test_a_tile_on_the_boar_scores_one_and_the_boar_must_step_aside() -> None:
    """S-25: only f4 is free beside it."""
    state = choose(to_take(garden(LONELY), "e", MARKET, "boars"), "e:4l")
    assert own_ledger(state) == ledger(boar=1)
    assert state.phase is Phase.BOAR
    assert legal(state) == "~f4"
    moved = choose(state, "~f4")
    assert cell_name(moved.gardens[moved.actor].boar) == "f4"
    assert moved.phase is Phase.WALK
    assert own_ledger(moved) == ledger(boar=1)


def test_a_gardener_on_the_boar_counts_as_well() -> None:
    """S-25."""
    taken = LONELY.replace(".........\n    ....#", "....#....\n    ....#", 1)
    state = choose(to_take(garden(taken), "e", MARKET, "boars"), "e:2l", "@e4")
    assert own_ledger(state) == ledger(boar=1)
    assert state.phase is Phase.BOAR


def test_the_owner_chooses_among_the_free_cells_beside_the_boar() -> None:
    """S-25: no diagonal steps."""
    free = EMPTY + ".........\n" * 2 + "....&....\n"
    assert legal(choose(to_take(garden(free), "e", MARKET, "boars"), "e:4l")) == "~e3 ~d4 ~f4 ~e5"


def test_a_cornered_boar_is_removed_for_three_more() -> None:
    """S-25."""
    state = choose(to_take(garden(CORNERED), "e", MARKET, "boars"), "e:4l")
    own = state.gardens[state.actor]
    assert own.boar == NOWHERE
    assert own.ledger == ledger(boar=4)
    assert state.phase is Phase.WALK


def test_the_boar_costs_its_free_area_at_the_end() -> None:
    """S-26; the second edition's example: five free cells cost five points."""
    own = garden("""
        #########
        #########
        ###..####
        ###.&.###
        #########
        .########
    """, ledger=ledger(walks=20))  # fmt: skip
    score_items = GAME.score_items(over(own, garden(EMPTY)))[0]
    assert score_items[-1].code == "boar_area"
    assert score_items[-1].points == -5


def test_the_boar_cannot_take_more_than_there_is_after_all_other_scoring() -> None:
    """S-26: a row brings 8, the boar's area of 36 cells takes them all."""
    own = garden("""
        #########
        #########
        .........
        ....&....
    """)
    state = over(own, garden(EMPTY))
    assert GAME.scores(state)[0] == 0
    assert [item.points for item in GAME.score_items(state)[0]] == [8, -8]


def test_a_removed_boar_costs_nothing() -> None:
    """S-26."""
    assert GAME.scores(over(garden(EMPTY, ledger=ledger(walks=3)), garden(EMPTY)))[0] == 3


def test_reward_then_boar_then_walk() -> None:
    """S-27: e4 costs two, of which there is one; only then the boar pays its point."""
    own = garden(LONELY, rewards_side=SIDE_3A, ledger=ledger(walks=1))
    state = choose(to_take(own, "e", MARKET, "rewards", "boars"), "e:4l")
    assert own_ledger(state) == ledger(walks=1, penalty=-1, boar=1)
    assert state.phase is Phase.BOAR
    assert choose(state, "~f4").phase is Phase.WALK


def test_a_boar_on_a_reward_cell_triggers_nothing() -> None:
    """S-27: f4 would pay 2 for a tile."""
    own = garden(LONELY, rewards_side=SIDE_3A)
    state = choose(to_take(own, "e", MARKET, "rewards", "boars"), "e:4l")
    assert own_ledger(choose(state, "~f4")) == own_ledger(state)
