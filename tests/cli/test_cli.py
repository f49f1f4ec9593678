"""The command line: its output, and one line with a status for every error."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pleasance import __version__, cli
from pleasance.core.errors import BadDataError, BadFileError, IllegalActionError, UnfairDrawError
from pleasance.games import game_names
from pleasance.terminal import output
from pleasance.terminal.output import (
    CommandError,
    error_context,
    find_language,
    one_line,
    read_text,
)
from support.programs import run_program

COMMAND = [sys.executable, "-c", "from pleasance.cli import main; main()"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process, with no terminal and no input."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    given = {"HOME": "/", **kept, **environment}
    return run_program(*COMMAND, *arguments, env=given, stdin=subprocess.DEVNULL, encoding="utf-8")


@pytest.mark.slow
def test_the_version_is_printed() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"pleasance {__version__}\n", "")


def test_without_a_command_the_help_is_printed() -> None:
    done = run()
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: pleasance [OPTIONS] COMMAND")
    assert not done.stderr


@pytest.mark.slow
def test_every_command_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for command in cli.app.registered_commands:
        assert command.callback
        name = command.name or command.callback.__name__
        assert cli.run([name, "--help"]) == 0
        assert f"Examples:\n    pleasance {name}" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_rules_print_the_rules_page_of_the_game(name: str) -> None:
    done = run("rules", name)
    page = Path(cli.__file__).parents[1] / "games" / name / "RULES.md"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rules"], "pleasance: Missing argument 'GAME' (see pleasance rules --help)"),
        (["rules", "chess"], "pleasance: There is no game chess; the games are: "),
        (["rules", "a\nb\x1b[1m"], r"pleasance: There is no game a b\x1b[1m; the games are: "),
        (["rulse"], "pleasance: No such command 'rulse'. Did you mean 'rules'?"),
        (["--fast"], "pleasance: No such option: --fast"),
        (["bench", "--seconds", "soon"], "pleasance: Invalid value for '--seconds': "),
        (["bench", "--seconds", "0"], "pleasance: Invalid value for '--seconds': "),
        (
            ["--language", "tlh", "bench"],
            "pleasance: There are no words in tlh; the languages are: ",
        ),
    ],
)
def test_a_wrong_command_is_refused_in_one_line_with_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(arguments) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1


def test_the_process_ends_with_the_status_of_the_command() -> None:
    done = run("--language", "de", "rules", "chess")
    assert done.returncode == 2
    assert done.stderr.startswith("pleasance: Es gibt kein Spiel chess; die Spiele sind: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_ALL": "es_MX.UTF-8"}, "es"),
        ({"LANG": "de_DE", "PLEASANCE_LANGUAGE": "en"}, "en"),
        ({"LANG": "fr_FR"}, "en"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_the_environment_chooses_the_language(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PLEASANCE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, setting in environment.items():
        monkeypatch.setenv(name, setting)
    assert find_language() == language


def test_the_language_option_lasts_for_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--language", "es", "rules", "chess"]) == 2
    assert "No hay ningún juego chess" in capsys.readouterr().err
    assert find_language() == "en"


def test_ctrl_c_ends_with_130_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "find_game", interrupt)
    assert cli.run(["rules", "any"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_closed_output_pipe_prints_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [*COMMAND, "--help"], stdout=write_end, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write_end)
    assert not done.stderr
    assert done.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
def test_a_full_disk_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("pleasance: ")
    assert done.stderr.count("\n") == 1


def test_a_refusal_names_file_and_line() -> None:
    with pytest.raises(CommandError) as caught, error_context(file="box.toml"), error_context():
        raise BadDataError("data_no_entry", line=7, rule="S-3", entry="gardens.1A")
    assert str(caught.value) == "box.toml:7: Entry gardens.1A is missing; add it (rule S-3)."
    assert caught.value.status == 2


def test_a_refusal_without_a_line_names_the_file() -> None:
    with (
        pytest.raises(CommandError, match=r"^game\.txt: The game is over"),
        error_context(file="game.txt"),
    ):
        raise IllegalActionError("game_over")


def test_unfair_draws_have_their_own_status() -> None:
    assert output.to_command_error(UnfairDrawError("game_over")).status == 1


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes("ok\nMühle\n".encode("latin-1"))
    closed = tmp_path / "closed.txt" / "inside"
    closed.parent.touch()
    cases = {
        tmp_path / "none.txt": "file_missing",
        tmp_path: "file_is_folder",
        closed: "file_closed",
        Path("a\0b"): "file_closed",
        latin: "file_not_text",
    }
    for path, code in cases.items():
        with pytest.raises(BadFileError) as caught:
            read_text(str(path))
        assert caught.value.code == code
        assert output.to_command_error(caught.value).status == 2


def test_a_file_may_start_with_a_byte_order_mark_and_have_any_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\n")
    assert read_text(str(file)) == "one\ntwo\n"


def test_one_line_shows_no_control_characters() -> None:
    assert one_line("a\n b\t\x07c\x9b é") == r"a b \x07c\x9b é"


@pytest.mark.slow
def test_bench_prints_one_json_object_per_line() -> None:
    name = game_names()[0]
    done = run("bench", name, "--json", "--seconds", "0.01")
    assert (done.returncode, done.stderr) == (0, "")
    for line in done.stdout.splitlines():
        measure = json.loads(line)
        assert {"bench", "game", "unit", "value", "calibration"} <= set(measure)
        assert measure["game"] == name
        assert measure["value"] > 0


@pytest.mark.slow
def test_bench_times_starts_in_lines_of_a_table() -> None:
    done = run("bench", game_names()[0], "--start")
    assert (done.returncode, done.stderr) == (0, "")
    imported, chosen, *_ = done.stdout.splitlines()
    assert re.fullmatch(r"import +0\.\d+ s \(median 0\.\d+, at most 0\.\d+\)", imported)
    assert chosen.split()[:2] == ["first_choice", game_names()[0]]
