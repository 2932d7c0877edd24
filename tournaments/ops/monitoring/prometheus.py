"""Metric families of Prometheus from rows of labels and a number."""

from collections.abc import Iterable, Mapping, Sequence

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

Rows = Iterable[tuple[Sequence[str], float]]


def gauges(name: str, says: str, labels: Sequence[str], rows: Rows) -> Metric:
    family = GaugeMetricFamily(f"boardroom_{name}", says, labels=labels)
    for values, number in rows:
        family.add_metric(values, number)
    return family


def gauge(name: str, says: str, number: float) -> Metric:
    return GaugeMetricFamily(f"boardroom_{name}", says, value=number)


def counters(name: str, says: str, labels: Sequence[str], rows: Rows) -> Metric:
    family = CounterMetricFamily(f"boardroom_{name}", says, labels=labels)
    for values, number in rows:
        family.add_metric(values, number)
    return family


def counter(name: str, says: str, number: float) -> Metric:
    return CounterMetricFamily(f"boardroom_{name}", says, value=number)


def by(totals: Mapping[str, float]) -> Rows:
    """Rows of one label each."""
    return [([label], number) for label, number in sorted(totals.items())]
