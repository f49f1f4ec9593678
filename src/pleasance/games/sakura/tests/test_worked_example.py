"""The worked example of the rules, step by step."""

from pleasance.core.game import Over
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.moves import Procession
from pleasance.games.sakura.tests.scene import picture, play_round, scene, tokens

# Blue is a, white is b, yellow is c; 11 is a bridge.
START = "|.....abc.E"


def test_blues_card_sends_yellow_back_over_occupied_spaces_and_blue_forward() -> None:
    # K-14, K-8: yellow passes 7 and 6 and comes to 4; blue skips white on 7.
    state = scene(START, cards=(2, 7, 44))
    walk = Procession(state)
    for action in state.box.faces[2]:
        walk.carry_out(0, action)
    assert walk.painters == [8, 7, 4]


def test_whites_card_sends_yellow_forward_and_white_into_the_emperor() -> None:
    # K-15, K-9: yellow is last now; white is disgraced on 10 and goes back to 5.
    state = scene("|...c..ba.E")
    walk = Procession(state)
    for action in state.box.faces[7]:
        walk.carry_out(1, action)
    assert walk.painters == [8, 5, 6]
    assert [sum(ledger) for ledger in walk.ledgers] == [5, 4, 5]


def test_yellows_card_takes_the_emperor_over_the_bridge_in_one_step() -> None:
    # K-13, K-1: with three players a bridge is one space.
    state = scene("|....bc.a.E")
    walk = Procession(state)
    for action in state.box.faces[44]:
        walk.carry_out(2, action)
    assert (walk.emperor, walk.painters) == (12, [8, 5, 9])


def test_the_whole_round_ends_as_the_rules_say() -> None:
    # K-6: the three cards are resolved from the lowest to the highest.
    state = play_round(scene(START, cards=(2, 7, 44)), (2, 7, 44))
    assert picture(state) == "|....b..ac..E"
    assert tokens(state) == [5, 4, 5]
    assert not isinstance(rules.turn(state), Over)


def test_with_five_players_the_emperor_stands_on_the_middle_of_a_bridge() -> None:
    # K-1: here 13, 14 and 15 are the second bridge.
    state = scene("abcde|...........E")
    walk = Procession(state)
    walk.carry_out(0, state.box.faces[44].garden)
    assert walk.emperor == state.box.paths[5].bridges[4] == 14
