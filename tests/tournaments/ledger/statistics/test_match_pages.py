"""Pages of matches by ladder and bot hold the same matches, in the same order, as the whole list filtered by them."""

from collections.abc import Callable
from functools import partial
from itertools import product
from random import Random

import pytest
from django.db.models import F

from tests.factories import a_bot, a_ladder, a_version
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.statistics.match_pages import Place, ids_in_ladder, ids_of_bot, ids_of_versions, match_ids
from tournaments.models import Ladder, Match, Version

pytestmark = pytest.mark.django_db
Looking = Callable[[Place], list[int]]


@pytest.fixture
def ladders() -> list[Ladder]:
    return [a_ladder() for _ in range(3)]


@pytest.fixture
def versions(ladders: list[Ladder]) -> list[Version]:
    """Versions of five bots, the first with two; nine sets of any three in any of the ladders but the last."""
    bots = [a_bot() for _ in range(5)]
    made = [a_version(bot) for bot in [*bots, bots[0]]]
    draw = Random("match pages")
    for _ in range(9):
        create_set(ladder=draw.choice(ladders[:2]), versions=[version.pk for version in draw.sample(made[1:], 3)])
    return made


def is_the_same(looked: Looking, expected: list[int]) -> None:
    """Compare pages at every depth, both ways."""
    ids = list(Match.objects.order_by("pk").values_list("pk", flat=True))
    cursors = ids[::5]
    for cursor, length, forward in product([None, 0, *cursors, ids[-1] + 1], (1, 4, 21), (False, True)):
        place = Place(cursor, length, forward)
        beyond = [number for number in expected if cursor is None or (number > cursor if forward else number < cursor)]
        assert looked(place) == sorted(beyond, reverse=not forward)[:length], place


def test_pages_of_a_ladder(ladders: list[Ladder], versions: list[Version]) -> None:
    for ladder in ladders:
        expected = list(Match.objects.filter(set__ladder=ladder).values_list("pk", flat=True))
        assert bool(expected) == (ladder != ladders[2])
        is_the_same(partial(ids_in_ladder, Match.objects.all(), ladder), expected)


def test_pages_of_a_ladder_in_which_few_belong_on_the_list(ladders: list[Ladder], versions: list[Version]) -> None:
    matches = Match.objects.filter(set__ladder=ladders[0]).order_by("pk").values_list("pk", flat=True)
    listed = Match.objects.filter(pk__in=[matches[1], matches[len(matches) - 1]])
    is_the_same(partial(ids_in_ladder, listed, ladders[0]), [match.pk for match in listed])


def test_pages_of_a_ladder_that_dealt_while_another_did(ladders: list[Ladder], versions: list[Version]) -> None:
    """The set of the one is made first, its matches last."""
    first, second = (
        create_set(ladder=ladder, versions=[version.pk for version in versions[1:4]]) for ladder in ladders[:2]
    )
    early, late = (list(made.matches.values_list("pk", flat=True)) for made in (first, second))
    Match.objects.filter(pk__in=late).update(turn=F("turn") + 9)  # out of the way
    for ids, made in ((early, second), (late, first)):
        for turn, pk in enumerate(ids):
            Match.objects.filter(pk=pk).update(set=made, turn=turn + 20)
    for ladder in ladders[:2]:
        expected = list(Match.objects.filter(set__ladder=ladder).values_list("pk", flat=True))
        is_the_same(partial(ids_in_ladder, Match.objects.all(), ladder), expected)


def test_pages_of_a_bot_and_of_a_version(versions: list[Version]) -> None:
    for version in (versions[1], versions[5]):
        mine = Match.objects.filter(seats__version__bot=version.bot).distinct().values_list("pk", flat=True)
        is_the_same(partial(ids_of_bot, Match.objects.all(), version.bot), list(mine))
        of_version = Match.objects.filter(seats__version=version).distinct().values_list("pk", flat=True)
        is_the_same(partial(ids_of_versions, Match.objects.all(), [version.pk]), list(of_version))
    is_the_same(partial(ids_of_versions, Match.objects.all(), []), [])


def test_pages_of_all(versions: list[Version]) -> None:
    is_the_same(partial(match_ids, Match.objects.all()), list(Match.objects.values_list("pk", flat=True)))
