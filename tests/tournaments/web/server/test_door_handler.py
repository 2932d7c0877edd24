"""The door for workers, beside the pages: however many workers ask, and however slowly, no page waits for them."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

from django.conf import settings
from django.test import RequestFactory
from django.urls import reverse

from tests.factories import a_ladder
from tests.tournaments.web.server.reading import SESSIONS
from tests.tournaments.web.server.stand import Stand
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.features.worker_door.actions import AdmitWorker
from tournaments.features.worker_door.tokens import digest_of, new_worker_secret
from tournaments.web.live.hub import Hub
from tournaments.web.server.application import Front
from tournaments.web.server.body_lengths import longest_of
from tournaments.web.server.database_gate import DatabaseGate
from tournaments.web.server.door_handler import THREADS, DoorHandler
from tournaments.web.server.event_streams import Streams
from tournaments.web.server.outgoing import Outbox
from tournaments.web.server.page_cache import PageCache
from tournaments.web.server.request_bodies import Intake
from tournaments.web.server.thread_sharing import Turns
from tournaments.web.server.wsgi_bridge import Bridge, Wsgi
from workers.door_client import Door
from workers.door_words import LONGEST, Answer, Word
from workers.orders import TAG

WORKERS = 200


def front(door: Wsgi) -> Front:
    def page(_: object, start: Any) -> list[bytes]:
        start("200 OK", [])
        return [b"a page"]

    streams, bridges = Streams(Hub(settings.REDIS_URL), 1), (Bridge(page, Turns(1)), Bridge(door, Turns(THREADS)))
    made = Front(bridges[0], Intake(longest_of), PageCache(SESSIONS), streams, Outbox(), 1, bridges[1])
    made.gate = DatabaseGate(is_open=True)
    return made


async def ask(of: Front, path: str, client: str = "192.0.2.1") -> bytes:
    words: list[bytes] = []
    comes = [{"type": "http.request", "body": b"{}", "more_body": False}]

    async def receive() -> Any:
        return comes.pop() if comes else await asyncio.Event().wait()

    async def send(word: Any) -> None:
        words.append(word.get("body", b""))

    headers = [(b"content-length", b"2"), (b"x-forwarded-for", client.encode())]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
    await of(
        {**scope, "headers": headers, "http_version": "1.1", "scheme": "http", "client": ("::1", 1)}, receive, send
    )
    return b"".join(words)


def test_workers_that_come_back_all_at_once_hold_no_thread_of_the_pages() -> None:
    go, heard = Event(), list[str]()

    def door(environ: Any, start: Any) -> list[bytes]:
        go.wait(30)
        heard.append(environ["PATH_INFO"])
        start("200 OK", [])
        return [b"an order"]

    async def day() -> list[bytes]:
        site = front(door)
        workers = [asyncio.create_task(ask(site, "/door/acquire", f"198.51.100.{n}")) for n in range(WORKERS)]
        await asyncio.sleep(0.05)
        pages = [await asyncio.wait_for(ask(site, "/live/"), 20) for _ in range(5)]
        assert not heard
        go.set()
        return [*pages, *await asyncio.gather(*workers)]

    assert asyncio.run(day()) == [b"a page"] * 5 + [b"an order"] * WORKERS


def test_there_is_nothing_at_the_door_but_the_door() -> None:
    for path in ("/door/", "/door/desk/", "/desk/", "/door/acquire/", "/door/api/v1/bundles/x"):
        response = DoorHandler().get_response(RequestFactory().get(path))
        assert response.status_code == 404, path
    assert DoorHandler().get_response(RequestFactory().get("/door/acquire")).status_code == 405
    assert reverse("bot", args=[1]) == "/bots/1/"  # the site's addresses stay those that are named


def test_reports_may_be_long_there_and_nothing_else() -> None:
    assert longest_of("/door/report") == LONGEST
    assert longest_of("/door/acquire") == longest_of("/live/") == 64 << 10


def test_two_hundred_workers_at_the_real_site_at_once_are_all_let_in_and_pages_go_on(stand: Stand) -> None:
    """They come on connections of their own, all from one address; what is refused for now asks again as workers do."""
    ladder, doors = a_ladder(title="Arena"), list[Door]()
    for name in ("east", "west", "north", "south"):
        secret = new_worker_secret()
        AdmitWorker(name, None, digest_of(secret), None).do(by="the operator", reason="many hands")
        words = (Word(f"p{number}", TAG, ["python"]) for number in range(WORKERS // 4))
        doors += [Door(f"http://127.0.0.1:{stand.port}", secret, Event(), word) for word in words]
    together, over, waits = Barrier(WORKERS + 1), Event(), list[float]()

    def come(door: Door) -> Answer | None:
        together.wait(30)
        return door.ask("acquire")

    def look() -> None:
        while not over.is_set():
            began = time.monotonic()
            assert stand.ask(f"/ladders/{ladder.slug}/?{len(waits)}")[0].status == 200
            waits.append(time.monotonic() - began)

    with ThreadPoolExecutor(WORKERS + 1) as threads:
        workers, reader = [threads.submit(come, door) for door in doors], threads.submit(look)
        together.wait(30)
        began = time.monotonic()
        answers = [worker.result(120) for worker in workers]
        took = time.monotonic() - began
        over.set()
        reader.result(30)
    assert all(answer and answer.ask_again > 0 for answer in answers)
    assert len(AvailableWorkers.here().workers) == WORKERS
    p95 = sorted(waits)[len(waits) * 95 // 100]
    print(f"{WORKERS} workers were answered in {took:.1f} s; meanwhile {len(waits)} pages, p95 {1000 * p95:.0f} ms")
