"""Requests to providers: they end soon, whatever the other side does, and few are under way at once.

A thread of the web server waits for the answer, and other requests need those threads too.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import requests

from bots.loopback import is_loopback
from tournaments.core.errors import Refused

WAITS = (3.0, 5.0)  # seconds for a connection, and for each next part of an answer
LASTS = 8.0  # for the whole of it
MOST = 1 << 20  # bytes of an answer
AT_ONCE = BoundedSemaphore(3)


class Session(requests.Session):
    def request(self, method: str, url: str | bytes, *args: Any, **kwargs: Any) -> requests.Response:
        parts = urlsplit(str(url))
        is_here = is_loopback(parts.hostname)
        if parts.scheme != "https" and not is_here:
            raise requests.exceptions.InvalidURL("an address of the provider is not https")
        self.trust_env = not is_here  # what the environment names is its proxy
        end = monotonic() + LASTS
        kwargs |= {"timeout": WAITS, "stream": True, "allow_redirects": False}
        response = super().request(method, url, *args, **kwargs)
        with response:
            response._content = b"".join(bounded_body(response, end))  # noqa: SLF001 - as if it had been read at once
        return response


def bounded_body(response: requests.Response, end: float) -> Iterator[bytes]:
    size = 0
    for part in response.iter_content(1 << 14):
        size += len(part)
        if size > MOST:
            raise requests.exceptions.ContentDecodingError("its answer is too long")
        if monotonic() > end:
            raise requests.exceptions.ReadTimeout
        yield part


@contextmanager
def asking(title: str) -> Iterator[None]:
    """Around all that is asked of a provider. Raises Refused: try_later, provider_late, provider_failed."""
    if not AT_ONCE.acquire(blocking=False):
        raise Refused(
            "try_later", "many people are signing in with %(title)s right now; try again in a few seconds", title=title
        )
    try:
        yield
    except requests.exceptions.Timeout:
        raise Refused("provider_late", "%(title)s did not answer in time; try again in a minute", title=title) from None
    except (requests.exceptions.RequestException, KeyError, ValueError, TypeError, AttributeError) as error:
        raise Refused(
            "provider_failed", "%(title)s gave no answer that can be used; try again in a minute", title=title
        ) from error
    finally:
        AT_ONCE.release()
