"""Generate the tables and examples of docs/guide/protocol.md from the code.

After a change to the messages, rewrite them with `python tests/protocol_page.py`.
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
LIST_LENGTH = 9
"""Lists with more items are shortened."""
SHOWN_LENGTH = 2
SHOWN_ENTRIES = 4
START = {"kind": "start"}
DISCONNECTED = "  (the connection is lost; Ben chooses; Ada comes back)"


def format_json(value: Any, indent: str = "", used: int = 0) -> str:
    """Format JSON on one line where it fits, otherwise one part per line."""
    text = json.dumps(value, ensure_ascii=False)
    if len(indent) + used + len(text) <= WIDTH or not isinstance(value, dict | list):
        return text
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [
            f'"{name}": {format_json(part, inner, len(name) + 5)}' for name, part in value.items()
        ]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    if any(isinstance(item, dict | list) for item in value):
        parts = [format_json(item, inner, 1) for item in value]
    else:
        parts = [line.rstrip(",") for line in wrap(text[1:-1], WIDTH - len(inner))]
    return "[\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}]"


def elide(value: Any, name: str = "") -> Any:
    """Replace parts that the page shows elsewhere by an ellipsis."""
    match value:
        case _ if name in {"position", "box"} and value is not None:
            return "…"
        case dict():
            return {key: elide(part, key) for key, part in value.items()}
        case list():
            return [elide(part) for part in value]
        case _:
            return value


def abbreviate(value: Any) -> Any:
    """Shorten long lists: the first items of one kind, then an ellipsis."""
    match value:
        case dict():
            return {key: abbreviate(part) for key, part in value.items()}
        case [dict(), _, *_]:
            return [abbreviate(value[0]), "…"]
        case [_, *_] if len(value) > LIST_LENGTH:
            return [abbreviate(part) for part in value[:SHOWN_LENGTH]] + ["…"]
        case list():
            return [abbreviate(part) for part in value]
        case _:
            return value


def leave_out_known(message: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Leave out what *known* messages of the table already said, then add the rest to *known*."""
    new = {key: part for key, part in message.items() if part not in (None, known.get(key))}
    shown = {**new, "info": "…"} if "info" in known and "info" in new else new
    entries = new.get("entries", [])
    if len(entries) > SHOWN_ENTRIES:
        shown["entries"] = [*entries[: SHOWN_ENTRIES - 1], "…", entries[-1]]
    known.update({**new, "kind": None})
    return shown


def write_transcript() -> Iterator[str]:
    """Write the example session from its start; facts of the table only when they change."""
    yield "```text"
    known: dict[str, Any] = {}
    messages = list(make_transcript())
    start = next(n for n, (_, sent) in enumerate(messages) if sent.get("command") == START)
    for direction, message in messages[start:]:
        is_table = message.get("kind") in {"snapshot", "update"}
        shown = elide(leave_out_known(message, known) if is_table else message)
        yield f"{direction} {format_json(shown, '  ')}" if direction else DISCONNECTED
    yield "```"


def write_position(name: str) -> Iterator[str]:
    """Write the view of seat 1 at the end of the record behind the picture."""
    text = (ROOT / "docs" / "pictures" / f"{name}.txt").read_text(encoding="utf-8")
    record = parse_record(text)
    game = find_game(name).configure(tuple(record.tags.get("Options", "").split()), None)
    state = replay(game, record, is_partial=True).state
    yield "```json"
    yield format_json(abbreviate(json.loads(encode_view(game, game.view(state, Seat(0))))))
    yield "```"


def list_messages(union: object) -> Iterator[str]:
    """List the messages of a union with their fields; `?` marks one that may be left out."""
    yield "| kind | fields | what it is |"
    yield "|---|---|---|"
    for kind in get_args(union):
        named = [f"`{field.name}`{'' if field.required else '?'}" for field in fields(kind)]
        doc = " ".join((inspect.getdoc(kind) or "").split()).replace("`None`", "`null`")
        yield f"| `{kind.__struct_config__.tag}` | {', '.join(named)} | {doc} |"


def list_entries() -> Iterator[str]:
    """List the kinds of log entries."""
    for name, kind in _KINDS.items():
        yield f"- `{name}`: {inspect.getdoc(kind)}"


def make_block(name: str) -> str:
    """Make one generated block of the page."""
    makers: dict[str, Callable[[], Iterator[str]]] = {
        "requests": lambda: list_messages(requests.Request),
        "commands": lambda: list_messages(requests.Command),
        "messages": lambda: list_messages(messages.Message),
        "lines": list_entries,
        "transcript": write_transcript,
        "sanssouci": lambda: write_position("sanssouci"),
        "sakura": lambda: write_position("sakura"),
    }
    return "\n".join(makers[name]()) + "\n"


def write_page(text: str) -> str:
    """Replace every generated block of the page."""
    return BLOCK.sub(lambda block: block[1] + make_block(block[2]) + block[3], text)


if __name__ == "__main__":
    PAGE.write_text(write_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
