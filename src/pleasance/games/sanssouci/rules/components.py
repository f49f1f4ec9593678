"""The components in the box: reads and checks the component file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, NewType, TypeVar

from pleasance.core.bits import mask_of
from pleasance.core.data import DataFile
from pleasance.core.game import DataSet

T = TypeVar("T")

WIDTH = 9
HEIGHT = 6
PREPRINTED = 15
BOARDS = 4
"""Garden boards in the box, and rewards boards."""
MARKED = 12
"""Marked cells of a rewards board (S-20)."""

REWARDS_ROWS = ((3, 4, 4), (4, 3, 5), (5, 2, 6), (6, 1, 7))
"""The rows under a rewards board, each with its first and last column (S-20)."""
REWARDS_CELLS = tuple(
    (row - 1) * WIDTH + column
    for row, first, last in REWARDS_ROWS
    for column in range(first, last + 1)
)
"""The 16 cells under a rewards board, row by row."""


class Motif(IntEnum):
    """The nine motifs, one for each column, from left to right (S-1)."""

    LABYRINTH = 0
    STATUE = 1
    PAVILION = 2
    TOPIARY = 3
    STAIRCASE = 4
    FOUNTAIN = 5
    ROSE_ARCH = 6
    HERB_SPIRAL = 7
    VINE = 8


Card = NewType("Card", int)
"""An action card: 0 to 8 the motifs, 9 to 18 every pair of rows 2 to 6, 19 the free choice (S-4).

A box holds eight of the ten pairs; numbering all of them lets a card be read and written without
asking which box is on the table.
"""

PAIRS = tuple(combinations(range(2, HEIGHT + 1), 2))
CARDS = tuple(Card(n) for n in range(len(Motif) + len(PAIRS) + 1))
FREE_CHOICE = CARDS[-1]
CARD_PAIRS = 8
"""Two-color cards of each player."""

_LETTERS = "abcdefghi"


def motif_letter(motif: Motif) -> str:
    """Write *motif* as the letter of its column."""
    return _LETTERS[motif]


def board_name(index: int) -> str:
    """Write the side of a board, counted through both sides of all boards.

    >>> board_name(5)
    '3B'
    """
    return f"{index // 2 + 1}{'AB'[index % 2]}"


def card_name(card: Card) -> str:
    """Write *card*: a column letter, two row digits, or a star."""
    if card < len(Motif):
        return _LETTERS[card]
    if card == FREE_CHOICE:
        return "*"
    return "{}{}".format(*card_rows(card))


def card_rows(card: Card) -> tuple[int, int]:
    """Name the two rows of a two-color card."""
    return PAIRS[card - len(Motif)]


class Edition(NamedTuple):
    """The words and colors of one edition, by language."""

    name: str
    title: dict[str, str]
    motifs: tuple[dict[str, str], ...]
    rows: tuple[dict[str, str], ...]
    """The name of each row's color, and the color itself under `color`."""


@dataclass(frozen=True, slots=True)
class Components:
    """A checked component file."""

    data: DataSet
    row_values: tuple[int, ...]
    gardens: tuple[int, ...]
    """The preprinted cells of 1A, 1B, 2A, … as sets."""
    deck: int
    """Every player's 18 cards, as a set."""
    tiles: dict[int, int]
    """Tiles of each motif, by number of players."""
    row_bonus: tuple[int, ...]
    column_bonus: int
    rewards: tuple[tuple[tuple[int, int], ...], ...]
    """For 1A, 1B, 2A, …: what each of the 54 cells pays for a motif and for a gardener."""
    boar_disturbed: int
    boar_removed: int
    editions: tuple[Edition, ...]

    def __hash__(self) -> int:
        return hash(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Components) and self.data == other.data


@lru_cache(maxsize=16)
def read_components(text: str, *, is_builtin: bool) -> Components:
    """Read a component file; refuse one that breaks a rule, naming line and rule."""
    file = DataFile(text, is_builtin=is_builtin)
    tables = "name rows gardens cards tiles endgame marks rewards boar editions"
    file.only("", tuple(tables.split()))
    file.only("rows", ("values",), rule="S-2")
    file.only("endgame", ("rows", "column"), rule="S-18")
    file.only("boar", ("disturbed", "removed"), rule="S-25")
    marks = _read_marks(file)
    pictures = _read_sides(file, "rewards", "S-20", lambda key: _read_rewards(file, key, marks))
    return Components(
        data=file.label(),
        row_values=_read_row_values(file),
        gardens=tuple(
            mask_of(cell for cell, mark in enumerate("".join(rows)) if mark == "#")
            for rows in _read_sides(file, "gardens", "S-3", lambda key: _read_garden(file, key))
        ),
        deck=_read_deck(file),
        tiles=_read_tiles(file),
        row_bonus=_read_row_bonus(file),
        column_bonus=_points(file, "endgame", "column", "S-18"),
        rewards=tuple(_pay("".join(rows), marks) for rows in pictures),
        boar_disturbed=_points(file, "boar", "disturbed", "S-25"),
        boar_removed=_points(file, "boar", "removed", "S-25"),
        editions=_read_editions(file),
    )


