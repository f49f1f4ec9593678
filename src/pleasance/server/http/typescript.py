"""The wire for browsers: writes TypeScript types from the messages and the games' shapes.

`python -m pleasance.server.http.typescript` writes web/src/wire.ts; with `--check` it only tells
whether that file is as it should be.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import dedent, wrap
from typing import TypeAlias

from msgspec import inspect as types

from pleasance.games import find_game, game_names
from pleasance.server.base import messages, requests
from pleasance.server.base.view_codec import TextBoxFacts, TextView

FILE = Path(__file__).parents[4] / "web" / "src" / "wire.ts"

_COMMAND = "python -m pleasance.server.http.typescript"
_HEAD = f"// Made by `{_COMMAND}`; change the Python types instead."
_WIDTH = 100
_UNIONS = {"Command": requests.Command, "Request": requests.Request, "Message": messages.Message}
_SENT = ("Command", "Request")
"""The unions that a client sends: there it may leave out what has a default."""

_RAW = {"position": "Position", "box": "Box"}
"""The types of the fields that are written before the message is."""

_PLAIN = {
    types.NoneType: "null",
    types.BoolType: "boolean",
    types.IntType: "number",
    types.FloatType: "number",
    types.StrType: "string",
}

_Shape: TypeAlias = types.StructType | types.DataclassType


def generate() -> str:
    """Write all types as one TypeScript module."""
    shapes = _collect()
    parts = [_HEAD, *(_write_shape(shape, is_sent) for shape, is_sent in shapes.values())]
    parts += [
        _write_union(name, _members(union), _doc_of_union(name)) for name, union in _UNIONS.items()
    ]
    parts += _write_games()
    return "\n\n".join(parts) + "\n"


def _collect() -> dict[str, tuple[_Shape, bool]]:
    """Find every shape there is by its name, what it holds before it; and whether clients send it.

    Two shapes may not share a name, since the browser knows them by it.
    """
    found: dict[str, tuple[_Shape, bool]] = {}
    for name, root in _roots():
        for shape in _walk(types.type_info(root)):
            known, is_sent = found.setdefault(shape.cls.__name__, (shape, False))
            if known.cls is not shape.cls:
                raise TypeError(f"two types of the wire have the name {shape.cls.__name__}")
            found[shape.cls.__name__] = known, is_sent or name in _SENT
    return found


def _roots() -> Iterator[tuple[str, object]]:
    """List the types from which all others can be reached."""
    yield from _UNIONS.items()
    yield from (("plain", kind) for kind in (TextView, TextBoxFacts))
    for name in game_names():
        wire = find_game(name).wire
        if wire is not None:
            shapes = (wire.view_type, wire.box_type, wire.scene_type)
            yield from ((name, kind) for kind in shapes if kind is not None)


def _walk(kind: types.Type) -> Iterator[_Shape]:
    """List the shapes in a type, those that a shape holds before it."""
    for part in _parts(kind):
        yield from _walk(part)
    if isinstance(kind, _Shape):
        yield kind


def _parts(kind: types.Type) -> tuple[types.Type, ...]:
    """List the types that a type is made of."""
    match kind:
        case types.StructType() | types.DataclassType():
            return tuple(field.type for field in kind.fields)
        case types.UnionType():
            return kind.types
        case types.VarTupleType() | types.ListType():
            return (kind.item_type,)
        case types.TupleType():
            return kind.item_types
        case types.DictType():
            return kind.key_type, kind.value_type
        case _:
            return ()


def _write_shape(shape: _Shape, is_sent: bool) -> str:
    """Write an interface with a comment on each field that has one."""
    comments = _field_docs(shape.cls)
    lines = [*_comment(inspect.getdoc(shape.cls) or "", ""), _open(shape.cls.__name__)]
    if isinstance(shape, types.StructType) and shape.tag is not None:
        lines.append(f"  readonly {shape.tag_field}: {json.dumps(shape.tag)};")
    can_omit = is_sent or _omits_defaults(shape)
    for field in shape.fields:
        mark = "?" if can_omit and not field.required else ""
        lines += _comment(comments.get(field.name, ""), "  ")
        lines.append(_declare(f"{field.encode_name}{mark}", _write(field.type, field.name)))
    return "\n".join([*lines, "}"])


def _declare(name: str, kind: str) -> str:
    """Write a field; what may be many things gets a line for each."""
    line = f"  readonly {name}: {kind};"
    if len(line) <= _WIDTH:
        return line
    return f"  readonly {name}:" + "".join(f"\n    | {part}" for part in kind.split(" | ")) + ";"


def _omits_defaults(shape: _Shape) -> bool:
    """Return whether the encoding of a type omits fields with default values."""
    return isinstance(shape, types.StructType) and shape.cls.__struct_config__.omit_defaults


def _open(name: str) -> str:
    return f"export interface {name} {{"


def _write(kind: types.Type, field: str) -> str:
    """Write a type as TypeScript; *field* is where it stands."""
    match kind:
        case types.StructType() | types.DataclassType():
            return kind.cls.__name__
        case types.UnionType():
            return _name_union(kind) or " | ".join(_write_parts(kind, field))
        case types.VarTupleType() | types.ListType():
            (item,) = _write_parts(kind, field)
            return f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
        case types.TupleType():
            return f"readonly [{', '.join(_write_parts(kind, field))}]"
        case types.DictType():
            return f"Readonly<Record<{', '.join(_write_parts(kind, field))}>>"
        case types.RawType():
            return _RAW[field]
        case _:
            return _write_leaf(kind, field)


def _write_parts(kind: types.Type, field: str) -> list[str]:
    return [_write(part, field) for part in _parts(kind)]


def _write_leaf(kind: types.Type, field: str) -> str:
    """Write a type that is made of no others."""
    match kind:
        case types.LiteralType():
            return " | ".join(map(json.dumps, kind.values))
        case types.EnumType():
            return " | ".join(json.dumps(member.value) for member in kind.cls)
        case _ if type(kind) not in _PLAIN:
            raise TypeError(f"there is no TypeScript for {field}: {kind}")
        case _:
            return _PLAIN[type(kind)]


def _members(union: object) -> tuple[str, ...]:
    """Name the shapes of a union."""
    info = types.type_info(union)
    assert isinstance(info, types.UnionType), f"{union} is no union"
    return tuple(_write(member, "") for member in info.types)


def _name_union(kind: types.UnionType) -> str | None:
    """Find the name of a union that has one."""
    return next((name for name, union in _UNIONS.items() if types.type_info(union) == kind), None)


def _write_union(name: str, members: Sequence[str], doc: str) -> str:
    lines = [*_comment(doc, ""), f"export type {name} ="]
    return "\n".join([*lines, *(f"  | {member}" for member in members)]) + ";"


def _write_games() -> Iterator[str]:
    """Write which types belong to which game; a game that has none is drawn in text."""
    wires = [(name, wire) for name in game_names() if (wire := find_game(name).wire) is not None]
    kinds = [(name, (wire.view_type, wire.box_type)) for name, wire in wires]
    for title, what, part in (("Positions", "view", 0), ("Boxes", "box", 1)):
        lines = [*_comment(f"The {what} of each game that has one of its own.", ""), _open(title)]
        lines += [f"  readonly {name}: {both[part].__name__};" for name, both in kinds]
        yield "\n".join([*lines, "}"])
    yield "export type Position = Positions[keyof Positions] | TextView;"
    yield "export type Box = Boxes[keyof Boxes] | TextBoxFacts;"


def _doc_of_union(name: str) -> str:
    """Find what the module says about a union."""
    sources = (ast.parse(inspect.getsource(module)).body for module in (messages, requests))
    return next((doc for body in sources if (doc := _docs_below(body).get(name))), "")


def _field_docs(cls: type) -> dict[str, str]:
    """Find what stands under each field of a class."""
    (node,) = ast.parse(dedent(inspect.getsource(cls))).body
    assert isinstance(node, ast.ClassDef), f"{cls} is no class"
    return _docs_below(node.body)


def _docs_below(body: Sequence[ast.stmt]) -> dict[str, str]:
    """Pair names that are declared with the text right below them."""
    docs: dict[str, str] = {}
    for pair in pairwise(body):
        match pair:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                docs[name] = text
            case _:
                pass
    return docs


def _comment(text: str, indent: str) -> list[str]:
    """Write a comment; what is `None` in Python is `null` there."""
    said = " ".join(text.replace("`None`", "`null`").split())
    if not said:
        return []
    if len(line := f"{indent}/** {said} */") <= _WIDTH:
        return [line]
    inner = wrap(said, _WIDTH - len(indent) - 3)
    return [f"{indent}/**", *(f"{indent} * {part}" for part in inner), f"{indent} */"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file, or tell whether it is fresh."""
    parser = ArgumentParser(prog=_COMMAND, description="Write TypeScript types for the browser.")
    parser.add_argument("--check", action="store_true", help="only tell whether the file is fresh")
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    asked = parser.parse_args(arguments)
    text = generate()
    if not asked.check:
        asked.file.parent.mkdir(parents=True, exist_ok=True)
        asked.file.write_text(text, encoding="utf-8")
        return 0
    if asked.file.is_file() and asked.file.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{asked.file} is not what the Python types say; write it with {_COMMAND}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
