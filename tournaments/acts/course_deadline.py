"""The deadline of a course, late days, and a later deadline for one student."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from engine.sentences import Sentence
from tournaments.acts.base import Action, Change, Effect
from tournaments.competitors.deadlines import days_used
from tournaments.errors import Refused
from tournaments.ladders.panel import bots_marked, course_of
from tournaments.models import Act, Course, Extension, Ladder, SpaceMember, User

MOST_DAYS, MOST_PENALTY = 60, 1000


@dataclass(frozen=True, slots=True)
class SetDeadline(Action):
    """A student’s last version before the deadline counts; none is taken after it but by late days. `late_days`: each
    student has so many in all ladders of the space together, and an upload that is late by any part of a day uses a
    whole one. `penalty`: points that each costs. Without a deadline the ladder has none."""

    kind, button = "set_deadline", "Set the deadline"
    ladder: Ladder
    deadline: datetime | None = None
    late_days: int | None = None
    penalty: int | None = None

    def preview(self) -> Effect:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        self._check(ladder)
        now = course_of(ladder) or Course(ladder=ladder)
        rows = {"deadline": self.deadline, "late_days": self.late_days or 0, "penalty": self.penalty or 0}
        changes = [
            Change(name, _shown(getattr(now, name)), _shown(value))
            for name, value in rows.items()
            if getattr(now, name) != value
        ]
        if not changes:
            raise Refused("nothing_changes", "%(ladder)s has this deadline already", ladder=ladder)
        return Effect(f"ladder {ladder.slug}", self._says(now), changes)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        told = {"deadline": self.deadline, "late_days": self.late_days or 0, "penalty": self.penalty or 0}
        Course.objects.update_or_create(ladder=self.ladder, defaults=told)

    def _check(self, ladder: Ladder) -> None:
        """Raises Refused: wrong_status, bad_deadline, bad_late_days, bad_penalty."""
        if ladder.status == Ladder.Status.CLOSED:
            raise Refused("wrong_status", "%(ladder)s is closed; open it again, and then set a deadline", ladder=ladder)
        if self.deadline and self.deadline <= timezone.now():
            raise Refused("bad_deadline", "%(deadline)s is over; a deadline lies ahead", deadline=_shown(self.deadline))
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
        if not self.deadline:
            return [Sentence("It has no deadline: versions are taken for as long as it is open.")]
        days = self.late_days or 0
        marks = (
            Sentence("When nobody can upload any more, it freezes by itself and plays the final marks.")
            if now.rules
            else Sentence("When nobody can upload any more, it freezes by itself. It has no marking scheme yet.")
        )
        last = Sentence(
            "The last version uploaded until %(deadline)s counts, even if its check ends later. "
            "Each student has %(days)s late days in all."
            if days
            else "The last version uploaded until %(deadline)s counts, even if its check ends later. "
            "Nobody has late days.",
            deadline=_shown(self.deadline),
            days=days,
        )
        return [last, marks]


@dataclass(frozen=True, slots=True)
class ExtendDeadline(Action):
    """One student has a later deadline. The log does not say who; do not name anybody in the reason."""

    kind, button = "extend_deadline", "Extend for one student"
    ladder: Ladder
    user: User
    until: datetime

    def preview(self) -> Effect:
        course = self._course()
        used = days_used(course, [self.user.pk]).get(self.user.pk, 0)
        says = [
            Sentence(
                "One student’s deadline is %(until)s, not %(before)s. Late days count from there.",
                until=_shown(self.until),
                before=_shown(course.deadline),
            )
        ]
        if used:
            says.append(Sentence("Late days that were used before it are given back."))
        return Effect(f"ladder {course.ladder.slug}", says)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        Extension.objects.update_or_create(course=self._course(), user=self.user, defaults={"until": self.until})

    def _course(self) -> Course:
        """Raises Refused: no_deadline, bad_until, not_student, wrong_status."""
        course = course_of(self.ladder)
        if course is None or course.deadline is None:
            raise Refused("no_deadline", "%(ladder)s has no deadline", ladder=self.ladder)
        if course.final_after is not None or course.ladder.status == Ladder.Status.CLOSED:
            raise Refused("wrong_status", "%(ladder)s is frozen; thaw it, and then extend", ladder=self.ladder)
        if self.until <= course.deadline:
            raise Refused(
                "bad_until",
                "%(until)s is not after the deadline, %(deadline)s",
                until=_shown(self.until),
                deadline=_shown(course.deadline),
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


def _shown(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    return "none" if value is None else str(value)
