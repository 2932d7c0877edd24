"""The deadline of a course, a later one for one student, the marking scheme, and the final marks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.db.models import Max
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.config.time_zones import checked_zone, from_clock
from tournaments.core.errors import Refused
from tournaments.features.courses.deadlines import deadline_of, late_days_used
from tournaments.features.courses.marking_text import SchemeLine, read_scheme
from tournaments.features.courses.marks import Record, more_sets
from tournaments.features.courses.panel import bots_marked, course_of, scheme_of, staff_of, versions_marked
from tournaments.features.courses.panel_tables import LOOKS
from tournaments.features.final_runs.rules import running_in
from tournaments.ledger.acts.base import BY_CLOCK, FROM_ZERO, Change, Effect, LadderAction
from tournaments.ledger.acts.ladder_status import pin, staying, still_to_play
from tournaments.ledger.competitors.entry_states import GONE
from tournaments.ledger.ladders.fielded import fielded
from tournaments.ledger.matchmaking.seed_chains import begin_anew
from tournaments.models import Act, Course, Extension, Ladder, SpaceMember, User, Version
from tournaments.models.courses import MOST_WITHIN, WITHIN

Status = Ladder.Status
MOST_DAYS, MOST_PENALTY = 60, 1000
FIRST_YEAR, LAST_YEAR = 2000, 9000
FIELDS = ("deadline", "late_days", "penalty", "time_zone")


@dataclass(frozen=True, slots=True)
class SetDeadline(LadderAction):
    kind, button = "set_deadline", "Set the deadline"
    about = (
        "A student’s last version before the deadline counts; later ones need late days. `late_days`: "
        "each student has so many in all ladders of the space together, and an upload that is late by any part of a "
        "day uses a whole one. `penalty`: points that each costs. `time_zone`: by its clock the deadline is given "
        "and late days end; without one it stays as it is. Without a deadline the ladder has none."
    )
    deadline: datetime | None = field(default=None, metadata=BY_CLOCK)
    late_days: int | None = field(default=None, metadata=FROM_ZERO)
    penalty: int | None = field(default=None, metadata=FROM_ZERO)
    time_zone: str | None = None

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
                "bad_deadline", "%(deadline)s is past; choose a time to come", deadline=_shown(after, "deadline")
            )
        for name, most in (("late_days", MOST_DAYS), ("penalty", MOST_PENALTY)):
            if (value := getattr(self, name)) is not None and not 0 <= value <= most:
                raise Refused(
                    f"bad_{name}",
                    "%(name)s is %(value)s; it must be a whole number from 0 to %(most)s",
                    name=name,
                    value=value,
                    most=most,
                )

    def _says(self, now: Course) -> list[str]:
        if not now.deadline:
            return [Sentence("It has no deadline: versions are taken for as long as it is open.")]
        days = now.late_days
        marks = (
            Sentence("Once nobody can upload, it freezes automatically and plays the final marks.")
            if now.rules
            else Sentence("Once nobody can upload, it freezes automatically. It has no marking scheme yet.")
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
class ExtendDeadline(LadderAction):
    kind, button = "extend_deadline", "Extend for one student"
    about = "One student has a later deadline. The log does not say who; do not name anybody in the reason."
    user: User
    until: datetime = field(metadata=BY_CLOCK)

    def preview(self) -> Effect:
        course = self._course()
        used = late_days_used(course, [self.user.pk]).get(self.user.pk, 0)
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
        if self._until(course) <= course.deadline:
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
    if ladder.status == Status.CLOSED:
        raise Refused(
            "wrong_status", "%(ladder)s is closed: no upload counts there; open it again first", ladder=ladder
        )
    if ladder.status == Status.FROZEN:
        raise Refused("wrong_status", "%(ladder)s is frozen: no upload counts there; thaw it first", ladder=ladder)


def _moment(course: Course, name: str, value: datetime) -> datetime:
    """Return what was given, by the clock of the course's zone where it has no offset. Raises Refused(bad_...).

    Whole minutes alone: pages show no seconds, and nobody is late by what is not seen.
    """
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
        raise Refused(f"bad_{name}", "the year %(year)s is too far ahead", year=value.year)
    if moment.second or moment.microsecond:
        raise Refused(f"bad_{name}", "%(time)s has seconds; a deadline is a whole minute", time=value.time())
    return moment


def _shown(course: Course, name: str) -> str:
    value = course.deadline_text if name == "deadline" else str(getattr(course, name))
    return value or "none"


@dataclass(frozen=True, slots=True)
class SetMarking(LadderAction):
    kind, button = "set_marking", "Set the marking scheme"
    about = (
        "Students are marked by how likely they beat each bot of a panel, which are organisers' bots in the ladder. "
        "`scheme`: a line for each rule, such as “10 = 60% Greedy Gus”: 10 points for a chance of 60 % or more. "
        "`within`: sets are dealt until each chance is known within so many percentage points, 2 to 25; 10 if nothing "
        "is said."
    )
    scheme: str
    within: int | None = None

    def preview(self) -> Effect:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        rules, course = self._rules(ladder), course_of(ladder)
        if course and course.final_after is not None:
            raise Refused(
                "marks_final",
                "the final marks of %(ladder)s are being played; thaw it before you change them",
                ladder=ladder,
            )
        before = scheme_of(course) if course else ""
        changes = [Change("scheme", _one_line(before) or "none", _one_line(scheme_of(Course(rules=rules))))]
        return Effect(f"ladder {ladder.slug}", self._says(ladder, rules), changes, more={"within": self._within()})

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        told = {"rules": self._rules(self.ladder), "within": self._within()}
        course, _ = Course.objects.update_or_create(ladder=self.ladder, defaults=told)
        LOOKS.pop(course.pk, None)

    def _within(self) -> int:
        found = WITHIN if self.within is None else self.within
        if type(found) is not int or not 2 <= found <= MOST_WITHIN:
            raise Refused(
                "bad_within",
                "within is %(found)s; it must be a whole number from 2 to %(most_within)s",
                found=found,
                most_within=MOST_WITHIN,
            )
        return found

    def _rules(self, ladder: Ladder) -> list[list[int]]:
        """Raises Refused: bad_scheme, small_panel."""
        lines, staff = read_scheme(self.scheme), _staff_bots(ladder)
        rules = [[_version(line, staff, ladder).pk, line.percent, line.points] for line in lines]
        panel, seats = {version for version, _, _ in rules}, min(ladder.sizes)
        if len(panel) < seats - 1:
            table = Sentence(
                "a table of %(ladder)s has %(seats)s seats, and nobody sits there but one student and the panel",
                ladder=ladder,
                seats=seats,
            )
            raise Refused(
                "small_panel",
                "%(table)s: name %(seats)s of organisers' bots at least, not %(panel)s",
                table=table,
                seats=seats - 1,
                panel=len(panel),
            )
        return rules

    def _says(self, ladder: Ladder, rules: Sequence[Sequence[int]]) -> list[str]:
        panel = len({version for version, _, _ in rules})
        points, sets = sum(rule[2] for rule in rules), more_sets(Record(), 0, self._within())
        students = len(bots_marked(Course(ladder=ladder)))
        return [
            Sentence(
                "A mark has %(points)s points at most, by 1 bot of organisers."
                if panel == 1
                else "A mark has %(points)s points at most, by %(panel)s bots of organisers.",
                points=points,
                panel=panel,
            ),
            Sentence(
                "Each student’s version meets each of them until its chance is known within %(within)s percentage "
                "points: in %(sets)s sets at most.",
                within=self._within(),
                sets=sets,
            ),
            Sentence(
                "1 student has a bot here now." if students == 1 else "%(students)s students have a bot here now.",
                students=students,
            ),
            Sentence(
                "Half of the ladder’s sets are such while any are missing. Bots of the panel keep their versions."
            ),
        ]


def _one_line(scheme: str) -> str:
    return "; ".join(scheme.splitlines())


def _staff_bots(ladder: Ladder) -> dict[str, Version]:
    """Return the versions of staff's bots by name. Raises nothing: whoever is not there is refused by name."""
    staff, entered = staff_of(ladder.space_id), ladder.entries.exclude(status__in=GONE)
    here = fielded(ladder).filter(bot__in=entered.values("bot"), bot__owner__in=staff)
    return {version.bot.name.casefold(): version for version in here.select_related("bot")}


