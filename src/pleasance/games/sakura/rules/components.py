"""The components of the game: deck, path, tokens and painters, read from a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple, NewType

from pleasance.core.data import DataFile, load_builtin_components
from pleasance.core.errors import BadDataError
from pleasance.core.game import DataSet

Card = NewType("Card", int)
"""A card by its number, which is its initiative: 1 to 60 (K-3)."""

Space = NewType("Space", int)
"""A space of the path; 0 is the gate (K-1)."""

CARDS = tuple(Card(number) for number in range(1, 61))
SEATS = range(2, 7)
MAX_PAINTERS = 6

LANGUAGES = ("en", "es", "de")
SHAPES = ("circle", "diamond", "square", "triangle", "pentagon", "star")

_BRIDGE_COUNT = 4
_SAKURA_COUNT = 3
_MAX_PATH_LENGTH = 99
_HAND_SIZES = range(2, 10)  # two for the tactical variant; nine times six leaves some to draw
_GROUPS = {"2-4": range(2, 5), "5-6": range(5, 7)}
_BRIDGE_WIDTHS = {"2-4": 1, "5-6": 3}
_CARD_LINE = re.compile(r"\s*\"?(\d+)\"?\s*=")
_COLOR = re.compile(r"#[0-9a-f]{6}")


class Move(IntEnum):
    """The moves of a card's actions: three in the garden, three of the card's owner."""

    EMPEROR = 0
    CLOSEST = 1
    FURTHEST = 2
    WALK = 3
    LEAP = 4
    COUNT = 5


class CardAction(NamedTuple):
    """One of the two actions of a card."""

    move: Move

    steps: int = 0
    """Spaces to go: positive forward, negative back; 0 where the position tells."""

    is_free: bool = False
    """Whether the owner chooses the direction (K-7)."""

    def toward(self, heading: int) -> CardAction:
        """Settle the direction that the owner has chosen: 1 forward, -1 back."""
        return CardAction(self.move, self.steps * heading)


class Face(NamedTuple):
    """The face of a card, in the order in which it is carried out (K-6)."""

    garden: CardAction
    painter: CardAction


GARDEN_ACTIONS: Mapping[str, CardAction] = {
    "E+1": CardAction(Move.EMPEROR, 1),
    "E+2": CardAction(Move.EMPEROR, 2),
    "E-1": CardAction(Move.EMPEROR, -1),
    "E±1": CardAction(Move.EMPEROR, 1, is_free=True),
    "C-2": CardAction(Move.CLOSEST, -2),
    "F+2": CardAction(Move.FURTHEST, 2),
}
"""All garden actions there are, by what stands in the file (K-13 to K-15)."""

PAINTER_ACTIONS: Mapping[str, CardAction] = {
    "+1": CardAction(Move.WALK, 1),
    "+2": CardAction(Move.WALK, 2),
    "+3": CardAction(Move.WALK, 3),
    "±1": CardAction(Move.WALK, 1, is_free=True),
    "±2": CardAction(Move.WALK, 2, is_free=True),
    "±3": CardAction(Move.WALK, 3, is_free=True),
    "LEAP": CardAction(Move.LEAP),
    "COUNT": CardAction(Move.COUNT),
}
"""All painter actions there are, by what stands in the file (K-16, K-17)."""


class Path(NamedTuple):
    """The path from the gate to the last sakura, as it counts for some numbers of players."""

    bridges: tuple[Space, ...]
    """Every space of the four bridges."""

    torii: Space
    """The Emperor's first space."""

    sakura: tuple[Space, ...]
    """The three sakura spaces; the last one ends the path."""


class Painter(NamedTuple):
    """The look of one painter."""

    letter: str
    shape: str
    color: str
    names: Mapping[str, str]
    """The name of the color in each language."""


