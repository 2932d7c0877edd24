"""Real processes, killed in the middle of their work: nothing is lost, nothing is doubled.

The faults come one after another to the same processes; with full budgets each also has processes of its own.
"""

import shutil
from collections.abc import Callable, Sequence

import pytest
from django.db import connection, transaction
from redis import Redis

from engine.replay import read_replay, verify
from tests import thorough
from tests.factories import SAMPLE, a_bot, a_ladder, an_upload
from tests.faults.crew import Crew
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.models import Attempt, Ladder, Match, MatchSet, Result, Version

pytestmark = pytest.mark.django_db(transaction=True)


def a_living_ladder(bots: int = 3) -> Ladder:
    """A ladder whose bots are uploaded and entered; all the rest is up to the processes."""
    ladder = a_ladder(players=3, sets_wanted=1000)
    for number in range(bots):
        version = an_upload(a_bot(), SAMPLE + f"# {number}\n".encode())
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return ladder


def rated(ladder: Ladder) -> int:
    return ladder.sets.filter(rated=True).count()


def sets_more(crew: Crew, ladder: Ladder, count: int, after: str) -> None:
    before = rated(ladder)
    crew.until(f"{count} more sets after {after}", lambda: rated(ladder) >= before + count)


def assert_the_ledger_is_sound(crew: Crew, ladder: Ladder) -> None:
    left = crew.stop_all()
    assert set(left.values()) == {0}, f"{left}\n{crew.logs()}"
    done = Match.objects.filter(status="done")
    assert Result.objects.count() == done.count() == done.filter(result__isnull=False).count()
    assert Attempt.objects.filter(outcome="recorded").count() == done.count()
    assert not MatchSet.objects.filter(status="complete").exclude(matches__status="done").exists()
    assert not MatchSet.objects.filter(status="cancelled").exists()
    for result in Result.objects.all():
        verify(read_replay(bytes(result.replay)))
    recompute(ladder=ladder)
    assert sum(ladder.ratings.values_list("milli_elo", flat=True)) == 1_500_000 * ladder.ratings.count()
    assert recompute(ladder=ladder) == {}


def processes_are_killed(crew: Crew, ladder: Ladder) -> None:
    for name in ("worker", "recorder", "dispatcher") * thorough.budget(1, full=5):
        crew.kill(name)
        crew.start(name)
        sets_more(crew, ladder, 2, f"the {name} was killed")


def the_broker_loses_everything(crew: Crew, ladder: Ladder) -> None:
    for _ in range(thorough.budget(1, full=5)):
        Redis.from_url(crew.broker.url).flushall()
        sets_more(crew, ladder, 2, "the loss")


def the_broker_is_killed(crew: Crew, ladder: Ladder) -> None:
    before = crew.times("dispatcher", "a server is away")
    crew.kill_broker()
    crew.until("the dispatcher to notice", lambda: crew.times("dispatcher", "a server is away") > before)
    crew.broker.start()
    sets_more(crew, ladder, 3, "the broker was killed")


def the_broker_is_killed_and_forgets(crew: Crew, ladder: Ladder) -> None:
    before = crew.times("dispatcher", "a server is away")
    crew.kill_broker()
    crew.until("the dispatcher to notice", lambda: crew.times("dispatcher", "a server is away") > before)
    shutil.rmtree(crew.broker.folder)
    crew.broker.start()
    sets_more(crew, ladder, 3, "the broker lost its memory")


def an_acknowledgement_is_lost_with_the_broker(crew: Crew, ladder: Ladder) -> None:
    before = crew.times("recorder", "Couldn't ack")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE tournaments_result IN EXCLUSIVE MODE")
        to_write = "NOT granted AND mode = 'RowExclusiveLock' AND relation = 'tournaments_result'::regclass"
        to_write += " AND query NOT LIKE 'UPDATE %'"  # the dispatcher's, which notes headlines
        waiting = f"SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE {to_write}"  # noqa: S608
        crew.until("a report in hand", lambda: cursor.execute(waiting).fetchone() != (0,))
        crew.kill_broker()
    crew.until("its acknowledgement to fail", lambda: crew.times("recorder", "Couldn't ack") > before)
    crew.broker.start()
    sets_more(crew, ladder, 3, "an acknowledgement was lost")


def the_database_drops_every_connection(crew: Crew, ladder: Ladder) -> None:
    for _ in range(thorough.budget(1, full=5)):
        with connection.cursor() as cursor:
            other_connections = "pid <> pg_backend_pid() AND datname = current_database()"
            cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {other_connections}")  # noqa: S608
        sets_more(crew, ladder, 2, "every connection was dropped")


def the_leading_dispatcher_is_killed(crew: Crew, ladder: Ladder) -> None:
    assert crew.says("dispatcher", "this process leads")
    crew.start("dispatcher-2")
    sets_more(crew, ladder, 2, "a second dispatcher came")
    assert not crew.says("dispatcher-2", "this process leads")
    crew.kill("dispatcher")
    crew.until("the second to lead", lambda: crew.says("dispatcher-2", "this process leads"))
    sets_more(crew, ladder, 2, "the first was killed")


FAULTS: tuple[Callable[[Crew, Ladder], None], ...] = (
    processes_are_killed,
    the_broker_loses_everything,
    the_broker_is_killed,
    the_broker_is_killed_and_forgets,
    an_acknowledgement_is_lost_with_the_broker,
    the_database_drops_every_connection,
    the_leading_dispatcher_is_killed,  # the last: the first dispatcher does not come back
)
ALONE = [[fault] for fault in FAULTS[: thorough.budget(0, full=len(FAULTS))]]


@pytest.mark.parametrize("faults", [FAULTS, *ALONE], ids=["all", *(fault.__name__ for (fault,) in ALONE)])
def test_bots_are_checked_paired_played_recorded_and_rated_whatever_is_killed(
    crew: Crew, faults: Sequence[Callable[[Crew, Ladder], None]]
) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    sets_more(crew, ladder, 1, "the start")
    assert set(Version.objects.values_list("status", flat=True)) == {"active"}
    for fault in faults:
        fault(crew, ladder)
    assert_the_ledger_is_sound(crew, ladder)
