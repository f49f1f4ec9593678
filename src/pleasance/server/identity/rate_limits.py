"""Rate limits: token buckets in memory, by address and by identity.

A bucket holds up to *burst* requests and refills at a constant rate. Each process has its own
buckets. The limits stop password guessing and floods; normal play never reaches them.
"""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from pleasance.core.errors import PleasanceError
from pleasance.server.base.errors import TooManyRequestsError
from pleasance.server.identity.keys import hash_secret


class RateLimit(NamedTuple):
    """A token bucket: its capacity and its refill rate."""

    burst: float
    per_second: float


RATE_LIMITS: Mapping[str, RateLimit] = {
    # Every request and handshake of one player.
    "identity": RateLimit(200, 40),
    # All requests without a known credential from one address.
    "anonymous": RateLimit(600, 100),
    # Both together, unless refused already; a club behind one address shares this, and no single
    # player can use it up.
    "address": RateLimit(3000, 500),
    # Messages over the sockets of one player.
    "socket": RateLimit(400, 100),
    # New guests from one address.
    "guest": RateLimit(60, 1 / 10),
    # New accounts from one address.
    "create_account": RateLimit(10, 1 / 60),
    # Attempts to sign in from one address, and those to register or show a passkey.
    "sign_in": RateLimit(30, 1 / 5),
    # Wrong passwords and codes for one name from one address.
    "failed_sign_in_address": RateLimit(5, 1 / 60),
    # The same from all addresses: more, so that strangers cannot easily lock the owner out.
    "failed_sign_in": RateLimit(50, 1 / 60),
    # Costly changes by one player: access tokens, bots, recovery codes, passwords, names and
    # webhooks set, tables opened with own components or an opening, chat messages reported, data
    # exported. Also erasures from one address.
    "create": RateLimit(30, 1 / 30),
    # Replays of records and of long parts of games, by player or address.
    "replay": RateLimit(120, 4),
    # Hints for one player.
    "hint": RateLimit(20, 1 / 5),
}

MAX_BUCKETS = 50_000


class RateLimiter:
    """The token buckets of one process."""

    def __init__(
        self, clock: Callable[[], float], factor: float = 1.0, max_buckets: int = MAX_BUCKETS
    ) -> None:
        """Start with full buckets; *factor* scales all limits, 0 lifts them."""
        self._clock = clock
        self._rules = {
            name: RateLimit(rule.burst * factor, rule.per_second * factor)
            for name, rule in RATE_LIMITS.items()
        }
        self._max_buckets = max_buckets
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._players: OrderedDict[str, str] = OrderedDict()
        """The player of each recent credential, by the hash of the credential."""

    def __len__(self) -> int:
        return len(self._buckets)

    def charge(self, rule: str, subject: str) -> None:
        """Take one token from a bucket; refuse the request if it is empty."""
        burst, per_second = self._rules[rule]
        if burst <= 0:
            return
        tokens, now = self._refill(rule, subject, burst, per_second)
        if tokens < 1:
            self._store(rule, subject, tokens, now)
            wait_s = max(1, math.ceil((1 - tokens) / per_second))
            raise TooManyRequestsError("too_many", seconds=wait_s)
        self._store(rule, subject, tokens - 1, now)

    def charge_request(self, address: str, credential: str | None) -> bool:
        """Charge a request; return whether it was charged to a player.

        A recently valid credential identifies the player without a database read. A request that
        is refused for its player is not charged to the address, so that others there can go on.
        """
        player = None if credential is None else self._players.get(hash_secret(credential))
        self.charge("anonymous" if player is None else "identity", player or address)
        self.charge("address", address)
        return player is not None

    def remember_credential(self, credential: str, player: str | None) -> None:
        """Remember the player of a credential; `None` for an invalid one."""
        key = hash_secret(credential)
        self._players.pop(key, None)
        if player is not None:
            self._players[key] = player
            if len(self._players) > self._max_buckets:
                self._players.popitem(last=False)

    def refund(self, rule: str, subject: str) -> None:
        """Put one token back, for an attempt that succeeded."""
        burst, per_second = self._rules[rule]
        if burst > 0:
            tokens, now = self._refill(rule, subject, burst, per_second)
            self._store(rule, subject, min(burst, tokens + 1), now)

    def _refill(self, rule: str, subject: str, burst: float, rate: float) -> tuple[float, float]:
        now = self._clock()
        # At least one, so that a small factor delays requests but never blocks all of them.
        burst = max(1.0, burst)
        tokens, at = self._buckets.get((rule, subject), (burst, now))
        return min(burst, tokens + max(0.0, now - at) * rate), now

    def _store(self, rule: str, subject: str, tokens: float, now: float) -> None:
        self._buckets[rule, subject] = tokens, now
        self._buckets.move_to_end((rule, subject))
        if len(self._buckets) > self._max_buckets:
            # The least recently used one has had the most time to refill.
            self._buckets.popitem(last=False)


def retry_headers(refusal: PleasanceError) -> dict[str, str]:
    """Make the `Retry-After` header of a refusal by a rate limit."""
    if isinstance(refusal, TooManyRequestsError) and "seconds" in refusal.params:
        return {"Retry-After": str(refusal.params["seconds"])}
    return {}


class _Headers(Protocol):
    def get(self, key: str, /) -> str | None: ...


def client_address(peer: str | None, headers: _Headers, *, trusts_proxy: bool) -> str:
    """Return the address that a request is charged to: an IPv4 address or an IPv6 network.

    Behind a trusted proxy of a private network it is the last forwarded address: those before it
    came from outside and may be forged.
    """
    nearest = _read_address(peer or "")
    forwarded = headers.get("x-forwarded-for") if trusts_proxy else None
    if forwarded and (nearest is None or nearest.is_private):
        peer = forwarded.split(",")[-1].strip()
        nearest = _read_address(peer)
    if nearest is None:
        return (peer or "local")[:64]
    if isinstance(nearest, ipaddress.IPv6Address):
        # Each household has a whole network of these.
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
