"""Metrics for Prometheus, without names of tables or players in them."""

from __future__ import annotations

from functools import partial

import prometheus_client
from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector

from pleasance import __version__
from pleasance.core.errors import PleasanceError
from pleasance.server.base import view_codec
from pleasance.server.base.translate import is_error_known

_SHORT_BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_LONG_BUCKETS_S = (0.01, 0.05, 0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)

IS_COMPILED = not view_codec.__file__.endswith(".py")
"""Whether the busiest modules run as compiled by mypyc; see native/."""

REGISTRY = CollectorRegistry()
"""Our metrics and those of the process and platform."""

ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
# Nobody reads when a value was created; without this, each has a second line that says so.
prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no types

_Counter = partial(prometheus_client.Counter, registry=REGISTRY)
_Gauge = partial(prometheus_client.Gauge, registry=REGISTRY)
_Histogram = partial(prometheus_client.Histogram, registry=REGISTRY)

CONNECTIONS = _Gauge("pleasance_connections", "Open WebSocket connections.")
WATCHERS = _Gauge("pleasance_watchers", "Tables watched, counted once for each connection.")
ROOMS = _Gauge("pleasance_rooms", "Tables held in memory.")
CHOICES = _Counter("pleasance_choices", "Choices accepted and on disk.")
APPEND_SECONDS = _Histogram(
    "pleasance_append_seconds",
    "Seconds until new log entries were on disk.",
    buckets=_SHORT_BUCKETS_S,
)
CHOICE_TO_VIEWS_SECONDS = _Histogram(
    "pleasance_choice_to_views_seconds",
    "Seconds from a choice to the last view sent.",
    buckets=_SHORT_BUCKETS_S,
)
BOT_CHOICE_SECONDS = _Histogram(
    "pleasance_bot_choice_seconds",
    "Seconds a bot took to choose, waiting included.",
    buckets=_LONG_BUCKETS_S,
)
QUEUE_LENGTHS = _Gauge(
    "pleasance_queue_length", "Queue lengths: bot moves, waiting players.", ["queue"]
)
REFUSALS = _Counter("pleasance_refusals", "Requests refused, by the code of the refusal.", ["code"])
WEBHOOK_CALLS = _Counter(
    "pleasance_webhook_calls", "Webhook calls, by how they ended.", ["outcome"]
)

_BUILD = prometheus_client.Info("pleasance_build", "The program.", registry=REGISTRY)
_BUILD.info({"version": __version__, "compiled": "yes" if IS_COMPILED else "no"})


def count_refusal(refusal: PleasanceError, package: str | None = None) -> None:
    """Count a refusal by its code, if the catalogs of the server or the game know it."""
    is_known = is_error_known(refusal.code, package)
    REFUSALS.labels(refusal.code if is_known else "other").inc()
