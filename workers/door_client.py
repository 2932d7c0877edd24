"""The way from a worker to the door of its site: HTTPS requests, and a sentence for whatever becomes of them.

Where the site, or a proxy before it, does not answer, the worker tries again, ever more slowly and never in step with
others. What the site will say again ends the worker.
"""

import json
import logging
import random
import ssl
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from threading import Event
from typing import Any, Final
from urllib.parse import urlsplit

from kombu.exceptions import OperationalError

from bots.loopback import Proxies, is_loopback
from engine.records import RecordError, canonical, from_plain
from workers.addresses import BadSetting, site_address
from workers.bundles import NoRedirect
from workers.door_words import AUTHORISATION, PATH, STOPS, Answer, Word

PATIENCE: Final = 30.0  # seconds for an answer
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds, about, before another try
LONGEST_ANSWER: Final = 12 << 20  # bytes
CLOCKS_DIFFER: Final = 120.0  # seconds

log = logging.getLogger(__name__)


class Stop(Exception):
    """It is of no use to ask again; the sentence says why."""


class Away(OperationalError):
    """No answer of the site's came; the sentence says why. `wait`: seconds that the site asks for."""

    def __init__(self, sentence: str, wait: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait = wait


class TooLong(Away):
    """What was said is too long for the site, or for a proxy before it."""


def checked_site(text: str) -> str:
    """The address of the site. Raises BadSetting."""
    site = site_address(text)
    if not site.startswith("https://") and not is_loopback(urlsplit(site).hostname):
        raise BadSetting(f"the site must be reached by https://, not {site}: the token and the bots travel there")
    return site


def pause(tries: int) -> float:
    """Return how long to wait after so many tries: twice as long each time, and no two workers the same."""
    return float(min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(tries, 10)) * random.uniform(0.5, 1.5))


@dataclass(slots=True)
class Door:
    """`leaving` is set once the worker is to end."""

    site: str
    token: str
    leaving: Event
    word: Word  # who speaks; each time it says more
    clock_named: bool = field(default=False)

    def ask(self, verb: str, **more: Any) -> Answer | None:
        """The answer, however long it takes; None if the worker is to end before. Raises Stop, TooLong."""
        tries = 0
        while True:
            try:
                return self.say(verb, **more)
            except TooLong:
                raise
            except Away as away:
                wait = max(pause(tries), away.wait * random.uniform(1.0, 1.5))
                log.warning("%s; the next try is in %.0f s", away, wait)
            tries += 1
            if self.leaving.wait(wait):
                return None

    def say(self, verb: str, **more: Any) -> Answer:
        """The answer. Raises Stop, Away."""
        word = {name: getattr(self.word, name) for name in ("process", "release", "offers", "version", "practices")}
        body = canonical(word | more).encode()
        data = self._post(f"{self.site}{PATH}{verb}", body)
        try:
            answer: Answer = from_plain(Answer, json.loads(data), "answer")
        except (ValueError, RecordError, RecursionError):
            begins = data[:60].decode("ascii", "replace")
            raise Away(
                f"{self.site} answered with something else than the door for workers, which begins {begins!r}: "
                "is it the site's address, and does the proxy before it pass /door/ on as it is?"
            ) from None
        return answer

    def _post(self, url: str, body: bytes) -> bytes:
        headers = {"Authorization": f"{AUTHORISATION} {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(url, body, headers)  # noqa: S310  checked above
        began = time.monotonic()
        try:
            with urllib.request.build_opener(Proxies, NoRedirect).open(request, timeout=PATIENCE) as response:
                self._compare_clocks(response.headers.get("Date", ""))
                data: bytes = response.read(LONGEST_ANSWER)
                return data
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error, len(body)) from None
        except (OSError, HTTPException) as error:
            raise Away(self._unreached(error, time.monotonic() - began)) from None

    def _refusal(self, error: urllib.error.HTTPError, length: int) -> Stop | Away:
        try:
            told = json.loads(error.read(10_000))
            code, detail = str(told["code"]), str(told["detail"])
        except (ValueError, LookupError, TypeError, OSError, HTTPException):
            return self._of_a_proxy(error, length)
        if STOPS.get(error.code) == code:
            return Stop(f"{self.site} refuses this worker: {detail} [{code}]")
        if code == "too_long":
            return TooLong(f"{self.site} refuses {length:,} bytes: {detail} [{code}]")
        return Away(f"{self.site} cannot answer now: {detail} [{code}]", _seconds(error))

    def _of_a_proxy(self, error: urllib.error.HTTPError, length: int) -> Away:
        """What is no answer of the door's: the site is not up, or a proxy does not let this through."""
        if error.code == 413:
            limit = "its limit must be 10 MB (nginx: client_max_body_size 10m)"
            return TooLong(f"a proxy before {self.site} refuses {length:,} bytes (413): {limit}")
        if 300 <= error.code < 400:
            where = str(error.headers.get("Location", ""))[:100]
            return Away(f"{self.site} sends elsewhere, to {where!r}: use the address that it sends to, if it is right")
        if error.code == 429:
            return Away(f"the proxy before {self.site} takes no more from this address now (429)", _seconds(error))
        if error.code in (502, 503, 504):
            return Away(f"the proxy before {self.site} reaches no site behind it ({error.code})", _seconds(error))
        return Away(
            f"{self.site} answers {error.code} and not as the door for workers does: is it the site's address, and is "
            "the site of this release?",
            _seconds(error),
        )

    def _unreached(self, error: Exception, seconds: float) -> str:
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(cause, ssl.SSLCertVerificationError):
            hint = (
                "this machine's clock must be right, and SSL_CERT_FILE name whoever signed it, if that is no usual one"
            )
            return f"{self.site} does not prove who it is ({cause.verify_message}): {hint}"
        if seconds > 5:
            return f"{self.site} gave no answer, and the connection was cut after {seconds:.0f} s: {cause}"
        return f"{self.site} cannot be reached: {cause}"

    def _compare_clocks(self, date: str) -> None:
        """Nothing depends on this machine's clock but certificates, and what its logs say."""
        try:
            differ = time.time() - parsedate_to_datetime(date).timestamp()
        except (ValueError, TypeError):
            return
        if abs(differ) > CLOCKS_DIFFER and not self.clock_named:
            way = "ahead of" if differ > 0 else "behind"
            log.warning("this machine's clock is %.0f s %s that of the site: set it right", abs(differ), way)
            self.clock_named = True


def _seconds(error: urllib.error.HTTPError) -> float:
    asked = str(error.headers.get("Retry-After", ""))
    return min(float(asked), 600.0) if asked.isdecimal() else 0.0
