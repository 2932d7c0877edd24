"""What the tests of workers play in: a small HTTP server of bundles, a Redis database of their own, real workers."""

import json
import os
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from kombu import Connection
from redis import Redis

from bots.protocol import Clock
from engine.games import GAMES
from engine.records import from_plain, to_plain
from tests.patience import looks
from tests.worker_cache import a_cache
from workers.addresses import redis_address
from workers.broker import address as broker
from workers.examination_orders import EXAMINED
from workers.identity import derive
from workers.orders import ORDERS, PLAY, RECORD_SET, REPORTS, SET_REPORTS, Competitor, InHand, MatchOrder, Order, Report
from workers.practice_orders import PRACTISE, PRACTISED, PracticeOrder, PracticeReport
from workers.practice_orders import practice_queue as practices
from workers.sandbox.limits import Limits
from workers.suggestion_orders import SUGGESTED

ROOT = Path(__file__).resolve().parents[2]
MASTER = "let me in"
TOKEN = derive("tester", MASTER).token
DEADLINE = 60.0
T = TypeVar("T")

HONEST = "from bots.sdk import play\nplay(lambda view, question: question.default())\n"


def until(what: str, look: Callable[[], T | None], deadline: float = DEADLINE) -> T:
    """Return what `look` finds, once it finds something."""
    for _ in looks(deadline):
        if result := look():
            return result
    raise AssertionError(f"{what}: not within {deadline:g} s")