def _read_sides(
    file: DataFile, table: str, rule: str, read: Callable[[str], tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Read both sides of four boards; a side may be the mirror image of the one before it."""
    names = tuple(board_name(index) for index in range(2 * BOARDS))
    file.only(table, names, rule=rule)
    sides: list[tuple[str, ...]] = []
    for name in names:
        if name.endswith("B") and file.text(table, name, rule=rule) == f"mirror of {name[0]}A":
            sides.append(tuple(row[::-1] for row in sides[-1]))
        else:
            sides.append(read(name))
    return tuple(sides)


def _read_garden(file: DataFile, key: str) -> tuple[str, ...]:
    """Read one side of a garden board from its picture (S-3)."""
    rows = _read_picture(file, "gardens", key, (WIDTH,) * HEIGHT)
    for below, row in enumerate(rows, start=1):
        if strange := set(row) - {"#", "."}:
            mark = min(strange)
            raise file.refuse(
                "data_mark", "gardens", key, rule="S-3", below=below, mark=mark, known="# ."
            )
    if rows[0] != "#" * WIDTH:
        raise file.refuse("data_row_one", "gardens", key, rule="S-3", below=1)
    if rows[3][4] == "#":
        raise file.refuse("data_boar_cell", "gardens", key, rule="S-24", below=4)
    printed = "".join(rows).count("#")
    if printed != PREPRINTED:
        raise file.refuse(
            "data_preprinted", "gardens", key, rule="S-3", cells=printed, due=PREPRINTED
        )
    return rows


def _read_rewards(file: DataFile, key: str, marks: dict[str, tuple[int, int]]) -> tuple[str, ...]:
    """Read one side of a rewards board from its picture (S-20)."""
    widths = tuple(last - first + 1 for _, first, last in REWARDS_ROWS)
    rows = _read_picture(file, "rewards", key, widths)
    for below, row in enumerate(rows, start=1):
        if strange := set(row) - {*marks, "."}:
            known = " ".join([*marks, "."])
            raise file.refuse(
                "data_mark",
                "rewards",
                key,
                rule="S-20",
                below=below,
                mark=min(strange),
                known=known,
            )
    marked = sum(mark != "." for mark in "".join(rows))
    if marked != MARKED:
        raise file.refuse("data_marked", "rewards", key, rule="S-20", cells=marked, due=MARKED)
    return rows


def _read_picture(file: DataFile, table: str, key: str, widths: tuple[int, ...]) -> tuple[str, ...]:
    """Read the rows of a picture, each of its own width; spaces around a row are only for looks."""
    rule = "S-3" if table == "gardens" else "S-20"
    text = file.text(table, key, rule=rule)
    rows = tuple(row.strip() for row in text.strip("\n").splitlines())
    if len(rows) != len(widths):
        raise file.refuse("data_rows", table, key, rule=rule, rows=len(rows), due=len(widths))
    for below, (row, width) in enumerate(zip(rows, widths, strict=True), start=1):
        if len(row) != width:
            raise file.refuse(
                "data_width", table, key, rule=rule, below=below, cells=len(row), due=width
            )
    return rows


def _pay(picture: str, marks: dict[str, tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """List the rewards of a board by cell, from the picture of its marks."""
    pays = [(0, 0)] * (WIDTH * HEIGHT)
    for cell, mark in zip(REWARDS_CELLS, picture, strict=True):
        pays[cell] = marks.get(mark, (0, 0))
    return tuple(pays)


def _read_marks(file: DataFile) -> dict[str, tuple[int, int]]:
    """Read what each mark pays for a motif and for a gardener (S-21 to S-23)."""
    marks: dict[str, tuple[int, int]] = {}
    for key in file.table("marks", rule="S-21"):
        pay = file.numbers("marks", key, rule="S-21")
        match pay:
            case (for_motif, for_gardener) if _is_mark(key, for_motif, for_gardener):
                marks[key] = (for_motif, for_gardener)
            case _:
                raise file.refuse("data_mark_pay", "marks", key, rule="S-21")
    return marks


def _is_mark(key: str, for_motif: int, for_gardener: int) -> bool:
    """Check that a reward is a motif bonus, a gardener bonus or a penalty."""
    is_bonus = min(for_motif, for_gardener) == 0 < max(for_motif, for_gardener)
    is_penalty = for_motif == for_gardener < 0
    return len(key) == 1 and key not in ".#" and (is_bonus or is_penalty)


def _read_deck(file: DataFile) -> int:
    """Read the eight two-color cards; motifs and free choice are always there (S-4)."""
    file.only("cards", ("pairs",), rule="S-4")
    pairs = file.numbers("cards", "pairs", rule="S-4")
    names = {card_name(card): card for card in CARDS}
    for pair in pairs:
        if str(pair) not in names:
            raise file.refuse("data_pair", "cards", "pairs", rule="S-4", pair=pair)
    if len(pairs) != CARD_PAIRS or len(set(pairs)) != CARD_PAIRS:
        raise file.refuse(
            "data_pairs", "cards", "pairs", rule="S-4", pairs=len(set(pairs)), due=CARD_PAIRS
        )
    return mask_of([*Motif, *(names[str(pair)] for pair in pairs), FREE_CHOICE])


def _read_tiles(file: DataFile) -> dict[int, int]:
    """Read how many tiles of each motif are in play: one more than the refills need (S-5, S-16)."""
    seats = ("2", "3", "4")
    file.only("tiles", seats, rule="S-5")
    tiles = {int(key): file.number("tiles", key, rule="S-5") for key in seats}
    for players, count in tiles.items():
        due = (players * 18 + 9) // len(Motif)
        if count != due:
            raise file.refuse("data_tiles", "tiles", str(players), rule="S-5", tiles=count, due=due)
    return tiles


def _read_row_values(file: DataFile) -> tuple[int, ...]:
    """Read what the rows are worth: more from row to row (S-2)."""
    values = _six_numbers(file, "rows", "values", "S-2")
    if list(values) != sorted(set(values)):
        raise file.refuse("data_rising", "rows", "values", rule="S-2")
    return values


def _read_row_bonus(file: DataFile) -> tuple[int, ...]:
    """Read what complete rows pay: row 1 nothing (S-18)."""
    bonus = _six_numbers(file, "endgame", "rows", "S-18")
    if bonus[0]:
        raise file.refuse("data_first_row", "endgame", "rows", rule="S-18")
    return bonus


def _six_numbers(file: DataFile, table: str, key: str, rule: str) -> tuple[int, ...]:
    """Read one number for each row."""
    numbers = file.numbers(table, key, rule=rule)
    if len(numbers) != HEIGHT or min(numbers) < 0:
        raise file.refuse("data_six_numbers", table, key, rule=rule)
    return numbers


def _points(file: DataFile, table: str, key: str, rule: str) -> int:
    """Read a number of points, not negative."""
    points = file.number(table, key, rule=rule)
    if points < 0:
        raise file.refuse("data_negative", table, key, rule=rule)
    return points


def _read_editions(file: DataFile) -> tuple[Edition, ...]:
    """Read all editions; there must be one to speak the words of (S-2)."""
    names = file.table("editions", rule="S-2")
    if not names:
        raise file.refuse("data_no_entry", "editions", "first", rule="S-2")
    return tuple(_read_edition(file, name) for name in names)


def _read_edition(file: DataFile, name: str) -> Edition:
    """Read the words and colors of an edition (S-1, S-2)."""
    motifs = tuple(motif.name.lower() for motif in Motif)
    rows = tuple(str(row) for row in range(1, HEIGHT + 1))
    return Edition(
        name,
        _words(file, f"editions.{name}", "title", ()),
        tuple(_words(file, f"editions.{name}.motifs", motif, ()) for motif in motifs),
        tuple(_words(file, f"editions.{name}.rows", row, ("color",)) for row in rows),
    )


def _words(file: DataFile, table: str, key: str, more: Sequence[str]) -> dict[str, str]:
    """Read an entry that has a text in each language."""
    entry = file.table(table, rule="S-2").get(key)
    due = ("en", "es", "de", *more)
    if isinstance(entry, dict) and set(entry) == set(due):
        texts = {name: text for name, text in entry.items() if isinstance(text, str)}
        if len(texts) == len(due):
            return texts
    raise file.refuse("data_words", table, key, rule="S-2", due=" ".join(due))
