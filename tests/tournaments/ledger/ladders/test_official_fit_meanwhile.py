"""A computation of all ratings finds no difference where there is none."""

from collections.abc import Callable

import pytest

from tests.factories import a_version
from tests.meanwhile import meanwhile
from tests.seasons import end_set, fit
from tests.tournaments.ledger.ladders.test_classic_elo_meanwhile import a_rated_ladder, two_pairs
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import FitMemory, memories, recompute, refit
from tournaments.ledger.ladders.rating_ledger import sets_in_order
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Fit, Ladder, Rating
from tournaments.ratings.pairs import Pairs

pytestmark = pytest.mark.django_db
VERSIONS_READ = 'FROM "tournaments_version"'


@pytest.fixture
def ladder() -> Ladder:
    ladder = a_rated_ladder(two_pairs())
    fit()
    return ladder


def a_set_that_nobody_has_rated(ladder: Ladder) -> None:
    pair = list(ladder.ratings.order_by("version").values_list("version", flat=True)[:2])
    end_set(create_set(ladder=ladder, versions=pair), pair)


def a_new_version(ladder: Ladder) -> None:
    for rating in ladder.ratings.select_related("version__bot"):
        a_version(rating.version.bot)


def a_new_bot(ladder: Ladder) -> None:
    bot = a_version().bot
    enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)


def a_fit_by_an_older_release(ladder: Ladder) -> None:
    Fit.objects.filter(ladder=ladder).update(rules=1)
    Rating.objects.filter(ladder=ladder).update(fitted=1.0)


def a_fit_on_another_machine(ladder: Ladder) -> None:
    for rating in ladder.ratings.all():
        Rating.objects.filter(pk=rating.pk).update(fitted=(rating.fitted or 0) + 1e-9)


def a_fit_that_waits(ladder: Ladder) -> None:
    Fit.objects.filter(ladder=ladder).update(stale=True)


@pytest.mark.parametrize(
    "change",
    [
        a_set_that_nobody_has_rated,
        a_new_version,
        a_new_bot,
        a_fit_by_an_older_release,
        a_fit_on_another_machine,
        a_fit_that_waits,
    ],
)
def test_what_a_good_backup_may_hold_is_no_difference(change: Callable[[Ladder], None], ladder: Ladder) -> None:
    change(ladder)
    assert recompute(ladder=ladder) == {}


def test_a_fit_counts_no_set_twice_that_one_before_had_read_when_it_was_interrupted(ladder: Ladder) -> None:
    sets = list(sets_in_order(ladder.sets.filter(rated=True)))
    memories[ladder.pk] = FitMemory(Pairs(sets[:3]))
    refit(ladder=ladder)
    assert memories[ladder.pk].pairs.taken == Pairs(sets).taken


@pytest.mark.django_db(transaction=True)
def test_what_makes_a_fit_stale_while_it_is_made_is_not_forgotten() -> None:
    ladder = a_rated_ladder(two_pairs())
    fit()
    rated = Fit.objects.filter(ladder=ladder)
    with meanwhile(lambda: rated.update(stale=True), after=VERSIONS_READ) as other:
        refit(ladder=ladder)
    assert other.outcome() == 1
    assert rated.get().stale
