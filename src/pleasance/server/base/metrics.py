"""Metrics for Prometheus, without names of tables or players in them.

Counting is plain arithmetic, far below a microsecond; the text format is made on request. Each
metric is updated by one thread only, so none needs a lock.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from pleasance import __version__
from pleasance.server.base import view_codec

_MAX_LABELS = 200
_SHORT_BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_LONG_BUCKETS_S = (0.01, 0.05, 0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Gauge:
    """A number that goes up and down."""

    __slots__ = ("help_text", "value")

    def __init__(self, help_text: str) -> None:
        self.help_text = help_text
        self.value = 0.0

    def add(self, amount: float = 1) -> None:
        """Add to the value; a negative *amount* lowers it."""
        self.value += amount

    def set(self, value: float) -> None:
        """Replace the value."""
        self.value = value

    def collect(self, name: str) -> Metric:
        """Return the metric family."""
        return GaugeMetricFamily(name, self.help_text, value=self.value)


class Counter:
    """A number that only goes up."""

    __slots__ = ("help_text", "value")

    def __init__(self, help_text: str) -> None:
        self.help_text = help_text
        self.value = 0

    def add(self, amount: int = 1) -> None:
        """Add to the value."""
        self.value += amount

    def collect(self, name: str) -> Metric:
        """Return the metric family."""
        return CounterMetricFamily(name, self.help_text, value=self.value)


class LabeledMetric:
    """Numbers by the value of one label; beyond 200 values the rest count as `other`."""

    __slots__ = ("help_text", "is_counter", "label", "values")

    def __init__(self, help_text: str, label: str, *, is_counter: bool) -> None:
        self.help_text = help_text
        self.label = label
        self.is_counter = is_counter
        self.values: dict[str, float] = {}

    def add(self, label_value: str, amount: float = 1) -> None:
        """Add to the number of a label value."""
        values = self.values
        if label_value not in values and len(values) >= _MAX_LABELS:
            label_value = "other"
        values[label_value] = values.get(label_value, 0) + amount

    def set(self, label_value: str, value: float) -> None:
        """Replace the number of a label value."""
        if label_value in self.values or len(self.values) < _MAX_LABELS:
            self.values[label_value] = value

    def collect(self, name: str) -> Metric:
        """Return the metric family."""
        family_type = CounterMetricFamily if self.is_counter else GaugeMetricFamily
        family = family_type(name, self.help_text, labels=[self.label])
        for label_value, value in sorted(self.values.copy().items()):
            family.add_metric([label_value], value)
        return family


class Histogram:
    """Durations, counted in buckets."""

    __slots__ = ("bounds", "counts", "help_text", "total")

    def __init__(self, help_text: str, bounds: tuple[float, ...]) -> None:
        self.help_text = help_text
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    def collect(self, name: str) -> Metric:
        """Return the metric family."""
        counts, buckets, cumulative = tuple(self.counts), [], 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), counts, strict=True):
            cumulative += count
            buckets.append((bound, float(cumulative)))
        return HistogramMetricFamily(name, self.help_text, buckets=buckets, sum_value=self.total)


class Info:
    """Facts that do not change while the server runs."""

    __slots__ = ("help_text", "values")

    def __init__(self, help_text: str, **values: str) -> None:
        self.help_text = help_text
        self.values = values

    def collect(self, name: str) -> Metric:
        """Return the metric family."""
        return InfoMetricFamily(name, self.help_text, value=self.values)


IS_COMPILED = not view_codec.__file__.endswith(".py")
"""Whether the busiest modules run as compiled by mypyc; see native/."""

CONNECTIONS = Gauge("Open WebSocket connections.")
WATCHERS = Gauge("Tables watched, counted once for each connection.")
ROOMS = Gauge("Tables held in memory.")
CHOICES = Counter("Choices accepted and on disk.")
APPEND_SECONDS = Histogram("Seconds until new log entries were on disk.", _SHORT_BUCKETS_S)
CHOICE_TO_VIEWS_SECONDS = Histogram(
    "Seconds from a choice to the last view sent.", _SHORT_BUCKETS_S
)
BOT_CHOICE_SECONDS = Histogram("Seconds a bot took to choose, waiting included.", _LONG_BUCKETS_S)
QUEUE_LENGTHS = LabeledMetric("Queue lengths: writes, bot moves, seeks.", "queue", is_counter=False)
REFUSALS = LabeledMetric("Requests refused, by the code of the refusal.", "code", is_counter=True)
WEBHOOK_CALLS = LabeledMetric("Webhook calls, by how they ended.", "outcome", is_counter=True)

BUILD = Info("The program.", version=__version__, compiled="yes" if IS_COMPILED else "no")

METRICS: Mapping[str, Gauge | Counter | LabeledMetric | Histogram | Info] = {
    "pleasance_connections": CONNECTIONS,
    "pleasance_watchers": WATCHERS,
    "pleasance_rooms": ROOMS,
    "pleasance_choices": CHOICES,
    "pleasance_append_seconds": APPEND_SECONDS,
    "pleasance_choice_to_views_seconds": CHOICE_TO_VIEWS_SECONDS,
    "pleasance_bot_choice_seconds": BOT_CHOICE_SECONDS,
    "pleasance_queue_length": QUEUE_LENGTHS,
    "pleasance_refusals": REFUSALS,
    "pleasance_webhook_calls": WEBHOOK_CALLS,
    "pleasance_build": BUILD,
}
"""All metrics by name."""


class _MetricsCollector(Collector):
    def collect(self) -> Iterator[Metric]:
        for name, metric in METRICS.items():
            yield metric.collect(name)


def make_registry() -> CollectorRegistry:
    """Register our metrics and those of the process and platform."""
    registry = CollectorRegistry()
    registry.register(_MetricsCollector())
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    return registry


REGISTRY = make_registry()
