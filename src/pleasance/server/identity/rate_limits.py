"""How often somebody may knock: token buckets in memory, by address and by identity.

A bucket holds up to *burst* requests and fills again at a steady pace. Each process counts for
itself. Playing is never meant to be limited; guessing is.
"""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import TooManyError
from pleasance.server.identity.keys import digest


class Rule(NamedTuple):
    """How many requests may come at once, and how many in a second after that."""

    burst: float
    per_second: float


RULES: Mapping[str, Rule] = {
    # Every request and handshake of one player.
    "identity": Rule(200, 40),
    # Those of all whom we do not know at one address.
    "stranger": Rule(600, 100),
    # Both together, as far as they were not refused yet; a club behind one address shares this, and
    # no single one of them can use it up.
    "address": Rule(3000, 500),
    # Messages over the sockets of one player.
    "socket": Rule(400, 100),
    # New guests from one address.
    "guest": Rule(60, 1 / 10),
    # New accounts from one address.
    "claim": Rule(10, 1 / 60),
    # Attempts to sign in from one address, and those to register or show a passkey.
    "sign_in": Rule(30, 1 / 5),
    # Wrong passwords and codes for one name from one address.
    "wrong_here": Rule(5, 1 / 60),
    # Wrong passwords and codes for one name from everywhere: more, so that strangers cannot easily
    # keep the owner out.
    "wrong": Rule(50, 1 / 60),
    # Tokens, bots and codes made by one player, and copies of one's data; players who have
    # themselves deleted from one address.
    "make": Rule(30, 1 / 30),
    # Records played again for one player or address, and longer parts of games at tables.
    "replay": Rule(120, 4),
    # Bots asked by one player what to choose.
    "hint": Rule(20, 1 / 5),
}

MOST_BUCKETS = 50_000


class Limits:
    """All buckets of one process."""

    def __init__(
        self, clock: Callable[[], float], factor: float = 1.0, most: int = MOST_BUCKETS
    ) -> None:
        """Make full buckets; *factor* makes all of them larger or smaller, 0 lifts the limits."""
        self._clock = clock
        self._rules = {
            name: Rule(rule.burst * factor, rule.per_second * factor)
            for name, rule in RULES.items()
        }
        self._most = most
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._regulars: OrderedDict[str, str] = OrderedDict()
        """Who came with which cookie or token lately, by the hash of it."""

    def __len__(self) -> int:
        return len(self._buckets)

    def spend(self, rule: str, who: str) -> None:
        """Take one request from a bucket; refuse it where the bucket is empty."""
        burst, pace = self._rules[rule]
        if burst <= 0:
            return
        left, now = self._left(rule, who, burst, pace)
        if left < 1:
            self._keep(rule, who, left, now)
            raise TooManyError("too_many", seconds=max(1, math.ceil((1 - left) / pace)))
        self._keep(rule, who, left - 1, now)

    def knock(self, address: str, secret: str | None) -> bool:
        """Count a request at the door; tell whether it was counted for a player.

        A cookie or token that was good a moment ago tells whose request it is without asking the
        database. What one player or stranger asks too often is not counted for the address, so
        that the others there are not shut out.
        """
        who = None if secret is None else self._regulars.get(digest(secret))
        self.spend("stranger" if who is None else "identity", who or address)
        self.spend("address", address)
        return who is not None

    def recognize(self, secret: str, who: str | None) -> None:
        """Remember whom a cookie or token belongs to; `None` if to nobody, or nobody any more."""
        key = digest(secret)
        self._regulars.pop(key, None)
        if who is not None:
            self._regulars[key] = who
            if len(self._regulars) > self._most:
                self._regulars.popitem(last=False)

    def give_back(self, rule: str, who: str) -> None:
        """Put back what a request took that turned out to be right."""
        burst, pace = self._rules[rule]
        if burst > 0:
            left, now = self._left(rule, who, burst, pace)
            self._keep(rule, who, min(burst, left + 1), now)

    def _left(self, rule: str, who: str, burst: float, pace: float) -> tuple[float, float]:
        now = self._clock()
        # At least one, so that a small factor makes people wait but shuts nobody out.
        burst = max(1.0, burst)
        left, at = self._buckets.get((rule, who), (burst, now))
        return min(burst, left + max(0.0, now - at) * pace), now

    def _keep(self, rule: str, who: str, left: float, now: float) -> None:
        self._buckets[rule, who] = left, now
        self._buckets.move_to_end((rule, who))
        if len(self._buckets) > self._most:
            # The one not used for longest has had most time to fill again.
            self._buckets.popitem(last=False)


def retry_headers(refusal: PleasanceError) -> dict[str, str]:
    """Say in headers when to come again, if that is what *refusal* is about."""
    if isinstance(refusal, TooManyError) and "seconds" in refusal.params:
        return {"Retry-After": str(refusal.params["seconds"])}
    return {}


class _Headers(Protocol):
    def get(self, key: str, /) -> str | None: ...


def find_address(peer: str | None, headers: _Headers, *, trusts_proxy: bool) -> str:
    """Tell whose bucket a request counts for: the address, or the network of an IPv6 address.

    Behind a proxy of our own network that is trusted it is the last address the proxy wrote down:
    what stands before it came from outside and may be made up.
    """
    nearest = _read_address(peer or "")
    told = headers.get("x-forwarded-for") if trusts_proxy else None
    if told and (nearest is None or nearest.is_private):
        peer = told.split(",")[-1].strip()
        nearest = _read_address(peer)
    if nearest is None:
        return (peer or "local")[:64]
    if isinstance(nearest, ipaddress.IPv6Address):
        # Somebody at home has a whole network of these.
        return str(ipaddress.ip_network((int(nearest), 64), strict=False))
    return str(nearest)


def _read_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or address
    return address
