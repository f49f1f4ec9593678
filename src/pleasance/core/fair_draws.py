"""Fair draws: a commit-reveal scheme where each draw is an HMAC of a committed secret.

docs/fairness.md describes the scheme and how to check a record.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import TypeVar

from pleasance.core.errors import BadRecordError, BadSetupError, UnfairDrawError

SECRET_BYTES = 32
"""The length of the secret of the draws."""

NONCE_BYTES = range(8, 65)
"""The allowed lengths of a seat's nonce."""

_weight = itemgetter(1)
"""Returns the weight of an outcome."""

_NUMBER_COUNT = 1 << 64
"""The count of numbers that the first eight bytes of a digest can express."""

_BLOCK_BYTES = 64
"""The block size of SHA-256; a secret is shorter."""

_VERSION = "1"
"""The version of the scheme, part of every message and tag."""
_TAG = re.compile(
    rf"{_VERSION} commitment=(?P<commitment>[0-9a-f]{{64}})(?: secret=(?P<secret>[0-9a-f]{{64}}))?"
    r" nonces=(?P<nonces>[0-9a-f,-]+) draws=(?P<draws>[0-9,-]+)"
)
_RANGE = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class FairDraws:
    """The source of all draws of one game."""

    secret: bytes = field(repr=False)
    nonces: tuple[bytes | None, ...]
    """The nonce of each seat, in seat order; `None` for a bot."""

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise BadSetupError("fair_secret_length", bytes=len(self.secret), due=SECRET_BYTES)
        for seat, nonce in enumerate(self.nonces, start=1):
            if nonce is not None and len(nonce) not in NONCE_BYTES:
                least, most = NONCE_BYTES[0], NONCE_BYTES[-1]
                raise BadSetupError(
                    "fair_nonce_length", seat=seat, bytes=len(nonce), least=least, most=most
                )

    @property
    def commitment(self) -> str:
        """The commitment to the secret, published before the nonces are known."""
        return hashlib.sha256(self.secret).hexdigest()

    def draw(self, index: int, chances: Sequence[tuple[Outcome, int]]) -> Outcome:
        """Make draw number *index* among *chances*, outcomes with their weights."""
        ends = [*accumulate(map(_weight, chances))]
        return chances[bisect_right(ends, self.draw_below(index, ends[-1]))][0]

    def draw_below(self, index: int, total: int) -> int:
        """Draw a whole number below *total* uniformly, as draw number *index*."""
        assert 0 < total <= _NUMBER_COUNT, f"draw {index} has total weight {total}"
        limit = _NUMBER_COUNT - _NUMBER_COUNT % total
        begun = _begin_message(self.secret, self.nonces)
        attempt = 0
        while True:
            digest = _finish_hmac(begun, f"{index}:{attempt}".encode("ascii"))
            number = int.from_bytes(digest[:8], "big")
            if number < limit:
                return number % total
            attempt += 1


@lru_cache(maxsize=1 << 12)
def _begin_message(
    secret: bytes, nonces: tuple[bytes | None, ...]
) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Hash the part of the message that all draws of a game share."""
    inner, outer = _begin_hmac(secret)
    inner.update(f"pleasance:{_VERSION}:{write_nonces(nonces)}:".encode("ascii"))
    return inner, outer


def _begin_hmac(secret: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Start the two hashes of an HMAC-SHA-256.

    Unlike `hmac.digest`, this does not release the GIL, so it never waits for other threads.

    >>> import hmac
    >>> _finish_hmac(_begin_hmac(b"key"), b"message") == hmac.digest(b"key", b"message", "sha256")
    True
    """
    key = secret.ljust(_BLOCK_BYTES, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in key) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)


def _finish_hmac(begun: tuple[hashlib._Hash, hashlib._Hash], message: bytes) -> bytes:
    """Finish an HMAC that has *begun* with the rest of its *message*; return the digest."""
    inner, outer = begun[0].copy(), begun[1].copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


