"""The record of a game as text: tags, then the tokens of all choices and draws in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pleasance.core.errors import BadNotationError, BadRecordError

DRAW_PREFIX = "+"
"""The prefix of the notation of every draw."""

HIDDEN_DRAW = "+?"
"""The token of a draw that is hidden from the reader of the record."""

MAX_LINE_LENGTH = 100
"""The characters of a written line; only a tag or a single token may be longer."""

_MAX_SHOWN_LENGTH = 60
"""The characters of foreign text that an error shows."""

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\][ \t]*')
_GAME = re.compile(r"\[Game(?![A-Za-z0-9_])")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ESCAPED = re.compile(r"\\(.)")
# No game has more turns than six digits count; longer numbers would make int() slow.
_PIECE = re.compile(
    r"(?P<space>\s+)|(?P<number>[0-9]{1,6})\.(?=[\s{]|$)|(?P<token>[^\s{}]+)|(?P<brace>[{}])"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One choice or draw; only its text is compared."""

    text: str
    line: int = field(default=0, compare=False)
    """The line it was read from, counted from 1; 0 for a token made here."""

    number: int = field(default=0, compare=False)
    """The turn or round it belongs to; 0 in set-up."""

    remark: str = field(default="", compare=False)
    """The text of the remark after it."""


@dataclass(frozen=True, slots=True)
class Record:
    """The tags and tokens of one game."""

    tags: Mapping[str, str]
    tokens: tuple[Token, ...]
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    """The line of each tag, counted from 1."""

    def line(self, tag: str = "Game") -> int:
        """Return the line of a tag, or of the first tag if it is missing."""
        return self.lines.get(tag) or self.lines.get("Game", 1)

    def last_line(self) -> int:
        """Return the last line of the record."""
        last = self.tokens[-1].line if self.tokens else 0
        return max(last, *self.lines.values(), 1) if self.lines else max(last, 1)

    def texts(self) -> tuple[str, ...]:
        """List the texts of the tokens."""
        return tuple(token.text for token in self.tokens)


def parse_records(text: str) -> list[Record]:
    """Read all records of *text*; each starts at its `Game` tag."""
    parser = _RecordParser()
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        parser.read_line(line.removesuffix("\r"), number)
    return parser.finish()


def parse_record(text: str) -> Record:
    """Read a *text* that holds exactly one record."""
    first, *rest = parse_records(text)
    if rest:
        raise BadRecordError("record_second", line=rest[0].line())
    return first


def write_record(record: Record) -> str:
    """Write the tags, a blank line, and a line for each turn or round."""
    tags = [f'[{name} "{_escape(name, value)}"]\n' for name, value in record.tags.items()]
    return "".join(tags) + "\n" + "".join(f"{line}\n" for line in _to_lines(record.tokens))


def write_records(records: Iterable[Record]) -> str:
    """Write several records with a blank line between them."""
    return "\n".join(write_record(record) for record in records)


def clean_text(text: str) -> str:
    """Normalize *text* for a tag: one line, no control characters, single spaces."""
    return " ".join(_CONTROL.sub(" ", text).split())


def shorten(text: str) -> str:
    """Shorten foreign *text* for an error."""
    shown = clean_text(text)
    return shown if len(shown) <= _MAX_SHOWN_LENGTH else shown[: _MAX_SHOWN_LENGTH - 1] + "…"


class _RecordParser:
    """Parses records line by line."""

    def __init__(self) -> None:
        self._records: list[Record] = []
        self._tags: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._tokens: list[Token] = []
        self._number = 0
        self._remark: list[str] = []
        self._remark_line = 0
        """The line where an open remark began; 0 when none is open."""

    def read_line(self, line: str, number: int) -> None:
        """Read one line: a tag, or tokens and remarks."""
        if self._remark_line == 0 and line.lstrip(" \t").startswith("["):
            self._read_tag(line.strip(" \t"), number)
        else:
            self._read_tokens(line, number)

    def finish(self) -> list[Record]:
        """Finish the last record and return all."""
        if self._remark_line:
            raise BadRecordError("record_remark_open", line=self._remark_line)
        self._close()
        if not self._records:
            raise BadRecordError("record_none", line=1)
        return self._records

    def _close(self) -> None:
        if self._tags:
            self._records.append(Record(self._tags, tuple(self._tokens), self._lines))
        self._tags, self._lines, self._tokens, self._number = {}, {}, [], 0

    def _read_tag(self, line: str, number: int) -> None:
        if _GAME.match(line):
            self._close()
        match = _TAG.fullmatch(line)
        if match is None or _CONTROL.search(match[2]):
            raise BadNotationError("record_tag", line=number, text=shorten(line))
        name = match[1]
        if name != "Game" and not self._tags:
            raise BadRecordError("record_before_game", line=number, text=shorten(line))
        if self._tokens:
            raise BadRecordError("record_tag_late", line=number, tag=name)
        if name in self._tags:
            raise BadRecordError("record_tag_twice", line=number, tag=name)
        self._tags[name] = _ESCAPED.sub(r"\1", match[2])
        self._lines[name] = number

    def _read_tokens(self, line: str, number: int) -> None:
        start = 0
        while start < len(line):
            if self._remark_line:
                start = self._read_remark(line, start)
                continue
            match = _PIECE.match(line, start)
            assert match, f"every character is a piece: {line[start:]!r}"
            start = match.end()
            self._read_piece(match, number)
        if self._remark_line:
            self._remark.append(" ")

    def _read_piece(self, match: re.Match[str], line: int) -> None:
        """Read one piece of a line: a turn number, a token, or the start of a remark."""
        text = match[0]
        if match["space"]:
            return
        if not self._tags:
            raise BadRecordError("record_before_game", line=line, text=shorten(match.string))
        if text == "{":
            self._remark, self._remark_line = [], line
        elif text == "}":
            raise BadRecordError("record_remark_closed", line=line)
        elif match["number"]:
            self._number = int(match["number"])
        else:
            self._tokens.append(Token(text, line, self._number))

    def _read_remark(self, line: str, start: int) -> int:
        """Continue reading a remark; return the position after it."""
        end = line.find("}", start)
        self._remark.append(line[start:] if end < 0 else line[start:end])
        if end < 0:
            return len(line)
        self._remark_line = 0
        remark = clean_text("".join(self._remark))
        if self._tokens and remark:
            last = self._tokens[-1]
            both = f"{last.remark} {remark}" if last.remark else remark
            self._tokens[-1] = replace(last, remark=both)
        return end + 1


def _escape(name: str, value: str) -> str:
    """Escape quotes and backslashes in a tag's value; refuse control characters."""
    if not _NAME.fullmatch(name) or _CONTROL.search(value):
        raise BadRecordError("record_tag_value", tag=shorten(name), text=shorten(value))
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _to_lines(tokens: Iterable[Token]) -> Iterator[str]:
    """Break the tokens into lines: one for each turn, wrapped where it is too long."""
    line, number = "", 0
    for token in tokens:
        first = token.text
        if token.number != number:
            if line:
                yield line
            line, number, first = "", token.number, f"{token.number}. {token.text}"
        for word in (first, f"{{{token.remark}}}") if token.remark else (first,):
            if line and len(line) + 1 + len(word) > MAX_LINE_LENGTH:
                yield line
                line = ""
            line = f"{line} {word}" if line else word
    if line:
        yield line
