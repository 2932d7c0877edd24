"""Match workers that are blocked, drained, killed or lie, as real processes: their matches are played by others.

What is done to honest ones is done to the same crew in turn; with full budgets each also has a crew of its own.
"""

import time
from collections.abc import Callable, Sequence

import pytest

from tests import thorough
from tests.factories import SAMPLE, a_ladder, a_version
from tests.faults.crew import Crew
from tournaments.ledger.acts.workers import Block, Drain, Welcome
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording import divergent_workers
from tournaments.models import Act, Attempt, Ladder, Match, MatchSet, Result, Worker

pytestmark = pytest.mark.django_db(transaction=True)
SLOW = SAMPLE.replace(b"    return question.draw", b"    __import__('time').sleep(0.02)\n    return question.draw")
ORGANISER = "the organiser"


@pytest.fixture(autouse=True)
def patience(crew: Crew) -> None:
    """Leases as they are in life: nothing here waits for their end."""
    crew.settings = "tournaments.settings"


def some_sets(count: int, source: bytes = SAMPLE) -> list[MatchSet]:
    """Make sets of two bots of two owners, on a ladder that pairs none by itself."""
    ladder = a_ladder(players=2, status=Ladder.Status.PAUSED)
    versions = [a_version(data=source + f"# {number}\n".encode()) for number in range(2)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return [create_set(ladder=ladder, versions=[version.pk for version in versions]) for _ in range(count)]


def over() -> bool:
    return not MatchSet.objects.filter(status="open").exists()


def playing(worker: str) -> Attempt | None:
    return Attempt.objects.filter(outcome="playing", worker__startswith=f"{worker}/").first()


def assert_each_was_recorded_once() -> None:
    done = Match.objects.filter(status="done")
    assert Result.objects.count() == Attempt.objects.filter(outcome="recorded").count() == done.count()


def one_blocked_in_mid_match_is_not_believed_and_another_plays_the_match(crew: Crew) -> None:
    """Afterwards the first is there alone."""
    some_sets(3, SLOW)
    crew.start("worker-1", "worker-2")
    crew.until("both to be at work", lambda: bool(playing("worker-1") and playing("worker-2")))
    before = Result.objects.filter(worker__startswith="worker-1/").count()
    Block(Worker.objects.get(name="worker-1")).do(by=ORGANISER, reason="its token was stolen")
    crew.until("all sets", over)
    assert Result.objects.filter(worker__startswith="worker-1/").count() <= before + 1  # one may have been on its way
    assert not Attempt.objects.filter(failed=True).exists()
    assert_each_was_recorded_once()
    crew.until("it to rest", lambda: crew.says("worker-1", "resting: the worker worker-1 is blocked"))
    Welcome(Worker.objects.get(name="worker-1")).do(by=ORGANISER, reason="it has another token")
    assert crew.stop("worker-2") == 0
    some_sets(1)
    crew.until("a set by the one that is welcome again", over)


def a_drained_one_gives_back_what_it_has_not_begun_and_stays(crew: Crew) -> None:
    """Afterwards it is welcome again, beside another."""
    some_sets(2, SLOW)
    start_missing(crew, "worker-1")
    crew.until("it to be at work", lambda: playing("worker-1") is not None)
    Drain(Worker.objects.get(name="worker-1")).do(by=ORGANISER, reason="the machine is moved")
    crew.until("it to rest", lambda: playing("worker-1") is None)
    assert crew.running["worker-1"].poll() is None
    crew.start("worker-2")
    crew.until("the sets by another", over)
    assert crew.running["worker-1"].poll() is None
    assert not Attempt.objects.filter(failed=True).exists()
    assert_each_was_recorded_once()
    Welcome(Worker.objects.get(name="worker-1")).do(by=ORGANISER, reason="the machine has been moved")


def what_a_killed_one_was_at_is_played_again_before_its_lease_runs_out(crew: Crew) -> None:
    some_sets(6, SLOW)  # enough for one that comes late
    start_missing(crew, "worker-1", "worker-2")
    crew.until("both to be at work", lambda: bool(playing("worker-1") and playing("worker-2")))
    held = playing("worker-1")
    assert held
    killed = time.monotonic()
    crew.kill("worker-1")
    crew.until("its match to be given back", lambda: Match.objects.get(pk=held.match_id).lease > held.lease)
    print(f"recovered {time.monotonic() - killed:.1f} s after the kill")
    assert time.monotonic() - killed < 25  # the lease alone would take 30
    held.refresh_from_db()
    assert held.reason.endswith("began it and is gone")
    crew.until("all sets", over)
    assert_each_was_recorded_once()


def start_missing(crew: Crew, *names: str) -> None:
    crew.start(*(name for name in names if name not in crew.running))


FATES: tuple[Callable[[Crew], None], ...] = (
    one_blocked_in_mid_match_is_not_believed_and_another_plays_the_match,
    a_drained_one_gives_back_what_it_has_not_begun_and_stays,
    what_a_killed_one_was_at_is_played_again_before_its_lease_runs_out,
)
ALONE = [[fate] for fate in FATES[: thorough.budget(0, full=len(FATES))]]


@pytest.mark.parametrize("fates", [FATES, *ALONE], ids=["all", *(fate.__name__ for (fate,) in ALONE)])
def test_the_matches_of_workers_that_come_to_grief_are_played_by_others(
    crew: Crew, fates: Sequence[Callable[[Crew], None]]
) -> None:
    assert SLOW != SAMPLE
    crew.start("recorder", "dispatcher")
    for fate in fates:
        fate(crew)


def test_a_worker_that_lies_is_found_out_and_what_it_played_is_played_again(crew: Crew) -> None:
    some_sets(2)
    crew.checks = 1.0
    crew.start("recorder", "dispatcher", "worker_liar")
    crew.until("its sets", lambda: MatchSet.objects.filter(status="complete", number__isnull=False).count() == 2)
    for name in ("worker-1", "worker-2"):
        Worker.objects.get_or_create(name=name)  # they have played before: no check goes to who was only announced
    crew.start("worker-1", "worker-2")
    liar = Worker.objects.get(name="worker-liar")
    crew.until("it to be blocked", lambda: Worker.objects.get(pk=liar.pk).blocked)
    assert Act.objects.filter(kind=divergent_workers.DIVERGED).exclude(subject="worker worker-liar").count() == 0
    crew.until("its sets to be played again", lambda: replaced() and over())
    counting = Result.objects.filter(match__set__status="complete", match__set__number__isnull=False)
    assert counting.count() == 4
    assert not counting.filter(worker__startswith="worker-liar/").exists()
    assert Result.objects.filter(worker__startswith="worker-liar/", match__set__status="void").count() == 4
    crew.until("it to hear of it", lambda: crew.says("worker_liar", "resting: the worker worker-liar is blocked"))


def replaced() -> bool:
    return MatchSet.objects.filter(status="void", replacement__isnull=False).count() == 2
