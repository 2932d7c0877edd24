"""Continuing a practice: the engine plays its script again, and the bots are asked for their answers.

PostgreSQL holds all of it; an order that the broker or a dead worker lost is sent again.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from engine.core import IllegalAction, Seat
from engine.dice import commitment
from engine.records import to_plain
from engine.referee import ROOM, Result, size_of
from engine.replay import Playback, Replay, ReplayError, advance, canonical_hash, playback, seal, write_replay
from engine.sentences import Sentence
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import practice_pool
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.broker.retry import AWAY
from tournaments.core.config.plain_text import storable
from tournaments.core.errors import Refused
from tournaments.features.practice import notices
from tournaments.features.practice.quota import check_time
from tournaments.features.practice.seats import absent_seats, competitors, person_seat, person_seats, players
from tournaments.models import Ladder, Practice, Space, User
from workers.capacity import needed_capacity
from workers.isolation import handle_each
from workers.orders import Competitor, Order
from workers.practice_orders import PERSON, PracticeOrder
from workers.sandbox.wasm import TIER

QUEUED, PLAYING = 60, 30  # seconds until a turn is ordered again: not begun, and without a heartbeat
TRIES = 3
MOST_ANSWERS = 20_000
ENDED = (Practice.Status.OVER, Practice.Status.LEFT)
TELL_AFTER = timedelta(minutes=2)  # whoever answers sooner is looking, and needs no notice
UNDER_WAY = Result([], [], [], [])
GONE_ON = "the game has gone on since this page was shown"

log = logging.getLogger(__name__)


def replay_of_practice(practice: Practice) -> Replay:
    """Return the replay up to now; the result is not known yet."""
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
    """The state of a practice: all whole steps are played, `given` are people's answers in the next one."""

    replay: Replay
    run: Playback
    given: list[Any]

    @classmethod
    def of(cls, practice: Practice) -> "PracticeState":
        """Raises ReplayError where this engine cannot play it."""
        replay = replay_of_practice(practice)
        return cls._played(replay, playback(replay))

    @classmethod
    def _played(cls, replay: Replay, run: Playback) -> "PracticeState":
        while 0 < len(run.match.questions) <= len(replay.answers) - run.step:
            advance(replay, run)
        return cls(replay, run, replay.answers[run.step :])

    def people_asked(self, practice: Practice) -> list[Seat]:
        """The seats of people who have to answer now."""
        gave = {line[0] for line in self.given}
        return [seat for seat in person_seats(practice) if seat in self.run.match.questions and seat not in gave]

    def with_answer(self, seat: Seat, given: Any) -> "PracticeState":
        """Answers of one step stand in the order of seats, whoever was first."""
        lines = sorted([*self.given, [seat, to_plain(given), 0.0]], key=lambda line: int(line[0]))
        self.replay.answers[self.run.step :] = lines
        return self._played(self.replay, self.run)

    def with_default(self, seat: Seat) -> "PracticeState":
        return self.with_answer(seat, self.run.match.questions[seat].default())


@transaction.atomic
def answer_question(*, practice: Practice, by: User, turn: int, action: object) -> Practice:
    """Take a person's answer, as plain data. `turn` is the number of answers that the person had seen. Raises Refused:
    not_found, not_your_turn, too_much_thinking, and illegal_answer with the engine's own sentence."""
    practice = at_table(practice, by)
    seat = person_seat(practice, by)
    if practice.status != Practice.Status.ASKING or turn > len(practice.script):
        raise Refused("not_your_turn", GONE_ON)
    state = PracticeState.of(practice)
    if turn < state.run.step:
        raise Refused("not_your_turn", GONE_ON)
    if seat is None or seat not in state.people_asked(practice):
        raise Refused("not_your_turn", "others are asked now, and not you; nothing was answered")
    try:
        given = state.run.match.read(seat, action)
    except IllegalAction as error:
        raise Refused("illegal_answer", error.reason) from None
    check_time(practice.owner)
    practice.sitting.filter(number=seat).update(missed=0)
    step, practice.script = state.run.step, state.with_answer(seat, given).replay.answers
    proceed(practice, step)
    return practice


