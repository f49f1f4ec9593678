"""The TypeScript types are those of the Python program."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance import games_with
from pleasance.server.http import typescript
from pleasance.server.http.typescript import FILE, generate, main
from support.programs import run_program

COMPILER = FILE.parents[1] / "node_modules" / "typescript" / "bin" / "tsc"
USE = """\
import type { Command, Message, Positions, Request } from "./wire";

export function tell(message: Message): string {
  switch (message.kind) {
    case "welcome": return message.player;
    case "snapshot": return message.info.places.map(place => place.name).join();
    case "update": return message.views.map(view => view.legal.length).join();
    case "refused": return message.code;
    default: return message.kind;
  }
}

const choose: Command = { kind: "choose", seat: 0, token: "e>5", ply: 40 };
export const request: Request = { kind: "do", key: "k1", table: "abcdefgh", command: choose };
export const noble = (view: Positions["sanssouci"]): number | undefined =>
  view.gardens[0]?.nobles[4];
"""
WRONG = """\
import type { Request } from "./wire";

export const request: Request = { kind: "do", key: "k1", table: "abcdefgh" };
"""


@pytest.mark.slow
def test_the_file_is_fresh() -> None:
    """If it fails: run `python -m pleasance.server.http.typescript`."""
    assert FILE.read_text(encoding="utf-8") == generate()
    assert main(["--check"]) == 0


@pytest.mark.slow
def test_a_stale_file_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "src" / "wire.ts"
    assert main(["--check", str(file)]) == 1
    assert main([str(file)]) == 0
    assert main(["--check", str(file)]) == 0
    file.write_text(file.read_text().replace("readonly", ""))
    capsys.readouterr()
    assert main(["--check", str(file)]) == 1
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert str(file) in errors
    assert "python -m pleasance.server.http.typescript" in errors


def declared(text: str, name: str) -> str:
    found = re.search(rf"^export interface {name} {{\n(.*?)^}}", text, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


def test_unions_are_tagged_and_optional_fields_marked() -> None:
    text = generate()
    choose = declared(text, "Choose")
    assert '  readonly kind: "choose";' in choose
    assert "  readonly revision?: number;" in choose
    assert "  readonly command: Command;" in declared(text, "Execute")
    assert "  readonly seat?: number | null;" in declared(text, "LogEntryView"), (
        "left out by default"
    )
    assert "  readonly seq: number;" in declared(text, "Accepted"), "always sent"
    assert "  readonly position: Position;" in declared(text, "SeatView")
    assert "export type Request =\n  | Watch\n  | Unwatch\n  | Execute\n  | Ping;" in text


def test_every_game_has_its_position_and_its_box() -> None:
    text = generate()
    for name in games_with(lambda game: game.wire):
        assert f"  readonly {name}: {name.title()}View;" in declared(text, "Positions")
        assert f"  readonly {name}: {name.title()}Box;" in declared(text, "Boxes")
    assert "/** The row where the noble of each column stands; 0 is the terrace. */" in text
    assert "`None`" not in text


def test_every_name_that_is_used_is_declared_once() -> None:
    text = re.sub(r"/\*\*.*?\*/|//.*", "", generate(), flags=re.DOTALL)
    names = re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))
    used = set(re.findall(r"\b[A-Z]\w+", re.sub(r'"[^"]*"', "", text)))
    assert used - {"Readonly", "Record"} == set(names)


def test_two_types_may_not_share_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class SeatInfo:
        """A second type of this name."""

    monkeypatch.setitem(typescript._UNIONS, "Other", SeatInfo)
    with pytest.raises(TypeError, match="the name SeatInfo"):
        generate()


@pytest.mark.skipif(
    not COMPILER.is_file() or shutil.which("node") is None,
    reason="needs node and web/node_modules/typescript",
)
@pytest.mark.parametrize(("use", "status"), [(USE, 0), (WRONG, 2)], ids=["use", "misuse"])
def test_the_compiler_takes_the_types(tmp_path: Path, use: str, status: int) -> None:
    (tmp_path / "wire.ts").write_text(generate())
    (tmp_path / "use.ts").write_text(use)
    options = ("--strict", "--noEmit", "--target", "es2022")
    # By default tsc also reads types from the `node_modules` of every folder above.
    alone = ("--typeRoots", ".", "--libReplacement", "false")
    done = run_program("node", COMPILER, *options, *alone, "use.ts", cwd=tmp_path)
    assert done.returncode == status, done.stdout
