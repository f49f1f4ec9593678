"""The story mentions every move and every token, and nothing hidden."""

import re
from random import Random

import pytest
from hypothesis import given, settings

from pleasance.core.game import Seat
from pleasance.core.steps import AnyStep, Drew, redact_step
from pleasance.games.sakura.display.story import narrate
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Dealt, Direction, Heading, Play, PlayBoth
from pleasance.games.sakura.rules.components import Card
from pleasance.games.sakura.rules.state import State
from pleasance.games.sakura.rules.view import View, view
from pleasance.games.sakura.tests.positions import (
    PACKAGE,
    Configuration,
    board,
    cards,
    choose,
    configurations,
    random_steps,
    seeds,
)
from pleasance.i18n.catalog import LANGUAGES, load_messages

FORWARD, BACK = Direction(Heading.FORWARD), Direction(Heading.BACK)

EVENT = re.compile(
    r"the Emperor (?:goes )?(?:forward|back): (?P<from>\d+) → (?P<to>\d+)"
    r"|(?P<moved>\w+)(?:, [^,;:]+,)? goe?s? [^:;]+: (?P<start>gate|\d+) → (?P<end>gate|\d+)"
    r"|(?:comes upon (?:the court )?(?P<caught>\w+)"
    r"|(?P<bumped>\w+)(?:, the furthest,)? bumps? into the Emperor): "
    r"(?P<lost>one|no) token[^,]*, back to (?:the |space )(?P<back>gate|\d+)"
    r"|(?P<paid>\w+) \+(?P<tokens>\d+)"
    r"|(?P<closed>\w+) (?P<far>gate|\d+) → (?P<near>gate|\d+)"
)


class Listener:
    """Keeps positions and tokens from the English story alone."""

    def __init__(self, before: View) -> None:
        names = [painter.names["en"] for painter in before.box.painters]
        names[len(before.origins) :] = ["painter"] * len(names)  # of the court, and named so
        self.seat = before.seat
        self.painters = {name: n for n, name in enumerate(names[: len(before.painters)])}
        self.emperor: int = before.emperor
        self.places: list[int] = [*before.painters]
        self.tokens = [sum(each) for each in before.ledgers]

    def find(self, name: str) -> int:
        """Find a painter; only the viewer is called you."""
        if name.lower() == "you":
            assert self.seat is not None
            return self.seat
        painter = self.painters[name.lower()]
        assert painter != self.seat
        return painter

    def listen(self, line: str) -> None:
        """Take in one line; what moves must come from where it was."""
        for event in EVENT.finditer(line):
            if event["from"]:
                assert int(event["from"]) == self.emperor
                self.emperor = int(event["to"])
            elif name := event["moved"] or event["closed"]:
                painter = self.find(name)
                assert self.places[painter] == place(event["start"] or event["far"])
                self.places[painter] = place(event["end"] or event["near"])
            elif name := event["caught"] or event["bumped"]:
                painter = self.find(name)
                self.tokens[painter] -= event["lost"] == "one"
                self.places[painter] = place(event["back"])
            else:
                self.tokens[self.find(event["paid"])] += int(event["tokens"])


def place(text: str) -> int:
    return 0 if text == "gate" else int(text)


def narrate_step(step: AnyStep, seat: int | None, language: str = "en") -> tuple[str, ...]:
    """Narrate a step to *seat*."""
    looking = None if seat is None else Seat(seat)
    before, after = view(step.before, looking), view(step.after, looking)
    return narrate(before, redact_step(step, looking), after, load_messages(language, PACKAGE))


def narrate_play(
    state: State, *choices: Play | PlayBoth | Direction, seat: int | None = None
) -> str:
    return "\n".join(narrate_step(choose(state, *choices), seat))


@pytest.mark.slow
@settings(max_examples=50)
@given(configurations, seeds)
def test_whoever_listens_knows_all_places_and_tokens(
    configuration: Configuration, seed: int
) -> None:
    for step in random_steps(*configuration, Random(seed)):
        for seat in (None, *range(configuration[0])):
            listener = Listener(view(step.before, None if seat is None else Seat(seat)))
            for line in narrate_step(step, seat):
                listener.listen(line)
            assert listener.emperor == step.after.emperor
            assert tuple(listener.places) == step.after.painters
            assert listener.tokens == [sum(each) for each in step.after.ledgers]


@pytest.mark.slow
@settings(max_examples=50)
@given(configurations, seeds)
def test_all_languages_tell_the_same_in_lines_of_a_hundred_columns(
    configuration: Configuration, seed: int
) -> None:
    for step in random_steps(*configuration, Random(seed)):
        for seat in (None, 0, 1):
            told = {language: narrate_step(step, seat, language) for language in LANGUAGES}
            numbers = {
                language: sorted(re.findall(r"\d+", " ".join(lines)))
                for language, lines in told.items()
            }
            assert numbers["es"] == numbers["de"] == numbers["en"]
            for line in (line for lines in told.values() for line in lines):
                assert len(line) <= 100
                assert line.endswith((".", ";", ":"))
                assert line == line.rstrip()
                assert line[0] == " " or not line[0].islower()


@pytest.mark.slow
@given(configurations, seeds)
def test_nobody_is_told_which_card_another_draws(configuration: Configuration, seed: int) -> None:
    for step in random_steps(*configuration, Random(seed)):
        if isinstance(step, Drew) and step.to is not None:
            others = [outcome for outcome, _ in rules.chances(step.before)]
            other = Drew(step.before, step.to, others[0], rules.reveal(step.before, others[0]))
            for seat in {None, *range(configuration[0])} - {step.to}:
                assert narrate_step(step, seat) == narrate_step(other, seat)
            assert f"card {step.outcome.card}:" in " ".join(narrate_step(step, step.to))


