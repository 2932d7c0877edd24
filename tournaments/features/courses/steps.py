"""Courses proceed automatically: they freeze after the deadline, and marks are final once all sets are played."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.features.courses.actions import StartFinalMarks
from tournaments.features.courses.deadlines import ends_at
from tournaments.features.courses.panel import bots_marked
from tournaments.features.courses.panel_tables import wanted_of
from tournaments.features.final_runs.rules import running_in
from tournaments.ledger.acts.ladder_status import Freeze
from tournaments.models import Course, Entry, Ladder, MatchSet, Version
from workers.isolation import handle_each

WHY = Sentence("its deadline is over, and nobody can upload any more")
PATIENCE = timedelta(days=1)  # for versions whose check does not end
TO_COME = (Version.Status.CHECKING, Version.Status.CANDIDATE)
Status = Ladder.Status
DUE = """
SELECT FROM tournaments_course course JOIN tournaments_ladder ladder ON ladder.id = course.ladder_id
WHERE course.deadline <= statement_timestamp() AND ladder.status IN ('open', 'paused')
    OR course.final_after IS NOT NULL AND course.final_until IS NULL
"""


def freeze_ended_courses() -> int:
    """Freeze those whose time is over; note which marks are final. Returns how many. `DUE` says when to ask."""
    due = Q(deadline__lte=timezone.now(), ladder__status__in=(Status.OPEN, Status.PAUSED))
    making = Q(final_after__isnull=False, final_until=None)
    found = Course.objects.filter(due | making).select_related("ladder").order_by("pk")
    return handle_each("courses", found, _go_on, FAILING_ITEMS, lambda course: f"ladder {course.ladder.slug}")


def _go_on(course: Course) -> int:
    return _freeze(course) if course.final_after is None else _finish(course)


@transaction.atomic
def _freeze(found: Course) -> int:
    """Once nobody's time is left, whoever of them had the last; a ladder that was thawed after that stays as it is."""
    Ladder.objects.select_for_update(no_key=True).get(pk=found.ladder_id)  # nobody's time is extended meanwhile
    course = Course.objects.select_related("ladder__space").get(pk=found.pk)
    end, now = ends_at(course), timezone.now()
    if end is None or now < end or (course.thawed_at and course.thawed_at >= end):
        return 0
    if course.ladder.status not in (Status.OPEN, Status.PAUSED) or running_in(course.ladder):
        return 0
    if _in_check(course, end) and now < end + PATIENCE:
        return 0
    action = StartFinalMarks(course.ladder) if course.rules else Freeze(course.ladder)
    action.do(by=PLATFORM, reason=WHY)
    return 1


def _in_check(course: Course, end: datetime) -> bool:
    """Versions that were uploaded in time count, even if their check or trial ends later."""
    bots = [entry.bot_id for entry in bots_marked(course).values()]
    return Version.objects.filter(bot__in=bots, status__in=TO_COME, created_at__lte=end).exists()


@transaction.atomic
def _finish(found: Course) -> int:
    """Once nothing more is wanted of those who still play, and nothing is under way."""
    ladder = Ladder.objects.select_for_update(no_key=True).get(pk=found.ladder_id)
    course = Course.objects.select_related("ladder").get(pk=found.pk)
    if course.final_after is None or course.final_until is not None:
        return 0
    playing = _playing(ladder)
    lacking = [version for version, lacks in wanted_of(course).items() if version in playing and lacks.total()]
    under_way_still = ladder.sets.filter(status=MatchSet.Status.OPEN, number__gt=course.final_after)
    if lacking or under_way_still.filter(matches__status__in=("waiting", "leased")).exists():
        return 0
    course.final_until = ladder.sets.aggregate(last=Max("number"))["last"] or 0
    course.save(update_fields=["final_until"])
    return 1


def _playing(ladder: Ladder) -> set[int]:
    """The versions that more sets can be dealt to."""
    playing = ladder.entries.filter(status=Entry.Status.PLAYING).exclude(pinned=None)
    return set() if ladder.status == Status.CLOSED else set(playing.values_list("pinned", flat=True))
