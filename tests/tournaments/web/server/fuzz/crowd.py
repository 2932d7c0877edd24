"""Those who send odd requests, those who are slow, and one who looks at pages as ever."""

import asyncio
import http.client
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from threading import Event

from tests.tournaments.web.server.fuzz.drawn import request

AT_ONCE = 20  # odd requests
ANSWER_SECONDS = 10.0
STREAM_SECONDS = 0.2  # of a stream that is heard
ADDRESSES = 30  # from which strangers come
VISITOR = "127.9.9.9"
PAGES = ("/", "/ladders/main/", "/live/", "/docs/", "/sign-in/")
UNANSWERED = "none"

GET = b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\n%b\r\n"
POST = b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\n%b\r\n\r\n"
SLOW = (
    (GET % (b"/api/v1/audit/log", b""), b""),  # and reads nothing
    (GET % (b"/api/v1/ladders/main/ledger", b""), b""),
    (GET % (b"/live/stream", b""), b""),
    (GET % (b"/live/matches/1/stream", b"Last-Event-ID: 1-\xb2\r\n"), b""),
    (POST % b"Content-Length: 5000000" + b"x", b""),  # and no more
    (POST % b"Content-Length: 5000000" + b"x" * 100_000, b"x"),
    (POST % b"Transfer-Encoding: chunked" + b"5\r\nhello\r\n", b"1\r\nx\r\n"),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"X: y\r\n"),
    (b"GET", b" "),
    (b"", b""),
)


@dataclass(slots=True)
class Figures:
    statuses: Counter[str] = field(default_factory=Counter)
    slow: int = 0  # clients that were there from the beginning to the end, each coming back when it was let go
    pages: list[float] = field(default_factory=list)  # seconds
    faults: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        kept = sorted(self.pages)
        p50, p95 = kept[len(kept) // 2], kept[len(kept) * 95 // 100]
        statuses = ", ".join(f"{status}: {number}" for status, number in sorted(self.statuses.items()))
        return (
            f"requests {self.statuses.total()} ({statuses}); slow clients {self.slow}\n"
            f"pages meanwhile {len(kept)}: p50 {p50:.3f} s, p95 {p95:.3f} s, max {kept[-1]:.3f} s, "
            f"{sum(seconds > 1 for seconds in kept)} over 1 s"
        )


async def attack(port: int, seed: int, requests: int, slow: int, seconds: float) -> Figures:
    """Ends when all requests are sent, or after so many seconds."""
    figures, numbers = Figures(slow=slow), iter(range(requests))
    async with asyncio.TaskGroup() as crowd:
        lazy = [crowd.create_task(dawdle(port, seed + number)) for number in range(slow)]
        looks = asyncio.create_task(asyncio.to_thread(look, port, figures, stop := Event()))
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(ask(port, seed, numbers, figures) for _ in range(AT_ONCE)))
        for task in lazy:
            task.cancel()
        stop.set()
        await looks
    return figures


async def ask(port: int, seed: int, numbers: Iterator[int], figures: Figures) -> None:
    for number in numbers:
        chance = Random(f"{seed} {number}")
        sent = request(chance)
        status = await status_of(port, stranger(chance), sent)
        figures.statuses[status] += 1
        if status.startswith("5") and status != "503":
            figures.faults.append(f"{status} to request {number}: {sent[:300]!r}")


async def status_of(port: int, client: str, sent: bytes) -> str:
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await answered(port, client, sent)
    except (OSError, TimeoutError, IndexError):
        return UNANSWERED


async def answered(port: int, client: str, sent: bytes) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(client, 0))
    try:
        return await status_after(reader, writer, sent)
    finally:
        writer.transport.abort()


async def status_after(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sent: bytes) -> str:
    """The rest of an answer is read too, for a moment: a stream has no end."""
    writer.write(sent)
    if sent[-1:] != b"\n":
        writer.write_eof()
    first = await reader.readline()
    with suppress(TimeoutError):
        async with asyncio.timeout(STREAM_SECONDS):
            await reader.read(100_000)
    return first.split(b" ")[1].decode() if first.startswith(b"HTTP/1.") else UNANSWERED


async def dawdle(port: int, seed: int) -> None:
    """One slow client; let go, it comes again."""
    chance = Random(seed)
    for number in count(seed):
        first, drop = SLOW[number % len(SLOW)]
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(stranger(chance), 0), limit=1)
            try:
                writer.write(first)
                await drip(writer, drop)
            finally:
                writer.transport.abort()
        await asyncio.sleep(chance.random())


async def drip(writer: asyncio.StreamWriter, drop: bytes) -> None:
    while not writer.transport.is_closing():
        writer.write(drop)
        await asyncio.sleep(1)


def stranger(chance: Random) -> str:
    return f"127.0.1.{chance.randrange(1, ADDRESSES)}"


def look(port: int, figures: Figures, stop: Event) -> None:
    """Look at ordinary pages, one after the other."""
    for number in count():
        if stop.is_set() and figures.pages:
            return
        began = time.monotonic()
        with closing(http.client.HTTPConnection("127.0.0.1", port, 30, source_address=(VISITOR, 0))) as line:
            line.request("GET", PAGES[number % len(PAGES)])
            answer = line.getresponse()
            answer.read()
        figures.pages.append(time.monotonic() - began)
        if answer.status != 200:
            figures.faults.append(f"{answer.status} to the visitor: {PAGES[number % len(PAGES)]}")
        stop.wait(0.1)
