"""Why ratings moved, kept by day: brought up now and then, closed at the day's end, shown to everybody."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_version, rate
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.html import Html
from tournaments.ledger.ladders import official_fit
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import memories, refit
from tournaments.ledger.ladders.rating_moves import latest_rated, moves_of
from tournaments.models import FailingItem, Ladder, Rating, RatingMoves, Version

pytestmark = pytest.mark.django_db
PARTS = ("own", "prior", "opponents", "versions", "scale")


@pytest.fixture
def ladder() -> Ladder:
    """A ladder with a fit before any set: all stand at the mean."""
    memories.clear()
    ladder = a_ladder(players=2)
    for name in ("Ada", "Bob", "Cleo"):
        version = a_version(a_bot(name=name))
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    refit(ladder=ladder)
    return ladder


def versions() -> list[Version]:
    return list(Version.objects.order_by("bot__name"))


def a_set(ladder: Ladder, *pair: int) -> None:
    """Play a set that the first of them wins, for the others fail."""
    all_versions = versions()
    faults = {all_versions[place].pk: Verdict.CRASHED for place in pair[1:]}
    a_completed_set(ladder, [all_versions[place] for place in pair], faults=faults)
    rate()


def later(ladder: Ladder, days: int = 0, minutes: int = 0) -> None:
    """Make what was kept so old. Minutes after midnight it is still of today."""
    day = timezone.now() - timedelta(days=days)
    past = day - timedelta(minutes=minutes)
    RatingMoves.objects.filter(ladder=ladder).update(made_at=past, day=day.date(), began_at=past)


def shown(ladder: Ladder, place: int = 0) -> list[Any]:
    return moves_of(ladder, latest_rated(ladder, versions()[place].bot))


def test_a_set_is_seen_at_the_next_look_and_all_adds_up_to_the_published_rating(ladder: Ladder) -> None:
    a_set(ladder, 0, 1)
    RatingMoves.objects.update(made_at=timezone.now() - timedelta(minutes=2))
    refit(ladder=ladder)
    for place in (0, 1):
        [move] = shown(ladder, place)
        assert (move.before, move.sets) == (1500.0, 1)
        assert round(move.before + sum(getattr(move, part) for part in PARTS), 1) == move.after
        assert move.after == round(Rating.objects.get(version=versions()[place]).fitted or 0.0, 1)
    assert shown(ladder, 2) == []


def test_looks_are_not_taken_at_each_fit(ladder: Ladder) -> None:
    a_set(ladder, 0, 1)
    refit(ladder=ladder)
    assert shown(ladder) == []


def test_the_next_day_begins_where_the_last_one_ended(ladder: Ladder) -> None:
    later(ladder, days=1)
    a_set(ladder, 0, 1)
    refit(ladder=ladder)
    [first] = shown(ladder)
    a_set(ladder, 0, 2)
    RatingMoves.objects.filter(day=timezone.now().date()).update(made_at=timezone.now() - timedelta(minutes=2))
    refit(ladder=ladder)
    second, again = shown(ladder)
    assert again == first
    assert (second.before, second.sets) == (first.after, 1)
    assert shown(ladder, 1)[0].own == 0.0
    assert [day.base == {} for day in RatingMoves.objects.order_by("day")] == [True, False]


def test_under_other_settings_the_day_begins_anew(ladder: Ladder) -> None:
    a_set(ladder, 0, 1)
    later(ladder, minutes=2)
    Ladder.objects.update(prior_sd=200)
    ladder.refresh_from_db()
    refit(ladder=ladder)
    assert shown(ladder) == []
    later(ladder, minutes=2)
    a_set(ladder, 0, 1)
    refit(ladder=ladder)
    assert shown(ladder)[0].before != 1500.0


def test_page_and_api_show_it_to_everybody(ladder: Ladder) -> None:
    a_set(ladder, 0, 1)
    RatingMoves.objects.update(made_at=timezone.now() - timedelta(minutes=2))
    refit(ladder=ladder)
    bot = versions()[0].bot
    [move] = ask("GET", f"ladders/{ladder.slug}/moves?bot={bot.pk}").json()["moves"]
    assert move["after"] == shown(ladder)[0].after
    page = Html(Client().get(f"/bots/{bot.pk}/").content.decode()).text
    assert f"Why its rating moved in {ladder}" in page
    assert f"{'+' if move['own'] > 0 else ''}{move['own']:.1f} (1)" in page
    assert "Why its rating moved" not in Client().get(f"/bots/{versions()[2].bot_id}/").content.decode()


def test_ratings_are_made_also_where_why_they_moved_cannot_be(ladder: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    a_set(ladder, 0, 1)
    before = Rating.objects.get(version=versions()[0]).fitted

    def broken(*_: object) -> bool:
        RatingMoves.objects.create(ladder=ladder, day=timezone.now().date(), base={}, moves={})  # no such moment
        return True

    monkeypatch.setattr(official_fit, "keep_moves", broken)
    a_set(ladder, 0, 2)
    refit(ladder=ladder)
    assert Rating.objects.get(version=versions()[0]).fitted != before
    assert FailingItem.objects.get().loop == "rating moves"
