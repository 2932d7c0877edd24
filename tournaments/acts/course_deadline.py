"""The deadline of a course, late days, and a later deadline for one student."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.utils import timezone

from engine.sentences import Sentence
from tournaments.acts.base import BY_CLOCK, FROM_ZERO, Action, Change, Effect
from tournaments.acts.space_time_zone import checked_zone
from tournaments.competitors.deadlines import days_used, deadline_of
from tournaments.config.time_zones import from_clock
from tournaments.errors import Refused
from tournaments.ladders.panel import bots_marked, course_of
from tournaments.models import Act, Course, Extension, Ladder, SpaceMember, User

MOST_DAYS, MOST_PENALTY = 60, 1000
FIRST_YEAR, LAST_YEAR = 2000, 9000
FIELDS = ("deadline", "late_days", "penalty", "time_zone")


@dataclass(frozen=True, slots=True)
class SetDeadline(Action):
    kind, button = "set_deadline", "Set the deadline"
    about = (
        "A student’s last version before the deadline counts; none is taken after it but by late days. `late_days`: "
        "each student has so many in all ladders of the space together, and an upload that is late by any part of a "
        "day uses a whole one. `penalty`: points that each costs. `time_zone`: by its clock the deadline is given "
        "and late days end; without one it stays as it is. Without a deadline the ladder has none."
    )
    ladder: Ladder
    deadline: datetime | None = field(default=None, metadata=BY_CLOCK)
    late_days: int | None = field(default=None, metadata=FROM_ZERO)
    penalty: int | None = field(default=None, metadata=FROM_ZERO)
    time_zone: str | None = None

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        before, after = _course(self.ladder), self._after()
        _check_takes_uploads(after.ladder)
        self._check(after)
        changes = [
            Change(name, _shown(before, name), _shown(after, name))
            for name in FIELDS
            if getattr(before, name) != getattr(after, name)
        ]
        return Effect(f"ladder {self.ladder.slug}", self._says(after), changes)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        before, after = _course(self.ladder), self._after()
        if all(getattr(before, name) == getattr(after, name) for name in FIELDS):  # the form begins with what is
            raise Refused("nothing_changes", "%(ladder)s has this deadline already", ladder=self.ladder)
        Course.objects.update_or_create(ladder=self.ladder, defaults={name: getattr(after, name) for name in FIELDS})

    def _after(self) -> Course:
        """Return the course as it would be. Raises Refused: bad_time_zone, bad_deadline."""
        course = _course(self.ladder)
        wanted = checked_zone(self.time_zone or "")
        course.time_zone = wanted if wanted and wanted != course.zone.key else course.time_zone
        course.deadline = _moment(course, "deadline", self.deadline) if self.deadline else None
        course.late_days, course.penalty = self.late_days or 0, self.penalty or 0
        return course

    def _check(self, after: Course) -> None:
        """Raises Refused: bad_deadline, bad_late_days, bad_penalty."""
        if after.deadline and after.deadline <= timezone.now():
            raise Refused(
                "bad_deadline", "%(deadline)s is over; a deadline lies ahead", deadline=_shown(after, "deadline")
            )
        for name, most in (("late_days", MOST_DAYS), ("penalty", MOST_PENALTY)):
            if (value := getattr(self, name)) is not None and not 0 <= value <= most:
                raise Refused(
                    f"bad_{name}",
                    "%(name)s is %(value)s; it is a whole number from 0 to %(most)s",
                    name=name,
                    value=value,
                    most=most,
                )

    def _says(self, now: Course) -> list[str]:
        if not now.deadline:
            return [Sentence("It has no deadline: versions are taken for as long as it is open.")]
        days = now.late_days
        marks = (
            Sentence("When nobody can upload any more, it freezes by itself and plays the final marks.")
            if now.rules
            else Sentence("When nobody can upload any more, it freezes by itself. It has no marking scheme yet.")
        )
        last = Sentence(
            "The last version uploaded until %(deadline)s counts, even if its check ends later. "
            "Each student has %(days)s late days in all."
            if days > 1
            else "The last version uploaded until %(deadline)s counts, even if its check ends later. "
            "Each student has 1 late day in all."
            if days
            else "The last version uploaded until %(deadline)s counts, even if its check ends later. "
            "Nobody has late days.",
            deadline=now.deadline_text,
            days=days,
        )
        return [last, marks]


@dataclass(frozen=True, slots=True)
class ExtendDeadline(Action):
    kind, button = "extend_deadline", "Extend for one student"
    about = "One student has a later deadline. The log does not say who; do not name anybody in the reason."
    ladder: Ladder
    user: User
    until: datetime = field(metadata=BY_CLOCK)

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        course = self._course()
        used = days_used(course, [self.user.pk]).get(self.user.pk, 0)
        before = deadline_of(course, self.user)
        says = [
            Sentence(
                "One student’s deadline is %(until)s, not %(before)s. Late days count from there.",
                until=course.shown(self._until(course)),
                before=course.shown(before) if before else "",
            )
        ]
        if used:
            says.append(Sentence("Late days that were used before it are given back."))
        return Effect(f"ladder {course.ladder.slug}", says)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        course = self._course()
        Extension.objects.update_or_create(course=course, user=self.user, defaults={"until": self._until(course)})
        Course.objects.filter(pk=course.pk).update(thawed_at=None)  # it freezes when the last one's time is over

    def _until(self, course: Course) -> datetime:
        """Raises Refused(bad_until)."""
        return _moment(course, "until", self.until)

    def _course(self) -> Course:
        """Raises Refused: no_deadline, bad_until, not_student, wrong_status."""
        course = course_of(self.ladder)
        if course is None or course.deadline is None:
            raise Refused("no_deadline", "%(ladder)s has no deadline", ladder=self.ladder)
        _check_takes_uploads(course.ladder)
        if self._until(course) <= course.deadline or course.shown(self._until(course)) == course.deadline_text:
            raise Refused(
                "bad_until",
                "%(until)s is not after the deadline, %(deadline)s",
                until=course.shown(self._until(course)),
                deadline=course.deadline_text,
            )
        member = SpaceMember.objects.filter(space=self.ladder.space_id, user=self.user, space__isnull=False).exists()
        if not member and self.user.pk not in bots_marked(course):
            raise Refused(
                "not_student",
                "%(user)s is not in %(ladder)s, nor a member of its space",
                user=self.user,
                ladder=self.ladder,
            )
        return course


def _course(ladder: Ladder) -> Course:
    """Return the ladder's course, or a new one, with its ladder as it is now."""
    now = Ladder.objects.select_related("space").get(pk=ladder.pk)
    return course_of(now) or Course(ladder=now)


