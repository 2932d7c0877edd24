"""Real processes, killed in the middle of their work: nothing is lost, nothing is doubled."""

import shutil

import pytest
from django.db import connection, transaction
from redis import Redis

from engine.replay import read, verify
from tests.factories import SAMPLE, a_bot, a_ladder, an_upload
from tests.faults.crew import Crew
from tests.thorough import budget
from tournaments.ladders.entries import enter
from tournaments.ladders.official_fit import recompute
from tournaments.models import Attempt, Ladder, Match, MatchSet, Result, Version

pytestmark = pytest.mark.django_db(transaction=True)


def a_living_ladder(bots: int = 3) -> Ladder:
    """A ladder whose bots are uploaded and entered; all the rest is up to the processes."""
    ladder = a_ladder(players=3, sets_wanted=1000)
    for number in range(bots):
        version = an_upload(a_bot(), SAMPLE + f"# {number}\n".encode())
        enter(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return ladder


def rated(ladder: Ladder) -> int:
    return ladder.sets.filter(rated=True).count()


def assert_the_ledger_is_sound(crew: Crew, ladder: Ladder) -> None:
    left = {name: crew.stop(name) for name in list(crew.running)}
    assert set(left.values()) == {0}, f"{left}\n{crew.logs()}"
    done = Match.objects.filter(status="done")
    assert Result.objects.count() == done.count() == done.filter(result__isnull=False).count()
    assert Attempt.objects.filter(outcome="recorded").count() == done.count()
    assert not MatchSet.objects.filter(status="complete").exclude(matches__status="done").exists()
    assert not MatchSet.objects.filter(status="cancelled").exists()
    for result in Result.objects.all():
        verify(read(bytes(result.replay)))
    recompute(ladder=ladder)
    assert sum(ladder.ratings.values_list("milli_elo", flat=True)) == 1_500_000 * ladder.ratings.count()
    assert recompute(ladder=ladder) == {}


def test_bots_are_checked_paired_played_recorded_and_rated_by_themselves(crew: Crew) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    crew.until("three sets rated", lambda: rated(ladder) >= 3)
    assert set(Version.objects.values_list("status", flat=True)) == {"active"}
    assert_the_ledger_is_sound(crew, ladder)


def test_any_process_may_be_killed_at_any_moment(crew: Crew) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    crew.until("the first set", lambda: rated(ladder) >= 1)
    for name in ("worker", "recorder", "dispatcher") * budget(1, thorough=5):
        before = rated(ladder)
        crew.kill(name)
        crew.start(name)
        crew.until(f"sets after the {name} was killed", lambda: rated(ladder) >= before + 2)  # noqa: B023
    assert_the_ledger_is_sound(crew, ladder)


def test_the_broker_may_lose_everything_at_any_moment(crew: Crew) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    for _ in range(budget(1, thorough=5)):
        before = rated(ladder)
        crew.until("two more sets", lambda: rated(ladder) >= before + 2)  # noqa: B023
        Redis.from_url(crew.broker.url).flushall()
    crew.until("sets after the last loss", lambda: rated(ladder) >= before + 4)
    assert_the_ledger_is_sound(crew, ladder)


@pytest.mark.parametrize("remembers", [True, False])
def test_the_broker_may_be_killed_and_come_back_with_or_without_its_memory(crew: Crew, remembers: bool) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    crew.until("the first set", lambda: rated(ladder) >= 1)
    crew.kill_broker()
    crew.until("the dispatcher to notice", lambda: crew.says("dispatcher", "a server is away"))
    if not remembers:
        shutil.rmtree(crew.broker.folder)
    crew.broker.start()
    before = rated(ladder)
    crew.until("three more sets", lambda: rated(ladder) >= before + 3)
    assert_the_ledger_is_sound(crew, ladder)


def test_an_acknowledgement_may_be_lost_with_the_broker(crew: Crew) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    crew.until("the first set", lambda: rated(ladder) >= 1)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE tournaments_result IN ACCESS EXCLUSIVE MODE")
        to_write = "NOT granted AND mode = 'RowExclusiveLock' AND relation = 'tournaments_result'::regclass"
        waiting = f"SELECT count(*) FROM pg_locks WHERE {to_write}"  # noqa: S608  the dispatcher only reads there
        crew.until("a report in hand", lambda: cursor.execute(waiting).fetchone() != (0,))
        crew.kill_broker()
    crew.until("its acknowledgement to fail", lambda: crew.says("recorder", "Couldn't ack"))
    crew.broker.start()
    before = rated(ladder)
    crew.until("three more sets", lambda: rated(ladder) >= before + 3)
    assert_the_ledger_is_sound(crew, ladder)


def test_the_database_may_drop_every_connection_at_any_moment(crew: Crew) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    for _ in range(budget(1, thorough=5)):
        before = rated(ladder)
        crew.until("two more sets", lambda: rated(ladder) >= before + 2)  # noqa: B023
        with connection.cursor() as cursor:
            others = "pid <> pg_backend_pid() AND datname = current_database()"
            cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608
    crew.until("sets after the last time", lambda: rated(ladder) >= before + 4)
    assert_the_ledger_is_sound(crew, ladder)


def test_of_two_dispatchers_one_leads_and_the_other_takes_its_place(crew: Crew) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "worker", "dispatcher-1")
    crew.until("the first to lead", lambda: crew.says("dispatcher-1", "this process leads"))
    crew.start("dispatcher-2")
    crew.until("a set", lambda: rated(ladder) >= 1)
    assert not crew.says("dispatcher-2", "this process leads")
    crew.kill("dispatcher-1")
    before = rated(ladder)
    crew.until("two more sets", lambda: rated(ladder) >= before + 2)
    assert crew.says("dispatcher-2", "this process leads")
    assert_the_ledger_is_sound(crew, ladder)
