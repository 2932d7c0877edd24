"""A class of 300: its gradebook in full, and the standings of its private space beside those of a public ladder.

What is played is copied by SQL from a set that the site itself has made, with other bots in it.
"""

import math
import time
from collections.abc import Callable
from os import sysconf
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import connection

from tests.bench import Row
from tests.bench.dispatch import copy
from tests.bench.pages import CLIENTS, EACH, ROUNDS, Taken, session, spent, stat_of, taken
from tests.factories import a_completed_set, a_ladder, a_user, a_version, rate
from tests.ground import rows_of
from tests.spaces import a_space
from tests.tournaments.web.server.stand import Stand, a_stand
from tournaments.features.courses.gradebook import gradebook_of
from tournaments.models import (
    Bot,
    Course,
    Entry,
    Ladder,
    Match,
    MatchSet,
    Rating,
    Seat,
    Space,
    SpaceMember,
    User,
    Version,
)

STUDENTS, PANEL, SETS = 300, 3, 93  # sets of each student against each bot of the panel: a chance known within 10 %
ASKED = 5
AIM = 2000.0  # ms
PERCENTS, POINTS = (90, 75, 60, 50, 40), 5  # the scheme has a line for each, of each bot of the panel


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    public, private, teacher = (
        a_field("open", None),
        a_field("class-main", a_class()),
        User.objects.get(username="tess"),
    )
    course = course_of(private)
    student, other = (User.objects.get(username=f"{slug} 7") for slug in ("class-main", "open"))
    with TemporaryDirectory() as folder, a_stand(STATIC_ROOT=folder, PAGE_REQUESTS="1000000") as stand:
        pages = [
            gradebook(stand, "of a teacher", session(teacher), in_database(lambda: gradebook_of(course))),
            gradebook(stand, "of a student", session(student), in_database(lambda: gradebook_of(course, student.pk))),
        ]
        return [*pages, *standings(stand, public, private, session(other), session(student))]


# --- what is measured ----------------------------------------------------------------------------------------------


def gradebook(stand: Stand, owner: str, cookie: str, database: float) -> Row:
    path = "/ladders/class-main/gradebook/"
    answer, page = stand.ask(path, Cookie=cookie)
    assert answer.status == 200
    before, best = spent(stand), math.inf
    for _ in range(ASKED):
        began = time.perf_counter()
        stand.ask(path, Cookie=cookie)
        best = min(best, 1000 * (time.perf_counter() - began))
    server = 1000 * (spent(stand) - before) / ASKED
    size = f"{page.count(b'<tr>') - 1} rows in {len(page):,} bytes, made of {STUDENTS * PANEL * SETS:,} sets"
    how = f"{size}; best of {ASKED}; processor time of the server {server:.0f} ms and of PostgreSQL {database:.0f}"
    return Row(f"gradebook {owner}", best, "ms", "aimed at", AIM, best / AIM, "<= 1", how)


