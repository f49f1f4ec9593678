"""Table configurations: made from requests, and their codec for the database."""

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
from pleasance.core.fair_draws import SECRET_BYTES
from pleasance.core.game import AnyGame, check_seats
from pleasance.core.record import parse_record
from pleasance.core.tags import check_tags
from pleasance.games import find_game
from pleasance.server.base.errors import BadRequestError
from pleasance.server.base.messages import Clock, Name
from pleasance.table.opening_tokens import cut_opening, replay_opening
from pleasance.table.table_config import TableConfig
from pleasance.table.time_control import TimeControl

_BOT_SEED_BYTES = 16
_MAX_CACHED_GAMES = 64


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """The beginning of another game, to continue from there."""

    record: Annotated[str, Meta(max_length=200_000)]
    """A full record of the same game, options and seats."""

    steps: Annotated[int, Meta(ge=1, le=100_000)]
    """The number of steps to keep; a draw or a simultaneous turn is one step."""


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to open a table."""

    game: Name
    seats: Annotated[int, Meta(ge=1, le=6)]
    options: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()
    data: Annotated[str, Meta(max_length=100_000)] | None = None
    """The text of a component file; `None` for the house set."""

    clock: Clock | None = None
    is_rated: bool = False
    is_public: bool = False
    opening: Opening | None = None


class GameCache:
    """Cache of configured games, so that many tables share one."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[str, tuple[str, ...], str | None], AnyGame] = OrderedDict()

    def get(self, name: str, options: tuple[str, ...], data: str | None) -> AnyGame:
        """Return the game configured with options and the text of a component file."""
        key = (name, options, data)
        if key not in self._games:
            self._games[key] = find_game(name).configure(options, data)
            if len(self._games) > _MAX_CACHED_GAMES:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        return self._games[key]


def make_table_config(request: OpenTable, owner: str, games: GameCache) -> TableConfig:
    """Make the configuration of a new table; refuse one that the game does not allow."""
    game = games.get(request.game, request.options, request.data)
    check_seats(game, request.seats)
    clock, opening = request.clock, _read_opening(request, game)
    return TableConfig(
        game=game.spec.name,
        rules=game.spec.rules_version,
        options=game.options,
        data=request.data,
        seats=request.seats,
        time_control=None if clock is None else TimeControl(clock.move, clock.bank),
        is_rated=request.is_rated,
        is_public=request.is_public,
        opening=opening,
        owner=owner,
        secret=secrets.token_hex(SECRET_BYTES),
        bot_seed=secrets.token_hex(_BOT_SEED_BYTES),
    )


def _read_opening(request: OpenTable, game: AnyGame) -> tuple[str, ...]:
    """Read the opening tokens; refuse an opening that cannot be continued."""
    if request.opening is None:
        return ()
    if request.is_rated:
        raise BadSetupError("opening_rated")
    try:
        record = parse_record(request.opening.record)
        seats = check_tags(game, record)
        if seats != request.seats:
            raise BadRecordError("opening_seats", seats=request.seats, recorded=seats)
        opening = cut_opening(game, record, request.opening.steps)
        replay_opening(game, seats, opening)
    except BadRecordError as refusal:  # the text of a client, not a log of ours
        raise BadRequestError(refusal.code, **refusal.params) from refusal
    return opening


def rematch_config(config: TableConfig, owner: str) -> TableConfig:
    """Make the configuration of a rematch: the same table with a new secret."""
    secret, bot_seed = secrets.token_hex(SECRET_BYTES), secrets.token_hex(_BOT_SEED_BYTES)
    return replace(config, owner=owner, secret=secret, bot_seed=bot_seed)


def rematch_table_id(config: TableConfig) -> str:
    """Derive the id of the rematch table, which only players of the first table can know."""
    digest = hmac.digest(bytes.fromhex(config.secret), b"pleasance:rematch:1", "sha256")
    return base64.b32encode(digest).decode("ascii").lower()[:12]


def encode_table_config(config: TableConfig) -> str:
    """Encode a configuration as JSON; it includes the secret."""
    return msgspec.json.encode(config).decode()


def decode_table_config(text: str) -> TableConfig:
    """Decode a configuration that `encode_table_config` encoded."""
    return msgspec.json.decode(text, type=TableConfig)
