"""A real worker that knows a site's address and a token, at a door that says what a test has it say."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from engine import replay
from engine.records import from_plain, to_plain
from tests.worker_cache import a_cache
from tests.workers import hall
from tests.workers.hall import HONEST, ROOT, an_order, until
from workers.door_words import Answer
from workers.door_worker import CANNOT_START, STOPPED
from workers.examination_orders import ExaminationOrder
from workers.orders import Competitor, Order, Report
from workers.practice_orders import PERSON, PracticeOrder
from workers.turn_orders import TurnOrder, turn_kind

TOKEN = "bwt_test"
LONG = "import time\n" + HONEST.replace("question.default()", "[time.sleep(0.05), question.default()][1]")


@dataclass
class Heard:
    orders: list[Order | TurnOrder] = field(default_factory=list)  # still to be given
    practices: list[PracticeOrder] | None = None  # to processes for practices, where there are some
    practises: set[str] = field(default_factory=set)  # processes for practices
    turns: list[dict[str, Any]] = field(default_factory=list)  # what was reported of these
    turn_over: bool = False
    verbs: list[str] = field(default_factory=list)
    processes: set[str] = field(default_factory=set)
    reports: list[Report] = field(default_factory=list)
    held: list[list[int]] = field(default_factory=list)
    over: list[int] = field(default_factory=list)
    refuses: tuple[int, str] | None = None
    largest: int = 1 << 30  # bytes that the proxy before it lets through


class Site(hall.Site):
    def __init__(self) -> None:
        ThreadingHTTPServer.__init__(self, ("127.0.0.1", 0), Handler)
        self.token, self.bundles, self.requests = TOKEN, {}, []
        self.failures, self.redirect, self.over = 0, "", False
        self.heard = Heard()


class Handler(hall.Handler):
    server: Site

    def do_GET(self) -> None:  # noqa: N802  the library's
        self.path = self.path.removeprefix("/door")
        super().do_GET()

    def do_POST(self) -> None:  # noqa: N802  the library's
        heard, length = self.server.heard, int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        if length > heard.largest:
            return self.send_error(413)
        heard.verbs.append(self.path.removeprefix("/door/"))
        heard.processes.add(body["process"])
        if heard.refuses:
            return self.answer(heard.refuses[0], {"code": heard.refuses[1], "detail": "so it is"})
        reports = body.get("reports", ())
        heard.turns += [plain for plain in reports if turn_kind(plain)]
        heard.reports += [from_plain(Report, plain, "report") for plain in reports if not turn_kind(plain)]
        if held := body.get("held"):
            heard.held.append([match["match"] for match in held])
        if body["practices"] and heard.practices is None:
            return self.answer(410, {"code": "no_practices", "detail": "none"})
        heard.practises |= {body["process"]} if body["practices"] else set()
        answer = Answer(ask_again=0.1, over=heard.over, turn_over=heard.turn_over)
        orders = heard.practices if body["practices"] else heard.orders
        if orders and (self.path == "/door/acquire" or body.get("more")):
            answer.order = to_plain(orders.pop(0))
        return self.answer(200, to_plain(answer))

    def answer(self, status: int, plain: Any) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(plain).encode())


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


@contextmanager
def a_worker(
    site: Site, *arguments: str, disk: str = "", **changes: str
) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """`disk`: the size of that on which it keeps bundles."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("w") as log:
        environment = kept | {"WORKER_CACHE": a_cache(Path(folder) / "cache")} | changes
        options = ("--site", site.url, "--token", TOKEN, "--processes", "1", *arguments)
        mounted = f'mount -t tmpfs -o mode=700,size={disk} none "$0" && exec "$@"'
        small = ("unshare", "--mount", "sh", "-c", mounted, environment["WORKER_CACHE"]) if disk else ()
        command = [*small, sys.executable, "-m", "workers.door_worker", *options]
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=log, stderr=log, text=True, start_new_session=True
        )
        try:
            yield process, Path(folder, "log")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # with those that it started
            process.wait()
            print(Path(folder, "log").read_text())  # pytest shows it when the test fails


def bots(site: Site, source: str = HONEST) -> list[Competitor]:
    return [site.put(source), site.put(source + "# two\n")]


def test_it_plays_what_it_is_given_reports_and_takes_the_next_until_it_is_to_leave(site: Site) -> None:
    site.heard.orders = [an_order(bots(site)), an_order(bots(site), first=5)]
    with a_worker(site) as (worker, _):
        until("both sets to be reported", lambda: len(site.heard.reports) == 4)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(20) == 0
    assert [(report.match, report.outcome) for report in site.heard.reports] == [
        (match, "played") for match in (1, 2, 5, 6)
    ]
    for report in site.heard.reports:
        replay.verify(replay.read_replay(report.replay))
    assert site.heard.verbs.count("acquire") <= 2  # what comes next is in the answer to a report
    assert site.heard.verbs[-1] == "abort"


def a_turn(site: Site, source: str = HONEST) -> PracticeOrder:
    terms = an_order([site.put(source)], options={"players": 2, "first": 1})
    terms.matches = []
    return PracticeOrder(7, 3, terms, [PERSON, 0], [], "s")


