"""While `up` starts: every request is answered with 503, by the doorkeeper first, then by the web server."""

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.tournaments.ops.launcher.processes import ROOT, until
from tournaments.ops.launcher.first_processes import free_port


class Web(ThreadingHTTPServer):
    allow_reuse_port = True


class Healthy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def port() -> int:
    return free_port(0)


@pytest.fixture
def doorkeeper(port: int) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tournaments.ops.launcher.doorkeeper", str(port)]
    with subprocess.Popen(command, cwd=ROOT) as process:
        until(lambda: connects(port), what="the doorkeeper")
        yield process
        process.kill()


def connects(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def ask(port: int, path: str, method: str = "GET", body: bytes = b"") -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body)
    answer = connection.getresponse()
    return answer, answer.read()


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
@pytest.mark.usefixtures("doorkeeper")
def test_pages_and_programs_are_told_that_the_site_starts(port: int, method: str) -> None:
    answer, page = ask(port, "/ladders/", method, b"x" * 10000)
    assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
    assert b"Boardroom is starting" in page
    answer, problem = ask(port, "/api/v1/ladders", method)
    assert (answer.status, json.loads(problem)["code"]) == (503, "starting")
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.usefixtures("doorkeeper")
def test_what_is_no_request_does_not_keep_others_waiting(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port)) as second:
        second.sendall(b"\0\xff\n\n")
        assert ask(port, "/")[0].status == ask(port, "/", "HEAD")[0].status == 503


def test_it_leaves_when_the_web_server_answers(port: int, doorkeeper: subprocess.Popen[bytes]) -> None:
    with Web(("127.0.0.1", port), Healthy) as web:
        Thread(target=web.serve_forever, daemon=True).start()
        assert doorkeeper.wait(60) == 0
        assert ask(port, "/")[0].status == 200
        web.shutdown()