@transaction.atomic
def retry(*, practice: Practice, by: User) -> Practice:
    """Go on with one that has failed. Raises Refused: not_found, not_failed."""
    practice = at_table(practice, by)
    if practice.status != Practice.Status.FAILED:
        raise Refused("not_failed", "this game has not failed; there is nothing to try again")
    check_time(practice.owner)
    practice.tries, practice.reason = 0, ""
    proceed(practice)
    return practice


def at_table(practice: Practice, by: User) -> Practice:
    """Return the practice of somebody who sits there or began it, locked. Raises Refused: not_found."""
    practice = lock_practice(practice.pk)
    if practice.owner_id != by.pk and not practice.sitting.filter(user=by).exists():
        raise Refused("not_found", "there is no practice %(pk)s", pk=practice.pk)
    return practice


def own(practice: Practice, by: User) -> Practice:
    """Return the practice of the person who began it, locked. Raises Refused: not_found."""
    practice = lock_practice(practice.pk)
    if practice.owner_id != by.pk:
        raise Refused("not_found", "there is no practice %(pk)s", pk=practice.pk)
    return practice


def lock_practice(number: int) -> Practice:
    """Return the practice, locked. Raises Refused: not_found."""
    practice = (
        Practice.objects.select_for_update(of=("self",)).select_related("ladder", "owner").filter(pk=number).first()
    )
    if practice is None:
        raise Refused("not_found", "there is no practice %(number)s", number=number)
    return practice


def proceed(practice: Practice, answered: int = -1) -> None:
    """Continue from the script as it is: ask people, or the bots, or finish. The row is locked, or new. `answered` is
    the step in which somebody has just answered: the others who are asked in it get no more time than they had."""
    try:
        state = _with_defaults_of_absent(practice, PracticeState.of(practice))
    except ReplayError as error:
        return fail_game(practice, error.detail)
    practice.waits_for = state.people_asked(practice)
    if state.run.match.over:
        return _finish(practice, state)
    if reason := _too_long(practice.script):
        return fail_game(practice, reason)
    if not practice.waits_for:
        return ask_bots(practice)
    practice.status = Practice.Status.ASKING
    if state.run.step != answered:
        _begin_waiting(practice)
    return practice.save()


def _with_defaults_of_absent(practice: Practice, state: PracticeState) -> PracticeState:
    absent = absent_seats(practice)
    while late := absent.intersection(state.people_asked(practice)):
        state = state.with_default(min(late))
    practice.script = state.replay.answers
    return state


def _begin_waiting(practice: Practice) -> None:
    """Give each at a table of several people so long; one who is alone there has for ever."""
    several = len(set(person_seats(practice)) - absent_seats(practice)) > 1
    now = timezone.now()
    practice.until = now + practice.pace if several and practice.pace else None
    practice.notify_at = now + TELL_AFTER if several else None


def _too_long(script: list[Any]) -> str | None:
    """Return why it cannot go on; beyond ROOM the referee would not ask everybody."""
    if len(script) > MOST_ANSWERS:
        return Sentence("it has more than %(most)s answers", most=f"{MOST_ANSWERS:,}")
    if sum(size_of(line[1]) for line in script) > ROOM:
        return Sentence("its answers take up more than %(most)s bytes", most=f"{ROOM:,}")
    return None


def _finish(practice: Practice, state: PracticeState) -> None:
    replay, run = state.replay, state.run
    replay.result = run.conduct.result(run.game, run.match.at)
    replay.position = canonical_hash(run.match.at)
    practice.replay = write_replay(seal(replay))
    practice.status, practice.until, practice.notify_at = Practice.Status.OVER, None, None
    practice.save()
    notices.notify_of_end(practice)


def fail_game(practice: Practice, reason: str) -> None:
    practice.status, practice.until, practice.notify_at = Practice.Status.FAILED, None, None
    practice.reason = storable(reason)[:2000]
    practice.save()
    queues.note_practice_over(practice.pk, practice.turn)