def test_it_plays_turns_of_practices_in_a_process_for_them_and_of_examinations_in_the_others(site: Site) -> None:
    terms = an_order([site.put(HONEST)], options={})
    terms.matches = []
    site.heard.orders = [ExaminationOrder(5, 2, terms, first=0, questions=40, gone=0, repeats=True, secret="s")]
    site.heard.practices = [a_turn(site), a_turn(site)]
    with a_worker(site, "--practices", "1") as (worker, _):
        until("the turns", lambda: len(site.heard.turns) == 3)
        assert (len(site.heard.processes), len(site.heard.practises)) == (2, 1)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(60) == 0
    outcomes = sorted((turn_kind(plain), plain["turn"], plain["outcome"]) for plain in site.heard.turns)
    assert outcomes == [("examination", 2, "asked"), ("practice", 3, "played"), ("practice", 3, "played")]


def test_a_turn_that_nobody_waits_for_is_dropped(site: Site) -> None:
    site.heard.practices = [a_turn(site, "import time\ntime.sleep(60)\n")] * 2
    site.heard.practices[0].terms.clock.start_ms = 60_000
    site.heard.turn_over = True
    with a_worker(site, "--processes", "0", "--practices", "1"):
        until("it to be said", lambda: site.heard.turns)
        until("the next to be asked for", lambda: site.heard.verbs[-1] == "acquire")
    assert {plain["outcome"] for plain in site.heard.turns} == {"playing"}


def test_where_there_are_no_practices_it_ends(site: Site) -> None:
    with a_worker(site, "--practices", "1") as (worker, log):
        assert worker.wait(60) == STOPPED
        assert "[no_practices]" in log.read_text()


def test_what_it_has_in_hand_it_says_and_what_nobody_waits_for_it_drops(site: Site) -> None:
    site.heard.orders = [an_order(bots(site, LONG), matches=3)]
    site.heard.over = [1, 3]
    with a_worker(site):
        until("a report", lambda: site.heard.reports)
    assert site.heard.held[0] == [1, 2, 3]
    assert {report.match for report in site.heard.reports} == {2}


def test_a_worker_that_leaves_ends_the_match_in_hand_and_gives_back_the_others(site: Site) -> None:
    site.heard.orders = [an_order(bots(site, LONG), matches=3)]
    with a_worker(site) as (worker, _):
        until("it to play", lambda: site.heard.held)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert [report.outcome for report in site.heard.reports] == ["played", "returned", "returned"]


def test_what_cannot_be_read_or_played_is_reported_and_a_worker_that_plays_nothing_ends(site: Site) -> None:
    lost = Competitor("lost", 1, "ab" * 32, "bot.py")
    odd = an_order(bots(site))
    odd.rules = 99
    site.heard.orders = [odd, an_order([lost, lost], matches=5, first=11)]
    with a_worker(site) as (worker, log):
        assert worker.wait(30) == STOPPED
        assert "3 matches were void in a row" in log.read_text().splitlines()[-1]
    assert [report.outcome for report in site.heard.reports] == ["void"] * 5 + ["returned"] * 2


def test_what_a_proxy_does_not_let_through_is_reported_as_void(site: Site) -> None:
    site.heard.orders, site.heard.largest = [an_order(bots(site), matches=1)], 1000
    with a_worker(site):
        until("a report", lambda: site.heard.reports)
    assert [report.outcome for report in site.heard.reports] == ["void"]
    assert "client_max_body_size 10m" in site.heard.reports[0].reason


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_worker_whose_disk_is_full_says_so_and_ends(site: Site) -> None:
    large = HONEST + f"# {'x' * (2 << 20)}\n"
    site.heard.orders = [an_order(bots(site, large), matches=5)]
    with a_worker(site, disk="1m", WORKER_PROOFS=str(Path(os.environ["RUN_FOLDER"], "proofs"))) as (worker, log):
        assert worker.wait(60) == STOPPED
        assert "3 matches were void in a row" in log.read_text().splitlines()[-1]
    assert [report.outcome for report in site.heard.reports] == ["void"] * 3 + ["returned"] * 2
    assert {report.reason.partition(" in /")[0] for report in site.heard.reports[:3]} == {"a bundle cannot be kept"}
    assert site.heard.reports[0].reason.endswith(": No space left on device")


def test_a_worker_that_the_site_refuses_ends_with_a_sentence_even_in_mid_match(site: Site) -> None:
    site.heard.orders = [an_order(bots(site, LONG), matches=3)]
    with a_worker(site) as (worker, log):
        until("it to play", lambda: site.heard.held)
        site.heard.refuses = (403, "blocked")
        assert worker.wait(30) == STOPPED
        sentence = f"This match worker ends: {site.url} refuses this worker: so it is [blocked]"
        assert log.read_text().splitlines()[-1] == sentence


@pytest.mark.parametrize(
    ("arguments", "changes", "sentence"),
    [
        (("--site", "http://board.example"), {}, "the site must be reached by https://"),
        (("--token", ""), {}, "it needs --token"),
        (("--processes", "0"), {}, "--processes is a number from 1 to 64"),
        (("--practices", "65"), {}, "--practices is a number from 0 to 64"),
        ((), {"SECRET_KEY": "s3cret"}, "must not know SECRET_KEY"),
        ((), {"MIN_SANDBOX": "fortress"}, "'fortress' is not a tier of the sandbox"),
    ],
)
def test_a_worker_that_lacks_what_it_needs_does_not_start(
    site: Site, arguments: tuple[str, ...], changes: dict[str, str], sentence: str
) -> None:
    with a_worker(site, *arguments, **changes) as (worker, log):
        assert worker.wait(30) == CANNOT_START
        assert log.read_text().startswith("This match worker cannot start: ")
        assert sentence in log.read_text()


def test_several_processes_end_together(site: Site) -> None:
    with a_worker(site, "--processes", "2") as (worker, _):
        until("both to ask", lambda: len(site.heard.processes) == 2)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert site.heard.verbs.count("abort") == 2
