"""Reverse proxies in front of a live server, configured by the files in deploy/."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from support import TIMEOUT_S
from support.certificates import Certificate

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "games.example"


def find_port() -> int:
    """Find a free port outside the range of ephemeral ports."""
    for port in SystemRandom().sample(range(10_000, 30_000), 1000):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")


def find_program(name: str) -> str:
    """Find a program, also where only the system's own are; skip the test where there is none."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def configure_nginx(
    folder: Path, certificate: Certificate, server: int, ports: tuple[int, int]
) -> list[str]:
    """Write the configuration of nginx for these ports; return the command."""
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{ports[0]} ")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{ports[1]};")
    text = text.replace("127.0.0.1:8040", f"127.0.0.1:{server}")
    text = re.sub(r"/etc/letsencrypt/\S+/fullchain.pem", str(certificate.cert), text)
    text = re.sub(r"/etc/letsencrypt/\S+/privkey.pem", str(certificate.key), text)
    (folder / "site.conf").write_text(text)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log stderr;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}include {folder}/site.conf;\n}}\n"
    )
    return [find_program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]


def configure_caddy(
    folder: Path, certificate: Certificate, server: int, ports: tuple[int, int]
) -> list[str]:
    """Write the configuration of Caddy for these ports; return the command."""
    text = (DEPLOY / "Caddyfile").read_text()
    head = f"{{\n\tadmin off\n\thttp_port {ports[1]}\n\thttps_port {ports[0]}\n}}\n"
    local = f"{NAME} {{\n\tbind 127.0.0.1\n\ttls {certificate.cert} {certificate.key}\n"
    text = text.replace(f"{NAME} {{\n", local).replace("127.0.0.1:8040", f"127.0.0.1:{server}")
    (folder / "Caddyfile").write_text(head + text)
    program = find_program("caddy")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


class ReverseProxy(NamedTuple):
    """A proxy that runs."""

    port: int
    plain: int
    certificate: Certificate

    def browser(self) -> httpx.Client:
        """Open an HTTPS client that uses the name of the site."""
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers={"Host": NAME, "Origin": f"https://{NAME}"},
            verify=self.certificate.client_context(),
            limits=httpx.Limits(max_keepalive_connections=0),
            timeout=TIMEOUT_S,
        )

    def ask(self, browser: httpx.Client, method: str, path: str, **more: object) -> httpx.Response:
        """Send a request and verify the certificate of the site."""
        return browser.request(method, path, extensions={"sni_hostname": NAME}, **more)  # type: ignore[arg-type]  # what httpx takes

    def socket(self, cookie: str, origin: str = f"https://{NAME}") -> ClientConnection:
        """Open a socket over WSS, as a page of *origin* would."""
        return connect(
            f"wss://{NAME}/live",
            sock=socket.create_connection(("127.0.0.1", self.port)),
            ssl=self.certificate.client_context(),
            server_hostname=NAME,
            origin=Origin(origin),
            additional_headers={"Cookie": f"pleasance={cookie}"},
            open_timeout=TIMEOUT_S,
            close_timeout=TIMEOUT_S,
        )


@contextmanager
def run_proxy(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run a proxy until the context ends; give it a moment to listen."""
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=homes)
    try:
        end = time.monotonic() + TIMEOUT_S
        while not _listens(port):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < end, "it does not listen"
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(TIMEOUT_S)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
