"""What pages tell beyond the standings: each number is what the ledger says."""

import pytest

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_version, rate
from tests.holding import ROBIN, a_running, play_out
from tournaments.features.events.editions import seasons_of
from tournaments.ledger.statistics.trends import FORM, SETS, trends
from tournaments.ledger.statistics.upcoming import upcoming_sets
from tournaments.ledger.statistics.upsets import latest_upsets
from tournaments.models import Ladder, RatingStep, Version


@pytest.fixture
def ladder(db: None) -> Ladder:
    return a_ladder(players=2)


@pytest.fixture
def strong(ladder: Ladder) -> Version:
    return a_version(a_bot(name="strong"))


@pytest.fixture
def weak(ladder: Ladder) -> Version:
    return a_version(a_bot(name="weak"))


def beaten(ladder: Ladder, winner: Version, loser: Version, sets: int = 1) -> None:
    """Let the winner win every match of these sets."""
    for _ in range(sets):
        a_completed_set(ladder, [winner, loser], faults={loser.pk: Verdict.CRASHED})
    rate()


def test_a_trend_is_the_sum_of_what_its_sets_did(ladder: Ladder, strong: Version, weak: Version) -> None:
    beaten(ladder, strong, weak, 3)
    trend = trends(ladder, [strong.pk, weak.pk])[strong.pk]
    deltas = list(RatingStep.objects.filter(version=strong).order_by("set__number").values_list("delta", flat=True))
    assert trend.change == pytest.approx(sum(deltas[-SETS:]) / 1000)
    assert trend.form == [delta / 1000 for delta in deltas[-FORM:]]
    assert trends(a_ladder(), [strong.pk]) == {}


def test_an_upset_is_a_set_won_by_who_stood_far_below(ladder: Ladder, strong: Version, weak: Version) -> None:
    beaten(ladder, strong, weak)
    assert latest_upsets() == []  # they began level
    beaten(ladder, weak, strong)
    [upset] = latest_upsets()
    assert (upset.low.version, upset.high.version) == (weak.pk, strong.pk)
    assert (upset.low.bot, upset.low.ladder) == (weak.bot.name, ladder.title)
    first = RatingStep.objects.filter(set__number=1)
    assert upset.gap == (first.get(version=strong).milli_elo - first.get(version=weak).milli_elo) / 1000


def test_who_plays_next_is_told_until_the_set_is_over(ladder: Ladder, strong: Version, weak: Version) -> None:
    played = a_completed_set(ladder, [strong, weak])
    assert upcoming_sets(ladder) == []
    played.status, played.ended_at = "open", None
    played.save()
    [coming] = upcoming_sets(ladder)
    assert ({version.pk for version in coming.versions}, coming.done, coming.matches) == ({strong.pk, weak.pk}, 2, 2)


def test_seasons_go_back_as_far_as_each_names_the_one_before_and_tell_no_held_back_winner(db: None) -> None:
    first, held, last = play_out(a_running(3, ROBIN)), play_out(a_running(3, ROBIN)), a_running(3, ROBIN)
    assert seasons_of(first) == []
    held.previous, held.released, last.previous = first, 0, held
    held.save()
    last.save()
    seasons = seasons_of(last)
    assert [season.event.pk for season in seasons] == [last.pk, held.pk, first.pk]
    assert [bool(season.winners) for season in seasons] == [False, False, True]
    first.previous = last  # somebody made a ring of them
    first.save()
    last.refresh_from_db()
    assert len(seasons_of(last)) == 3
