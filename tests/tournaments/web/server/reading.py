"""People who read the site through its front: the real cache of pages before the real Django.

Django works in the thread of the test, whose transaction it shall see; the event loop has a thread of its own.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from queue import Queue
from urllib.parse import urlsplit

from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client

from tournaments.models import User
from tournaments.web.server.asgi_types import Scope, header
from tournaments.web.server.page_cache import PageCache
from tournaments.web.server.thread_sharing import Turns
from tournaments.web.server.wsgi_bridge import Bridge, HttpAnswer, environ_of

SESSIONS = settings.SESSION_COOKIE_NAME.encode(), b"messages"


@contextmanager
def connection_left_open() -> Iterator[None]:
    """Django closes it after each request; here it is the test's."""
    signals = request_started, request_finished
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


@dataclass
class Front:
    """`asked`: the paths that Django was asked for, in order."""

    pages: PageCache = field(default_factory=lambda: PageCache(SESSIONS))
    bridge: Bridge = field(default_factory=lambda: Bridge(get_wsgi_application(), Turns(1)))
    asked: list[str] = field(default_factory=list)
    work: "Queue[Callable[[], None] | None]" = field(default_factory=Queue)

    async def ask(self, scope: Scope) -> HttpAnswer:
        self.asked.append(scope["raw_path"].decode())
        answer: Future[HttpAnswer] = Future()
        self.work.put(partial(self._work, scope, answer))
        return await asyncio.wrap_future(answer)

    def _work(self, scope: Scope, answer: "Future[HttpAnswer]") -> None:
        with connection_left_open():
            answer.set_result(self.bridge._call("198.51.100.7", environ_of(scope, scope["body"], len(scope["body"]))))

    async def _answer(self, scope: Scope) -> HttpAnswer:
        """The answer, when what it made others do is done too."""
        answer = await self.pages.answer(scope, self.ask)
        await asyncio.gather(*self.pages.fetching.values())
        return answer

    def serve(self, scope: Scope) -> HttpAnswer:
        with ThreadPoolExecutor(1) as loop:
            served = loop.submit(asyncio.run, self._answer(scope))
            served.add_done_callback(lambda _: self.work.put(None))
            while work := self.work.get():
                work()
            return served.result()


@dataclass
class Reader:
    """A browser, with the cookies of somebody or of nobody."""

    front: Front
    user: User | None = None
    host: str = "localhost"
    cookies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        client = Client()
        if self.user:
            client.force_login(self.user)
        self.cookies |= {name: cookie.value for name, cookie in client.cookies.items()}

    def get(self, address: str, **headers: str) -> HttpAnswer:
        return self.send("GET", address, b"", **headers)

    def send(self, method: str, address: str, body: bytes = b"", **headers: str) -> HttpAnswer:
        parts, cookies = urlsplit(address), "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        plain = {"host": self.host, **({"cookie": cookies} if cookies else {}), **headers}
        spelt = [(name.replace("_", "-").encode(), value.encode()) for name, value in plain.items()]
        scope: Scope = {"method": method, "scheme": "http", "http_version": "1.1", "headers": spelt, "body": body}
        answer = self.front.serve({**scope, "raw_path": parts.path.encode(), "query_string": parts.query.encode()})
        self._take(answer)
        return answer

    def text(self, address: str, **headers: str) -> str:
        return self.get(address, **headers).body.decode()

    def _take(self, answer: HttpAnswer) -> None:
        for name, value in answer.headers:
            if name == b"set-cookie":
                cookie, _, content = value.decode().strip().partition(";")[0].partition("=")
                self.cookies[cookie] = content


def header_of(answer: HttpAnswer, name: str) -> str:
    return header(answer.headers, name.encode()).decode()