def ask_bots(practice: Practice) -> None:
    """Start a new turn. While the broker is away, the sweep sends it again."""
    practice.turn += 1
    practice.status, practice.notify_at = Practice.Status.WAITING, None
    practice.save()
    set_deadline(practice, QUEUED)
    transaction.on_commit(partial(_send, practice))


def set_deadline(practice: Practice, seconds: float) -> None:
    """Set the deadline by the database's clock."""
    Practice.objects.filter(pk=practice.pk).update(until=Now() + timedelta(seconds=seconds))


def _send(practice: Practice) -> None:
    order, needs = order_of_turn(practice)
    with suppress(*AWAY):
        return queues.send_practice_order(order, needs, practice_pool(space_of_practice(practice), needs))
    log.warning("practice %s waits: the broker is away", practice.pk)
    return set_deadline(practice, 1)


def order_of_turn(practice: Practice) -> tuple[PracticeOrder, set[str]]:
    """Return the order for the present turn, and what a worker must offer for it."""
    ladder = practice.ladder
    bots, seats, needs = competitors(practice)
    terms = order_terms(ladder, bots, rules=practice.rules, options=practice.options, seed=practice.seed)
    secret = turn_secret(practice.pk, practice.turn)
    order = PracticeOrder(practice.pk, practice.turn, terms, seats, practice.script, secret)
    return order, {*needs, terms.tier or "python", *needed_capacity(terms.bots_use(len(seats) - seats.count(PERSON)))}


def space_of_practice(practice: Practice) -> Space | None:
    """Return the space whose own workers may play it. A draft is of none: the site's workers alone are given it."""
    drafts = any("draft" in seat for seat in practice.seats)
    return None if drafts else practice.ladder.space


def order_terms(ladder: Ladder, bots: list[Competitor], *, rules: int, options: dict[str, object], seed: str) -> Order:
    """Return an order under the ladder's settings, without matches."""
    return Order(
        game=ladder.game,
        rules=rules,
        options=options,
        seed=seed,
        competitors=bots,
        matches=[],
        clock=ladder.clock,
        limits=ladder.limits,
        output=ladder.output,
        strikes=ladder.strikes,
        tier=TIER if ladder.division == Ladder.Division.FUEL else "",
    )


def turn_secret(practice: int, turn: int) -> str:
    """Return the secret of a turn, made like that of a lease."""
    return salted_hmac("boardroom.practice", f"{practice} {turn}", algorithm="sha256").hexdigest()


def knows_turn_secret(practice: int, turn: int, secret: str) -> bool:
    return constant_time_compare(turn_secret(practice, turn), secret)


def awaits_turn(practice: int, turn: int, bundle: str) -> bool:
    """Whether this turn is waiting for a worker with this bundle."""
    waiting = Practice.objects.filter(pk=practice, turn=turn, status=Practice.Status.WAITING).first()
    return waiting is not None and any(bot.bundle == bundle for bot in competitors(waiting)[0])


def send_due() -> int:
    """Send overdue turns again; after some tries the practice has failed. Returns how many."""
    overdue = Practice.objects.filter(status=Practice.Status.WAITING, until__lt=Now())
    return handle_each(
        "practices", list(overdue.values_list("pk", flat=True)), _again, FAILING_ITEMS, "practice {}".format
    )


def resend_turns() -> int:
    """Mark waiting turns as overdue, so that they are sent again: the broker has lost every order. Return how many."""
    return Practice.objects.filter(status=Practice.Status.WAITING).update(until=Now())


@transaction.atomic
def _again(number: int) -> int:
    practice = lock_practice(number)
    overdue = Practice.objects.filter(pk=number, status=Practice.Status.WAITING, until__lt=Now())
    if overdue.exists():
        try_again(practice, "nobody here has let the bots answer; perhaps no practice worker runs")
        return 1
    return 0


def try_again(practice: Practice, reason: str) -> None:
    practice.tries += 1
    if practice.tries >= TRIES:
        return fail_game(practice, reason)
    return ask_bots(practice)
