"""Pages under load: those of visitors beside a file from the same server, others beside an aim; and their weight."""

import gzip
import math
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from os import sysconf
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.test import Client
from django.utils.crypto import get_random_string

from tests.bench import Row
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tests.ground import rows_of
from tests.tournaments.web.server.stand import Stand, a_stand
from tournaments.models import User

BOTS, SETS = 30, 12
CLIENTS, EACH, ROUNDS = 8, 30, 2
AIM = 100.0  # ms at p95, for those who are signed in
HEAVY = 100_000  # bytes
LIMITS = {"PAGE_REQUESTS": "1000000", "GRANIAN_WORKERS": "2"}  # two web processes, as docker-compose.yml has


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    ladder = a_ladder("arena", title="Arena")
    versions = [a_version(a_bot(name=f"Bot {number}")) for number in range(BOTS)]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    for number in range(SETS):
        a_completed_set(ladder, [versions[(number + seat) % BOTS] for seat in range(3)])
    rate()
    match = ladder.sets.latest("pk").matches.latest("pk").pk
    pages = {"standings": "/ladders/arena/", "home": "/", "a match": f"/matches/{match}/"}
    with TemporaryDirectory() as folder, a_stand(STATIC_ROOT=folder, **LIMITS) as stand:
        sizes = {name: len(stand.ask(path)[1]) for name, path in pages.items()}
        for size in sizes.values():
            (Path(folder) / f"{size}.svg").write_bytes(bytes(size))
        with a_stand(STATIC_ROOT=folder, **LIMITS) as again:  # it looks for files when it starts
            rows = [row for name, path in pages.items() for row in under_load(again, name, path, sizes[name])]
        return [*rows, *(weight(stand, name, path) for name, path in pages.items())]


def session(user: User) -> str:
    """The cookies of somebody who has signed in and has seen a form: a browser keeps that of forms, too."""
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}; csrftoken={get_random_string(CSRF_SECRET_LENGTH)}"


def under_load(stand: Stand, name: str, path: str, size: int) -> list[Row]:
    """Ask in turns with a static file of as many bytes; the best round of each counts: others use this machine too."""
    file, owner = f"/static/{size}.svg", a_bot().owner
    reader, writer, staff = session(a_user()), session(owner), session(a_user(staff=True))
    pages: dict[str, Callable[[], Taken]] = {
        "file": lambda: taken(stand, file),
        "kept": lambda: taken(stand, path),
        "signed in": lambda: taken(stand, path, Cookie=reader),
        "signed in, with a bot": lambda: taken(stand, path, Cookie=writer),
        "an organiser's": lambda: taken(stand, path, Cookie=staff),
    }
    best = dict.fromkeys(pages, Taken(math.inf, math.inf))
    for _ in range(ROUNDS):
        best = {page: best[page].least(measured()) for page, measured in pages.items()}
    return [row(f"{name}, {page}", best[page], best["file"]) for page in pages if page != "file"]


def row(name: str, ours: "Taken", file: "Taken") -> Row:
    how = (
        f"p95 of {CLIENTS * EACH} requests by {CLIENTS} clients at once, the best of {ROUNDS} rounds; the server's "
        f"processor time {ours.cpu:.2f} ms each, and {file.cpu:.2f} for a file of as many bytes"
    )
    if name.endswith("kept"):
        return Row(name, ours.p95, "ms", "a file of as many bytes", file.p95, ours.p95 / file.p95, "<= 1.5", how)
    return Row(name, ours.p95, "ms", "aimed at", AIM, ours.p95 / AIM, "<= 1", how)


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds: on the clock, and of the server's processor time for each request."""

    p95: float
    cpu: float

    def least(self, other: "Taken") -> "Taken":
        return Taken(min(self.p95, other.p95), min(self.cpu, other.cpu))


def taken(stand: Stand, path: str, **headers: str) -> Taken:
    before = spent(stand)
    clock = p95(stand, path, **headers)
    return Taken(clock, 1000 * (spent(stand) - before) / (CLIENTS * EACH))


def spent(stand: Stand) -> float:
    """Seconds of processor time of the server and its children."""
    processes = {int(name.name): stat_of(name) for name in Path("/proc").iterdir() if name.name.isdigit()}
    pids = {stand.process.pid}
    for _ in range(3):  # granian's processes stand at most so deep
        pids |= {pid for pid, stat in processes.items() if stat and int(stat[1]) in pids}
    return sum(int(stat[11]) + int(stat[12]) for pid in pids if (stat := processes[pid])) / sysconf("SC_CLK_TCK")


def stat_of(process: Path) -> list[str]:
    """Return what stands behind its name; nothing if it has just ended."""
    with suppress(OSError):
        return (process / "stat").read_text().rpartition(")")[2].split()
    return []


def p95(stand: Stand, path: str, **headers: str) -> float:
    """Return the 95th percentile of the answers in milliseconds."""

    def ask(_: int) -> Iterator[float]:
        with closing(HTTPConnection("127.0.0.1", stand.port, timeout=60)) as line:
            for _ in range(EACH):
                began = time.perf_counter()
                line.request("GET", path, headers=headers)
                answer = line.getresponse()
                answer.read()
                yield time.perf_counter() - began
                assert answer.status == 200, answer.status

    with ThreadPoolExecutor(CLIENTS) as clients:
        answer_times = [
            seconds for client in clients.map(lambda number: list(ask(number)), range(CLIENTS)) for seconds in client
        ]
    return 1000 * quantiles(answer_times, n=20)[18]


def weight(stand: Stand, name: str, path: str) -> Row:
    """The page and all that it loads at once, as it comes to a stranger's browser."""
    answer, packed = stand.ask(path, Accept_Encoding="gzip")
    page = gzip.decompress(packed) if answer.headers["Content-Encoding"] == "gzip" else packed
    parts = set(re.findall(rb'(?:src|href)="(/static/[^"]+)"', page))
    total = len(packed) + sum(len(stand.ask(part.decode(), Accept_Encoding="gzip")[1]) for part in parts)
    how = f"answers as they are sent, packed, without their headers: the page and the {len(parts)} files that it names"
    return Row(f"{name}, its weight", total / 1000, "kB", "aimed at", HEAVY / 1000, total / HEAVY, "<= 1", how)
