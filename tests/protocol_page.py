"""Generate the tables and examples of docs/guide/protocol.md from the code.

`python tests/protocol_page.py` writes them anew after a change to the messages.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any, get_args

from msgspec.structs import fields

from pleasance.core.game import Seat
from pleasance.core.record import parse_record
from pleasance.core.replay import replay
from pleasance.games import find_game
from pleasance.server.base import messages, requests
from pleasance.server.base.view_codec import encode_view
from pleasance.table.entries import _KINDS
from support.transcript import make_transcript

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "guide" / "protocol.md"
BLOCK = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
WIDTH = 110
LOST = "  (the connection is lost; Ben chooses; Ada comes back)"


def say(value: Any, indent: str = "", used: int = 0) -> str:
    """Write JSON on one line where it fits, else one part a line."""
    text = json.dumps(value, ensure_ascii=False)
    if len(indent) + used + len(text) <= WIDTH or not isinstance(value, dict | list):
        return text
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f'"{name}": {say(part, inner, len(name) + 5)}' for name, part in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    if any(isinstance(item, dict | list) for item in value):
        parts = [say(item, inner, 1) for item in value]
    else:
        parts = [line.rstrip(",") for line in wrap(text[1:-1], WIDTH - len(inner))]
    return "[\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}]"


def elide(value: Any, name: str = "") -> Any:
    """Leave out what is shown elsewhere on the page."""
    match value:
        case _ if name in {"position", "box"} and value is not None:
            return "…"
        case dict():
            return {key: elide(part, key) for key, part in value.items()}
        case list():
            return [elide(part) for part in value]
        case _:
            return value


def draw_transcript() -> Iterator[str]:
    yield "```text"
    is_known = False
    for way, message in make_transcript():
        told = {**message, "info": "…"} if is_known and message.get("info") else message
        is_known = is_known or "info" in message
        yield f"{way} {say(elide(told), '  ')}" if way else LOST
    yield "```"


def draw_position(name: str) -> Iterator[str]:
    """Show to seat 1 the position at which the record of the picture breaks off."""
    text = (ROOT / "docs" / "pictures" / f"{name}.txt").read_text(encoding="utf-8")
    record = parse_record(text)
    game = find_game(name).configure(tuple(record.tags.get("Options", "").split()), None)
    state = replay(game, record, is_partial=True).state
    yield "```json"
    yield say(json.loads(encode_view(game, game.view(state, Seat(0)))))
    yield "```"


def list_kinds(union: object) -> Iterator[str]:
    """List the messages of a union with their fields; `?` marks one that may be left out."""
    yield "| kind | fields | what it is |"
    yield "|---|---|---|"
    for kind in get_args(union):
        named = [f"`{field.name}`{'' if field.required else '?'}" for field in fields(kind)]
        doc = " ".join((inspect.getdoc(kind) or "").split()).replace("`None`", "`null`")
        yield f"| `{kind.__struct_config__.tag}` | {', '.join(named)} | {doc} |"


def list_lines() -> Iterator[str]:
    """List what a line of the log can be."""
    yield "| kind | meaning |"
    yield "|---|---|"
    for name, kind in _KINDS.items():
        yield f"| `{name}` | {inspect.getdoc(kind)} |"


def make_block(name: str) -> str:
    """Make one part of the page."""
    makers: dict[str, Callable[[], Iterator[str]]] = {
        "requests": lambda: list_kinds(requests.Request),
        "commands": lambda: list_kinds(requests.Command),
        "messages": lambda: list_kinds(messages.Message),
        "lines": list_lines,
        "transcript": draw_transcript,
        "sanssouci": lambda: draw_position("sanssouci"),
        "sakura": lambda: draw_position("sakura"),
    }
    return "\n".join(makers[name]()) + "\n"


def write_page(text: str) -> str:
    """Put what the code says into the page."""
    return BLOCK.sub(lambda block: block[1] + make_block(block[2]) + block[3], text)


if __name__ == "__main__":
    PAGE.write_text(write_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
