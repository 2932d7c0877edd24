"""Real processes, killed in the middle of their work: nothing is lost, nothing is doubled."""

import pytest

from engine.replay import read, verify
from tests.factories import SAMPLE, a_bot, a_ladder, an_upload
from tests.faults.crew import Crew
from tournaments import bell
from tournaments.entering import enter
from tournaments.models import Attempt, Ladder, Match, MatchSet, Result, Version
from tournaments.rating import recompute

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


def assert_the_ledger_is_sound(ladder: Ladder) -> None:
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
    assert {name: crew.stop(name) for name in ("dispatcher", "worker", "recorder")} == {
        "dispatcher": 0,
        "worker": 0,
        "recorder": 0,
    }
    assert_the_ledger_is_sound(ladder)


def test_any_process_may_be_killed_at_any_moment(crew: Crew) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    crew.until("the first set", lambda: rated(ladder) >= 1)
    for name in ("worker", "recorder", "dispatcher") * 2:
        before = rated(ladder)
        crew.kill(name)
        crew.start(name)
        crew.until(f"sets after the {name} was killed", lambda: rated(ladder) >= before + 2)  # noqa: B023
    crew.stop("dispatcher")
    crew.until("what is under way", lambda: not Attempt.objects.filter(outcome="playing").exists(), 30)
    assert_the_ledger_is_sound(ladder)


def test_the_broker_may_lose_everything_at_any_moment(crew: Crew) -> None:
    ladder = a_living_ladder()
    crew.start("recorder", "dispatcher", "worker")
    for _ in range(3):
        before = rated(ladder)
        crew.until("two more sets", lambda: rated(ladder) >= before + 2)  # noqa: B023
        bell.broker().flushall()
    crew.until("sets after the last loss", lambda: rated(ladder) >= before + 4)
    crew.stop("dispatcher")
    assert_the_ledger_is_sound(ladder)