def test_the_worked_example_is_told() -> None:  # K-8, K-9, K-14, K-15
    state = board("|.....abc.E", cards=(2, 7, 44))
    assert narrate_play(state, *cards(2, 7, 44), seat=1) == (
        "You play card 7, blue card 2, yellow card 44.\n"
        "Card 2 (blue): yellow, the closest, goes back 2: 8 → 4; blue goes forward 1: 6 → 8.\n"
        "Your card 7: yellow, the furthest, goes forward 2: 4 → 6;\n"
        "  you bump into the Emperor: one token less, back to space 5.\n"
        "Card 44 (yellow): the Emperor goes forward: 10 → 12; yellow goes forward 2: 6 → 9."
    )


@pytest.mark.parametrize(
    ("language", "first"),
    [
        ("en", "You play card 44, white card 8, yellow card 17."),
        ("es", "Juegas la carta 44, blanco la 8, amarillo la 17."),
        ("de", "Du spielst Karte 44, Weiß Karte 8, Gelb Karte 17."),
    ],
)
def test_who_looks_is_spoken_to(language: str, first: str) -> None:
    state = board("abc|.....E", cards=(44, 8, 17))
    assert narrate_step(choose(state, *cards(44, 8, 17)), 0, language)[0] == first


def test_a_direction_is_told_for_what_it_moves() -> None:  # K-7
    state = board("|a.b.....c..E", cards=(59, 8, 17))
    asked = rules.play(state, cards(59, 8, 17))
    assert narrate_play(state, *cards(59, 8, 17)).splitlines()[-1] == (
        "Blue chooses now which way the Emperor goes."
    )
    assert (
        narrate_play(asked, FORWARD, seat=0)
        == (
            "Your card 59: you send the Emperor forward: 16 → 16.\nYou choose now which way to go."
        ).replace("16 → 16", "15 → 16")
        or asked.emperor != 15
    )
    again = rules.play(asked, [BACK])
    assert narrate_play(again, BACK) == "Card 59 (blue): blue goes back 3: 1 → gate."


def test_a_scoring_is_told_with_unresolved_cards_and_closed_ranks() -> None:  # K-18 to K-20
    state = board("|........a..cb.E", cards=(8, 44, 17))
    assert narrate_play(state, *cards(8, 44, 17)) == (
        "Blue plays card 8, white card 44, yellow card 17.\n"
        "Card 8 (blue): the Emperor goes forward: 15 → 16; blue goes forward 1: 9 → 10.\n"
        "Cards 17, 44 are discarded without being carried out.\n"
        "The first sakura is scored: white +3, yellow +2, blue +1.\n"
        "The ranks close: blue 10 → 11."
    )


def test_the_end_of_the_game_closes_no_ranks() -> None:  # K-21
    state = board(f"ac|............b{'.' * 21}E", cards=(8, 44, 17), scored=2)
    told = narrate_play(state, *cards(8, 44, 17)).splitlines()
    assert told[-2:] == [
        "The last sakura is scored: white +4, blue +2, yellow +1.",
        "That was the last sakura: the game is over.",
    ]


def test_the_emperor_comes_upon_a_painter_without_tokens() -> None:  # K-9, K-11
    state = board("|....a.b.....cE", cards=(6, 8, 17), tokens=(5, 5, 0))
    assert narrate_play(state, *cards(6, 8, 17), seat=2).splitlines()[1:3] == [
        "Card 6 (blue): the Emperor goes back: 14 → 13;",
        "  he comes upon you: no token to lose, back to space 10;",
    ]


def test_where_nothing_moves_it_is_told_why() -> None:  # K-10, K-11, K-14, K-15, K-17
    state = board("abc|E", cards=(2, 7, 46))
    assert "all painters are in the gate, so nobody is closest" in narrate_play(
        state, *cards(2, 7, 46)
    )
    state = board("abc|E", cards=(32, 7, 46))
    told = narrate_play(state, *cards(32, 7, 46))
    assert "several painters are in the gate, so nobody is furthest" in told
    assert "the Emperor stays on space 1" in told
    state = board("abc|......E", cards=(46, 50, 60))
    told = narrate_play(state, *cards(46, 50, 60))
    assert "blue stays in the gate, with nobody ahead" in told


def test_the_court_painters_card_is_told() -> None:  # K-22, K-23
    state = rules.play(board("c|.a..b....E", seats=2, cards=(8, 17)), cards(8, 17))
    outcome = Dealt(Card(33))
    step: AnyStep = Drew(state, None, outcome, rules.reveal(state, outcome))
    assert narrate_step(step, None)[0] == (
        "The court painter's card is 33: closest painter back 2; "
        "painter in front of the next one ahead."
    )
    assert (
        narrate_step(step, None)[-1].strip() == "the court painter goes in front of blue: gate → 5."
    )
    state = board("c|.a..b....E", seats=2, cards=(8, 17), options=("tactical",))
    told = narrate_play(state, PlayBoth(Card(8), Card(2)), Play(Card(17)), seat=0).splitlines()
    assert told[:2] == [
        "You play card 8, white card 17.",
        "You also play card 2 for the court painter.",
    ]


def test_a_new_deck_is_told() -> None:  # K-6
    state = board("abc|.....E", cards=(8, 17, 39))
    state = rules.play(state._replace(deck=0, discards=state.deck), cards(8, 17, 39))
    outcome = rules.chances(state)[0][0]
    step: AnyStep = Drew(state, Seat(0), outcome, rules.reveal(state, outcome))
    assert narrate_step(step, 1) == (
        "The deck is empty: 48 cards of the discards become a new one.",
        "Blue draws a card.",
    )
