"""The site as it is served: granian, the front, Django, the tests' own database and broker."""

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.db import connection
from redis import Redis

from tests.tournaments.ops.launcher.processes import ROOT
from tests.workers.hall import until
from tournaments.ops.launcher.processes import WEB

PATIENCE = 20.0  # seconds for anything to come


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that looks into the tests' database."""
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    return {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tournaments.settings", **more}


@dataclass
class Stand:
    port: int
    process: subprocess.Popen[bytes]
    broker: Redis

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            line.request(method, path, body, spelt(headers))
            answer = line.getresponse()
            return answer, answer.read()

    @contextmanager
    def listen(self, path: str, **headers: str) -> Iterator["Ear"]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            line.request("GET", path, headers=spelt(headers))
            with closing(line.getresponse()) as answer:
                yield Ear(answer)

    def tell(self, match: int, lease: int, word: Mapping[str, Any]) -> None:
        """Say what a worker would say of a match."""
        self.broker.xadd(f"boardroom:live:{match}", {"lease": lease, "word": json.dumps(word)})


def spelt(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


@dataclass
class Ear:
    answer: http.client.HTTPResponse
    name: str = field(default="")  # of the last event

    def next(self, kind: str = "") -> Any:
        """The next event; with a `kind`, the next of that kind."""
        event, data = "", ""
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            event, data = (value, data) if name == "event" else (event, data)
            data = value if name == "data" else data
            self.name = value if name == "id" else self.name
            if not line.strip() and data:
                if not kind or event == kind:
                    return json.loads(data)
                event = data = ""
        raise EOFError("the stream has ended")

    def all(self, kind: str) -> list[Any]:
        """The events of that kind up to the end of the stream."""
        events = []
        while True:
            try:
                events.append(self.next(kind))
            except EOFError:
                return events


@contextmanager
def a_stand(**more: str) -> Iterator[Stand]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "granian", *WEB, "--port", str(port), "tournaments.asgi:application"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment(**more))
    with Redis.from_url(os.environ["REDIS_URL"]) as broker:
        stand = Stand(port, process, broker)
        try:
            until("the web server", lambda: answers(stand))
            yield stand
        finally:
            process.terminate()
            process.wait(PATIENCE)


def answers(stand: Stand) -> bool:
    try:
        return stand.ask("/healthz")[0].status == 200
    except OSError:
        return False
