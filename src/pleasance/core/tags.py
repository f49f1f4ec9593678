"""The tags of a record: the game, its options and data, the players and the result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from pleasance.core.errors import BadRecordError, PleasanceError
from pleasance.core.game import AnyGame, check_options, check_seats
from pleasance.core.record import Record, clean_text, shorten

REQUIRED_TAGS = ("Game", "Rules", "Seats")
"""The tags without which a record is refused."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_SEAT_COUNT = re.compile(r"[0-9]{1,3}")
_TOKEN_COUNT = re.compile(r"[0-9]{1,6}")
_POINTS = re.compile(r"-?[0-9]{1,9}")


def make_tags(
    game: AnyGame,
    seats: int,
    *,
    players: Sequence[str] = (),
    scores: Sequence[int] | None = None,
    fair_tag: str = "",
) -> dict[str, str]:
    """Write the tags of a game; *scores* only once it is over."""
    tags = {"Game": game.spec.name, "Rules": game.spec.rules_version, "Seats": str(seats)}
    if game.options:
        tags["Options"] = " ".join(game.options)
    if not game.data.is_builtin:
        tags["Data"] = f"{clean_text(game.data.name)} {game.data.sha256}"
    if players:
        tags["Players"] = ", ".join(clean_text(name.replace(",", " ")) for name in players)
    if scores is not None:
        tags["Result"] = " ".join(str(points) for points in scores)
    if fair_tag:
        tags["Fair"] = fair_tag
    return tags


def with_opening(tags: Mapping[str, str], tokens: int) -> dict[str, str]:
    """Add the number of opening *tokens* to the tags, unless it is 0."""
    return {**tags, "Opening": str(tokens)} if tokens else dict(tags)


def read_opening(record: Record) -> int:
    """Read the number of opening tokens, whose draws do not follow from the record's secret."""
    text, most = record.tags.get("Opening", "0"), len(record.tokens)
    if not _TOKEN_COUNT.fullmatch(text) or int(text) > most:
        line = record.line("Opening")
        raise BadRecordError("record_opening", line=line, text=shorten(text), most=most)
    return int(text)


def fit_game(game: AnyGame, record: Record, data: str | None = None) -> AnyGame:
    """Configure *game* with the options of *record* and the text of a component file, *data*."""
    fitted = game.configure(_read_options(game, record), data)
    check_tags(fitted, record)
    return fitted


def check_tags(game: AnyGame, record: Record) -> int:
    """Refuse a record that differs from *game* as configured; return its number of seats."""
    for tag in REQUIRED_TAGS:
        if tag not in record.tags:
            raise BadRecordError("record_no_tag", line=record.line(), tag=tag)
    _check_game(game, record)
    _check_options(game, record)
    _check_data(game, record)
    return _check_seats(game, record)


def check_result(record: Record, scores: Sequence[int]) -> None:
    """Refuse a record whose result differs from the replay's."""
    text = record.tags.get("Result")
    if text is None:
        return
    points = text.split()
    if not all(_POINTS.fullmatch(number) for number in points):
        raise BadRecordError("record_result_tag", line=record.line("Result"), text=text)
    if [int(number) for number in points] != list(scores):
        ours = " ".join(str(number) for number in scores)
        raise BadRecordError("record_result", line=record.line("Result"), result=text, ours=ours)


@contextmanager
def errors_at_line(line: int) -> Iterator[None]:
    """Add *line* to an error that does not name one."""
    try:
        yield
    except PleasanceError as refusal:
        if "line" in refusal.params:
            raise
        raise type(refusal)(refusal.code, **refusal.params, line=line) from refusal


def _read_options(game: AnyGame, record: Record) -> tuple[str, ...]:
    with errors_at_line(record.line("Options")):
        return check_options(game.spec, tuple(record.tags.get("Options", "").split()))


def _check_game(game: AnyGame, record: Record) -> None:
    name, rules = record.tags["Game"], record.tags["Rules"]
    if name != game.spec.name:
        raise BadRecordError("record_game", line=record.line(), game=name, ours=game.spec.name)
    if rules != game.spec.rules_version:
        line, ours = record.line("Rules"), game.spec.rules_version
        raise BadRecordError("record_rules", line=line, game=name, rules=rules, ours=ours)


def _check_options(game: AnyGame, record: Record) -> None:
    options = _read_options(game, record)
    if options != game.options:
        played, ours = " ".join(options) or "-", " ".join(game.options) or "-"
        line = record.line("Options")
        raise BadRecordError("record_options", line=line, options=played, ours=ours)


def _check_data(game: AnyGame, record: Record) -> None:
    text, line = record.tags.get("Data"), record.line("Data")
    if text is None:
        if not game.data.is_builtin:
            raise BadRecordError("record_data_house", line=line, ours=game.data.name)
        return
    name, _, sha256 = text.rpartition(" ")
    if not _SHA256.fullmatch(sha256):
        raise BadRecordError("record_data_tag", line=line, text=text)
    if sha256 != game.data.sha256:
        code = "record_data_needed" if game.data.is_builtin else "record_data_other"
        ours = game.data.sha256
        raise BadRecordError(code, line=line, name=name or "-", sha256=sha256, ours=ours)


def _check_seats(game: AnyGame, record: Record) -> int:
    text = record.tags["Seats"]
    if not _SEAT_COUNT.fullmatch(text):
        raise BadRecordError("record_seats", line=record.line("Seats"), text=text)
    with errors_at_line(record.line("Seats")):
        check_seats(game, int(text))
    return int(text)
