"""A version that its owner brings back takes no luck along: neither at once, nor where it is frozen."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_user, an_upload
from tests.seasons import a_season, end_set, fit
from tournaments.ledger import acts
from tournaments.ledger.acts.base import Action
from tournaments.ledger.competitors.version_states import take_over
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.activation import activate
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Fit, Ladder, Version
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db


def with_two_versions() -> tuple[Ladder, Version, Version, Version]:
    """A bot whose first version won all, whose second lost all and plays now; and its rival."""
    ladder, (first, *rivals) = a_season(4)
    second = an_upload(first.bot)
    take_over(version=second)
    for _ in range(4):
        play(ladder, rivals[0], second)
    fit()
    long_ago = timezone.now() - timedelta(days=1)
    Version.objects.filter(pk__in=(first.pk, second.pk)).update(activated_at=long_ago)
    return ladder, first, second, rivals[0]


def play(ladder: Ladder, winner: Version, loser: Version) -> None:
    end_set(create_set(ladder=ladder, versions=[winner.pk, loser.pk]), [winner.pk, loser.pk])


def shown(ladder: Ladder, version: Version) -> tuple[int, float]:
    """The version that plays for the bot, and its rating."""
    line = next(line for line in standings(Ladder.objects.get(pk=ladder.pk)) if line.bot_id == version.bot_id)
    return line.version_id, line.elo


def do(action: Action) -> None:
    action.do(by=a_user(staff=True), reason="x")


def test_who_is_brought_back_begins_at_what_its_bot_played_and_goes_on_by_what_it_plays() -> None:
    ladder, first, second, rival = with_two_versions()
    lucky, unlucky = (rating.elo for rating in ladder.ratings.filter(version__in=(first, second)).order_by("version"))
    assert lucky is not None
    assert unlucky is not None
    activate(version=first, by=first.bot.owner)
    assert Fit.objects.get(ladder=ladder).stale  # without a set, too
    fit()
    plays, elo = shown(ladder, first)
    assert plays == first.pk
    assert unlucky < elo < lucky - 20
    assert standings(Ladder.objects.get(pk=ladder.pk))[0].sets  # of all that it has played
    for _ in range(3):
        play(ladder, rival, first)
    fit()
    assert shown(ladder, first)[1] < elo - 20  # by its own sets now, which it lost
    table = table_of(ledger_of(Ladder.objects.get(pk=ladder.pk)))
    assert [row.elo for row in table.rows if row.version == first.pk] == [shown(ladder, first)[1]]
    assert recompute(ladder=Ladder.objects.get(pk=ladder.pk)) == {}


def test_a_frozen_ladder_has_its_versions_and_what_they_count_by() -> None:
    ladder, first, second, _ = with_two_versions()
    before = shown(ladder, first)
    do(acts.Freeze(ladder))
    activate(version=first, by=first.bot.owner)
    assert not Fit.objects.get(ladder=ladder).stale
    fit()
    assert shown(ladder, first) == before == (second.pk, before[1])
    do(acts.Thaw(Ladder.objects.get(pk=ladder.pk)))
    fit()
    plays, elo = shown(ladder, first)
    assert (plays, elo != before[1]) == (first.pk, True)


def test_a_version_that_never_played_there_brings_nothing_back() -> None:
    ladder, first, second, rival = with_two_versions()
    third = an_upload(first.bot)
    take_over(version=third)
    fit()
    assert shown(ladder, first)[0] == third.pk
    assert set(ladder.ratings.values_list("version", flat=True)) >= {first.pk, second.pk, rival.pk}
    ratings = dict(ladder.ratings.values_list("version", "elo"))
    assert ratings[first.pk] != ratings[second.pk]
