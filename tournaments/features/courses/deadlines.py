"""The deadline of a course: until when a version counts, and how many late days somebody has used.

Nothing is kept of late days: they follow from the last upload, so a later deadline for one student gives theirs back.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import count
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection
from django.db.models import Max, Q
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import runs
from tournaments.core.config.time_zones import days_after
from tournaments.core.errors import Refused
from tournaments.models import Bot, Course, Entry, Extension, Ladder, User

LAST = """
SELECT bot.owner_id, greatest(max(version.created_at), max(entry.entered_at)) FROM tournaments_entry entry
JOIN tournaments_bot bot ON bot.id = entry.bot_id
JOIN tournaments_version version ON version.bot_id = bot.id AND version.status <> 'rejected'
LEFT JOIN tournaments_version pinned ON pinned.id = entry.pinned_id
WHERE entry.ladder_id = %s AND entry.status <> 'withdrawn' AND (pinned.id IS NULL OR version.number <= pinned.number)
GROUP BY bot.owner_id
"""  # where versions are fixed, later uploads are of other ladders
TAKES_UPLOADS = (Ladder.Status.OPEN, Ladder.Status.PAUSED, Ladder.Status.FROZEN)  # what is frozen may be thawed


def check_uploads(bot: Bot) -> None:
    """Raises Refused: in_panel, deadline_over."""
    check_not_in_panel(bot)
    for course in _courses(bot):
        check_in_time(course, bot.owner)


def check_keeps_version(bot: Bot) -> None:
    """Refuse another version of a bot that is in a panel or late. Raises Refused: in_panel, deadline_over."""
    check_not_in_panel(bot)
    for course in _courses(bot):
        deadline = deadline_of(course, bot.owner)
        if deadline and timezone.now() > deadline and not runs(bot.owner, course.ladder.space_id):
            was = Sentence(
                "the deadline of %(ladder)s was %(deadline)s", ladder=course.ladder, deadline=course.shown(deadline)
            )
            raise Refused(
                "deadline_over", "%(was)s: the last version before it counts; only a late upload changes that", was=was
            )


def check_entry(ladder: Ladder, bot: Bot) -> None:
    """Raises Refused(deadline_over)."""
    if course := Course.objects.filter(ladder=ladder).select_related("ladder__space").first():
        check_in_time(course, bot.owner)


def check_withdrawal(ladder: Ladder, bot: Bot) -> None:
    """Raises Refused(in_panel)."""
    check_not_in_panel(bot, ladder)


def check_in_time(course: Course, user: User) -> None:
    """Whether they may still upload or enter there, if by late days. Raises Refused(deadline_over)."""
    deadline = deadline_of(course, user)
    if deadline is None or runs(user, course.ladder.space_id):
        return
    needed, left = days_late(timezone.now(), deadline, course.zone), late_days_left(course, user)
    if needed and course.ladder.status == Ladder.Status.FROZEN:  # else a thaw would cost days that nobody spent
        raise Refused(
            "deadline_over",
            "the deadline of %(ladder)s was %(deadline)s, and it is frozen: no upload counts until it is thawed",
            ladder=course.ladder,
            deadline=course.shown(deadline),
        )
    if needed > left:
        was = Sentence(
            "the deadline of %(ladder)s was %(deadline)s; this would use %(needed)s",
            ladder=course.ladder,
            deadline=course.shown(deadline),
            needed=_days(needed),
        )
        raise Refused(
            "deadline_over",
            "%(was)s, and %(left)s are left: ask an organiser for a later deadline",
            was=was,
            left=_days(left),
        )


def check_not_in_panel(bot: Bot, ladder: Ladder | None = None) -> None:
    """Refuse if the bot is in the panel of the ladder, or of any that is not closed. Raises Refused(in_panel)."""
    marking = Course.objects.filter(ladder__entries__bot=bot).exclude(rules=[]).select_related("ladder__space")
    there = Q(ladder=ladder) if ladder else ~Q(ladder__status=Ladder.Status.CLOSED)
    for course in marking.filter(there):
        if bot.versions.filter(pk__in=[version for version, _, _ in course.rules]).exists():
            marks = Sentence(
                "%(bot)s is in the panel of %(ladder)s, so marks depend on its version", bot=bot, ladder=course.ladder
            )
            raise Refused("in_panel", "%(marks)s: change the marking scheme first, or use another bot", marks=marks)


def deadline_of(course: Course, user: User) -> datetime | None:
    """Theirs."""
    if course.deadline is None:
        return None
    later = Extension.objects.filter(course=course, user=user).values_list("until", flat=True).first()
    return max(course.deadline, later) if later else course.deadline


def days_late(moment: datetime, deadline: datetime, zone: ZoneInfo | None = None) -> int:
    """Return the late days by the clock of the zone, the site's by default: each ends at the deadline's time of day."""
    if moment <= deadline:
        return 0
    zone = zone or ZoneInfo(settings.SITE_TIME_ZONE)
    dates = (moment.astimezone(zone).date() - deadline.astimezone(zone).date()).days
    return next(days for days in count(max(1, dates - 1)) if moment <= days_after(deadline, days, zone))


def late_days_left(course: Course, user: User) -> int:
    """Return how many days the person has left of the late days that they have in all ladders of the space."""
    others = Course.objects.filter(ladder__space=course.ladder.space_id).exclude(pk=course.pk)
    elsewhere = others.exclude(deadline=None) if course.ladder.space_id else Course.objects.none()
    used = sum(late_days_used(other, [user.pk]).get(user.pk, 0) for other in elsewhere.select_related("ladder__space"))
    return max(0, course.late_days - used)


def late_days_used(course: Course, users: Iterable[int]) -> dict[int, int]:
    """Return by owner the late days, if any, of the last upload, or of the entry, whichever was later."""
    if course.deadline is None:
        return {}
    later = dict(course.extensions.values_list("user", "until"))
    until = {user: max(course.deadline, later.get(user, course.deadline)) for user in users}
    zone = course.zone
    found = {owner: last for owner, last in _last_changes(course).items() if owner in until}
    return {owner: late for owner, last in found.items() if (late := days_late(last, until[owner], zone))}


def _last_changes(course: Course) -> dict[int, datetime]:
    with connection.cursor() as cursor:
        cursor.execute(LAST, [course.ladder_id])
        return dict(cursor.fetchall())


def ends_at(course: Course) -> datetime | None:
    """Return the moment after which nobody can upload, by late days and later deadlines."""
    if course.deadline is None:
        return None
    last = course.extensions.aggregate(last=Max("until"))["last"] or course.deadline
    return days_after(max(course.deadline, last), course.late_days, course.zone)


def _courses(bot: Bot) -> Iterable[Course]:
    entered = bot.entries.exclude(status=Entry.Status.WITHDRAWN).filter(ladder__status__in=TAKES_UPLOADS)
    with_end = Course.objects.filter(ladder__in=entered.values("ladder")).exclude(deadline=None)
    return with_end.select_related("ladder__space")


def _days(days: int) -> str:
    return "1 late day" if days == 1 else f"{days} late days"
