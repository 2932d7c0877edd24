"""Games of several people over days: running out of time, leaving and coming back, notices of turns."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from engine.replay import ReplayError
from engine.sentences import Sentence
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.broker.queues import note_practice_over
from tournaments.core.errors import Refused
from tournaments.features.practice import notices
from tournaments.features.practice.gathering import DAYS, fill_seat, renew_invitation, start_now, take_invitation_back
from tournaments.features.practice.seats import is_shared, seated_player, sitting
from tournaments.features.practice.turns import ENDED, PracticeState, at_table, fail_game, lock_practice, own, proceed
from tournaments.models import Practice, PracticeSeat, User
from workers.isolation import handle_each

LATE, AWAY, BACK, LEFT = "late", "away", "back", "left"  # in `Practice.absences`
MOST_MISSED = 3  # times in a row; then nobody waits for them any more
State = PracticeSeat.State


def sweep_practice_deadlines() -> int:
    """Go on where people's time has run out, and send the notices that are due. Return how many."""
    due = Practice.objects.filter(until__lt=Now(), status__in=(Practice.Status.GATHERING, Practice.Status.ASKING))
    untold = Practice.objects.filter(notify_at__lt=Now(), status=Practice.Status.ASKING)
    passed = handle_each(
        "slow play", list(due.values_list("pk", flat=True)), _pass, FAILING_ITEMS, "practice {}".format
    )
    numbers = list(untold.values_list("pk", flat=True))
    return passed + handle_each("turns told", numbers, _tell, FAILING_ITEMS, "practice {}".format)


@transaction.atomic
def _pass(number: int) -> int:
    practice = lock_practice(number)
    if not Practice.objects.filter(pk=number, until__lt=Now()).exists():
        return 0  # somebody answered meanwhile
    if practice.status == Practice.Status.GATHERING:
        close_practice(practice, Sentence("in %(days)s days not all of its seats were taken", days=DAYS))
        return 1
    if practice.status != Practice.Status.ASKING:
        return 0
    _answer_for_the_late(practice)
    return 1


def _answer_for_the_late(practice: Practice) -> None:
    try:
        state = PracticeState.of(practice)
    except ReplayError as error:
        return fail_game(practice, error.detail)
    rows, moment = sitting(practice), state.run.step
    for seat in state.people_asked(practice):
        state = state.with_default(seat)
        _note(practice, moment, seat, LATE)
        if seat in rows:
            _missed(practice, rows[seat], moment)
    practice.script = state.replay.answers
    return _go_on_if_anybody_is_here(practice)


def _missed(practice: Practice, row: PracticeSeat, moment: int) -> None:
    row.missed += 1
    if row.missed >= MOST_MISSED:
        row.state = State.AWAY
        _note(practice, moment, row.number, AWAY)
        notices.set_down(practice, row)
    row.save()


@transaction.atomic
def _tell(number: int) -> int:
    practice = lock_practice(number)
    if not Practice.objects.filter(pk=number, notify_at__lt=Now()).exists():
        return 0  # somebody answered meanwhile, and others have their time now
    if practice.status == Practice.Status.ASKING:
        notices.your_turn(practice)
    practice.notify_at = None
    practice.save(update_fields=["notify_at"])
    return 1


@transaction.atomic
def leave_practice(*, practice: Practice, by: User) -> Practice:
    """Leave for good: before the start the seat is free again, later defaults are answered there. A game that
    somebody plays alone ends; one of several goes on for the others. Raises Refused: not_found."""
    practice = at_table(practice, by)
    if not is_shared(practice):
        return end_practice(practice=practice, by=by)
    row = practice.sitting.filter(user=by).first()
    if row is None or practice.status in ENDED:
        return practice
    if practice.status == Practice.Status.GATHERING:
        row.delete()
        return practice
    row.state = State.LEFT
    row.save()
    _note(practice, _moment(practice), row.number, LEFT)
    _go_on_after_leaving(practice, by)
    return practice


def _go_on_after_leaving(practice: Practice, by: User) -> None:
    if not practice.sitting.exclude(state=State.LEFT).exists():
        return close_practice(practice, Sentence("all of its people have left"), by)
    if practice.status == Practice.Status.ASKING:
        return _go_on_if_anybody_is_here(practice)
    return practice.save()


def _go_on_if_anybody_is_here(practice: Practice) -> None:
    present = practice.sitting.filter(state=State.HERE, user__is_active=True)
    if not present.exists():
        return close_practice(practice, "nobody was there any more to answer")
    return proceed(practice)


@transaction.atomic
def come_back(*, practice: Practice, by: User) -> Practice:
    """Have somebody who was late too often asked again. Raises Refused: not_found, not_away."""
    practice = at_table(practice, by)
    row = practice.sitting.filter(user=by, state=State.AWAY).first()
    if row is None:
        raise Refused("not_away", "you are at the table or have left for good; you cannot come back")
    row.state, row.missed = State.HERE, 0
    row.save()
    _note(practice, _moment(practice), row.number, BACK)
    practice.save(update_fields=["absences"])
    return practice


@transaction.atomic
def end_practice(*, practice: Practice, by: User) -> Practice:
    """End it for everybody: the host's alone to do. Raises Refused: not_found."""
    practice = own(practice, by)
    if practice.status not in ENDED:
        close_practice(practice, Sentence("its host ended it") if is_shared(practice) else practice.reason, by)
    return practice


def close_practice(practice: Practice, reason: str, by: User | None = None) -> None:
    practice.status, practice.reason = Practice.Status.LEFT, reason
    practice.until, practice.notify_at, practice.invite_key, practice.waits_for = None, None, "", []
    practice.save()
    note_practice_over(practice.pk, practice.turn)
    notices.notify_of_end(practice, by)


def _moment(practice: Practice) -> int:
    """Return how many answers make up the whole steps so far."""
    try:
        return PracticeState.of(practice).run.step
    except ReplayError:
        return len(practice.script)


def _note(practice: Practice, moment: int, seat: int, what: str) -> None:
    practice.absences = [*practice.absences, [moment, seat, what]]


def _fill(practice: Practice, by: User, given: Mapping[str, Any]) -> None:
    fill_seat(practice=practice, by=by, seat=given["seat"], player=seated_player(given["player"], by))


# What pages and API offer at a table: with who does it, and for `fill` the `seat` and its `player`.
TABLE_ACTIONS: dict[str, Callable[[Practice, User, Mapping[str, Any]], object]] = {
    "invite": lambda practice, by, _: renew_invitation(practice=practice, by=by),
    "uninvite": lambda practice, by, _: take_invitation_back(practice=practice, by=by),
    "fill": _fill,
    "start": lambda practice, by, _: start_now(practice=practice, by=by),
    "end": lambda practice, by, _: end_practice(practice=practice, by=by),
    "return": lambda practice, by, _: come_back(practice=practice, by=by),
}
