"""Errors: each is a code with parameters; the text comes from the message catalogs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

Parameter = str | int


class PleasanceError(Exception):
    """The base of all errors: a *code* of the catalog (`error.<code>`) and its parameters."""

    def __init__(self, code: str, **params: Parameter) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.code} ({shown})" if shown else self.code

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, self.params)


def _rebuild(kind: type[PleasanceError], code: str, params: dict[str, Parameter]) -> PleasanceError:
    """Rebuild an error that was pickled for another process."""
    return kind(code, **params)


class BadNotationError(PleasanceError):
    """Refuse text that cannot be read as an action."""


class BadRecordError(PleasanceError):
    """Refuse a record that is not a complete, well-formed game."""


class BadDataError(PleasanceError):
    """Refuse component data that breaks a rule."""


class BadSetupError(PleasanceError):
    """Refuse a number of seats, an option or a player that a game does not know."""


class IllegalActionError(PleasanceError):
    """Refuse a readable action that the rules forbid in this position."""


class StaleChoiceError(PleasanceError):
    """Refuse a choice made for a position that has passed."""


class UnfairDrawError(PleasanceError):
    """Report a draw that does not follow from the published secret."""


class BadFileError(PleasanceError):
    """Refuse a file that is missing or cannot be read."""


EXTRA_MODULES: Mapping[str, frozenset[str]] = {
    extra: frozenset(modules.split())
    for extra, modules in {
        "numpy": "numpy",
        "server": "alembic argon2 cryptography httpcore httptools httpx litestar msgspec"
        " prometheus_client segno sqlalchemy standardwebhooks structlog uvicorn uvloop webauthn"
        " websockets",
        "postgres": "psycopg",
        "train": "numpy",
        "kernels": "numpy numba",
        "openspiel": "numpy open_spiel pyspiel",
        "cluster": "ray",
        "plot": "resvg_py",
    }.items()
}
"""The top modules that each extra of pyproject.toml installs."""


@contextmanager
def extra_needed(extra: str) -> Iterator[None]:
    """Refuse an import that fails for want of a package of an extra; name the command for it.

    Wrap nothing but imports of ours: other modules that are missing are not the fault of the extra.

    >>> with extra_needed("cluster"):
    ...     raise ModuleNotFoundError(name="ray.util")
    Traceback (most recent call last):
    pleasance.core.errors.BadSetupError: extra_missing (package=ray, extra=cluster)
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA_MODULES[extra]:
            raise
        raise BadSetupError("extra_missing", package=package, extra=extra) from error
