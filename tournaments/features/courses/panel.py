"""The panel of a course: its bots, the students marked by it, and their results against each bot."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.features.courses.marking_text import SchemeLine, write_scheme
from tournaments.features.courses.marks import Record, Rule
from tournaments.ledger.competitors.entry_states import GONE
from tournaments.ledger.ladders.fielded import fielded
from tournaments.models import Course, Entry, Ladder, Membership, SpaceMember, User, Version

Records = dict[int, dict[int, Record]]  # by version, and version of the panel
ENDLESS = 2**31 - 1
SHARES = """
SELECT mine, theirs, sum(share), count(*) FROM (
    SELECT seat.version_id AS mine, staff.version_id AS theirs, avg(
        CASE WHEN seat.place < staff.place THEN 1.0 WHEN seat.place = staff.place THEN 0.5 ELSE 0.0 END) AS share
    FROM tournaments_matchset played JOIN tournaments_match match ON match.set_id = played.id
    JOIN tournaments_seat staff ON staff.match_id = match.id AND staff.version_id = ANY(%(panel)s)
    JOIN tournaments_seat seat ON seat.match_id = match.id AND seat.version_id = ANY(%(marked)s)
    WHERE played.ladder_id = %(ladder)s AND played.number > %(after)s AND played.number <= %(until)s
    AND played.status = 'complete' AND played.counts
    AND (played.options ->> 'players' = '2' OR NOT EXISTS (
        SELECT 1 FROM tournaments_seat other WHERE other.match_id = match.id
        AND other.version_id <> seat.version_id AND other.version_id <> ALL(%(panel)s)))
    GROUP BY played.id, seat.version_id, staff.version_id) shares
GROUP BY mine, theirs
"""  # of sets at whose tables nobody else sat than the version and the panel, which is plain where two did


def course_of(ladder: Ladder) -> Course | None:
    return Course.objects.filter(ladder=ladder).select_related("ladder__space").first()


def marking_rules(course: Course) -> list[Rule]:
    return [Rule(*rule) for rule in course.rules]


def panel_of(course: Course) -> list[int]:
    """Return the panel's versions, in the scheme's order."""
    return list(dict.fromkeys(rule.version for rule in marking_rules(course)))


def staff_of(space: int | None) -> set[int]:
    """Return the ids of those who are not marked: organisers of the site and of the space."""
    led = SpaceMember.objects.filter(space=space, space__isnull=False, role=SpaceMember.Role.ORGANISER)
    return set(User.objects.filter(Q(is_staff=True) | Q(pk__in=led.values("user"))).values_list("pk", flat=True))


def bots_marked(course: Course) -> dict[int, Entry]:
    """Return by person the first entry in the ladder that is theirs or their team's.
    One each, so that nobody is marked by the luckiest of many bots."""
    entries = course.ladder.entries.exclude(status__in=GONE).select_related("bot__owner").order_by("entered_at", "pk")
    staff, teams = staff_of(course.ladder.space_id), _teams()
    found: dict[int, Entry] = {}
    for entry in entries:
        for person in {entry.bot.owner_id, *teams.get(entry.bot.team_id or 0, ())} - staff:
            found.setdefault(person, entry)
    return found


def _teams() -> dict[int, list[int]]:
    teams: defaultdict[int, list[int]] = defaultdict(list)
    for team, user in Membership.objects.filter(role__in=Membership.INSIDE).values_list("team", "user"):
        teams[team].append(user)
    return teams


def versions_marked(course: Course) -> dict[int, int]:
    """Return by bot the version that plays now; once the final marks have begun, the one that played then."""
    if course.final_after is not None:
        return {int(bot): version for bot, version in course.final_field.items()}
    bots = {entry.bot_id for entry in bots_marked(course).values()}
    return dict(fielded(course.ladder).filter(bot__in=bots).values_list("bot", "pk"))


def records_of(course: Course, marked: Collection[int]) -> Records:
    """Return the records of these versions; once the final marks have begun, by the sets dealt since then alone."""
    given: dict[str, int | list[int]] = {"panel": panel_of(course), "marked": list(marked), "ladder": course.ladder_id}
    until = ENDLESS if course.final_until is None else course.final_until
    found: defaultdict[int, dict[int, Record]] = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(SHARES, {**given, "after": course.final_after or 0, "until": until})
        for mine, theirs, won, sets in cursor.fetchall():
            found[mine][theirs] = Record(float(won), sets)
    return found


def against_panel(course: Course, records: Records, version: int) -> Sequence[tuple[int, Record]]:
    known = records.get(version, {})
    return [(rival, known.get(rival, Record())) for rival in panel_of(course)]


def scheme_of(course: Course) -> str:
    names = panel_names(course)
    return write_scheme(SchemeLine(rule.points, rule.percent, names[rule.version]) for rule in marking_rules(course))


def panel_names(course: Course) -> dict[int, str]:
    """Return the names of the panel's bots by version, in the scheme's order."""
    named = dict(Version.objects.filter(pk__in=panel_of(course)).values_list("pk", "bot__name"))
    return {version: named.get(version, "a bot that is gone") for version in panel_of(course)}


def drop_final_marks(ladder: Ladder) -> None:
    Course.objects.filter(ladder=ladder).update(
        final_after=None, final_until=None, final_field={}, thawed_at=timezone.now()
    )


def dropping_final_marks(ladder: Ladder) -> list[str]:
    if not Course.objects.filter(ladder=ladder).exclude(final_after=None).exists():
        return []
    return [Sentence("Its final marks are dropped: marks are provisional again, by the versions that play.")]
