"""A winner is shown at no less than before its set until its next one: on pages, in the export, after a restart."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import a_user, an_upload
from tests.seasons import a_season, end_set, fit
from tournaments.ledger import acts
from tournaments.ledger.competitors.version_states import take_over
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.official_fit import memories, rate_new_sets, recompute, refit, settle_ratings
from tournaments.ledger.ladders.rating_ledger import ledger_lines
from tournaments.ledger.ladders.rating_moves import latest_rated, moves_of
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.activation import activate
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Ladder, Rating, RatingMoves, Version
from tournaments.ratings.export import read
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db


class Season:
    """Of five bots: `winner` beats `loser`, who then loses all; so the fit takes back what the win had given."""

    def __init__(self) -> None:
        self.ladder, (self.winner, self.loser, *self.others) = a_season(5)
        long_ago = timezone.now() - timedelta(days=1)
        Version.objects.filter(pk=self.winner.pk).update(activated_at=long_ago)
        self.before = self.elo
        play(self.ladder, self.winner, self.loser)
        fit()
        self.risen = self.elo
        for rival in self.others * 4:
            play(self.ladder, rival, self.loser)

    @property
    def elo(self) -> float:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        return next(line.elo for line in standings(ladder) if line.bot_id == self.winner.bot_id)

    @property
    def rating(self) -> Rating:
        return self.ladder.ratings.get(version=self.winner)


def play(ladder: Ladder, winner: Version, loser: Version) -> None:
    end_set(create_set(ladder=ladder, versions=[winner.pk, loser.pk]), [winner.pk, loser.pk])


@pytest.fixture
def season() -> Season:
    return Season()


def test_it_is_shown_at_no_less_than_before_and_the_exact_fit_stands_beside_it(season: Season) -> None:
    assert season.risen > season.before
    fit()
    assert season.elo == season.before
    assert season.rating.fitted is not None
    assert season.rating.fitted < season.before - 0.1
    fit()  # without a set, in another process
    assert season.elo == season.before


def test_the_export_recomputes_to_the_last_digit(season: Season) -> None:
    fit()
    ladder = Ladder.objects.get(pk=season.ladder.pk)
    rows = {row.version: (row.rank, row.elo, row.ci95) for row in table_of(read(ledger_lines(ladder))).rows}
    assert rows == {line.version_id: (line.rank, line.elo, line.ci95) for line in standings(ladder)}
    play(ladder, season.loser, season.winner)
    rate()
    assert read(ledger_lines(ladder)).versions[season.winner.pk].floor is None  # of before its next set


def test_it_ends_with_its_next_set(season: Season) -> None:
    fit()
    play(season.ladder, season.winner, season.loser)
    fit()
    assert season.elo >= season.before  # won again
    play(season.ladder, season.loser, season.winner)
    fit()
    assert season.elo == round(season.rating.fitted or 0, 1) < season.before
    assert season.rating.floor is None


def test_a_set_that_lands_between_two_fits_never_lowers_its_winner(season: Season) -> None:
    fit()
    refit(ladder=season.ladder)
    play(season.ladder, season.winner, season.loser)
    rate()
    assert rate_new_sets(ladder=season.ladder)
    assert season.elo >= season.before
    play(season.ladder, season.loser, season.winner)
    rate()
    assert rate_new_sets(ladder=season.ladder)
    assert season.elo < season.before


def settle(season: Season) -> None:
    settle_ratings(ladder=season.ladder)


def void(season: Season) -> None:
    (played, *_) = season.ladder.sets.order_by("number")
    acts.VoidSet(set=played).do(by=a_user(staff=True), reason="x")


def compute_again(season: Season) -> None:
    assert recompute(ladder=season.ladder) == {}


@pytest.mark.parametrize("begin_anew", [settle, void, compute_again])
def test_what_organisers_change_begins_anew(season: Season, begin_anew: Callable[[Season], None]) -> None:
    fit()
    begin_anew(season)
    assert season.elo == round(season.rating.fitted or 0, 1)
    assert set(season.ladder.ratings.values_list("floor", flat=True)) == {None}


def test_a_version_that_plays_again_takes_no_floor_along(season: Season) -> None:
    fit()
    newer = an_upload(season.winner.bot)
    take_over(version=newer)
    for _ in range(3):
        play(season.ladder, season.others[0], newer)
    rate()  # and no fit before it goes back
    Version.objects.filter(bot=season.winner.bot).update(activated_at=timezone.now() - timedelta(days=1))
    activate(version=season.winner, by=season.winner.bot.owner)
    fit()
    assert season.elo < season.before - 10


def test_why_it_moved_says_so_and_adds_up(season: Season, client: Client) -> None:
    RatingMoves.objects.filter(ladder=season.ladder).update(made_at=timezone.now() - timedelta(minutes=5))
    fit()
    (move, *_) = moves_of(season.ladder, latest_rated(season.ladder, season.winner.bot))
    parts = (move.own, move.prior, move.opponents, move.versions, move.scale, move.floor)
    assert move.floor > 0
    assert move.after == season.before
    assert round(sum(parts), 1) == move.moved
    page = client.get(f"/bots/{season.winner.bot_id}/").content.decode()
    assert "whoever wins every game of a set is shown at no less than before" in page
    assert "is shown at no less" not in client.get(f"/bots/{season.others[0].bot_id}/").content.decode()


def test_floors_know_nothing_of_other_ladders(season: Season) -> None:
    fit()
    memories.clear()
    other, _ = a_season(3)
    assert not other.ratings.filter(version=season.winner).exists()
    assert season.elo == season.before
