"""What the dispatcher takes from the lines, from the database."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_completed_set, a_ladder, a_version
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.ledger.dispatch.waiting_sets import PACES, sets_to_send
from tournaments.ledger.matchmaking.ladder_sets import Waves, create_set
from tournaments.models import Attempt, MatchSet, Result, Seat, Version
from workers.identity import OUTSIDE
from workers.orders import TAG, queue_for
from workers.process_heartbeats import OnlineProcess

pytestmark = pytest.mark.django_db


def sent(workers: int) -> list[MatchSet]:
    crew = tuple(OnlineProcess.of(f"worker/{number}", TAG, ["python"]) for number in range(workers))
    return [
        match_set for match_set, _ in sets_to_send(AvailableWorkers(crew, any_online=True, tags=(TAG,)), timedelta())
    ]


def test_one_slow_bot_blocks_neither_the_queue_nor_the_pairing() -> None:
    ladder = a_ladder(players=2)
    slow, *fast = (a_version() for _ in range(4))
    for version in (slow, *fast):
        ladder.entries.create(bot=version.bot)
    for pair in ([slow, fast[0]], fast[:2], fast[1:], fast[::2]):
        a_completed_set(ladder, pair)
    Seat.objects.filter(version=slow).update(took_ms=100_000.0)
    PACES.forget()
    held = [create_set(ladder=ladder, versions=[slow.pk, fast[0].pk]) for _ in range(10)]
    quick = [create_set(ladder=ladder, versions=[version.pk for version in fast[1:]]) for _ in range(2)]
    chosen = sent(workers=2)
    assert [match_set for match_set in chosen if match_set in held] == held[:1]
    assert {match_set.pk for match_set in chosen} >= {match_set.pk for match_set in quick}
    tables = [table for _ in range(5) for table in Waves.of(ladder).following(4)]
    assert tables
    assert not any(slow.pk in table for table in tables)


def took(version: Version, *seconds: float) -> None:
    """Let it have taken so long in its sets of a ladder, the latest first."""
    seats = Seat.objects.filter(version=version, match__turn=0, match__set__ladder__isnull=False).order_by("-match")
    for seat, length in zip(seats, seconds, strict=False):
        Seat.objects.filter(pk=seat.pk).update(took_ms=1000 * length)


def test_slow_is_what_a_bot_itself_took_on_average() -> None:
    ladder = a_ladder(players=2)
    hurries, victim, honest = a_version(), a_version(), a_version()
    for _ in range(5):
        a_completed_set(ladder, [hurries, victim])
        a_completed_set(ladder, [honest, a_version()])
    Result.objects.filter(match__seats__version=hurries).update(seconds=12.0)  # whoever sits there, it takes so long
    took(hurries, 0.1, 11.0, 11.0, 11.0, 11.0)
    took(victim, *[0.2] * 5)
    took(honest, 20.0, *[0.2] * 4)  # once
    PACES.forget()
    versions = [hurries.pk, victim.pk, honest.pk]
    PACES.learn(versions)
    assert PACES.slow(versions, 2) == {hurries.pk}
    Seat.objects.update(took_ms=None, cpu_ms=9000.0)  # of matches before that was known
    PACES.forget()
    PACES.learn(versions)
    assert PACES.slow(versions, 2) == {*versions}
    Result.objects.update(worker="lab@_outside/1")  # which may say what it likes
    PACES.forget()
    PACES.learn(versions)
    assert PACES.slow(versions, 2) == set()


@pytest.mark.parametrize("outcome", ["void", "returned", "expired", "refused"])
@pytest.mark.parametrize(("names", "space"), [(["lab@_outside/1"], OUTSIDE), (["lab@_outside/1", "east/1"], "")])
def test_what_is_taken_in_vain_outside_goes_to_the_sites_workers_if_there_are_some(
    names: list[str], space: str, outcome: str
) -> None:
    ladder = a_ladder(players=2, outside_workers=True)
    match_set = create_set(ladder=ladder, versions=[a_version().pk, a_version().pk])
    here = tuple(OnlineProcess.of(name, TAG, ["python"]) for name in names)
    online = AvailableWorkers(here, any_online=True, tags=(TAG,))
    assert sets_to_send(online, timedelta(seconds=3)) == [(match_set, queue_for((), space=OUTSIDE))]
    before = timezone.now() - timedelta(minutes=1)
    match = match_set.matches.get(turn=0)
    Attempt.objects.create(match=match, lease=1, worker="lab@_outside/1", outcome=outcome, ended_at=before)
    assert sets_to_send(online, timedelta(seconds=3)) == [(match_set, queue_for((), space=space))]


def test_a_line_of_many_sets_does_not_keep_another_ladder_waiting() -> None:
    versions: list[Version] = [a_version(), a_version()]
    long, short = a_ladder(players=2), a_ladder(players=2)
    for ladder, count in ((long, 40), (short, 2)):
        for _ in range(count):
            create_set(ladder=ladder, versions=[version.pk for version in versions])
    chosen = sent(workers=4)
    assert [match_set.ladder for match_set in chosen].count(short) == 2
    assert len(chosen) == 8
