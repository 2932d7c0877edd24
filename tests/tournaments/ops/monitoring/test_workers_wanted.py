"""How many workers are wanted: by what waits, times how long it takes."""

import pytest
from django.utils import timezone

from tests.factories import a_completed_set, a_ladder, a_version
from tests.spaces import a_space
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Entry, Ladder, MatchSet, Result, Version
from tournaments.ops.monitoring.workers_wanted import SOON, UNMEASURED, matches_due, workers_wanted

pytestmark = pytest.mark.django_db


def versions(count: int = 3) -> list[Version]:
    return [a_version() for _ in range(count)]


def entered(ladder: Ladder, seated: list[Version]) -> None:
    for version in seated:
        ladder.entries.create(bot=version.bot)


def took(ladder: Ladder, seconds: float, worker: str = "den/1") -> None:
    Result.objects.filter(match__set__ladder=ladder).update(seconds=seconds, worker=worker)


def test_without_work_nobody_is_wanted_and_with_any_somebody() -> None:
    MatchSet.objects.update(status="complete", ended_at=timezone.now())
    assert workers_wanted() == 0
    create_set(ladder=a_ladder(), versions=[version.pk for version in versions()])
    assert workers_wanted() == 1


def test_work_is_measured_by_the_latest_matches_of_its_ladder() -> None:
    ladder, seated = a_ladder(), versions()
    a_completed_set(ladder, seated)
    create_set(ladder=ladder, versions=[version.pk for version in seated])
    for seconds, count in ((1.0, 1), (SOON, 3), (2.5 * SOON, 8)):
        took(ladder, seconds)
        assert workers_wanted() == count


def test_a_match_of_no_known_length_takes_as_long_as_the_site_is_used_to() -> None:
    ladder, seated = a_ladder(), versions()
    create_set(ladder=ladder, versions=[version.pk for version in seated])
    Result.objects.update(seconds=SOON / 2)
    assert workers_wanted() == 2
    Result.objects.all().delete()
    assert UNMEASURED < SOON / 3
    assert workers_wanted() == 1


def test_what_a_spaces_worker_says_of_its_time_wants_no_worker_of_the_site() -> None:
    ladder, seated = a_ladder(), versions()
    a_completed_set(ladder, seated)
    create_set(ladder=ladder, versions=[version.pk for version in seated])
    Result.objects.update(seconds=1.0)
    took(ladder, 1e9, worker="liar@club/1")
    assert workers_wanted() == 1


def test_a_space_whose_own_workers_play_alone_wants_none() -> None:
    space = a_space()
    space.own_workers_alone = True
    space.save()
    ladder, seated = a_ladder(space=space), versions()
    entered(ladder, seated)
    create_set(ladder=ladder, versions=[version.pk for version in seated])
    assert workers_wanted() == 0
    space.own_workers_alone = False
    space.save()
    assert workers_wanted() > 0


def test_sets_that_a_ladder_has_still_to_make_are_work_and_open_ones_are_counted_once() -> None:
    ladder, seated = a_ladder(sets_wanted=10), versions()
    assert matches_due() == {}
    entered(ladder, seated[:2])
    assert matches_due() == {}  # too few for a table
    entered(ladder, seated[2:])
    assert matches_due() == {ladder.pk: 30}
    Result.objects.update(seconds=SOON / 10)
    assert workers_wanted() == 3
    create_set(ladder=ladder, versions=[version.pk for version in seated])
    assert workers_wanted() == 3
    ladder.ratings.create(version=seated[0], sets=10, milli_elo=0)
    ladder.ratings.create(version=seated[1], sets=12, milli_elo=0)
    assert matches_due() == {ladder.pk: 10}
    ladder.status = Ladder.Status.PAUSED
    ladder.save()
    assert matches_due() == {}


def test_who_does_not_play_is_owed_no_set() -> None:
    ladder, seated = a_ladder(sets_wanted=10), versions(4)
    entered(ladder, seated)
    ladder.entries.filter(bot=seated[0].bot).update(status=Entry.Status.SUSPENDED)
    assert matches_due() == {ladder.pk: 30}
    Version.objects.filter(pk=seated[1].pk).update(status=Version.Status.RETIRED)
    assert matches_due() == {}
    a_version(seated[1].bot)
    assert matches_due() == {ladder.pk: 30}
