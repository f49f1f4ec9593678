"""Where people find the server: the link, the address in the home network, a code for phones."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address

import segno

EVERYWHERE = "0.0.0.0"  # noqa: S104  (only who asks for it gets it)
"""Listens on all addresses of the old kind: those that a home router keeps to the home."""

_NOWHERE = ("192.0.2.1", 9)
"""An address that leads nowhere by definition; no packet is sent there."""

_QUIET_BORDER = 2
_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
_BLACK_ON_WHITE = "\x1b[38;5;16;48;5;231m"
_PLAIN = "\x1b[0m"


def make_link(host: str, port: int, *, scheme: str = "http") -> str:
    """Write the address of the server as a link.

    >>> make_link("127.0.0.1", 8040), make_link("::1", 80)
    ('http://127.0.0.1:8040', 'http://[::1]')
    """
    shown = f"[{host}]" if ":" in host else host
    is_usual = port == {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{shown}" if is_usual else f"{scheme}://{shown}:{port}"


def find_addresses() -> tuple[str, ...]:
    """Find the addresses of this computer in its networks, the likeliest first.

    Nothing is sent: the system is only asked which address it would use.
    """
    found = [*_likeliest_address(), *_interface_addresses()]
    return tuple(dict.fromkeys(host for host in found if _is_reachable(host)))


def is_public(host: str) -> bool:
    """Tell whether an address can be reached from the whole Internet."""
    return ip_address(host).is_global


def draw_code(link: str, *, is_colored: bool) -> str:
    """Draw *link* as a QR code, two rows of dots in one line of text.

    In color it is black on white, whatever the colors of the terminal are.
    """
    rows = [tuple(row) for row in segno.make(link, error="l", micro=False).matrix_iter(border=0)]
    return "\n".join(_draw_rows(rows, is_colored=is_colored))


def _draw_rows(rows: list[tuple[int, ...]], *, is_colored: bool) -> Iterator[str]:
    border = (0,) * _QUIET_BORDER
    blank = (0,) * (len(rows) + 2 * _QUIET_BORDER)
    framed = [blank] * _QUIET_BORDER + [(*border, *row, *border) for row in rows]
    framed += [blank] * (_QUIET_BORDER + len(framed) % 2)
    for upper, lower in zip(framed[::2], framed[1::2], strict=False):
        line = "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        yield f"{_BLACK_ON_WHITE}{line}{_PLAIN}" if is_colored else line


def can_show_browser(environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a browser would open before the eyes of whoever started us."""
    if any(environment.get(name) for name in ("CI", "SSH_CONNECTION", "SSH_TTY")):
        return False
    if sys.platform in {"darwin", "win32"}:
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _is_reachable(host: str) -> bool:
    address = ip_address(host)
    return not address.is_loopback and not address.is_unspecified


def _likeliest_address() -> Iterator[str]:
    """Ask which address the system would use to reach somewhere far."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(_NOWHERE)
        yield str(probe.getsockname()[0])


def _interface_addresses() -> Iterator[str]:
    """Ask each network interface for its address, where the system lets us."""
    if sys.platform != "linux":
        return
    import fcntl  # noqa: PLC0415  (not on every system)

    get_address = 0x8915  # SIOCGIFADDR
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # an interface without an address
                asked = struct.pack("256s", name[:15].encode())
                answer = fcntl.ioctl(probe.fileno(), get_address, asked)
                yield socket.inet_ntoa(answer[20:24])
