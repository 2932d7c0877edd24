"""The others: people who do nothing odd, and note whenever something of theirs moves.

They have a ladder, look at pages, upload, are sent notices, and watch a board.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from threading import Event, Thread

from django.db import Error, connection, transaction

from tests.faults.poison.waits import Waits
from tournaments.core.notices.create import notify
from tournaments.core.notices.webhooks import add_webhook
from tournaments.models import Ladder, Result, User

HOST = "127.0.0.1"
READER, UPLOADER, WATCHER = "127.0.0.20", "127.0.0.21", "127.0.0.22"  # addresses of their own
LOOKS, UPLOADS, NOTICES = 0.25, 0.5, 0.5  # seconds between two
GIVES_UP = 10.0  # seconds, whoever waits for a page; then it is asked for again
DARK = 5.0  # seconds without a picture, after which the board is opened again
LARGE = b"x" * (100 << 10)  # what no one sends by the way; it is refused, once all of it has come in
LATEST = 5  # matches of the ladder, of which one is watched
PICTURES = (b"event: frame\n", b"event: scene\n")


@dataclass(slots=True)
class Bystanders:
    port: int
    ladder: Ladder
    waits: Waits = field(default_factory=lambda: Waits(0.0))
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)  # pages and how they were answered, but with 200
    receiver: ThreadingHTTPServer = field(init=False)
    user: User = field(init=False)
    _ended: Event = field(default_factory=Event)
    _threads: list[Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.receiver = ThreadingHTTPServer((HOST, 0), _receiving(lambda: self._moved("notice")))
        self.user = User.objects.create(username="a bystander")
        add_webhook(user=self.user, url=f"http://{HOST}:{self.receiver.server_port}/", kinds=["test"])

    def come(self) -> None:
        self.waits.began = time.time()
        bot = self.ladder.entries.values_list("bot", flat=True)[0]
        pages = (
            f"/bots/{bot}/record/",
            "/audit/",
            "/events/",
            "/api/v1/ladders",
            f"/ladders/{self.ladder.slug}/",
            "/live/",
        )
        acts: list[Callable[[], None]] = [
            lambda: self._look(pages),
            lambda: self._repeat(UPLOADS, self._upload),
            lambda: self._repeat(NOTICES, self._tell),
            lambda: self._repeat(LOOKS, self._watch),
            self.receiver.serve_forever,
        ]
        self._threads = [Thread(target=act, daemon=True) for act in acts]
        for thread in self._threads:
            thread.start()

    def can_watch(self) -> bool:
        """Whether there is a match in their ladder."""
        return bool(self._played())

    def leave(self) -> None:
        self._ended.set()
        self.receiver.shutdown()
        for thread in self._threads:
            thread.join()
        self.receiver.server_close()

    def so_far(self) -> Waits:
        """Return the waits so far. Raises OperationalError, InterfaceError."""
        of_ladder = Result.objects.filter(match__set__ladder=self.ladder)
        self.waits.moved["match"] = [moment.timestamp() for moment in of_ladder.values_list("recorded_at", flat=True)]
        self.waits.ended = time.time()
        return self.waits

    def still(self, since: float) -> list[str]:
        """Return the kinds of which nothing has moved since. Raises OperationalError, InterfaceError."""
        return [kind for kind, moved in self.so_far().moved.items() if not any(when > since for when in moved)]

    def _moved(self, kind: str) -> None:
        self.waits.moved[kind].append(time.time())

    def _repeat(self, pause: float, act: Callable[[], None]) -> None:
        while not self._ended.wait(pause):
            with suppress(OSError, HTTPException, Error):
                act()
        connection.close()

    def _look(self, pages: Iterable[str]) -> None:
        turns = cycle(pages)
        self._repeat(LOOKS, lambda: self._page(next(turns)))

    def _page(self, path: str) -> None:
        status = self._ask(READER, "GET", path)
        if status == 200:
            self._moved("page")
        else:
            self.answers[path, status] += 1

    def _upload(self) -> None:
        """Whatever Django says of it, it has come in."""
        status = self._ask(UPLOADER, "POST", "/api/v1/bots", LARGE)
        if status != 503:
            self._moved("upload")

    def _ask(self, address: str, method: str, path: str, body: bytes | None = None) -> int:
        line = HTTPConnection(HOST, self.port, timeout=GIVES_UP, source_address=(address, 0))
        try:
            line.request(method, path, body)
            answer = line.getresponse()
            answer.read()
            return answer.status
        finally:
            line.close()

    @transaction.atomic
    def _tell(self) -> None:
        notify([self.user], "test", f"{time.time()}", "Something has happened.", "/")

    def _watch(self) -> None:
        """A match of the ladder, to its end. It moves as long as there is a match to see."""
        number = random.choice(self._played() or [0])
        line = HTTPConnection(HOST, self.port, timeout=DARK, source_address=(WATCHER, 0))
        try:
            line.request("GET", f"/live/matches/{number}/stream")
            self._follow(line.getresponse())
        finally:
            line.close()

    def _played(self) -> list[int]:
        """The latest of them."""
        try:
            played = Result.objects.filter(match__set__ladder=self.ladder).order_by("-pk")
            return list(played.values_list("match", flat=True)[:LATEST])
        except Error:
            return []
        finally:
            connection.close()

    def _follow(self, board: HTTPResponse) -> None:
        while not self._ended.is_set() and (line := board.readline()):
            if line in PICTURES:
                self._moved("picture")


def _receiving(moved: Callable[[], None]) -> type[BaseHTTPRequestHandler]:
    class Receiving(BaseHTTPRequestHandler):
        timeout = GIVES_UP

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()
            moved()

        def log_message(self, *_: object) -> None:
            """Write nothing: nobody reads it."""

    return Receiving
