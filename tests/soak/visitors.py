"""People who look: pages of all kinds without a pause, and each time the latest match that a page names."""

import re
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from threading import Event, Thread
from time import monotonic

PAGES = (
    "/",
    "/ladders/zaibatsu/",
    "/bots/1/",
    "/ladders/network/",
    "/overall/",
    "/docs/",
    "/bots/1/record/",
    "/audit/",
)
MATCH = re.compile(rb"/matches/\d+/")
PAUSE_S = 0.2


@dataclass(slots=True)
class Visitors:
    """`answers`: how often pages came, and what came instead; `seconds`: how long each took."""

    site: str
    many: int
    patience_s: float = 10
    answers: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    _ended: Event = field(default_factory=Event)
    _threads: list[Thread] = field(default_factory=list)

    def come(self) -> None:
        self._threads = [Thread(target=self._look, args=(number,), daemon=True) for number in range(self.many)]
        for thread in self._threads:
            thread.start()

    def leave(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _look(self, first: int) -> None:
        for number in count(first):
            if self._ended.wait(PAUSE_S):
                return
            if match := MATCH.search(self._ask(PAGES[number % len(PAGES)])):
                self._ask(match[0].decode())

    def _ask(self, path: str) -> bytes:
        content, outcome, began = b"", "pages", monotonic()
        try:
            with urllib.request.urlopen(self.site + path, timeout=self.patience_s) as response:  # noqa: S310  ours
                content = response.read()
        except urllib.error.HTTPError as error:
            outcome = f"{error.code} {path}"
        except (OSError, HTTPException) as error:
            outcome = f"{type(error).__name__} {path}"
        self.answers[outcome] += 1
        self.seconds.append(monotonic() - began)
        return content