def _check_takes_uploads(ladder: Ladder) -> None:
    """Raises Refused(wrong_status): where versions are fixed no upload counts, whatever the deadline."""
    if ladder.status == Ladder.Status.CLOSED:
        raise Refused(
            "wrong_status", "%(ladder)s is closed: no upload counts there; open it again first", ladder=ladder
        )
    if ladder.status == Ladder.Status.FROZEN:
        raise Refused("wrong_status", "%(ladder)s is frozen: no upload counts there; thaw it first", ladder=ladder)


def _moment(course: Course, name: str, value: datetime) -> datetime:
    """Return what was given, by the clock of the course's zone where it has no offset. Raises Refused(bad_...)."""
    moment = from_clock(value, course.zone) if value.year < LAST_YEAR else datetime.max.replace(tzinfo=UTC)
    if value.year < FIRST_YEAR:
        raise Refused(f"bad_{name}", "the year %(year)s is over", year=value.year)
    if moment is None:
        raise Refused(
            f"bad_{name}",
            "%(time)s never comes in %(zone)s, as clocks go forward then; take a time before or after it",
            time=f"{value:%Y-%m-%d %H:%M}",
            zone=course.zone.key,
        )
    if moment.year >= LAST_YEAR:
        raise Refused(f"bad_{name}", "the year %(year)s is too far away", year=value.year)
    return moment


def _shown(course: Course, name: str) -> str:
    value = course.deadline_text if name == "deadline" else str(getattr(course, name))
    return value or "none"