def _version(line: SchemeLine, staff: dict[str, Version], ladder: Ladder) -> Version:
    if found := staff.get(line.bot.casefold()):
        return found
    checking = ladder.entries.filter(bot__owner__in=staff_of(ladder.space_id), bot__name__iexact=line.bot)
    if checking.filter(bot__versions__status=Version.Status.CHECKING).exists():
        raise Refused("bad_scheme", "%(bot)s is still being checked; wait until it plays", bot=f"{line.bot:.60}")
    names = ", ".join(sorted(version.bot.name for version in staff.values()))
    there = Sentence("there are %(names)s", names=names) if names else Sentence("there are none")
    raise Refused(
        "bad_scheme",
        "no organiser’s bot %(bot)s plays in %(ladder)s; %(there)s",
        bot=f"{line.bot!r:.60}",
        ladder=ladder,
        there=there,
    )


@dataclass(frozen=True, slots=True)
class StartFinalMarks(LadderAction):
    kind, button = "final_marks", "Freeze, and play the final marks"
    about = (
        "The ladder is frozen, and everybody meets the panel in fresh deals until their final marks are known as "
        "well as the marking scheme asks. Earlier sets do not count for them."
    )

    def preview(self) -> Effect:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        course = _may_begin(ladder)
        changes = [Change("status", Status(ladder.status).label, Status.FROZEN.label)]
        bots, stay = len(bots_marked(course)), staying(ladder).count()
        says = [
            Sentence(
                "1 bot stays, with the version it has now. %(under_way_said)s"
                if stay == 1
                else "%(count)s bots stay, each with the version it has now. %(under_way_said)s",
                count=stay,
                under_way_said=still_to_play(ladder),
            ),
            Sentence(
                "1 student is marked by sets that are dealt from now on."
                if bots == 1
                else "%(bots)s students are marked by sets that are dealt from now on.",
                bots=bots,
            ),
            Sentence("The deals come from a chain of seeds that is made now: nobody can have prepared for them."),
        ]
        return Effect(f"ladder {ladder.slug}", says, changes if ladder.status != Status.FROZEN else [])

    def carry_out(self, act: Act) -> None:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        if ladder.status != Status.FROZEN:
            pin(ladder)
            ladder.status = Status.FROZEN
            ladder.save(update_fields=["status"])
        begin_anew(ladder, reason=Sentence("final marks begin: act %(act)s of the audit log", act=act.number))
        course = Course.objects.select_related("ladder").get(ladder=ladder)
        course.final_field = versions_marked(course)
        course.final_after = ladder.sets.aggregate(last=Max("number"))["last"] or 0
        course.save(update_fields=["final_field", "final_after"])
        LOOKS.pop(course.pk, None)


def _may_begin(ladder: Ladder) -> Course:
    course = course_of(ladder)
    if course is None or not course.rules:
        raise Refused("no_scheme", "%(ladder)s has no marking scheme; set it first", ladder=ladder)
    if course.final_after is not None:
        raise Refused(
            "marks_final", "the final marks of %(ladder)s are made already; thaw it to make them again", ladder=ladder
        )
    if running_in(ladder):
        raise Refused("final_run_under_way", "%(ladder)s is in a final run; end that first", ladder=ladder)
    if ladder.status == Status.CLOSED:
        raise Refused("wrong_status", "%(ladder)s is closed; open it again, and then begin", ladder=ladder)
    return course
