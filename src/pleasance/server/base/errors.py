"""Refusals of the server, each with the HTTP status that goes with it."""

from __future__ import annotations

from typing import ClassVar

from pleasance.core.errors import PleasanceError


class ServerError(PleasanceError):
    """Refuse a request; the words come from the server's catalogue."""

    status: ClassVar[int] = 400


class BadRequestError(ServerError):
    """Refuse what cannot be read."""


class UnknownError(ServerError):
    """Refuse to know what was asked for: it is not there, or not for this player."""

    status = 404


class SignInError(ServerError):
    """Ask who it is."""

    status = 401


class ForbiddenError(ServerError):
    """Refuse what this player may not do."""

    status = 403


class ConflictError(ServerError):
    """Refuse what does not fit how things are now."""

    status = 409


class TooManyError(ServerError):
    """Ask for patience."""

    status = 429


class UnavailableError(ServerError):
    """Refuse because a part is missing just now: the disk is full, the database is away."""

    status = 503


class OvertakenError(ServerError):
    """Tell that another process has added to a log first."""

    status = 409
