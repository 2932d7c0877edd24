"""Continuing a practice: the engine plays its script again, and the bots are asked for their answers.

PostgreSQL holds all of it; an order that the broker or a dead worker lost is sent again.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from engine.core import IllegalAction, Seat
from engine.dice import commitment
from engine.records import to_plain
from engine.referee import ROOM, Result, size_of
from engine.replay import Playback, Replay, ReplayError, advance, hash_of, playback, seal, write
from tournaments.broker import queues
from tournaments.broker.failing_items import FAILING_ITEMS
from tournaments.broker.retry import AWAY
from tournaments.errors import Refused
from tournaments.models import Ladder, Practice, User
from tournaments.practice.seats import competitors, people, players
from workers.isolation import each
from workers.orders import Order
from workers.practice_orders import PracticeOrder
from workers.sandbox.wasm import TIER

QUEUED, PLAYING = 60, 30  # seconds until a turn is ordered again: not begun, and without a heartbeat
TRIES = 3
MOST_ANSWERS = 20_000
UNDER_WAY = Result([], [], [], [])

log = logging.getLogger(__name__)


def replay_of(practice: Practice) -> Replay:
    """The replay up to now; the result is not known yet."""
    return Replay(
        game=practice.ladder.game,
        rules=practice.rules,
        options=practice.options,
        seed=practice.seed,
        commitment=commitment(practice.seed),
        players=players(practice),
        strikes=practice.ladder.strikes,
        absent={},
        answers=list(practice.script),
        result=UNDER_WAY,
        position="",
        digest="",
    )


@dataclass(frozen=True, slots=True)
class PracticeState:
    """The state of a practice: all whole steps are played, `given` are a person's answers in the next one."""

    replay: Replay
    run: Playback
    given: list[Any]

    @classmethod
    def of(cls, practice: Practice) -> "PracticeState":
        """Raises ReplayError where this engine cannot play it."""
        replay = replay_of(practice)
        run = playback(replay)
        while 0 < len(run.match.questions) <= len(replay.answers) - run.step:
            advance(replay, run)
        return cls(replay, run, replay.answers[run.step :])

    def asked(self, practice: Practice) -> Seat | None:
        """The seat of the person who has to answer now, or None."""
        gave = {line[0] for line in self.given}
        return next((seat for seat in people(practice) if seat in self.run.match.questions and seat not in gave), None)


@transaction.atomic
def answer(*, practice: Practice, by: User, turn: int, action: object) -> Practice:
    """A person's answer, as plain data. `turn` is the number of answers that the person had seen. Raises Refused:
    not_found, not_your_turn, too_much_thinking, and illegal_answer with the engine's own sentence."""
    practice = own(practice, by)
    if practice.status != Practice.Status.ASKING or turn != len(practice.script):
        raise Refused("not_your_turn", "the game has gone on since this page was shown; nothing was answered")
    at = PracticeState.of(practice)
    if (seat := at.asked(practice)) is None:
        raise Refused("not_your_turn", "nobody is asked now but bots")
    try:
        given = at.run.match.read(seat, action)
    except IllegalAction as error:
        raise Refused("illegal_answer", error.reason) from None
    check_time(by)
    practice.script = [*practice.script, [seat, to_plain(given), 0.0]]
    go_on(practice)
    return practice


@transaction.atomic
def leave(*, practice: Practice, by: User) -> Practice:
    """End it for good, if it is not over. Raises Refused: not_found."""
    practice = own(practice, by)
    if practice.status not in (Practice.Status.OVER, Practice.Status.LEFT):
        practice.status, practice.until = Practice.Status.LEFT, None
        practice.save()
    return practice


@transaction.atomic
def retry(*, practice: Practice, by: User) -> Practice:
    """Go on with one that has failed. Raises Refused: not_found, not_failed."""
    practice = own(practice, by)
    if practice.status != Practice.Status.FAILED:
        raise Refused("not_failed", "this game has not failed; there is nothing to try again")
    check_time(by)
    practice.tries, practice.reason = 0, ""
    go_on(practice)
    return practice


def check_time(by: User) -> None:
    """Checks the daily limit of the bots' time in a person's practices. Raises Refused: too_much_thinking."""
    lately = Practice.objects.filter(owner=by, moved_at__gt=timezone.now() - timedelta(days=1))
    spent = lately.aggregate(seconds=Sum("seconds"))["seconds"] or 0
    if spent >= settings.PRACTICE_SECONDS_A_DAY:
        minutes = settings.PRACTICE_SECONDS_A_DAY // 60
        raise Refused("too_much_thinking", f"bots have thought {minutes} minutes for you in 24 hours; come back later")


def own(practice: Practice, by: User) -> Practice:
    """The practice, locked. Raises Refused: not_found."""
    practice = held(practice.pk)
    if practice.owner_id != by.pk:
        raise Refused("not_found", f"there is no practice {practice.pk}")
    return practice