def in_database(what: Callable[[], object]) -> float:
    """Milliseconds of processor time of PostgreSQL's process, the mean of some."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        process = Path("/proc") / str(cursor.fetchone()[0])
    before = ticks(process)
    for _ in range(ASKED):
        what()
    return 1000 * (ticks(process) - before) / sysconf("SC_CLK_TCK") / ASKED


def ticks(process: Path) -> int:
    return sum(map(int, stat_of(process)[11:13]))


def standings(stand: Stand, public: Ladder, private: Ladder, reader: str, member: str) -> list[Row]:
    """Take the two in turns, and the best round of each: others use this machine too."""
    pages: dict[str, Callable[[], Taken]] = {
        "public": lambda: taken(stand, f"/ladders/{public.slug}/", Cookie=reader),
        "private": lambda: taken(stand, f"/ladders/{private.slug}/", Cookie=member),
    }
    best = dict.fromkeys(pages, Taken(math.inf, math.inf))
    for _ in range(ROUNDS):
        best = {page: best[page].least(measured()) for page, measured in pages.items()}
    ours, peer_taken = best["private"], best["public"]
    asked = f"{CLIENTS * EACH} requests by {CLIENTS} clients at once, the best of {ROUNDS} rounds"
    times = f"the server's processor time {ours.cpu:.2f} ms each and {peer_taken.cpu:.2f}"
    how = f"p95 of {asked}, by owners of a bot there; {times}"
    peer, named = "the same of a public ladder", f"standings of {STUDENTS + PANEL} in a private space, for a member"
    return [
        Row(named, ours.p95, "ms", peer, peer_taken.p95, ours.p95 / peer_taken.p95, "", how),
        Row(f"{named}: processor time", ours.cpu, "ms", peer, peer_taken.cpu, ours.cpu / peer_taken.cpu, "<= 1.2", how),
    ]


# --- the rows ------------------------------------------------------------------------------------------------------


def a_class() -> Space:
    return a_space("class", organiser=a_user("tess"))


def a_field(slug: str, space: Space | None) -> Ladder:
    """A ladder of all students' bots and those of the panel, which stand last; each rated."""
    ladder, model = a_ladder(slug, players=2, space=space), [a_version(), a_version()]
    people = User.objects.bulk_create(User(username=f"{slug} {n}", home=space) for n in range(STUDENTS))
    if space:
        SpaceMember.objects.bulk_create(
            SpaceMember(space=space, user=user, identity=f"Student {n:03}") for n, user in enumerate(people)
        )
    owners = [*people, *[User.objects.get(username="tess") if space else a_user()] * PANEL]
    bots = Bot.objects.bulk_create(
        Bot(owner=owner, space=space, game="zaibatsu", name=f"{slug} bot {n}") for n, owner in enumerate(owners)
    )
    columns = {"bundle_id": model[0].bundle_id, "filename": "bot.py", "status": Version.Status.ACTIVE}
    versions = Version.objects.bulk_create(Version(bot=bot, number=1, **columns) for bot in bots)
    Entry.objects.bulk_create(Entry(ladder=ladder, bot=bot) for bot in bots)
    played = a_completed_set(ladder, model)
    rate()
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # what is copied from whole rows needs no checks
        play(played, model, versions[0].pk, versions[STUDENTS].pk)
        rated = {"version_id": f"{versions[0].pk} + n", "elo": "1500 + 200 * sin(n)", "sd": "40 + n % 60"}
        copy(Rating, Rating.objects.filter(version=model[0]), f"generate_series(0, {STUDENTS + PANEL - 1}) n", rated)
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE")
    return ladder


def play(made: MatchSet, model: list[Version], first: int, panel: int) -> None:
    """SETS of each student against each bot of the panel."""
    sets = STUDENTS * PANEL * SETS
    numbered = {"number": "10 + n", "seed": "md5(n::text)", "chain_id": "NULL", "link": "NULL"}
    copy(MatchSet, MatchSet.objects.filter(pk=made.pk), f"generate_series(0, {sets - 1}) n", numbered)
    copies = f"made.ladder_id = {made.ladder_id} AND made.number >= 10"
    copy(Match, made.matches.all(), f"tournaments_matchset made WHERE {copies}", {"set_id": "made.id"})
    copied_rows = (
        "tournaments_match old, tournaments_match twin, tournaments_matchset made"
        f" WHERE old.id = model.match_id AND twin.turn = old.turn AND made.id = twin.set_id AND {copies}"
    )
    student, rival = f"{first} + made.number % {STUDENTS}", f"{panel} + made.number / {STUDENTS} % {PANEL}"
    version = f"CASE WHEN model.version_id = {model[0].pk} THEN {student} ELSE {rival} END"
    copy(Seat, Seat.objects.filter(match__set=made), copied_rows, {"match_id": "twin.id", "version_id": version})


def course_of(ladder: Ladder) -> Course:
    """Return a course with a scheme of several lines for each bot of the panel."""
    panel = Version.objects.filter(bot__entries__ladder=ladder).order_by("-pk")[:PANEL].values_list("pk", flat=True)
    return Course.objects.create(
        ladder=ladder, rules=[[version, percent, POINTS] for version in panel for percent in PERCENTS]
    )
