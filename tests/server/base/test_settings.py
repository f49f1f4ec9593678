"""Settings: sources, validation, and their list in the hosting guide."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from pleasance.core.errors import BadFileError, BadSetupError, PleasanceError
from pleasance.i18n.catalog import LANGUAGES
from pleasance.server.base.settings import (
    ServerSettings,
    default_database,
    load_settings,
    merge_settings,
    parse_setting,
)
from pleasance.server.base.translate import error_message

ROOT = Path(__file__).parents[3]


def write(folder: Path, text: str) -> Path:
    file = folder / "pleasance.toml"
    file.write_text(text)
    return file


def refusal(text: str, folder: Path) -> PleasanceError:
    """Read a settings file that should be refused."""
    with pytest.raises(PleasanceError) as caught:
        load_settings(write(folder, text), {})
    return caught.value


def test_the_default_server_is_for_this_computer_only() -> None:
    settings = load_settings(environment={})
    assert settings == ServerSettings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8040)
    assert settings.bot_processes >= 1


def test_the_command_overrides_the_environment_and_that_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, 'port = 1001\nhost = "10.0.0.1"\nabsence = "2m"\n')
    environment = {"PLEASANCE_PORT": "1002", "PLEASANCE_HOST": "10.0.0.2"}
    settings = load_settings(file, environment, {"port": 1003, "host": None})
    assert (settings.port, settings.host, settings.absence) == (1003, "10.0.0.2", 120)


def test_the_environment_may_name_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, "port = 1001\n")
    assert load_settings(None, {"PLEASANCE_SETTINGS": str(file)}).port == 1001


def test_unset_values_are_left_out(tmp_path: Path) -> None:
    assert set(merge_settings(write(tmp_path, "port = 8040\n"), {})) == {"port"}


def test_the_database_is_in_the_data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLEASANCE_HOME", str(tmp_path))
    assert default_database() == f"sqlite:///{tmp_path}/pleasance.db"
    monkeypatch.delenv("PLEASANCE_HOME")
    assert re.fullmatch(r"sqlite:///.+/pleasance/pleasance\.db", default_database())


@pytest.mark.parametrize(
    ("name", "raw", "read"),
    [
        ("is_https", "yes", True),
        ("trusts_proxy", "OFF", False),
        ("absence", "1.5h", 5400.0),
        ("archive_after", "90d", 90 * 86_400.0),
        ("forget_guests_after", "365d", 365 * 86_400.0),
        ("forget_guests_after", "0", 0.0),
        ("heartbeat", "12", 12.0),
        ("port", " 08041 ", 8041),
        ("limits_factor", "0", 0.0),
        (
            "origins",
            "https://a.example, http://b.example:81/",
            ("https://a.example", "http://b.example:81"),
        ),
        ("database", "postgres://me@db/games", "postgresql://me@db/games"),
        ("log_level", "debug", "debug"),
    ],
)
def test_a_value_is_read_from_the_environment(name: str, raw: str, read: object) -> None:
    assert getattr(load_settings(environment={f"PLEASANCE_{name.upper()}": raw}), name) == read


@pytest.mark.parametrize(
    ("name", "raw", "code"),
    [
        ("port", "8e3", "setting_whole"),
        ("port", "8040.0", "setting_whole"),
        ("port", "8_040", "setting_whole"),
        ("port", "-8040", "setting_whole"),
        ("port", "+8040", "setting_whole"),
        ("port", "0x1f68", "setting_whole"),
        ("port", "٨٠٤٠", "setting_whole"),
        ("port", "9" * 5000, "setting_whole"),
        ("open_tables", "2e1", "setting_whole"),
        ("absence", "٩٠", "setting_duration"),
        ("absence", "٩m", "setting_duration"),
        ("absence", "1_0m", "setting_duration"),
        ("heartbeat", "٩s", "setting_duration"),
    ],
)
def test_a_number_in_another_spelling_is_refused(name: str, raw: str, code: str) -> None:
    with pytest.raises(BadSetupError) as caught:
        load_settings(environment={f"PLEASANCE_{name.upper()}": raw})
    assert caught.value.code == code


def test_an_empty_variable_counts_as_none() -> None:
    assert load_settings(environment={"PLEASANCE_PORT": ""}).port == 8040


def test_a_public_address_over_https_makes_cookies_secure_and_its_page_welcome() -> None:
    settings = load_settings(environment={"PLEASANCE_PUBLIC_URL": "https://Games.Example/"})
    assert settings.public_url == "https://games.example"
    assert settings.is_https
    assert settings.origins == ("https://games.example",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("prot = 8040", "setting_unknown"),
        ('port = "many"', "setting_whole"),
        ("port = true", "setting_whole"),
        ("port = 8040.0", "setting_whole"),
        ("port = 70000", "setting_whole"),
        ("bot_processes = -1", "setting_whole"),
        ("bot_processes = 1.5", "setting_whole"),
        ("is_https = 2", "setting_flag"),
        ('is_https = "perhaps"', "setting_flag"),
        ("limits_factor = nan", "setting_number"),
        ("limits_factor = -1", "setting_number"),
        ('absence = "soon"', "setting_duration"),
        ('absence = "-5m"', "setting_duration"),
        ("archive_after = 1", "setting_duration"),
        ("forget_guests_after = 1", "setting_duration"),
        ("forget_guests_after = false", "setting_duration"),
        ('host = ""', "setting_text"),
        ("host = 5", "setting_text"),
        ('metrics_token = " "', "setting_text"),
        ('log_format = "xml"', "setting_choice"),
        ('database = "mysql://x/y"', "setting_database"),
        ('database = "sqlite:///"', "setting_database"),
        ('database = "postgresql://host"', "setting_database"),
        ('public_url = "games.example"', "setting_address"),
        ('public_url = "https://games.example/sub"', "setting_address"),
        ('public_url = "https://games.example:port"', "setting_address"),
        ("origins = 7", "setting_address"),
        ('origins = ["ftp://x"]', "setting_address"),
        ("port = ", "settings_broken"),
    ],
)
def test_a_bad_setting_is_refused_in_each_language(text: str, code: str, tmp_path: Path) -> None:
    refused = refusal(text, tmp_path)
    assert refused.code == code
    for language in LANGUAGES:
        message = error_message(refused, language)
        assert str(tmp_path / "pleasance.toml") in message
        assert "\n" not in message


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(tmp_path: Path) -> None:
    message = error_message(refusal("trust_proxy = true", tmp_path), "en")
    assert message.endswith(": trust_proxy; there is: trusts_proxy.")


def test_a_variable_that_means_nothing_is_refused() -> None:
    with pytest.raises(BadSetupError) as caught:
        load_settings(environment={"PLEASANCE_PROT": "8040"})
    assert (
        error_message(caught.value, "en") == "There is no setting PLEASANCE_PROT; there is: port."
    )


def test_variables_of_other_parts_are_left_alone() -> None:
    others = {
        "PLEASANCE_LANGUAGE": "de",
        "PLEASANCE_KERNELS": "python",
        "PLEASANCE_GAMES": "/games",
        "PLEASANCE_HOME": "/",
        "PATH": "/bin",
    }
    assert merge_settings(None, others) == {}


def test_a_refusal_shows_no_secret(tmp_path: Path) -> None:
    for text in ('database = "mysql://me:hunter2@x/y"', 'metrics_token = "hunter2'):
        refused = refusal(text, tmp_path)
        assert "hunter2" not in error_message(refused, "en") + str(refused)


def test_settings_do_not_show_the_token_of_the_metrics() -> None:
    assert "hunter2" not in repr(ServerSettings(metrics_token="hunter2"))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="file_missing"):
        load_settings(tmp_path / "none.toml", {})
    with pytest.raises(BadFileError, match="file_closed"):
        load_settings(tmp_path, {})


def test_the_page_about_hosting_lists_every_setting_with_its_default() -> None:
    page = (ROOT / "docs" / "guide" / "hosting.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE))
    assert set(rows) == {field.name for field in fields(ServerSettings)}
    for field in fields(ServerSettings):
        if field.default is not MISSING:
            shown = rows[field.name].strip()
            raw = None if shown == "none" else shown.strip("`")
            empty = None if field.default is None else ()
            assert (
                empty if raw is None else parse_setting(field.name, raw, field.name)
            ) == field.default