def held(number: int) -> Practice:
    """The practice, locked. Raises Refused: not_found."""
    found = Practice.objects.select_for_update(of=("self",)).select_related("ladder", "owner").filter(pk=number).first()
    if found is None:
        raise Refused("not_found", f"there is no practice {number}")
    return found


def go_on(practice: Practice) -> None:
    """Continue from the script as it is: ask a person, or the bots, or finish. The row is locked, or new."""
    try:
        at = PracticeState.of(practice)
    except ReplayError as error:
        return fail(practice, error.detail)
    if at.run.match.over:
        return _finish(practice, at)
    if reason := _too_long(practice.script):
        return fail(practice, reason)
    if at.asked(practice) is None:
        return ask_bots(practice)
    practice.status, practice.until = Practice.Status.ASKING, None
    return practice.save()


def _too_long(script: list[Any]) -> str | None:
    """Why it cannot go on; beyond ROOM the referee would not ask everybody."""
    if len(script) > MOST_ANSWERS:
        return f"it has more than {MOST_ANSWERS:,} answers"
    if sum(size_of(line[1]) for line in script) > ROOM:
        return f"its answers take up more than {ROOM:,} bytes"
    return None


def _finish(practice: Practice, at: PracticeState) -> None:
    replay, run = at.replay, at.run
    replay.result = run.conduct.result(run.game, run.match.at)
    replay.position = hash_of(run.match.at)
    practice.replay = write(seal(replay))
    practice.status, practice.until = Practice.Status.OVER, None
    practice.save()


def fail(practice: Practice, reason: str) -> None:
    practice.status, practice.until = Practice.Status.FAILED, None
    practice.reason = reason.replace("\0", "\ufffd")[:2000]
    practice.save()


def ask_bots(practice: Practice) -> None:
    """Start a new turn. While the broker is away, the sweep sends it again."""
    practice.turn += 1
    practice.status = Practice.Status.WAITING
    practice.save()
    wait(practice, QUEUED)
    transaction.on_commit(partial(_send, practice))


def wait(practice: Practice, seconds: float) -> None:
    """Set the deadline by the database's clock."""
    Practice.objects.filter(pk=practice.pk).update(until=Now() + timedelta(seconds=seconds))


def _send(practice: Practice) -> None:
    order, needs = order_for(practice)
    with suppress(*AWAY):
        return queues.send_practice_order(order, needs)
    log.warning("practice %s waits: the broker is away", practice.pk)
    return wait(practice, 1)


def order_for(practice: Practice) -> tuple[PracticeOrder, set[str]]:
    """The order for the present turn, and what a worker must offer for it."""
    ladder = practice.ladder
    bots, seats, needs = competitors(practice)
    tier = TIER if ladder.division == Ladder.Division.FUEL else ""
    terms = Order(
        game=ladder.game,
        rules=practice.rules,
        options=practice.options,
        seed=practice.seed,
        competitors=bots,
        matches=[],
        clock=ladder.clock,
        limits=ladder.limits,
        output=ladder.output,
        strikes=ladder.strikes,
        tier=tier,
    )
    secret = secret_of(practice.pk, practice.turn)
    return PracticeOrder(practice.pk, practice.turn, terms, seats, practice.script, secret), needs | {tier or "python"}


def secret_of(practice: int, turn: int) -> str:
    """Like the secret of a lease."""
    return salted_hmac("boardroom.practice", f"{practice} {turn}", algorithm="sha256").hexdigest()


def knows(practice: int, turn: int, secret: str) -> bool:
    return constant_time_compare(secret_of(practice, turn), secret)


def awaits(practice: int, turn: int, bundle: str) -> bool:
    """Whether this turn is waiting for a worker with this bundle."""
    found = Practice.objects.filter(pk=practice, turn=turn, status=Practice.Status.WAITING).first()
    return found is not None and any(bot.bundle == bundle for bot in competitors(found)[0])


def sweep() -> int:
    """Send overdue turns again; after some tries the practice has failed. Returns how many."""
    overdue = Practice.objects.filter(status=Practice.Status.WAITING, until__lt=Now())
    return each("practices", list(overdue.values_list("pk", flat=True)), _again, FAILING_ITEMS, "practice {}".format)


def resend_all() -> int:
    """The broker has lost every order: mark waiting turns as overdue, so that they are sent again."""
    return Practice.objects.filter(status=Practice.Status.WAITING).update(until=Now())


@transaction.atomic
def _again(number: int) -> int:
    practice = held(number)
    overdue = Practice.objects.filter(pk=number, status=Practice.Status.WAITING, until__lt=Now())
    if overdue.exists():
        try_again(practice, "nobody here has let the bots answer; perhaps no practice worker runs")
        return 1
    return 0


def try_again(practice: Practice, reason: str) -> None:
    practice.tries += 1
    if practice.tries >= TRIES:
        return fail(practice, reason)
    return ask_bots(practice)
