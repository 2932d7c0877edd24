"""The addresses of the door. What is wrong is answered with a code that does not change, and a sentence."""

import json
import re
from collections.abc import Callable
from functools import wraps
from math import ceil, isfinite
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from kombu.exceptions import EncodeError

from engine.records import RecordError, from_plain, to_plain
from tournaments.core.broker.retry import AWAY
from tournaments.core.errors import Refused
from tournaments.features.worker_door import work
from tournaments.features.worker_door.bundles_api import check_ticket
from tournaments.features.worker_door.tokens import OFFER, worker_token_with
from tournaments.models import Bundle, Worker, WorkerToken
from tournaments.web.server.request_rates import Rate, TooOften, asker_address, take_try
from workers.bundles import TICKET
from workers.door_words import AUTHORISATION, LONGEST, MOST, MOST_OFFERS, STOPS, VERSION, Answer, Word
from workers.orders import TAG
from workers.turn_orders import turn_kind

WORDS = Rate("door", 1200, 60)  # of a worker: all its processes together
LONG = 128 << 10  # bytes, which count as a request: reading them takes a web process as long
BUNDLES = Rate("door-bundles", 4096, 3600)  # MB, of a worker
STRANGERS = Rate("door-strangers", 60, 60)  # of an address: without a valid token
PROCESS = re.compile(r"[A-Za-z0-9_-]{1,40}")
STATUS = {code: status for status, code in STOPS.items()} | {
    "not_post": 405,
    "too_long": 413,
    "too_often": 429,
    "too_many_processes": 429,
    "not_found": 404,
    "not_sent": 404,
    "lease_over": 410,
    "try_later": 503,
}

View = Callable[..., HttpResponse]


def in_json(view: View) -> View:
    """Answer what is refused in JSON."""

    @wraps(view)
    def answer(request: HttpRequest, **given: str) -> HttpResponse:
        try:
            response = view(request, **given)
        except Refused as refused:
            response = problem_answer(refused.code, str(refused.detail))
        except TooOften as empty:
            response = problem_answer("too_often", "this worker asks too often", ceil(empty.wait))
        except (RecursionError, EncodeError):
            response = problem_answer("bad_request", "this is nested too deeply")
        except AWAY:
            response = problem_answer("try_later", "a server of the site is away; ask again", 10)
        response["Cache-Control"] = "no-store"
        return response

    return answer


def problem_answer(code: str, detail: str, wait: int = 30) -> HttpResponse:
    status = STATUS.get(code, 400)
    later = {"Retry-After": str(wait)} if status in (429, 503) else None
    return JsonResponse({"code": code, "detail": detail}, status=status, headers=later)


@in_json
def door(request: HttpRequest, verb: str) -> HttpResponse:
    if request.method != "POST":
        raise Refused("not_post", "a worker says this by POST")
    token = checked_token(request)
    acts: dict[str, Callable[[work.Caller], Answer]] = {
        "acquire": work.acquire,
        "report": work.take_reports,
        "abort": work.abort,
    }
    return JsonResponse(to_plain(acts[verb](work.Caller(token, read_word(request)))))


@in_json
def no_such_address(_: HttpRequest) -> HttpResponse:
    raise Refused("not_found", "workers find nothing at this address")


def checked_token(request: HttpRequest) -> WorkerToken:
    """Raises Refused: bad_token, blocked; TooOften."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    token = worker_token_with(secret.strip()) if scheme == AUTHORISATION else None
    if token is None:
        take_try(STRANGERS, asker_address(request))
        raise Refused("bad_token", "the token is unknown or was revoked; ask the organisers for another one")
    take_try(WORDS, token.worker.name, number=1 + min(_length(request), LONGEST) // LONG)
    if token.worker.status == Worker.Status.BLOCKED:
        raise Refused("blocked", f"{token.worker.rests_because}: {token.worker.reason}")
    return token


def read_word(request: HttpRequest) -> Word:
    """Raises Refused: too_long, bad_request, old_version."""
    if _length(request) > LONGEST:
        raise Refused("too_long", f"a worker says at most {LONGEST:,} bytes at once")
    try:
        data = json.loads(request.read(), parse_constant=_no_number, parse_float=_finite)
        _check_release(data)
        word: Word = from_plain(Word, data, "word")
    except (ValueError, RecordError, RecursionError) as error:
        raise Refused("bad_request", f"this cannot be read: {error!s:.200}") from None
    if not PROCESS.fullmatch(word.process):
        raise Refused("bad_request", "`process` has 1 to 40 letters, digits, hyphens and underscores")
    if len(word.offers) > MOST_OFFERS or not all(OFFER.fullmatch(offer) for offer in word.offers):
        raise Refused("bad_request", f"`offers` are at most {MOST_OFFERS} names of languages")
    if max(len(word.reports), len(word.held)) > MOST:
        raise Refused("bad_request", f"at most {MOST} reports, and {MOST} matches in hand, are named at once")
    if sum(bool(turn_kind(plain)) for plain in word.reports) > 1:
        raise Refused("bad_request", "one report on a turn comes at once")
    if not all(0 < held.match < 1 << 63 and 0 < held.lease < 1 << 31 for held in word.held):
        raise Refused("bad_request", "`held` names a match and its lease")
    return word


def _length(request: HttpRequest) -> int:
    return int(request.META.get("CONTENT_LENGTH") or 0)


def _check_release(data: Any) -> None:
    """Raises Refused(old_version)."""
    if isinstance(data, dict) and (data.get("version"), data.get("release")) != (VERSION, TAG):
        found = f"{data.get('version')!s:.20}, {data.get('release')!s:.300}"
        raise Refused("old_version", f"the site speaks {VERSION}, {TAG}; this worker {found}: update it")


def _no_number(_: str) -> float:
    raise ValueError("NaN and Infinity are no JSON")


def _finite(text: str) -> float:
    return number if isfinite(number := float(text)) else _no_number(text)


@in_json
def bundle_of_order(request: HttpRequest, sha256: str) -> HttpResponse:
    """A bot's upload, for a worker that has an order in which it plays."""
    worker = checked_token(request).worker.name
    check_ticket(request.headers.get(TICKET, ""), sha256, worker)
    bundle = Bundle.objects.filter(pk=sha256)
    take_try(BUNDLES, worker, number=1 + (bundle.values_list("size", flat=True).get() >> 20))
    return HttpResponse(bytes(bundle.values_list("content", flat=True).get()), content_type="application/octet-stream")
