"""Which sets a fit takes in, from where it goes on, and who hears of it. No match is played: places are entered."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import a_bot, a_ladder, an_upload
from tournaments.core.broker import queues
from tournaments.ledger.ladders import official_fit
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.foreseen_fits import foresee, keeping_fits
from tournaments.ledger.ladders.official_fit import memories, rate_new_sets, recompute, refit, refit_due, settle_ratings
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Fit, Ladder, MatchSet, Rating, Seat, Version
from tournaments.ratings.pairs import Pairs

pytestmark = pytest.mark.django_db


@pytest.fixture
def rivals() -> tuple[Ladder, list[Version]]:
    ladder, versions = a_ladder(players=2), [an_upload(a_bot()) for _ in range(2)]
    Version.objects.update(status=Version.Status.ACTIVE)
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return ladder, versions


Rivals = tuple[Ladder, list[Version]]


def a_win(rivals: Rivals, *, ago: float = 0, forfeit: bool = False) -> MatchSet:
    """A rated set, so many seconds old, that the first has won."""
    ladder, (first, second) = rivals
    made = create_set(ladder=ladder, versions=[first.pk, second.pk])
    seats, how = Seat.objects.filter(match__set=made), "crashed" if forfeit else "ok"
    seats.filter(version=first).update(verdict="ok", place=1, score=9, cpu_ms=1.0)
    seats.filter(version=second).update(verdict=how, place=2, score=1, cpu_ms=1.0, forfeited=forfeit)
    made.matches.update(status="done")
    ended = timezone.now() - timedelta(seconds=ago)
    MatchSet.objects.filter(pk=made.pk).update(status="complete", ended_at=ended)
    assert rate() == 1
    return made


def elos(ladder: Ladder) -> list[float | None]:
    return list(ladder.ratings.order_by("version").values_list("elo", flat=True))


def news(ladder: Ladder) -> int:
    return int(queues.broker().hget(queues.CHANGED, f"ladder {ladder.slug}") or 0)


def test_a_fit_is_not_stale_and_says_what_it_took(rivals: Rivals) -> None:
    ladder, _ = rivals
    a_win(rivals)
    refit(ladder=ladder)
    fit = Fit.objects.get(ladder=ladder)
    assert (fit.stale, fit.sets, 0 < fit.seconds < 60) == (False, 1, True)


def test_only_sets_of_the_last_minute_move_ratings_before_the_next_fit(rivals: Rivals) -> None:
    ladder, _ = rivals
    a_win(rivals)
    refit(ladder=ladder)
    a_win(rivals, ago=90)
    assert [rate_new_sets(ladder=ladder)] == [False]
    before = elos(ladder)
    a_win(rivals, ago=50)
    assert [rate_new_sets(ladder=ladder), rate_new_sets(ladder=ladder)] == [True, False]
    assert elos(ladder) != before


def test_pages_of_the_ladder_have_news_of_each_fit_and_of_what_lands(
    rivals: Rivals, django_capture_on_commit_callbacks: Any
) -> None:
    ladder, _ = rivals
    a_win(rivals)
    before = news(ladder)
    with django_capture_on_commit_callbacks(execute=True):
        refit(ladder=ladder)
    assert news(ladder) == before + 1
    a_win(rivals)
    with django_capture_on_commit_callbacks(execute=True):
        rate_new_sets(ladder=ladder)
    assert news(ladder) == before + 2


@pytest.mark.parametrize("act", [refit, rate_new_sets, settle_ratings, recompute])
def test_whatever_changes_ratings_locks_the_ladder_first(act: Any, rivals: Rivals) -> None:
    ladder, _ = rivals
    a_win(rivals)
    refit(ladder=ladder)
    with CaptureQueriesContext(connection) as asked:
        act(ladder=ladder)
    first = next(query["sql"] for query in asked if not query["sql"].startswith("SAVEPOINT"))
    assert "pg_advisory_xact_lock" in first


def test_the_sums_of_sets_are_kept_from_fit_to_fit_unless_the_margin_changes(rivals: Rivals) -> None:
    ladder, _ = rivals
    a_win(rivals)
    refit(ladder=ladder)
    sums = memories[ladder.pk].pairs
    refit(ladder=ladder)
    assert memories[ladder.pk].pairs is sums
    a_win(rivals)
    refit(ladder=ladder)
    assert memories[ladder.pk].pairs is sums
    ladder.margin = 5
    ladder.save()
    refit(ladder=ladder)
    assert (memories[ladder.pk].pairs.margin, Fit.objects.get(ladder=ladder).sets) == (5, 2)


def test_a_fit_that_was_foreseen_is_not_computed_again_and_one_of_another_ledger_is(rivals: Rivals) -> None:
    ladder, _ = rivals
    a_win(rivals)
    with keeping_fits():
        foreseen = foresee(ledger_of(ladder))
        assert refit(ladder=ladder) is foreseen
        a_win(rivals)
        assert refit(ladder=ladder) is not foreseen
        foreseen = foresee(ledger_of(ladder))
        ladder.margin = 5
        ladder.save()
        assert refit(ladder=ladder) is not foreseen
    assert Fit.objects.get(ladder=ladder).sets == 2


def test_settling_computes_both_ratings_again_without_what_is_void(rivals: Rivals) -> None:
    ladder, _ = rivals
    won, _ = a_win(rivals), a_win(rivals)
    refit(ladder=ladder)
    both = elos(ladder), ladder.ratings.order_by("version").first()
    MatchSet.objects.filter(pk=won.pk).update(status="void", rated=False)
    settle_ratings(ladder=ladder, first=won.number)
    assert both[1] is not None
    after = Rating.objects.get(pk=both[1].pk)
    assert (after.sets, both[1].sets, elos(ladder) == both[0]) == (1, 2, False)
    assert Fit.objects.get(ladder=ladder).sets == 1


def test_settling_fits_a_ladder_that_has_ratings_and_no_fit_and_leaves_one_alone_that_has_neither(
    rivals: Rivals,
) -> None:
    ladder, _ = rivals
    settle_ratings(ladder=ladder)
    assert not Fit.objects.exists()
    a_win(rivals)
    settle_ratings(ladder=ladder)
    assert Fit.objects.get().sets == 1


def test_a_suspension_ends_with_the_forfeits_that_led_to_it(rivals: Rivals) -> None:
    ladder, (_, bad) = rivals
    sets = [a_win(rivals, forfeit=True) for _ in range(3)]
    entry = ladder.entries.get(bot=bad.bot)
    assert entry.status == "suspended"
    settle_ratings(ladder=ladder, first=1)
    entry.refresh_from_db()
    assert entry.status == "suspended"
    MatchSet.objects.filter(pk=sets[1].pk).update(status="void", rated=False)
    settle_ratings(ladder=ladder, first=sets[1].number)
    entry.refresh_from_db()
    assert entry.status == "playing"


def test_recomputing_trusts_no_sums_that_are_kept_and_counts_what_counts(rivals: Rivals) -> None:
    ladder, _ = rivals
    made = a_win(rivals)
    refit(ladder=ladder)
    memories[ladder.pk].pairs = Pairs(margin=ladder.margin)
    assert recompute(ladder=ladder) == {}
    MatchSet.objects.filter(pk=made.pk).update(counts=False, rated=False)
    recompute(ladder=ladder)
    made.refresh_from_db()
    assert made.counts


def test_a_ladder_is_fitted_by_another_process_and_here_again(rivals: Rivals) -> None:
    ladder, _ = rivals
    a_win(rivals)
    assert refit_due() == 1
    official_fit.memories[ladder.pk].made_at = None
    a_win(rivals)
    assert (refit_due(), Fit.objects.get(ladder=ladder).sets) == (1, 2)