@dataclass(frozen=True, slots=True)
class FairTag:
    """The `Fair` tag of a record: commitment, secret, nonces and draw indexes."""

    commitment: str
    secret: bytes | None
    """The secret, revealed when the game is over."""

    nonces: tuple[bytes | None, ...]
    draws: tuple[range, ...]
    """The ranges of indexes used, in order."""

    def __str__(self) -> str:
        secret = "" if self.secret is None else f" secret={self.secret.hex()}"
        return (
            f"{_VERSION} commitment={self.commitment}{secret}"
            f" nonces={write_nonces(self.nonces)} draws={_write_ranges(self.draws)}"
        )

    def open_commitment(self, line: int = 1) -> FairDraws:
        """Return the source of the draws; refuse a secret that breaks the commitment."""
        if self.secret is None:
            raise BadRecordError("fair_no_secret", line=line)
        draws = FairDraws(self.secret, self.nonces)
        if draws.commitment != self.commitment:
            raise UnfairDrawError(
                "fair_commitment", line=line, promised=self.commitment, given=draws.commitment
            )
        return draws

    def indexes(self, line: int = 1) -> Iterator[int]:
        """Iterate over the indexes used; refuse one that is not larger than the one before."""
        last = 0
        for run in self.draws:
            if run[0] <= last:
                raise UnfairDrawError("fair_index_again", line=line, index=run[0], last=last)
            yield from run
            last = run[-1]

    def count(self) -> int:
        """Count the draws."""
        return sum(len(run) for run in self.draws)


def make_tag(draws: FairDraws, indexes: Iterable[int], *, is_revealed: bool) -> FairTag:
    """Make the tag of draws with the given *indexes*; with the secret only if it *is_revealed*."""
    secret = draws.secret if is_revealed else None
    return FairTag(draws.commitment, secret, draws.nonces, _join_indexes(indexes))


def parse_tag(text: str, line: int = 1) -> FairTag:
    """Read the value of a `Fair` tag."""
    match = _TAG.fullmatch(text)
    if match is None:
        raise BadRecordError("fair_tag", line=line)
    secret = match["secret"]
    return FairTag(
        commitment=match["commitment"],
        secret=None if secret is None else bytes.fromhex(secret),
        nonces=tuple(_parse_nonce(part, line) for part in match["nonces"].split(",")),
        draws=_parse_ranges(match["draws"], line),
    )


def secret_from_seed(seed: str, game: int = 1) -> bytes:
    """Derive the secret of a seed, for the first or a later game of a series."""
    return hashlib.sha256(
        f"pleasance:seed:{_VERSION}:{game}:{seed}".encode("utf-8", "surrogateescape")
    ).digest()


def write_nonces(nonces: Iterable[bytes | None]) -> str:
    """Write the nonces in seat order, as in the message and in the tag."""
    return ",".join("-" if nonce is None else nonce.hex() for nonce in nonces)


def _parse_nonce(text: str, line: int) -> bytes | None:
    if text == "-":
        return None
    digits = range(2 * NONCE_BYTES[0], 2 * NONCE_BYTES[-1] + 1, 2)
    if "-" in text or len(text) not in digits:
        raise BadRecordError("fair_tag", line=line)
    return bytes.fromhex(text)


def _join_indexes(indexes: Iterable[int]) -> tuple[range, ...]:
    """Merge consecutive *indexes* into ranges."""
    runs: list[range] = []
    for index in indexes:
        if runs and index == runs[-1].stop:
            runs[-1] = range(runs[-1].start, index + 1)
        else:
            runs.append(range(index, index + 1))
    return tuple(runs)


def _write_ranges(runs: Sequence[range]) -> str:
    """Write ranges of indexes: `1-40,45-132`; `-` where there are none.

    >>> _write_ranges(_join_indexes([1, 2, 3, 5, 8, 9]))
    '1-3,5,8-9'
    """
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs) or "-"


def _parse_ranges(text: str, line: int) -> tuple[range, ...]:
    if text == "-":
        return ()
    runs: list[range] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        first = int(match[1]) if match else 0
        last = int(match[2] or first) if match else 0
        if match is None or last < first:
            raise BadRecordError("fair_tag", line=line)
        runs.append(range(first, last + 1))
    return tuple(runs)
