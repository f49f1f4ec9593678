"""Plans of tables: made from what somebody asks for, kept as JSON in the database."""

from __future__ import annotations

import base64
import hmac
import secrets
from collections import OrderedDict
from dataclasses import replace
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from pleasance.core.errors import BadRecordError, BadSetupError
from pleasance.core.fair import SECRET_BYTES
from pleasance.core.game import AnyGame, check_seats
from pleasance.core.record import parse_record
from pleasance.core.tags import check_tags
from pleasance.games import find_game
from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.messages import Clock, Name
from pleasance.table.opening_tokens import carry_out, cut_opening
from pleasance.table.table_config import Plan
from pleasance.table.time_control import Timing

_LUCK_BYTES = 16
_GAMES_KEPT = 64


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """The beginning of another game, to play on from there."""

    record: Annotated[str, Meta(max_length=200_000)]
    """A full record of the same game, options and seats."""

    steps: Annotated[int, Meta(ge=1, le=100_000)]
    """How many steps of it: a draw is one, and so are choices made at the same time."""


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody asks for who opens a table."""

    game: Name
    seats: Annotated[int, Meta(ge=1, le=6)]
    options: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()
    data: Annotated[str, Meta(max_length=100_000)] | None = None
    """The text of a component file, if not the house set."""

    clock: Clock | None = None
    is_rated: bool = False
    is_public: bool = False
    opening: Opening | None = None


class GameShelf:
    """Games made for their options and data, kept so that many tables share one."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[str, tuple[str, ...], str | None], AnyGame] = OrderedDict()

    def find(self, name: str, options: tuple[str, ...], data: str | None) -> AnyGame:
        """Give a game made for its options and the text of its component file."""
        key = (name, options, data)
        if key not in self._games:
            self._games[key] = find_game(name).configure(options, data)
            if len(self._games) > _GAMES_KEPT:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        return self._games[key]


def make_plan(wish: OpenTable, owner: str, shelf: GameShelf) -> Plan:
    """Make the plan of a new table; refuse a game that cannot be played so."""
    game = shelf.find(wish.game, wish.options, wish.data)
    check_seats(game, wish.seats)
    clock, opening = wish.clock, _read_opening(wish, game)
    return Plan(
        game=game.spec.name,
        rules=game.spec.rules_version,
        options=game.options,
        data=wish.data,
        seats=wish.seats,
        timing=None if clock is None else Timing(clock.move, clock.bank),
        is_rated=wish.is_rated,
        is_public=wish.is_public,
        opening=opening,
        owner=owner,
        secret=secrets.token_hex(SECRET_BYTES),
        luck=secrets.token_hex(_LUCK_BYTES),
    )


def _read_opening(wish: OpenTable, game: AnyGame) -> tuple[str, ...]:
    """Read with which tokens the game begins; refuse what cannot be played on from."""
    if wish.opening is None:
        return ()
    if wish.is_rated:
        raise BadSetupError("opening_rated")
    try:
        record = parse_record(wish.opening.record)
        seats = check_tags(game, record)
        if seats != wish.seats:
            raise BadRecordError("opening_seats", seats=wish.seats, recorded=seats)
        opening = cut_opening(game, record, wish.opening.steps)
        carry_out(game, seats, opening)
    except BadRecordError as refusal:  # somebody's own text, not a log of ours
        raise BadRequestError(refusal.code, **refusal.params) from refusal
    return opening


def renew_plan(plan: Plan, owner: str) -> Plan:
    """Make the plan of a rematch: the same table with a new secret."""
    secret, luck = secrets.token_hex(SECRET_BYTES), secrets.token_hex(_LUCK_BYTES)
    return replace(plan, owner=owner, secret=secret, luck=luck)


def name_rematch(plan: Plan) -> str:
    """Name the table where those at the table of *plan* play again; nobody else can guess it."""
    digest = hmac.digest(bytes.fromhex(plan.secret), b"pleasance:rematch:1", "sha256")
    return base64.b32encode(digest).decode("ascii").lower()[:12]


def write_plan(plan: Plan) -> str:
    """Write a plan as JSON; it tells the secret."""
    return msgspec.json.encode(plan).decode()


def read_plan(text: str) -> Plan:
    """Read what `write_plan` wrote."""
    return msgspec.json.decode(text, type=Plan)
