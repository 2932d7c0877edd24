"""A webhook's other end: a server of our own that keeps what it is sent and answers as it is told."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Thread

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
    listener = Listener(f"http://127.0.0.1:{server.server_port}/hook?a=1")

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            listener.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(listener.answers.pop(0) if listener.answers else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server.RequestHandlerClass = Ear
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield listener
    server.shutdown()
    thread.join()
    server.server_close()


Manners = Callable[[socket.socket], None]  # what a receiver does to a connection


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Callable[[Manners], int]]:
    """Starts receivers that speak no decent HTTP. Gives the port of each."""
    settings.WEBHOOKS_INSIDE = True
    with ExitStack() as stack:
        yield lambda manners: stack.enter_context(_receiving(manners))


@contextmanager
def _receiving(manners: Manners) -> Iterator[int]:
    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                manners(self.request)

    server = ThreadingTCPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


@dataclass
class Silence:
    """A receiver that takes what it is sent and says nothing until it is let go."""

    over: Event = field(default_factory=Event)

    def __call__(self, connection: socket.socket) -> None:
        connection.recv(65536)
        self.over.wait()
        connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")


def answering(data: bytes) -> Manners:
    def answer(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(data)

    return answer


def trickling(data: bytes) -> Manners:
    """A byte now and then, for as long as anybody listens: no wait for a byte is ever long."""

    def trickle(connection: socket.socket) -> None:
        pause = Event()
        connection.sendall(data)
        while True:
            connection.sendall(b"x")
            pause.wait(0.02)

    return trickle
