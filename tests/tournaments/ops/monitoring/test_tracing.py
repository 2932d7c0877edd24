"""Errors and spans, told to a real server of our own by the real packages; and what must never be among them."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import brotli
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.tournaments.ops.launcher.processes import ROOT

SEED = "5eed" * 16
TELLS_ALL = f"""
import logging, django
django.setup()
from django.test import Client
from workers.logs import log_about
visitor = Client(raise_request_exception=False)
visitor.cookies["sessionid"] = "a session"
visitor.get("/?of=ada@example.org", headers={{"Authorization": "Token brd_secret"}}, REMOTE_ADDR="10.0.0.7")
with log_about(match=12, lease=3):
    try:
        bot = "import os  # the code of a bot"
        raise ValueError("the bot 'Analytical' of ada@example.org failed on {SEED}\\n" + bot)
    except ValueError:
        logging.getLogger("tournaments").exception("bot %s failed", bot)
"""
SECRETS = ("ada@", "Analytical", SEED, "brd_secret", "a session", "10.0.0.7", "code of a bot", "another password")


UNPACK = {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}


class Sink(ThreadingHTTPServer):
    """Takes whatever is posted to it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taking)
        self.taken: list[tuple[str, bytes]] = []

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


class Taking(BaseHTTPRequestHandler):
    server: Sink

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        unpack = UNPACK[self.headers.get("Content-Encoding", "")]
        self.server.taken.append((self.path, unpack(data)))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the library's
        """Tests read what came from `taken`."""


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as sink:
        Thread(target=sink.serve_forever, args=(0.01,), daemon=True).start()
        yield sink
        sink.shutdown()


def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, whose database does not answer, so that pages fail."""
    away = {"DATABASE_URL": "postgresql://ada:another password@127.0.0.1:1/none", "ALLOWED_HOSTS": "testserver"}
    environment = {**os.environ, **away, "DJANGO_SETTINGS_MODULE": "tournaments.settings", **variables}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_errors_are_told_with_the_match_and_nothing_personal(sink: Sink) -> None:
    done = run(TELLS_ALL, SENTRY_DSN=f"http://key@{sink.address}/1")
    assert done.returncode == 0, done.stderr
    envelopes = b"".join(data for path, data in sink.taken if path == "/api/1/envelope/").decode()
    assert not [secret for secret in SECRETS if secret in envelopes]
    events = [json.loads(line) for line in envelopes.splitlines() if '"exception"' in line]
    page, match = sorted(events, key=lambda event: "match" in event["tags"])
    assert page["exception"]["values"][-1]["type"] == "OperationalError"
    assert page["transaction"] == "/"
    assert "request" not in page
    assert len(page["tags"]["request"]) == 32
    assert (match["tags"]["match"], match["tags"]["lease"]) == ("12", "3")
    assert match["exception"]["values"][0]["value"] == "the bot [...] of [...] failed on [...]"


def test_spans_are_told_by_route_and_nothing_personal(sink: Sink) -> None:
    done = run(TELLS_ALL, OTEL_EXPORTER_OTLP_ENDPOINT=f"http://{sink.address}", OTEL_SERVICE_NAME="the site")
    assert done.returncode == 0, done.stderr
    sent = [ExportTraceServiceRequest.FromString(data) for path, data in sink.taken if path == "/v1/traces"]
    (span,) = [
        span
        for request in sent
        for group in request.resource_spans
        for part in group.scope_spans
        for span in part.spans
    ]
    assert span.name == "GET /"
    attributes = {attribute.key: attribute.value for attribute in span.attributes}
    assert attributes["http.response.status_code"].int_value == 500
    assert len(attributes["request"].string_value) == 32
    assert "the site" in str(sent[0])
    assert not [secret for secret in SECRETS if secret in str(sent)]


@pytest.mark.parametrize(
    ("variable", "package"),
    [("SENTRY_DSN", "sentry_sdk"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "opentelemetry.sdk.trace")],
)
def test_without_its_package_a_process_ends_with_a_sentence(variable: str, package: str) -> None:
    code = f"import sys, django; sys.modules[{package!r}] = None; django.setup()"
    done = run(code, **{variable: "http://key@127.0.0.1:1/1"})
    assert done.returncode == 1
    assert f"{variable} is set, but {package} is not installed here: python3 -m pip" in done.stderr
    assert "Traceback" not in done.stderr


def test_with_nothing_set_neither_package_is_loaded() -> None:
    named = "{'sentry_sdk', 'opentelemetry.exporter'}"  # redis itself loads what it finds of the rest
    assert run(f"import sys, django; django.setup(); sys.exit(bool({named} & sys.modules.keys()))").returncode == 0
