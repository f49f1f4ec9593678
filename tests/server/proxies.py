"""Real proxies in front of a real server, set up with the files that lie ready for hosts."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from server.patience import PATIENCE

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "games.example"


class Certificate(NamedTuple):
    """A certificate that signs itself."""

    cert: Path
    key: Path

    def trust(self) -> ssl.SSLContext:
        """Make a context that believes it."""
        return ssl.create_default_context(cafile=str(self.cert))


def make_certificate(folder: Path) -> Certificate:
    """Make a certificate for the name in the files of the proxies."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    kept = Certificate(folder / "cert.pem", folder / "key.pem")
    kept.cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    kept.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return kept


def find_port() -> int:
    """Find a port that is free just now, and that most systems give to nobody who names none."""
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


def set_up_nginx(folder: Path, kept: Certificate, server: int, ports: tuple[int, int]) -> list[str]:
    """Write the file of nginx for this computer and these ports; give the command."""
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{ports[0]} ")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{ports[1]};")
    text = text.replace("127.0.0.1:8040", f"127.0.0.1:{server}")
    text = re.sub(r"/etc/letsencrypt/\S+/fullchain.pem", str(kept.cert), text)
    text = re.sub(r"/etc/letsencrypt/\S+/privkey.pem", str(kept.key), text)
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


def set_up_caddy(folder: Path, kept: Certificate, server: int, ports: tuple[int, int]) -> list[str]:
    """Write the file of Caddy for this computer and these ports; give the command."""
    text = (DEPLOY / "Caddyfile").read_text()
    head = f"{{\n\tadmin off\n\thttp_port {ports[1]}\n\thttps_port {ports[0]}\n}}\n"
    local = f"{NAME} {{\n\tbind 127.0.0.1\n\ttls {kept.cert} {kept.key}\n"
    text = text.replace(f"{NAME} {{\n", local).replace("127.0.0.1:8040", f"127.0.0.1:{server}")
    (folder / "Caddyfile").write_text(head + text)
    program = find_program("caddy")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


class Front(NamedTuple):
    """A proxy that runs."""

    port: int
    plain: int
    kept: Certificate

    def browser(self) -> httpx.Client:
        """Come over HTTPS under the name of the site, wherever it listens."""
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers={"Host": NAME, "Origin": f"https://{NAME}"},
            verify=self.kept.trust(),
            limits=httpx.Limits(max_keepalive_connections=0),
            timeout=PATIENCE,
        )

    def ask(self, browser: httpx.Client, method: str, path: str, **more: object) -> httpx.Response:
        """Ask for something; the certificate must be the one of the site."""
        return browser.request(method, path, extensions={"sni_hostname": NAME}, **more)  # type: ignore[arg-type]  # what httpx takes

    def socket(self, cookie: str, origin: str = f"https://{NAME}") -> ClientConnection:
        """Open a socket over WSS, as a page of *origin* would."""
        return connect(
            f"wss://{NAME}/live",
            sock=socket.create_connection(("127.0.0.1", self.port)),
            ssl=self.kept.trust(),
            server_hostname=NAME,
            origin=Origin(origin),
            additional_headers={"Cookie": f"pleasance={cookie}"},
            open_timeout=PATIENCE,
            close_timeout=PATIENCE,
        )


@contextmanager
def run_proxy(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run a proxy until the context ends; give it a moment to listen."""
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=homes)
    try:
        end = time.monotonic() + PATIENCE
        while not _listens(port):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < end, "it does not listen"
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
