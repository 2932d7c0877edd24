"""The gradebook of a course: each student with version, uploads, late days, chances against the panel, and mark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from tournaments.features.courses.deadlines import late_days_used
from tournaments.features.courses.marks import Mark, Record, mark_of
from tournaments.features.courses.panel import against_panel, bots_marked, marking_rules, records_of, versions_marked
from tournaments.models import Course, Entry, SpaceMember, User, Version


@dataclass(frozen=True, slots=True)
class GradebookRow:
    """Of one student. `points` has the penalty for late days taken off, and so has `sure`, what stands even if each
    chance is at the lower end of its interval."""

    user: int
    person: str
    identity: str
    bot: str
    bot_id: int | None
    version: int | None  # its number
    uploads: int
    late_days: int
    records: Sequence[Record]  # in the panel's order
    points: int
    sure: int
    of: int


def gradebook_of(course: Course, only: int | None = None) -> list[GradebookRow]:
    """Return the rows of all who are marked and all members of the space, by name. `only`: one person."""
    entries, people = bots_marked(course), _people(course)
    people |= {person: (name, "") for person, name in _names(entries).items() if person not in people}
    wanted = [person for person in people if only in (None, person)]
    book = _Book(course, {person: entries[person] for person in wanted if person in entries})
    rows = [book.row(person, *people[person]) for person in wanted]
    return sorted(rows, key=lambda row: (row.identity.casefold() or row.person.casefold(), row.person))


def state_of_marks(course: Course) -> str:
    """`provisional`, `under_way` or `final`."""
    if course.final_after is None:
        return "provisional"
    return "final" if course.final_until is not None else "under_way"


class _Book:
    """What the rows are made of: as many queries for all of them as for one."""

    def __init__(self, course: Course, entries: Mapping[int, Entry]) -> None:
        self.course, self.entries, self.rules = course, entries, marking_rules(course)
        played, bots = versions_marked(course), {entry.bot_id for entry in entries.values()}
        known = Version.objects.filter(pk__in=[played[bot] for bot in bots if bot in played])
        self.versions = {version.bot_id: version for version in known}
        self.records = records_of(course, [version.pk for version in self.versions.values()])
        uploads = Version.objects.filter(bot__in=bots).values_list("bot").annotate(Count("pk"))
        self.uploads = dict(uploads)
        self.late = late_days_used(course, {entry.bot.owner_id for entry in entries.values()})

    def row(self, person: int, name: str, identity: str) -> GradebookRow:
        entry = self.entries.get(person)
        version = self.versions.get(entry.bot_id) if entry else None
        records = against_panel(self.course, self.records, version.pk if version else 0)
        mark, late = mark_of(self.rules, dict(records)), self.late.get(entry.bot.owner_id, 0) if entry else 0
        return GradebookRow(
            user=person,
            person=name,
            identity=identity,
            bot=entry.bot.name if entry else "",
            bot_id=entry.bot_id if entry else None,
            version=version.number if version else None,
            uploads=self.uploads.get(entry.bot_id, 0) if entry else 0,
            late_days=late,
            records=[record for _, record in records],
            of=mark.of,
            **_less(mark, late * self.course.penalty),
        )


def _less(mark: Mark, penalty: int) -> dict[str, int]:
    return {"points": max(0, mark.points - penalty), "sure": max(0, mark.sure - penalty)}


def _people(course: Course) -> dict[int, tuple[str, str]]:
    """The members of its space: name and identity, which is hidden in a blind space."""
    space = course.ladder.space_id
    members = SpaceMember.objects.filter(space=space, space__isnull=False, role=SpaceMember.Role.MEMBER)
    staff = members.filter(user__is_staff=True).values("pk")
    rows = members.exclude(pk__in=staff).values_list("user", "user__username", "identity", "space__blind")
    return {user: (name, "" if blind else identity) for user, name, identity, blind in rows}


def _names(people: Mapping[int, Entry]) -> dict[int, str]:
    return dict(User.objects.filter(pk__in=list(people)).values_list("pk", "username"))
