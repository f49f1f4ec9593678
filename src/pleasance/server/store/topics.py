"""Topics of pub/sub: what servers and workers notify each other of, all in one place.

A prefix ends with a colon; an id follows.
"""

from __future__ import annotations

from typing import Final

TOPICS_MISSED: Final = "missed"
"""Topics may have been lost: listeners must reload what they follow."""

TABLE_PREFIX: Final = "table:"
"""New entries in the log of a table: `table:<id>:<seq>`."""

IDENTITY_PREFIX: Final = "identity:"
"""The name, credentials or rights of a player have changed."""

ERASED_PREFIX: Final = "erased:"
"""The personal data of a player were erased."""

QUEUE_TOPIC: Final = "queue"
"""The matchmaking queue has changed: wakes the matchmakers of all servers."""

QUEUE_PREFIX: Final = "queue:"
"""The state of one player in the matchmaking queue has changed."""

JOBS_TOPIC: Final = "jobs"
"""The job queue has new jobs: wakes workers."""

JOB_RESULT_PREFIX: Final = "job_result:"
"""The result of a job is stored; the key of the job follows."""

SERVER_ALIVE_PREFIX: Final = "alive:"
"""A server is running."""

PRESENCE_PREFIX: Final = "here:"
"""A player has connected to a server or left it: `here:<player>:<server>:<1 or 0>`."""

REPORT_PRESENCE_TOPIC: Final = "report_presence"
"""All servers shall report their connected players."""
