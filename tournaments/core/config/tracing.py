"""Errors go to Sentry and spans to OpenTelemetry, from every process of the site, if the environment names them.

Neither gets more than an operator needs: no person, no address, no cookie or body, no value of a variable, no seed,
no code of a bot. Match workers send nothing: they have no way out.
"""

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from bots.loopback import NO_PROXY
from workers.logs import current_facts

SENTRY, SPANS = "SENTRY_DSN", "OTEL_EXPORTER_OTLP_ENDPOINT"
LOCK = "tournaments/ops/monitoring/requirements.lock"
KEPT = ("event_id", "timestamp", "platform", "level", "logger", "release", "environment", "server_name")
FRAME = ("filename", "module", "function", "lineno", "context_line", "pre_context", "post_context", "in_app")
# What a message may carry of people or deals: quoted words, hashes and seeds, addresses.
TELLING = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9a-fA-F]{16,}|\S+@\S+")

Answer = Callable[[HttpRequest], HttpResponse]
tracers: list[Any] = []  # one, if spans are sent


def begin_tracing(environment: MutableMapping[str, str]) -> None:
    """Call once per process, at its start. Exits with a sentence if a package that the settings need is missing."""
    if environment.get(SENTRY) or environment.get(SPANS):
        spare_loopback(environment)
    if address := environment.get(SENTRY):
        _begin_errors(_package("sentry_sdk", SENTRY), address)
    if environment.get(SPANS):
        _begin_spans(environment)


def spare_loopback(environment: MutableMapping[str, str]) -> None:
    """Let the packages reach a collector on this machine without the environment's proxy."""
    spared = environment.get("no_proxy") or environment.get("NO_PROXY")
    environment["no_proxy"] = f"{spared},{NO_PROXY}" if spared else NO_PROXY


def _package(name: str, variable: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        install = f"python3 -m pip --python .venv install --require-hashes -r {LOCK}"
        raise SystemExit(f"{variable} is set, but {name} is not installed here: {install}") from None


def _begin_errors(sentry: Any, address: str) -> None:
    sentry.init(
        dsn=address,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=scrub,
    )


def scrub(event: Mapping[str, Any], _: object = None) -> dict[str, Any]:
    """The parts of an event that are known to be harmless, and nothing that a later version of Sentry adds."""
    kept = {name: event[name] for name in KEPT if name in event}
    kept["tags"] = {name: str(value) for name, value in current_facts().items()}
    if "exception" in event:
        kept["exception"] = {"values": [_exception(value) for value in event["exception"].get("values", [])]}
    if "logentry" in event:
        kept["message"] = event["logentry"].get("message", "")  # as it stands in the code, without what was put in
    if event.get("transaction_info", {}).get("source") == "route":  # and not a path, which may hold a secret
        kept["transaction"] = event.get("transaction")
    return kept


def _exception(value: Mapping[str, Any]) -> dict[str, Any]:
    words = str(value.get("value") or "").partition("\n")[0]
    frames = (value.get("stacktrace") or {}).get("frames", [])
    return {
        "type": value.get("type"),
        "value": TELLING.sub("[...]", words),
        "stacktrace": {"frames": [{name: frame[name] for name in FRAME if name in frame} for frame in frames]},
    }


def _begin_spans(environment: Mapping[str, str]) -> None:
    sdk = _package("opentelemetry.sdk.trace", SPANS)
    export = _package("opentelemetry.sdk.trace.export", SPANS)
    otlp = _package("opentelemetry.exporter.otlp.proto.http.trace_exporter", SPANS)
    resources = _package("opentelemetry.sdk.resources", SPANS)
    named = {"service.name": environment.get("OTEL_SERVICE_NAME") or "boardroom"}
    provider = sdk.TracerProvider(resource=resources.Resource.create(named))
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    tracers[:] = [provider.get_tracer("boardroom")]


@contextmanager
def span(name: str, **about: str | int) -> Iterator[Any]:
    """A span around the block, or None if none are sent."""
    if not tracers:
        yield None
        return
    # Without the exception, whose words may tell of people.
    quietly = {"record_exception": False, "set_status_on_exception": False}
    with tracers[0].start_as_current_span(name, attributes=about, **quietly) as begun:
        yield begun


def request_spans(get_response: Answer) -> Answer:
    """Middleware: a span for each request, by its route."""
    if not tracers:
        raise MiddlewareNotUsed

    def respond(request: HttpRequest) -> HttpResponse:
        with span(request.method or "", request=str(current_facts().get("request", ""))) as current:
            response = get_response(request)
            route = request.resolver_match.route if request.resolver_match else ""
            current.update_name(f"{request.method} /{route}")
            current.set_attribute("http.response.status_code", response.status_code)
        return response

    return respond
