"""The engine is upgraded while matches are queued: both releases run side by side, each with its own rules."""

import pytest

from engine.replay import read_replay, verify
from tests.factories import a_ladder, a_version
from tests.faults.crew import Crew
from tests.faults.older import RULES
from tournaments.core.broker.available_workers import outdated
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Attempt, Ladder, Match, MatchSet, Result

pytestmark = pytest.mark.django_db(transaction=True)


def sets_of(ladder: Ladder, count: int, versions: list[int]) -> list[int]:
    return [create_set(ladder=ladder, versions=versions).pk for _ in range(count)]


def over(sets: list[int]) -> bool:
    return not MatchSet.objects.filter(pk__in=sets).exclude(status="complete").exists()


def test_what_was_dealt_under_the_old_rules_is_played_and_recorded_by_the_old_release(crew: Crew) -> None:
    versions = [a_version().pk for _ in range(2)]
    paused = Ladder.Status.PAUSED  # only what the test deals is played
    old = sets_of(a_ladder(players=2, rules=RULES, status=paused), 4, versions)
    new_ladder = a_ladder(players=2, status=paused)
    new = sets_of(new_ladder, 4, versions)
    crew.start("recorder", "dispatcher", "worker")
    crew.until("the sets of the new rules", lambda: over(new))
    assert not Attempt.objects.filter(match__set__in=old).exists()  # they wait, and nobody is charged
    assert set(outdated().values_list("pk", flat=True)) == set(old)
    crew.start("recorder_older", "worker_older")
    crew.until("a match of the old rules", lambda: Result.objects.filter(match__set__in=old).exists())
    crew.kill("worker_older")
    crew.start("worker_older")
    also_new = sets_of(new_ladder, 2, versions)
    crew.until("the sets of the old rules", lambda: over(old) and over(also_new))
    assert (crew.stop("worker_older"), crew.stop("recorder_older")) == (0, 0)
    assert_each_was_recorded_once(old, new + also_new)
    assert not outdated().exists()


def assert_each_was_recorded_once(old: list[int], new: list[int]) -> None:
    played = Match.objects.filter(set__in=old + new)
    assert not played.exclude(status="done").exists()
    assert Attempt.objects.filter(match__in=played, outcome="recorded").count() == played.count() == 2 * len(old + new)
    for result in Result.objects.filter(match__in=played):
        assert result.worker.startswith("worker-older/") == (result.match.set_id in old)
        replay = read_replay(bytes(result.replay))
        if result.match.set_id in new:
            verify(replay)
        assert replay.rules == result.match.set.rules
