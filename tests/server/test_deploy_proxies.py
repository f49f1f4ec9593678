"""A table played through reverse proxies, with the files in deploy/."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from server.reverse_proxy import (
    DEPLOY,
    NAME,
    ReverseProxy,
    configure_caddy,
    configure_nginx,
    find_port,
    find_program,
    run_proxy,
)
from support import NONCE, TIMEOUT_S
from support.certificates import Certificate, make_certificate
from support.programs import run_program
from support.server_process import COMMAND, read_until, run_process

SetUp = Callable[[Path, Certificate, int, tuple[int, int]], list[str]]


def check_cookie(proxy: ReverseProxy) -> str:
    """Join; return the value of the cookie, which must be limited to HTTPS."""
    with proxy.browser() as browser:
        answer = proxy.ask(browser, "POST", "/api/session", json={"name": "Ada"})
        assert answer.status_code == 200, answer.text
        kept = answer.headers["set-cookie"].lower()
        assert all(word in kept for word in ("secure", "httponly", "samesite=lax"))
        assert "max-age=31536000" in answer.headers["strict-transport-security"]
        return str(answer.headers["set-cookie"].partition("=")[2].partition(";")[0])


def play_a_round(proxy: ReverseProxy, cookie: str) -> None:
    """Open a table over HTTPS, follow it over WSS, sit down twice and choose for both."""
    with proxy.browser() as browser, proxy.socket(cookie) as live:
        browser.headers["Cookie"] = f"pleasance={cookie}"
        options = {"game": "sakura", "seats": 2}
        table = (
            proxy.ask(browser, "POST", "/api/tables", json=options).raise_for_status().json()["id"]
        )
        assert json.loads(live.recv(timeout=TIMEOUT_S))["kind"] == "welcome"

        def ask(key: str, kind: str, **more: object) -> dict[str, Any]:
            live.send(json.dumps({"kind": kind, "key": key, "table": table, **more}))
            while (message := json.loads(live.recv(timeout=TIMEOUT_S))).get("key") != key:
                messages.append(message)
            assert message["kind"] == "accepted", message
            return dict(message)

        messages: list[dict[str, Any]] = []
        ask("w", "watch")
        for name in ("Ada", "Bea"):
            ask(name, "do", command={"kind": "sit", "nonce": NONCE, "name": name})
        ask("s", "do", command={"kind": "start"})
        newest = next(message for message in reversed(messages) if message["kind"] == "update")
        for view in newest["views"]:
            where = {
                "ply": newest["ply"],
                "revision": newest["revision"],
                "token": view["legal"][0],
            }
            ask(f"c{view['seat']}", "do", command={"kind": "choose", "seat": view["seat"], **where})
        snapshot = proxy.ask(browser, "GET", f"/api/tables/{table}").raise_for_status().json()
        assert snapshot["ply"] > newest["ply"], "both have chosen, and it is known over HTTPS too"


def check_closed_paths(proxy: ReverseProxy, cookie: str) -> None:
    """Assert that paths which must stay closed are closed."""
    with pytest.raises(InvalidStatus) as refused:
        proxy.socket(cookie, origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403
    with proxy.browser() as browser:
        for path in ("/metrics", "/health/ready"):
            assert proxy.ask(browser, "GET", path).status_code == 404
        browser.headers["Origin"] = "https://elsewhere.example"
        assert proxy.ask(browser, "POST", "/api/session", json={}).status_code == 403
    with proxy.browser() as browser:
        plain = browser.get(f"http://127.0.0.1:{proxy.plain}/you?x=1")
        assert plain.status_code in {301, 308}
        assert plain.headers["location"].startswith(f"https://{NAME}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "set_up"),
    [("nginx", configure_nginx), ("caddy", configure_caddy)],
    ids=["nginx", "caddy"],
)
def test_a_table_is_played_through_a_real_proxy(tmp_path: Path, name: str, set_up: SetUp) -> None:
    find_program(name)
    certificate = make_certificate(tmp_path, NAME)
    ports, port = (find_port(), find_port()), find_port()
    settings = ("--settings", str(DEPLOY / "pleasance.toml"), "--port", str(port))
    serve = (*COMMAND, "serve", "--no-browser", *settings)
    with run_process(serve, tmp_path / "home", PLEASANCE_BOT_PROCESSES="0") as server:
        read_until(server, NAME)
        with run_proxy(set_up(tmp_path, certificate, port, ports), tmp_path, ports[0]):
            proxy = ReverseProxy(*ports, certificate)
            cookie = check_cookie(proxy)
            play_a_round(proxy, cookie)
            check_closed_paths(proxy, cookie)


def test_the_file_for_caddy_is_one_as_it_stands() -> None:
    command = (find_program("caddy"), "adapt", "--config", DEPLOY / "Caddyfile", "--validate")
    checked = run_program(*command, timeout=TIMEOUT_S)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("file", sorted(DEPLOY.glob("*.service")), ids=lambda file: file.name)
def test_systemd_finds_nothing_wrong_with_a_service(tmp_path: Path, file: Path) -> None:
    program = find_program("systemd-analyze")
    # The program itself need not lie here.
    here = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", file.read_text(), flags=re.MULTILINE)
    (tmp_path / file.name).write_text(here)
    checked = run_program(program, "verify", tmp_path / file.name, timeout=TIMEOUT_S)
    assert (checked.returncode, checked.stderr) == (0, "")
