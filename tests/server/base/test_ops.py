"""Logs without secrets, metrics, links and the QR code."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from litestar import Litestar, get
from litestar.params import FromPath
from litestar.testing import AsyncTestClient
from msgspec import Struct
from prometheus_client import generate_latest

from pleasance.core.errors import PleasanceError
from pleasance.server.base import metrics
from pleasance.server.base.links import can_show_browser, draw_qr_code, find_addresses, is_public
from pleasance.server.base.logs import get_logger, log_requests, set_up_logs
from pleasance.server.base.redact import redact
from pleasance.server.base.settings import ServerSettings
from server.qr_code import read_code

SETTINGS = ServerSettings(log_format="json", log_level="info")


@pytest.fixture
def lines() -> io.StringIO:
    """Collect the log lines."""
    stream = io.StringIO()
    set_up_logs(SETTINGS, stream)
    return stream


def logged(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


class Sit(Struct):
    nonce: str


class Hand(NamedTuple):
    cards: tuple[int, ...]


PLANTED: list[dict[str, object]] = [
    {"token": "hunter2"},
    {"api_token": "hunter2"},
    {"cookie": "pleasance=hunter2"},
    {"headers": {"authorization": "hunter2"}},
    {"facts": {"deep": [{"password": "hunter2"}]}},
    {"recovery_code": "hunter2"},
    {"nonce": "hunter2", "view": "hunter2", "hands": ["hunter2"], "legal": "hunter2"},
    {"text": "it was plz_hunter2 that came"},
    {"text": "signed by whsec_hunter2+/hunter2=="},
    {"text": "Authorization: Bearer hunter2"},
    {"text": "Cookie: pleasance=hunter2; Path=/"},
    {"link": "https://games.example/t/abc?invitation=hunter2"},
    {"path": "/api/tables/hunter2hunter2/record"},
    {"url": "postgresql://me:hunter2@db/games"},
    {"message": Sit("hunter2")},
    {"hand_of_seat": Hand((1, 2)), "cards": Hand((7777,))},
    {"error": ValueError("token=hunter2")},
    {"raw": b"hunter2"},
]


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_no_secret_gets_into_the_log(planted: dict[str, Any], lines: io.StringIO) -> None:
    get_logger("test").info("event", **planted)
    (line,) = logged(lines)
    assert line["event"] == "event"
    assert "hunter2" not in lines.getvalue()
    assert "7777" not in lines.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "GET /api/tables?after=hunter2 HTTP/1.1",
        "password='hunter2'",
        'nonce: "hunter2"',
        "[SQL: insert …]\n[parameters: ('abc', 'hunter2')]\n(Background on this error …)",
        "$argon2id$v=19$m=1$hunter2",
        "commitment of deadbeefdeadbeefdeadbeefdeadbeef was made with plz_hunter2",
    ],
)
def test_other_libraries_leak_nothing_either(text: str, lines: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").warning("seen: %s", text)
    assert "hunter2" not in lines.getvalue()
    assert "deadbeef" not in lines.getvalue()
    assert logged(lines)[0]["event"].startswith("seen: ")


def test_a_traceback_is_logged_without_the_secrets_in_its_message(lines: io.StringIO) -> None:
    try:
        raise ValueError("refused plz_hunter2")
    except ValueError:
        get_logger("test").exception("failed")
    (line,) = logged(lines)
    assert "Traceback" in line["exception"]
    assert "plz_[hidden]" in line["exception"]
    assert "hunter2" not in lines.getvalue()


def test_what_is_no_secret_is_shown() -> None:
    facts = {"table": "k3v9x2m7qd4t", "status": 200, "reason": "stale", "seats": [0, 1], "no": None}
    assert redact(facts) == facts


def test_a_person_reads_text(capsys: pytest.CaptureFixture[str], lines: io.StringIO) -> None:
    stream = io.StringIO()
    set_up_logs(replace(SETTINGS, log_format="text"), stream)
    get_logger("test").info("room_loaded", table="abc", token="hunter2")
    assert "room_loaded" in stream.getvalue()
    assert "table=abc" in stream.getvalue()
    assert "hunter2" not in stream.getvalue()
    assert "\x1b" not in stream.getvalue()
    assert capsys.readouterr() == ("", "")
    assert not lines.getvalue()


def test_a_request_is_one_log_line_without_the_table(lines: io.StringIO) -> None:
    @get("/api/tables/{table:str}")
    async def read_table(table: FromPath[str]) -> dict[str, int]:
        get_logger("test").info("inside")
        return {"length": len(table)}

    async def ask() -> list[str]:
        app = log_requests(Litestar([read_table], logging_config=None))
        async with AsyncTestClient(app) as client:
            links = ("/api/tables/private7hq2?key=hunter2", "/hunter2")
            return [(await client.get(link)).headers["x-request-id"] for link in links]

    numbers = asyncio.run(ask())
    inside, first, second = logged(lines)
    assert (first["path"], first["status"], first["method"]) == ("/api/tables/{table}", 200, "GET")
    assert [inside["request"], second["request"]] == numbers
    assert first["request"] == inside["request"] != second["request"]
    assert (second["path"], second["status"]) == ("unknown", 404)
    assert "hunter2" not in lines.getvalue()
    assert "private7hq2" not in lines.getvalue()


def test_durations_are_counted_in_buckets() -> None:
    def read(name: str, **labels: str) -> float:
        return metrics.REGISTRY.get_sample_value(f"pleasance_append_seconds_{name}", labels) or 0.0

    def read_all() -> list[float]:
        buckets = [read("bucket", le=bound) for bound in ("0.005", "0.1", "1.0", "+Inf")]
        return [*buckets, read("count"), read("sum")]

    before = read_all()
    for seconds in (0.004, 0.05, 0.1, 0.5, 7.0):
        metrics.APPEND_SECONDS.observe(seconds)
    added = [after - earlier for after, earlier in zip(read_all(), before, strict=True)]
    assert added == pytest.approx([1, 3, 4, 5, 5, 7.654])


def test_metrics_have_no_lines_for_when_they_were_created() -> None:
    assert b"_created" not in generate_latest(metrics.REGISTRY)


def test_the_code_for_phones_says_the_link() -> None:
    link = "http://192.168.178.23:8040"
    assert read_code(draw_qr_code(link, is_colored=False)) == link


def test_in_color_the_code_is_black_on_white() -> None:
    plain = draw_qr_code("http://10.0.0.2:8040", is_colored=False)
    colored = draw_qr_code("http://10.0.0.2:8040", is_colored=True)
    assert colored.count("\x1b[38;5;16;48;5;231m") == len(plain.splitlines())
    assert colored.replace("\x1b[38;5;16;48;5;231m", "").replace("\x1b[0m", "") == plain


def test_addresses_are_those_that_others_can_reach() -> None:
    assert not {"127.0.0.1", "0.0.0.0"} & set(find_addresses())
    assert is_public("8.8.8.8")
    assert not is_public("192.168.1.2")


@pytest.mark.parametrize(
    ("environment", "is_shown"),
    [
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({}, False),
        ({"DISPLAY": ":0", "CI": "true"}, False),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"}, False),
    ],
)
def test_the_browser_opens_only_for_a_person(
    environment: dict[str, str], is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert can_show_browser(environment) is is_shown


@pytest.mark.parametrize(
    ("code", "package", "label"),
    [
        ("broken", None, "broken"),
        ("setting_flag", "pleasance.games.sakura", "setting_flag"),
        ("not_in_hand", "pleasance.games.sanssouci", "not_in_hand"),
        ("not_in_hand", None, "other"),
        ("made_up_by_a_client_7", "pleasance.games.sakura", "other"),
    ],
)
def test_refusals_are_counted_by_codes_of_the_catalogs(
    code: str, package: str | None, label: str
) -> None:
    def read() -> dict[str, float]:
        (metric,) = metrics.REFUSALS.collect()
        found = (each for each in metric.samples if each.name.endswith("_total"))
        return {each.labels["code"]: each.value for each in found}

    before = read()
    metrics.count_refusal(PleasanceError(code), package)
    assert read() == {**before, label: before.get(label, 0) + 1}
