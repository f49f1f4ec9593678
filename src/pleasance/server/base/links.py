"""Links to the server: its URL, its addresses in the local network, a QR code for phones."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address

import segno

IPV4_WILDCARD = "0.0.0.0"  # noqa: S104  (opt-in)
"""The IPv4 wildcard address. IPv6 is left out: home routers do not NAT it, so the server would be
public."""

_UNROUTABLE_ADDRESS = ("192.0.2.1", 9)
"""An address reserved for documentation (RFC 5737); no packet is sent there."""

_QUIET_ZONE_MODULES = 2
_HALF_BLOCKS = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
_BLACK_ON_WHITE = "\x1b[38;5;16;48;5;231m"
_PLAIN = "\x1b[0m"


def format_url(host: str, port: int, *, scheme: str = "http") -> str:
    """Format the address of the server as a URL.

    >>> format_url("127.0.0.1", 8040), format_url("::1", 80)
    ('http://127.0.0.1:8040', 'http://[::1]')
    """
    netloc = f"[{host}]" if ":" in host else host
    is_default = port == {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{netloc}" if is_default else f"{scheme}://{netloc}:{port}"


def find_addresses() -> tuple[str, ...]:
    """Find the addresses of this computer in its networks, the likeliest first.

    No packet is sent: the operating system only says which address it would use.
    """
    found = [*_default_route_address(), *_interface_addresses()]
    return tuple(dict.fromkeys(host for host in found if _is_reachable(host)))


def is_public(host: str) -> bool:
    """Return whether an address is reachable from the Internet."""
    return ip_address(host).is_global


def draw_qr_code(link: str, *, is_colored: bool) -> str:
    """Draw *link* as a QR code, two rows of modules in one line of text.

    In color it is black on white in any terminal theme.
    """
    rows = [tuple(row) for row in segno.make(link, error="l", micro=False).matrix_iter(border=0)]
    return "\n".join(_draw_rows(rows, is_colored=is_colored))


def _draw_rows(rows: list[tuple[int, ...]], *, is_colored: bool) -> Iterator[str]:
    border = (0,) * _QUIET_ZONE_MODULES
    blank = (0,) * (len(rows) + 2 * _QUIET_ZONE_MODULES)
    framed = [blank] * _QUIET_ZONE_MODULES + [(*border, *row, *border) for row in rows]
    framed += [blank] * (_QUIET_ZONE_MODULES + len(framed) % 2)
    for upper, lower in zip(framed[::2], framed[1::2], strict=False):
        line = "".join(_HALF_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        yield f"{_BLACK_ON_WHITE}{line}{_PLAIN}" if is_colored else line


def can_show_browser(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether this process can open a browser for the user who started it."""
    if any(environment.get(name) for name in ("CI", "SSH_CONNECTION", "SSH_TTY")):
        return False
    if sys.platform in {"darwin", "win32"}:
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _is_reachable(host: str) -> bool:
    address = ip_address(host)
    return not address.is_loopback and not address.is_unspecified


def _default_route_address() -> Iterator[str]:
    """Find the address of the default route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(_UNROUTABLE_ADDRESS)
        yield str(probe.getsockname()[0])


def _interface_addresses() -> Iterator[str]:
    """Find the address of each network interface (Linux only)."""
    if sys.platform != "linux":
        return
    import fcntl  # noqa: PLC0415  (not on every system)

    get_address = 0x8915  # SIOCGIFADDR
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # an interface without an address
                request = struct.pack("256s", name[:15].encode())
                response = fcntl.ioctl(probe.fileno(), get_address, request)
                yield socket.inet_ntoa(response[20:24])
