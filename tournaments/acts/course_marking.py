"""A ladder's panel and marking scheme, and the freeze with final marks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Max

from engine.sentences import Sentence
from tournaments.acts.base import Action, Change, Effect
from tournaments.acts.ladder_status import pin, staying, still_to_play
from tournaments.competitors.entry_states import GONE
from tournaments.errors import Refused
from tournaments.ladders.fielded import fielded
from tournaments.ladders.final_runs import under_way
from tournaments.ladders.panel import bots_marked, course_of, staff_of, versions_marked
from tournaments.ladders.scheme import scheme_of
from tournaments.matchmaking.panel_tables import LOOKS
from tournaments.matchmaking.seed_chains import begin_anew
from tournaments.models import Act, Course, Ladder, Version
from tournaments.models.courses import MOST_WITHIN, WITHIN
from tournaments.ratings.marking_text import SchemeLine, read_scheme
from tournaments.ratings.marks import Record, more_sets

Status = Ladder.Status


@dataclass(frozen=True, slots=True)
class SetMarking(Action):
    kind, button = "set_marking", "Set the marking scheme"
    about = (
        "Students are marked by how likely they beat each bot of a panel, which are organisers' bots in the ladder. "
        "`scheme`: a line for each rule, such as “10 = 60% Greedy Gus”: 10 points for a chance of 60 % or more. "
        "`within`: sets are dealt until each chance is known within so many percent points, 2 to 25; 10 if nothing "
        "is said."
    )
    ladder: Ladder
    scheme: str
    within: int | None = None

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        rules, course = self._rules(ladder), course_of(ladder)
        if course and course.final_after is not None:
            raise Refused(
                "marks_final",
                "the final marks of %(ladder)s are being made; thaw it, and then change them",
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
                "within is %(found)s; it is a whole number from 2 to %(most_within)s",
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
                "Each student’s version meets each of them until its chance is known within %(within)s percent points: "
                "in %(sets)s sets at most.",
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
    """By name. Raises nothing: whoever is not among them is refused by name."""
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
class StartFinalMarks(Action):
    kind, button = "final_marks", "Freeze, and play the final marks"
    about = (
        "The ladder is frozen, and everybody meets the panel in fresh deals until their final marks are known as "
        "well as the marking scheme asks. Sets of before do not count for them."
    )
    ladder: Ladder

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

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
    if under_way(ladder):
        raise Refused("final_run_under_way", "%(ladder)s is in a final run; end that first", ladder=ladder)
    if ladder.status == Status.CLOSED:
        raise Refused("wrong_status", "%(ladder)s is closed; open it again, and then begin", ladder=ladder)
    return course
