"""Pages under load beside a file from the same server, and how heavy they are on the line."""

import gzip
import math
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from itertools import count
from statistics import quantiles

from django.test import Client

from tests.bench import Row
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tests.ground import rows_of
from tests.server.stand import Stand, a_stand

BOTS, SETS = 8, 6
CLIENTS, EACH, ROUNDS = 8, 30, 2
FILE = "/static/boardroom/icon.svg"
HEAVY = 100_000  # bytes


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
    with a_stand() as stand:
        rows = [row for name, path in pages.items() for row in beside_a_file(stand, name, path, session())]
        return [*rows, *(weight(stand, name, path) for name, path in pages.items())]


def session() -> str:
    """The cookie of somebody who has signed in: no answer to them is kept."""
    client = Client()
    client.force_login(a_user())
    return f"sessionid={client.cookies['sessionid'].value}"


def beside_a_file(stand: Stand, name: str, path: str, cookie: str) -> list[Row]:
    """In turns, and the best round of each: others use this machine too. Django serves the file, unless it is kept."""
    fresh = count()
    ways: dict[str, Callable[[], float]] = {
        "file": lambda: p95(stand, lambda: f"{FILE}?{next(fresh)}"),
        "made": lambda: p95(stand, lambda: path, Cookie=cookie),
        "kept file": lambda: p95(stand, lambda: FILE),
        "kept": lambda: p95(stand, lambda: path),
    }
    best = dict.fromkeys(ways, math.inf)
    for _ in range(ROUNDS):
        best = {way: min(best[way], measured()) for way, measured in ways.items()}
    how = f"p95 of {CLIENTS * EACH} requests by {CLIENTS} clients at once, the best of {ROUNDS} rounds"
    made, kept = (best["made"], best["file"]), (best["kept"], best["kept file"])
    return [
        Row(f"{name}, made each time", made[0], "ms", "a file, likewise", made[1], made[0] / made[1], "<= 4", how),
        Row(f"{name}, kept", kept[0], "ms", "a file, kept", kept[1], kept[0] / kept[1], "<= 2", how),
    ]


def p95(stand: Stand, path: Callable[[], str], **headers: str) -> float:
    """Milliseconds."""

    def ask(_: int) -> Iterator[float]:
        with closing(HTTPConnection("127.0.0.1", stand.port, timeout=60)) as line:
            for _ in range(EACH):
                began = time.perf_counter()
                line.request("GET", path(), headers=headers)
                line.getresponse().read()
                yield time.perf_counter() - began

    with ThreadPoolExecutor(CLIENTS) as clients:
        every = [
            seconds for client in clients.map(lambda number: list(ask(number)), range(CLIENTS)) for seconds in client
        ]
    return 1000 * quantiles(every, n=20)[18]


def weight(stand: Stand, name: str, path: str) -> Row:
    """The page and all that it loads at once, as it comes to a stranger's browser."""
    answer, packed = stand.ask(path, Accept_Encoding="gzip")
    page = gzip.decompress(packed) if answer.headers["Content-Encoding"] == "gzip" else packed
    parts = set(re.findall(rb'(?:src|href)="(/static/[^"]+)"', page))
    total = len(packed) + sum(len(stand.ask(part.decode(), Accept_Encoding="gzip")[1]) for part in parts)
    how = f"answers as they are sent, packed, without their headers: the page and the {len(parts)} files that it names"
    return Row(f"{name}, its weight", total / 1000, "kB", "aimed at", HEAVY / 1000, total / HEAVY, "<= 1", how)