@dataclass(frozen=True, slots=True)
class Box:
    """The components and options that a game is played with; equal when both are the same."""

    sha256: str
    options: tuple[str, ...]
    data: DataSet = field(compare=False)
    faces: tuple[Face, ...] = field(compare=False, repr=False)
    """The face of each card; the first entry is a filler, so that card 1 is entry 1."""

    paths: Mapping[int, Path] = field(compare=False, repr=False)
    """The path by number of players."""

    pay: Mapping[int, tuple[tuple[int, ...], ...]] = field(compare=False, repr=False)
    """Tokens for each rank, by number of players and sakura (K-19)."""

    hand: int = field(compare=False, repr=False)
    """Cards that a player holds (K-5)."""

    tokens: int = field(compare=False, repr=False)
    """Tokens that a painter starts with (K-4)."""

    disgrace: int = field(compare=False, repr=False)
    """Empty spaces that a disgraced painter goes back (K-9)."""

    painters: tuple[Painter, ...] = field(compare=False, repr=False)


def open_box(package: str, options: tuple[str, ...], text: str | None) -> Box:
    """Read and check a component file; without a *text* it is the one that lies in *package*."""
    house = load_builtin_components(package)
    source = house if text is None else text
    file = _open_file(source, is_builtin=source == house)
    file.only("", ("name", "hand", "tokens", "disgrace", "path", "scoring", "deck", "painters"))
    data = file.label()
    file.only("path", tuple(_GROUPS), rule="K-2")
    file.only("scoring", (*_GROUPS, "last"), rule="K-19")
    paths: dict[int, Path] = {}
    pay: dict[int, tuple[tuple[int, ...], ...]] = {}
    for group, seats in _GROUPS.items():
        path, tokens = _read_path(file, group), _read_pay(file, group, most=min(seats))
        paths |= dict.fromkeys(seats, path)
        pay |= dict.fromkeys(seats, tokens)
    return Box(
        sha256=data.sha256,
        options=options,
        data=data,
        faces=_read_deck(file),
        paths=paths,
        pay=pay,
        hand=_read_number(file, "hand", _HAND_SIZES, rule="K-5"),
        tokens=_read_number(file, "tokens", range(100), rule="K-4"),
        disgrace=_read_number(file, "disgrace", range(1, 10), rule="K-9"),
        painters=tuple(_read_painter(file, number + 1) for number in range(MAX_PAINTERS)),
    )


def _open_file(source: str, *, is_builtin: bool) -> DataFile:
    """Read the file as TOML; a card written down twice breaks a rule of the game too (K-3)."""
    try:
        return DataFile(source, is_builtin=is_builtin)
    except BadDataError as refusal:
        line = int(refusal.params["line"])
        card = _CARD_LINE.match(source.splitlines()[line - 1]) if source else None
        if card and "overwrite" in str(refusal.params["reason"]):
            raise BadDataError("data_card_twice", line=line, rule="K-3", entry=card[1]) from refusal
        raise


def _read_number(file: DataFile, key: str, allowed: range, *, rule: str) -> int:
    """Read a number of the top of the file that must be among those *allowed*."""
    number = file.number("", key, rule=rule)
    if number not in allowed:
        raise file.refuse(
            "data_number_range", "", key, rule=rule, least=allowed[0], most=allowed[-1]
        )
    return number


def _read_path(file: DataFile, group: str) -> Path:
    """Read how the path counts for one group of numbers of players (K-1)."""
    table = f"path.{group}"
    file.only(table, ("bridges", "torii", "sakura"), rule="K-1")
    torii = file.number(table, "torii", rule="K-1")
    sakura = file.numbers(table, "sakura", rule="K-1")
    bridges = file.numbers(table, "bridges", rule="K-1")
    if len(sakura) != _SAKURA_COUNT or not _are_ascending(sakura) or sakura[0] < 1:
        raise file.refuse("data_sakura", table, "sakura", rule="K-1", count=_SAKURA_COUNT)
    if sakura[-1] > _MAX_PATH_LENGTH:
        raise file.refuse("data_path_long", table, "sakura", rule="K-1", most=_MAX_PATH_LENGTH)
    width = _BRIDGE_WIDTHS[group]
    if len(bridges) != _BRIDGE_COUNT * width or not _are_contiguous(bridges, width):
        raise file.refuse(
            "data_bridges", table, "bridges", rule="K-1", count=_BRIDGE_COUNT, width=width
        )
    if bridges[0] < 1 or bridges[-1] > sakura[-1]:
        raise file.refuse("data_bridge_off_path", table, "bridges", rule="K-1", end=sakura[-1])
    if both := set(bridges) & set(sakura):
        raise file.refuse("data_bridge_sakura", table, "bridges", rule="K-1", space=min(both))
    if torii != bridges[width - 1] + 1:
        after = bridges[width - 1] + 1
        raise file.refuse("data_torii", table, "torii", rule="K-1", space=after)
    if torii >= sakura[0] or torii in bridges:
        raise file.refuse("data_torii_taken", table, "torii", rule="K-1", sakura=sakura[0])
    return Path(tuple(map(Space, bridges)), Space(torii), tuple(map(Space, sakura)))


