"""Conclusions from stand-ins: a bot that gives all the same answers in another's matches is a double, without a rank.

The answers of one seat are compared up to the first difference anywhere: until then both were asked the same. If it is
another seat's, which drew lots or ran out of time, the match says only what came before.
"""

from typing import cast

from django.db import transaction

from engine.referee import Verdict
from engine.replay import Replay, read
from tournaments.core.broker.failing_items import FAILING_ITEMS, name_of
from tournaments.core.notices import triggers
from tournaments.ledger.recording.play_comparison import first_difference, seat_of
from tournaments.models import Fit, Likeness, Match, MatchSet
from workers.isolation import each

MATCHES, ANSWERS = 6, 60  # in which all must be alike
TOLD = "compared with the bot that stood there first"
Status = Likeness.Status


def judge_stand_ins() -> int:
    """Compare what was played since. Return how many sets there were."""
    over = MatchSet.objects.filter(rechecks__isnull=False, status=MatchSet.Status.COMPLETE, reason="")
    return each("doubles", over.exclude(stand_in=None).order_by("pk"), _judge, FAILING_ITEMS, name_of)


@transaction.atomic
def _judge(match_set: MatchSet) -> int:
    if not MatchSet.objects.filter(pk=match_set.pk, reason="").update(reason=TOLD):
        return 0
    again = Match.objects.get(set=match_set)
    seat = again.seats.filter(version=match_set.stand_in_id).order_by("number").first()
    assert seat
    assert match_set.rechecks
    original = match_set.rechecks.seats.get(number=seat.number).version_id
    of_both = Likeness.objects.select_for_update(of=("self",)).select_related("ladder", "version__bot", "original__bot")
    likeness = of_both.filter(ladder=match_set.ladder_id, version=match_set.stand_in_id, original=original).first()
    if likeness is None or likeness.status != Status.OPEN:
        return 0
    first, then = (read(bytes(match.result.replay)) for match in (match_set.rechecks, again))
    _count(likeness, seat.number, first, then)
    likeness.save()
    if likeness.status == Status.ALIKE:
        Fit.objects.filter(ladder=likeness.ladder).update(stale=True)
        triggers.plays_alike(likeness)
    return 1


def _count(likeness: Likeness, seat: int, first: Replay, then: Replay) -> None:
    """Add the answers that the two matches have in common, or note that they differ."""
    if Verdict.TIMED_OUT in (first.result.verdicts[seat], then.result.verdicts[seat]):
        return
    difference = first_difference(first, then)
    if difference is not None and seat_of(first, then, difference) == seat:
        likeness.status = Status.DIFFERENT
        return
    answers = cast("list[list[object]]", first.answers)
    equal = answers if difference is None else answers[: max(0, difference)]
    count = sum(answer[0] == seat for answer in equal)
    likeness.answers += count
    likeness.matches += bool(count)
    if likeness.matches >= MATCHES and likeness.answers >= ANSWERS:
        likeness.status = Status.ALIKE