class Site(ThreadingHTTPServer):
    """Serves bundles as the real site does. `asked` are the requests it had."""

    def __init__(self, token: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.token = token
        self.bundles: dict[str, bytes] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.failures = 0  # of the next requests, so many are answered with an error
        self.redirect = ""
        self.over = False  # no lease is in hand any more

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def put(self, source: str | bytes, filename: str = "bot.py") -> Competitor:
        data = source.encode() if isinstance(source, str) else source
        name = sha256(data).hexdigest()
        self.bundles[name] = data
        return Competitor(f"bot-{name[:6]}", 1, name, filename)


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.requests.append((self.path, self.headers.get("Authorization")))
        data = self.server.bundles.get(self.path.removeprefix("/api/v1/bundles/"))
        allowed = self.headers.get("Authorization") == f"Worker {self.server.token}"
        if self.server.failures:
            self.server.failures -= 1
            return self.send_error(503)
        if self.server.over:
            return self.send_error(410)
        if self.server.redirect:
            self.send_response(302)
            self.send_header("Location", self.server.redirect)
            return self.end_headers()
        if data is None or not allowed:
            return self.send_error(404 if allowed else 403)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(data)
        return None

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the name is the library's
        """Tests read what was asked from `asked`."""


@contextmanager
def a_site(token: str = TOKEN) -> Iterator[Site]:
    """Return a site which knows one worker, by its token."""
    with Site(token) as site:
        Thread(target=site.serve_forever, args=(0.01,), daemon=True).start()
        yield site
        site.shutdown()


def an_order(competitors: list[Competitor], *, matches: int = 0, first: int = 1, **changes: Any) -> Order:
    """A set of Zaibatsu in which the competitors take turns at the seats."""
    game, seats = GAMES["zaibatsu"], len(competitors)
    order = Order(
        game=game.name,
        rules=game.version,
        options={"players": seats},
        seed="5e" * 32,
        competitors=competitors,
        matches=[
            MatchOrder(first + turn, 1, [(seat + turn) % seats for seat in range(seats)])
            for turn in range(matches or seats)
        ],
        clock=Clock(answer_ms=500, bank_ms=20_000, start_ms=3_000),
        limits=Limits(memory_mb=256),
        strikes=3,
    )
    for name, value in changes.items():
        setattr(order, name, value)
    return order


class Hall:
    """The two queues, as the site sees them: orders go in, reports come out."""

    def __init__(self, site: Site, redis_url: str, worker: str = "tester") -> None:
        self.worker = worker  # whose reports come
        self.site, self.redis_url = site, redis_url
        self.redis = Redis.from_url(self.redis_url)
        self.redis.flushdb()
        self.connection = Connection(broker(self.redis_url))
        self.reports: list[Report] = []
        self.hands: list[InHand] = []  # what was in the worker's hand, each time that it said so
        self.messages: list[list[dict[str, object]]] = []
        self.turns: list[PracticeReport] = []
        self.examined: list[object] = []  # reports of examinations
        self.suggested: list[dict[str, object]] = []  # and of suggestions

    def close(self) -> None:
        self.connection.release()
        self.redis.flushdb()
        self.redis.close()

    def order(self, order: Order) -> None:
        self.send(to_plain(order))

    def practise(self, order: PracticeOrder) -> None:
        self.send(to_plain(order), PRACTISE, practices())

    def send(self, plain: object, task: str = PLAY, queue: str = ORDERS) -> None:
        """Put a message on the queue as Celery writes it."""
        number = os.urandom(8).hex()
        with self.connection.channel() as channel:
            self.connection.Producer(channel).publish(
                [[plain], {}, {}],
                routing_key=queue,
                exchange="",
                declare=[self.connection.SimpleQueue(queue, channel=channel).queue],
                headers={"id": number, "task": task, "lang": "py", "argsrepr": "", "kwargsrepr": "{}"},
                correlation_id=number,
                serializer="json",
            )

    def collect(self) -> list[Report]:
        """Return all reports so far."""
        for queue in (REPORTS, SET_REPORTS):
            while raw := self.redis.rpop(queue):
                assert isinstance(raw, bytes)
                self._take(json.loads(raw))
        return self.reports

    def _take(self, message: Any) -> None:
        given, _, _ = json.loads(b64decode(message["body"]))
        task = message["headers"]["task"]
        assert task in (PRACTISED, EXAMINED, SUGGESTED, RECORD_SET)
        reports = given[0] if task == RECORD_SET else given
        assert {plain["worker"].partition("/")[0] for plain in reports} == {self.worker}
        if task == PRACTISED:
            self.turns.append(from_plain(PracticeReport, given[0], "report"))
            return
        if task == SUGGESTED:
            self.suggested.append(given[0])
            return
        if task == EXAMINED:
            self.examined.append(given[0])
            return
        self.messages.append(reports)
        self.hands += [from_plain(InHand, plain, "hand") for plain in reports if "held" in plain]
        self.reports += [from_plain(Report, plain, "report") for plain in reports if "held" not in plain]

    def turn(self) -> PracticeReport | None:
        """Return what became of the last turn of a practice."""
        self.collect()
        return next((report for report in self.turns if report.outcome != "playing"), None)

    def settled(self, matches: int) -> list[Report]:
        """The reports on that many matches, in the order of the matches."""

        def look() -> list[Report] | None:
            return reports if len(reports := self.collect()) >= matches else None

        reports = until(f"{matches} reports", look)
        assert len(reports) == matches
        return sorted(reports, key=lambda report: report.match)


def outcomes(reports: list[Report]) -> list[tuple[int, str]]:
    return [(report.match, report.outcome) for report in reports]


def own_database(url: str) -> str:
    """Another database of the same server: other tests use the same queues, perhaps at the same time."""
    number = 8 + int(os.environ.get("TEST_PROCESS", "0")) % 8
    return redis_address(f"{url.partition('?')[0]}?db={number}")


def clean_environment(hall: Hall, cache: Path) -> dict[str, str]:
    """Return what a match worker is given: all it needs, and no secret of the site."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    settings = {
        "REDIS_URL": hall.redis_url,
        "SITE_URL": hall.site.url,
        "WORKER_TOKEN": TOKEN,
        "WORKER_CACHE": a_cache(cache),
    }
    return {**kept, **settings}


@contextmanager
def a_worker(hall: Hall, **changes: str) -> Iterator[subprocess.Popen[bytes]]:
    """A real Celery worker process. It is killed in the end, if it still runs."""
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("w+b") as log:
        environment = clean_environment(hall, Path(folder) / "cache") | changes
        process = start_worker(environment, log.fileno())
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            log.seek(0)
            print(log.read().decode())  # pytest shows it when the test fails


def start_worker(environment: Mapping[str, str], log: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "workers"], cwd=ROOT, env=environment, stdout=log, stderr=log)


def children(pid: int) -> set[int]:
    """Return all descendants of a process."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if fields[0] != "Z":
            parents[int(stat.parent.name)] = int(fields[1])
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return family - {pid}


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # the second, of one that goes while it is read
        return False