def _are_ascending(numbers: tuple[int, ...]) -> bool:
    """Check that each of *numbers* is greater than the one before."""
    return all(low < high for low, high in pairwise(numbers))


def _are_contiguous(bridges: tuple[int, ...], width: int) -> bool:
    """Check that the spaces are in order and each bridge is *width* spaces side by side."""
    starts = range(0, len(bridges), width)
    return _are_ascending(bridges) and all(
        bridges[n + width - 1] - bridges[n] == width - 1 for n in starts
    )


def _read_pay(file: DataFile, group: str, *, most: int) -> tuple[tuple[int, ...], ...]:
    """Read the tokens for each rank, at each sakura (K-19)."""
    ranks = file.numbers("scoring", group, rule="K-19")
    last = file.number("scoring", "last", rule="K-19")
    # Two players move three painters, so that three ranks can always be filled.
    if not 1 <= len(ranks) <= max(most, 3) or min(ranks) < 0 or sorted(ranks)[::-1] != [*ranks]:
        raise file.refuse("data_ranks", "scoring", group, rule="K-19", most=max(most, 3))
    if last < ranks[0]:
        raise file.refuse("data_last", "scoring", "last", rule="K-19", least=ranks[0])
    return ranks, ranks, (last, *ranks[1:])


def _read_deck(file: DataFile) -> tuple[Face, ...]:
    """Read the sixty cards (K-3)."""
    known = {str(card) for card in CARDS}
    for key in file.table("deck", rule="K-3"):
        if key not in known:
            raise file.refuse(
                "data_card_number", "deck", key, rule="K-3", least=CARDS[0], most=CARDS[-1]
            )
    faces = tuple(_read_face(file, card) for card in CARDS)
    return (faces[0], *faces)


def _read_face(file: DataFile, card: Card) -> Face:
    """Read what is printed on one card, such as `E±1/+2`."""
    text = file.text("deck", str(card), rule="K-3").replace("+-", "±")
    garden, _, painter = text.partition("/")
    if garden not in GARDEN_ACTIONS:
        known = " ".join(GARDEN_ACTIONS)
        raise file.refuse("data_garden_action", "deck", str(card), rule="K-13", known=known)
    if painter not in PAINTER_ACTIONS:
        known = " ".join(PAINTER_ACTIONS)
        raise file.refuse("data_painter_action", "deck", str(card), rule="K-16", known=known)
    return Face(GARDEN_ACTIONS[garden], PAINTER_ACTIONS[painter])


def _read_painter(file: DataFile, number: int) -> Painter:
    """Read how the painter of a seat looks."""
    file.only("painters", tuple(str(n + 1) for n in range(MAX_PAINTERS)))
    table = f"painters.{number}"
    file.only(table, ("letter", "shape", "color", *LANGUAGES))
    letter, shape, color = (file.text(table, key) for key in ("letter", "shape", "color"))
    if len(letter) != 1 or not letter.isalpha():
        raise file.refuse("data_letter", table, "letter", rule="K-5")
    if any(file.text(f"painters.{n}", "letter") == letter for n in range(1, number)):
        raise file.refuse("data_letter_twice", table, "letter", rule="K-5", letter=letter)
    if shape not in SHAPES:
        raise file.refuse("data_shape", table, "shape", rule="K-5", known=" ".join(SHAPES))
    if not _COLOR.fullmatch(color):
        raise file.refuse("data_color", table, "color", rule="K-5")
    return Painter(letter, shape, color, {code: file.text(table, code) for code in LANGUAGES})
