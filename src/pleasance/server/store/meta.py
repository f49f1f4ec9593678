"""What all parts of the database share."""

from __future__ import annotations

import base64
import secrets

from sqlalchemy import MetaData

metadata = MetaData(
    # A name for each constraint, so that migrations can drop it.
    naming_convention={
        "ix": "%(column_0_label)s_ix",
        "uq": "%(table_name)s_%(column_0_name)s_uq",
        "fk": "%(table_name)s_%(column_0_name)s_fk",
        "pk": "%(table_name)s_pk",
    }
)
"""All tables of the database; each feature adds its own."""


def new_id() -> str:
    """Make up a short random name that nobody guesses: twelve letters and digits, 60 bits."""
    return base64.b32encode(secrets.token_bytes(8)).decode("ascii").lower()[:12]
