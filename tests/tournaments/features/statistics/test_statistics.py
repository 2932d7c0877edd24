"""Records, meetings and histories: each number is what the ledger says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_version, rate
from tournaments.features.statistics.bot_record import record_of, usage
from tournaments.features.statistics.deal_luck import luck_of_deals
from tournaments.features.statistics.head_to_head import meetings, wilson_interval
from tournaments.features.statistics.rating_history import histories, history_of
from tournaments.models import Ladder, Seat, Version


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


def test_a_meeting_counts_every_match_in_which_both_sat(ladder: Ladder, strong: Version, weak: Version) -> None:
    beaten(ladder, strong, weak, 2)
    met = meetings(ladder, [strong.bot_id, weak.bot_id])
    mine, reverse = met[strong.bot_id, weak.bot_id], met[weak.bot_id, strong.bot_id]
    assert (mine.games, mine.share, reverse.share) == (4, 1.0, 0.0)
    assert (mine.low, mine.high) == pytest.approx((1 - reverse.high, 1 - reverse.low))
    assert 0.3 < mine.low < 1.0
    assert meetings(ladder, [strong.bot_id], [weak.bot_id]) == {(strong.bot_id, weak.bot_id): mine}


@given(share=st.floats(0, 1), games=st.floats(0.5, 1e6))
def test_the_interval_holds_the_share_and_narrows_with_more_games(share: float, games: float) -> None:
    low, high = wilson_interval(share, games)
    assert 0 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1
    closer_low, closer_high = wilson_interval(share, 4 * games)
    assert closer_high - closer_low <= high - low + 1e-9


def test_a_history_goes_on_across_versions_and_can_be_leafed_through(
    ladder: Ladder, strong: Version, weak: Version
) -> None:
    beaten(ladder, strong, weak, 2)
    beaten(ladder, a_version(strong.bot), weak)
    steps = history_of(ladder, strong.bot_id)
    assert [(step.set, step.version) for step in steps] == [(1, 1), (2, 1), (3, 2)]
    assert [step.set for step in history_of(ladder, strong.bot_id, 1, before=3)] == [2]
    both = histories(ladder, [strong.bot_id, weak.bot_id])
    assert (both[strong.bot_id], len(both[weak.bot_id])) == (steps, 3)


def test_a_record_counts_by_seat_by_table_and_what_was_used(ladder: Ladder, strong: Version, weak: Version) -> None:
    beaten(ladder, strong, weak, 2)
    record = record_of(ladder, weak.bot)
    assert [(seat, tally.games, tally.wins, tally.forfeits) for seat, tally in record.by_seat] == [
        (0, 2, 0, 2),
        (1, 2, 0, 2),
    ]
    assert [(size, tally.place) for size, tally in record.by_size] == [(2, 2.0)]
    assert record.opponents == [strong.bot_id]
    assert record.cpu_ms == usage([1.5] * 4)
    assert usage([None]) is None


def test_the_deals_of_a_whole_set_even_out(ladder: Ladder, strong: Version, weak: Version) -> None:
    assert luck_of_deals(ladder, strong.bot) is None
    a_completed_set(ladder, [strong, weak])
    rate()
    luck = luck_of_deals(ladder, strong.bot)
    assert luck is not None
    assert (luck.sets, luck.games) == (1, 2)
    assert sum(lucky.beside.deal or 0 for lucky in luck.best) == pytest.approx(0)
    mine = Seat.objects.filter(version=strong, match__set__ladder=ladder)
    assert {lucky.match for lucky in luck.best} == set(mine.values_list("match", flat=True))
    assert not luck.worst, "each deal is shown once"
