"""A webhook's other end: a server of our own that keeps what it is sent and answers as it is told."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from pytest_django.fixtures import Settings


@dataclass
class Listener:
    url: str
    answers: list[int] = field(default_factory=list)  # the next ones; then 204
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def listener(settings: Settings) -> Iterator[Listener]:
    settings.WEBHOOKS_INSIDE = True
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    at = Listener(f"http://127.0.0.1:{server.server_port}/hook?a=1")

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            at.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(at.answers.pop(0) if at.answers else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server.RequestHandlerClass = Ear
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield at
    server.shutdown()
    thread.join()
    server.server_close()
