"""The classic ratings are those of a fold from the beginning, whatever happens while they are computed."""

from collections.abc import Sequence
from functools import partial
from itertools import count

import pytest

from tests.factories import a_ladder, a_user, a_version
from tests.meanwhile import meanwhile
from tests.seasons import end_set
from tests.tournaments.ledger.ladders.test_classic_elo import numbers
from tournaments.ledger.acts.disqualification import Disqualify
from tournaments.ledger.ladders.classic_elo import COUNTING, rate
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Bot, Ladder

Pair = list[int]  # of versions, the better first


def two_pairs() -> list[Pair]:
    forerunner = a_version()
    return [[a_version(forerunner.bot).pk, a_version().pk], [a_version().pk, a_version().pk]]


def a_rated_ladder(pairs: Sequence[Pair]) -> Ladder:
    ladder = a_ladder(players=2)
    for _ in range(2):
        for pair in pairs:
            end_set(create_set(ladder=ladder, versions=pair), pair)
    rate()
    return ladder


def check_computed(ladder: Ladder) -> None:
    """Nothing is left to rate, and a computation from the beginning finds nothing else."""
    rate()
    before = numbers(ladder)
    assert not ladder.sets.filter(COUNTING, rated=False).exists()
    assert recompute(ladder=ladder) == {}
    assert numbers(ladder) == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("late", [0, 1])
def test_a_set_that_completes_between_two_queries_is_rated_as_if_it_had_completed_before(late: int) -> None:
    pairs = two_pairs()
    for after in count(1):
        ladder = a_rated_ladder(pairs)
        made = [create_set(ladder=ladder, versions=pair) for pair in pairs]
        end_set(made[1 - late], pairs[1 - late])
        with meanwhile(partial(end_set, made[late], pairs[late]), after=after) as other:
            rate()
        check_computed(ladder)
        if not other.began:
            return


@pytest.mark.django_db
def test_sets_leave_the_ratings_whose_bot_went_to_somebody_disqualified() -> None:
    pairs, banned = two_pairs(), a_user()
    ladder = a_rated_ladder(pairs)
    Disqualify(ladder=ladder, owner=banned).do(by=a_user(staff=True), reason="test")
    Bot.objects.filter(versions__in=pairs[0]).update(owner=banned)
    end_set(create_set(ladder=ladder, versions=pairs[1]), pairs[1])
    check_computed(ladder)
    assert set(ladder.ratings.values_list("version", flat=True)) == {*pairs[1]}
