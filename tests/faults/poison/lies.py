"""Poison in reports: by the worker that plays, with a replay that is none; and by another, a liar."""

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from django.db.models import F
from redis import Redis

from engine.records import to_plain
from engine.referee import Verdict
from tests.factories import reports
from tests.faults.poison.envelopes import call, packed
from tests.faults.poison.giving import NotNow
from tests.faults.stage import Stage
from tournaments.ledger.dispatch.leases import lease_secret
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.models import Attempt, Result, Worker
from workers.orders import REPORTS, Report

LOOKS_FOR, BETWEEN = 1.0, 0.01  # seconds: for a match under way
LIAR = "liar-"
LONG = (4 << 20) + (100 << 10)  # bytes: more than a replay may have, and still a message that is read
REPLAYS = (b"", b"{", b"\xff" * 1000, b"[" * 100_000, b'{"game":"zaibatsu"}', b"5" * LONG)


def under_way() -> Attempt:
    """A match that somebody plays."""
    playing = Attempt.objects.filter(outcome=Attempt.Outcome.PLAYING, lease=F("match__lease"), match__status="leased")
    ladders = playing.filter(match__set__ladder__isnull=False, failed=False, match__lease=1)
    end = time.monotonic() + LOOKS_FOR
    while time.monotonic() < end:
        if attempt := ladders.exclude(worker="").select_related("match__set__ladder").order_by("-pk").first():
            return attempt
        time.sleep(BETWEEN)
    raise NotNow


class Told:
    """A report that is the next to be taken in."""

    LASTS: ClassVar[float] = 1.0
    WITHIN: ClassVar[float] = 5.0

    def __init__(self, stage: Stage, number: int) -> None:
        self.url, self.number = stage.data.valkey.url, number

    def clear(self) -> None:
        """It has been taken in."""

    def hand_in(self, report: Report) -> None:
        with Redis.from_url(self.url, socket_timeout=2) as redis:
            redis.rpush(REPORTS, packed(call(to_plain(report))))


class BadReplay(Told):
    held: Attempt | None = None

    def give(self) -> None:
        held = self.held = under_way()
        replay = REPLAYS[self.number % len(REPLAYS)]
        report = Report(held.match_id, held.lease, held.worker, "played", replay=replay)
        self.hand_in(replace(report, secret=lease_secret(held.match_id, held.lease)))

    def worked(self) -> bool:
        """It is refused, as the worker's doing; the match was not over before."""
        return bool(self.held and Attempt.objects.filter(pk=self.held.pk, outcome=Attempt.Outcome.REFUSED).exists())


class Liar(Told):
    """It speaks of a match that another worker plays, and has somehow read that one's order."""

    name = LIAR

    def give(self) -> None:
        self.name = f"{LIAR}{secrets.token_hex(4)}"
        held = under_way()
        report = LIES[self.number % len(LIES)](held, f"{self.name}/1")
        self.hand_in(replace(report, secret=lease_secret(held.match_id, held.lease)))

    def worked(self) -> bool:
        return Worker.objects.filter(name=self.name).exists()

    @staticmethod
    def harm() -> list[str]:
        ended = Attempt.objects.filter(worker__startswith=LIAR)
        sentences = [f"a liar ended {attempt} of another worker: {attempt.get_outcome_display()}" for attempt in ended]
        return sentences + [
            f"a liar's result stands: {result}" for result in Result.objects.filter(worker__startswith=LIAR)
        ]


def voids(held: Attempt, worker: str) -> Report:
    return Report(held.match_id, held.lease, worker, "void", "it could not be played")


def gives_back(held: Attempt, worker: str) -> Report:
    return Report(held.match_id, held.lease, worker, "returned", "it is leaving")


def claims(held: Attempt, worker: str) -> Report:
    return Report(held.match_id, held.lease, worker, "playing")


def garbles(held: Attempt, worker: str) -> Report:
    return Report(held.match_id, held.lease, worker, "played", replay=b"garbage")


def forges(held: Attempt, worker: str) -> Report:
    """A match that could have been, before the one who plays it hands it in."""
    order = order_of_set(held.match.set, [held.match])
    return replace(reports(order, answers="forged")[0], worker=worker)


def times_out(held: Attempt, worker: str) -> Report:
    """A match in which everybody but the first seat let the clock run out."""
    order = order_of_set(held.match.set, [held.match])
    rivals = list(held.match.seats.exclude(number=0).values_list("version", flat=True))
    return replace(reports(order, faults=dict.fromkeys(rivals, Verdict.TIMED_OUT))[0], worker=worker)


LIES: tuple[Callable[[Attempt, str], Report], ...] = (voids, forges, garbles, gives_back, claims, times_out)
