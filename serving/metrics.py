"""What the service counts, for Prometheus."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST as MEDIA_TYPE

from .workers import Workers

__all__ = ["MEDIA_TYPE", "Metrics"]

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The figures of one service, in a registry of its own. Any thread may count."""

    def __init__(self, workers: Workers) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "hopsplit_requests", "Requests that have ended.", ["path", "status"], registry=registry
        )
        self._seconds = Histogram(
            "hopsplit_request_seconds",
            "From a request's head to the end of its reply.",
            ["path"],
            buckets=_BOUNDS,
            registry=registry,
        )
        self.open = Gauge("hopsplit_requests_in_progress", "Requests that have not ended.", registry=registry)
        gauges = (
            ("hopsplit_requests_working", "Threads at work.", lambda: workers.running),
            ("hopsplit_requests_waiting", "Requests that wait for a thread.", lambda: workers.waiting),
        )
        for name, about, value in gauges:
            Gauge(name, about, registry=registry).set_function(value)
        self._calls = Counter("hopsplit_llm_calls", "Calls of the language model.", registry=registry)
        self._tokens = Counter("hopsplit_llm_tokens", "Tokens of the language model.", ["kind"], registry=registry)
        for kind in ("prompt", "completion"):
            self._tokens.labels(kind)

    def ended(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def used(self, usage: Mapping[str, float]) -> None:
        """Count what a result used, by the names of `Usage`."""
        self._calls.inc(usage["llm_calls"])
        for kind in ("prompt", "completion"):
            self._tokens.labels(kind).inc(usage[f"{kind}_tokens"])

    def text(self) -> bytes:
        """Return all figures in the form that Prometheus reads."""
        return generate_latest(self._registry)
