"""Time-outs that one worker reports and two others do not see: too many of them block it, and nothing else does."""

from collections.abc import Iterable
from typing import Any, cast

import pytest
from django.utils import timezone

from engine.referee import Verdict
from engine.replay import read_replay
from tests.factories import a_bot, a_ladder, a_user, a_version, rate
from tests.tournaments.ledger.matchmaking.test_spot_checks import play_as, to_check
from tournaments.audit.log import PLATFORM
from tournaments.ledger.acts.void_sets import ReinstateSet
from tournaments.ledger.acts.workers import Welcome
from tournaments.ledger.ladders import classic_elo
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording import lone_time_outs
from tournaments.ledger.recording.divergent_workers import block_diverging, conclude_spot_checks
from tournaments.ledger.recording.lone_time_outs import MOST_OF_BOT, TIMED_OUT_ALONE
from tournaments.models import Act, Ladder, MatchSet, Result, Worker

pytestmark = pytest.mark.django_db(transaction=True)
LATE = Verdict.TIMED_OUT


@pytest.fixture(autouse=True)
def few_checks(settings: Any) -> None:
    settings.SPOT_CHECKS = 1e-9  # of what did not fail


@pytest.fixture
def ladder() -> Ladder:
    return a_ladder(players=2)


def bots(ladder: Ladder, owners: int) -> list[int]:
    """Versions of so many owners that play there."""
    versions = [a_version() for _ in range(owners)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return [version.pk for version in versions]


def play(ladder: Ladder, versions: Iterable[int], *plays: tuple[str, int | None], says: str = "the truth") -> MatchSet:
    """Play a set by the first of these workers and what is checked of it by the others; for which bot time ran out."""
    (first, late), *later = plays
    played = create_set(ladder=ladder, versions=list(versions))
    play_as(first, played, f"{says} {first if says == 'any' else ''}", {late: LATE} if late else None)
    for worker, late in later:
        for again in to_check():
            play_as(worker, again, f"{says} {worker if says == 'any' else ''}", {late: LATE} if late else None)
        conclude_spot_checks()
    return played


def lie(ladder: Ladder, liar: str, favoured: int, rivals: Iterable[int], **more: str) -> None:
    """The worker reports in a set against each rival that time ran out for it, and two others do not see that."""
    honest = [worker for worker in ("ada", "bob", "eve", "joe") if worker != liar]
    for rival in rivals:
        play(ladder, [favoured, rival], (liar, rival), *((worker, None) for worker in honest[:2]), **more)


def named() -> list[str]:
    return list(Act.objects.filter(kind=TIMED_OUT_ALONE).order_by("number").values_list("subject", flat=True))


def blocked() -> list[str]:
    block_diverging()
    return list(Worker.objects.filter(status=Worker.Status.BLOCKED).values_list("name", flat=True))


@pytest.mark.parametrize("says", ["the truth", "any"])
def test_a_worker_whose_rivals_time_out_nowhere_else_is_blocked_and_its_results_are_void(
    ladder: Ladder, says: str
) -> None:
    favoured, *rivals = bots(ladder, 5)
    lie(ladder, "ada", favoured, rivals * 2, says=says)
    assert named() == ["worker ada"] * 8
    assert not Act.objects.filter(kind="worker_diverged").exists()
    assert blocked() == ["ada"]
    assert not MatchSet.objects.filter(status="complete", number__isnull=False).exists()
    block = Act.objects.get(kind="block_worker")
    assert len(block.detail["because_of_acts"]) == 8
    Welcome(Worker.objects.get(name="ada")).do(by=PLATFORM, reason="mended")
    assert blocked() == []


def test_a_set_in_which_time_ran_out_at_one_worker_alone_is_dealt_again_once(ladder: Ladder) -> None:
    favoured, rival = bots(ladder, 2)
    lie(ladder, "ada", favoured, [rival])
    assert (blocked(), blocked()) == ([], [])
    late = MatchSet.objects.get(status="void")
    assert late.replacement.status == "open"
    ReinstateSet(late).do(by=PLATFORM, reason="an organiser has looked at it")
    assert blocked() == []
    late.refresh_from_db()
    assert late.status == "complete"


def test_a_set_is_rated_only_when_its_spot_check_is_over_or_nobody_takes_it(ladder: Ladder) -> None:
    favoured, rival = bots(ladder, 2)
    late = create_set(ladder=ladder, versions=[favoured, rival])
    play_as("ada", late, faults={rival: LATE})
    assert rate() == 0
    (check,) = to_check()
    MatchSet.objects.filter(pk=check.pk).update(created_at=timezone.now() - classic_elo.FOUND)
    assert rate() == 1  # nobody is there to play it
    other = create_set(ladder=ladder, versions=[rival, favoured])
    play_as("ada", other, faults={favoured: LATE})
    play_as("bob", to_check()[-1], faults={favoured: LATE})
    assert rate() == 0
    conclude_spot_checks()
    assert rate() == 1


def test_who_says_so_of_matches_that_others_played_is_named_as_well(ladder: Ladder) -> None:
    favoured, rival = bots(ladder, 2)
    play(ladder, [favoured, rival], ("ada", rival), ("bob", rival), ("eve", None))
    play(ladder, [favoured, rival], ("ada", favoured), ("eve", None), ("bob", favoured))
    assert named() == []  # two say so
    assert set(MatchSet.objects.filter(rechecks__isnull=False).values_list("reason", flat=True)) == {
        "confirmed",
        "different; a third worker plays it",
        "time ran out at some of three workers alone",
    }


def test_answers_before_time_ran_out_must_agree(ladder: Ladder, settings: Any) -> None:
    settings.SPOT_CHECKS = 1.0
    versions = bots(ladder, 2)
    played = create_set(ladder=ladder, versions=versions)
    play_as("bob", played)
    check = to_check()[0]
    first, later = asked_first(check, versions)
    play_as("ada", check, faults={first: Verdict.CRASHED, later: LATE})
    conclude_spot_checks()
    play_as("eve", to_check()[-1])
    conclude_spot_checks()
    diverged = Act.objects.get(kind="worker_diverged")
    assert (diverged.subject, diverged.detail["answer"]) == ("worker ada", 0)
    assert named() == []


def asked_first(check: MatchSet, versions: list[int]) -> list[int]:
    """The versions, that which answers first in the match that is checked in front."""
    assert check.rechecks
    answers = cast("list[list[int]]", read_replay(bytes(check.rechecks.result.replay)).answers)
    first = check.matches.get().seats.get(number=answers[0][0]).version_id
    return sorted(versions, key=lambda version: version != first)


def test_few_owners_cannot_frame_a_worker(ladder: Ladder) -> None:
    owners = a_user(), a_user()
    versions = [a_version(a_bot(owners[number % 2])) for number in range(6)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    favoured, *rivals = [version.pk for version in versions]
    lie(ladder, "ada", favoured, rivals * 2)
    assert (len(named()), blocked()) == (10, [])


def test_bots_that_time_out_at_another_worker_as_well_are_no_evidence(ladder: Ladder) -> None:
    favoured, *late = bots(ladder, 5)
    lie(ladder, "ada", favoured, late * 2)
    lie(ladder, "bob", favoured, late[:2])
    assert (named(), blocked()) == (["worker ada"] * 8, [])


def test_if_each_worker_has_bots_that_time_out_there_alone_nobody_is_blocked(ladder: Ladder) -> None:
    favoured, *late = bots(ladder, 10)
    for number, worker in enumerate(("ada", "bob", "eve")):
        lie(ladder, worker, favoured, late[3 * number : 3 * number + 3] * 2)
    assert (len(named()), blocked()) == (18, [])


def test_rare_time_outs_of_an_honest_worker_do_not_add_up(ladder: Ladder) -> None:
    favoured, *rivals = bots(ladder, 5)
    for rival in rivals * 2:
        lie(ladder, "ada", favoured, [rival])
        for _ in range(25):
            an_honest_set(ladder, [favoured, rival], "ada")
    assert (len(named()), blocked()) == (8, [])


def an_honest_set(ladder: Ladder, versions: list[int], worker: str) -> None:
    """One of its results, which is enough to count the set."""
    played = create_set(ladder=ladder, versions=versions)
    like = Result.objects.latest("pk")
    match = played.matches.earliest("turn")
    Result.objects.create(
        match=match, lease=1, worker=f"{worker}/1", tier="none", seconds=1, replay=like.replay, digest=like.digest
    )


def test_a_bot_names_a_worker_only_so_often(ladder: Ladder) -> None:
    favoured, rival = bots(ladder, 2)
    lie(ladder, "ada", favoured, [rival] * (MOST_OF_BOT + 1))
    assert len(named()) == MOST_OF_BOT


@pytest.mark.parametrize(("answer_ms", "bank_ms", "slower"), [(1000, 100, 4), (10, 30_000, 11)])
def test_a_bot_that_takes_a_quarter_of_its_time_elsewhere_is_no_evidence(
    monkeypatch: pytest.MonkeyPatch, answer_ms: int, bank_ms: int, slower: int
) -> None:
    """The bots of these tests take 1 ms for each answer, and the least that a ladder may grant for one is 10 ms."""
    monkeypatch.setattr(lone_time_outs, "SLOWER", slower)
    ladder = a_ladder(players=2, answer_ms=answer_ms, bank_ms=bank_ms)
    favoured, *rivals = bots(ladder, 3)
    lie(ladder, "ada", favoured, rivals)
    assert named() == []
