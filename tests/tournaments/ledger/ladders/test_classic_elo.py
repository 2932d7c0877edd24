"""Ratings are a fold over the ledger: the same whatever the order of arrival."""

from io import StringIO
from itertools import permutations
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_version, play_set
from tournaments.core.errors import Refused
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.ladders.classic_elo import FIELDS, rate
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.ladders.official_fit import recompute, refit_due
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Entry, Ladder, MatchSet, Rating, RatingStep

pytestmark = pytest.mark.django_db


def numbers(ladder: Ladder) -> list[Any]:
    """Ratings and their whole history."""
    steps = RatingStep.objects.filter(set__ladder=ladder).order_by("set__number", "version")
    return [
        list(ladder.ratings.order_by("version").values_list("version", *FIELDS)),
        list(steps.values_list("set__number", "version", *FIELDS)),
    ]


def test_a_complete_set_is_rated_once() -> None:
    ladder = a_ladder(players=2)
    played = a_completed_set(ladder, [a_version(), a_version()])
    assert (rate(), rate()) == (1, 0)
    played.refresh_from_db()
    assert (played.rated, played.steps.count()) == (True, 2)
    assert sum(ladder.ratings.values_list("milli_elo", flat=True)) == 3_000_000
    assert set(ladder.ratings.values_list("sets", "games")) == {(1, 2)}


def test_open_and_cancelled_sets_and_checks_are_not_rated() -> None:
    ladder, versions = a_ladder(players=2), [a_version().pk, a_version().pk]
    create_set(ladder=ladder, versions=versions)
    cancel(match_set=create_set(ladder=ladder, versions=versions), reason="test")
    assert (rate(), ladder.ratings.count()) == (0, 0)


def test_whatever_the_order_in_which_sets_are_recorded_the_ratings_are_equal() -> None:
    ladder, versions = a_ladder(players=2), [a_version().pk for _ in range(3)]
    pairs = [versions[:2], versions[1:], versions[::2]]
    made = [create_set(ladder=ladder, versions=pair) for pair in pairs]
    for match_set in made:
        play_set(match_set)
    rate()
    expected = numbers(ladder)
    for order in permutations(made):
        forget(ladder)
        for match_set in order:  # each is rated as it comes
            MatchSet.objects.filter(pk=match_set.pk).update(status="complete", ended_at=match_set.created_at)
            assert rate() == 1
        assert numbers(ladder) == expected


def forget(ladder: Ladder) -> None:
    """Make the ladder as if no set had been complete yet."""
    ladder.sets.update(status="open", ended_at=None, rated=False)
    RatingStep.objects.filter(set__ladder=ladder).delete()
    ladder.ratings.all().delete()


def test_recomputing_from_nothing_changes_nothing() -> None:
    ladder, versions = a_ladder(players=3), [a_version() for _ in range(4)]
    for absent in range(4):
        a_completed_set(ladder, versions[:absent] + versions[absent + 1 :])
        rate()
    refit_due()
    before = numbers(ladder)
    assert recompute(ladder=ladder) == {}
    assert numbers(ladder) == before


def test_recomputing_finds_what_somebody_edited() -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    a_completed_set(ladder, versions)
    rate()
    true = Rating.objects.get(version=versions[0]).milli_elo
    Rating.objects.filter(version=versions[0]).update(milli_elo=9_999_000)
    stranger = Rating.objects.create(ladder=ladder, version=a_version(), milli_elo=1)
    out = StringIO()
    call_command("recompute", ladder.slug, stdout=out)
    assert f"{versions[0]}: classic 9999.000 before, classic {true / 1000:.3f} now" in out.getvalue()
    assert f"{ladder.slug}: {stranger.version}: classic 0.001 before, nothing now" in out.getvalue()
    assert f"{ladder.slug}: 1 sets, 2 versions, difference 2" in out.getvalue()
    Rating.objects.filter(version=versions[1]).update(fitted=1234.5)
    call_command("recompute", stdout=out)
    assert f"{versions[1]}: classic {3000 - true / 1000:.3f}, fitted 1234.5 before" in out.getvalue()
    call_command("recompute", stdout=out)
    assert out.getvalue().endswith("difference 0\n")


def test_recomputing_an_unknown_ladder_says_so() -> None:
    with pytest.raises(CommandError, match="there is no ladder 'nowhere'"):
        call_command("recompute", "nowhere")


def test_a_new_version_goes_on_from_its_forerunner_and_its_games_are_its_own() -> None:
    ladder, first, rival = a_ladder(players=2), a_version(), a_version()
    a_completed_set(ladder, [first, rival])
    second = a_version(first.bot)
    third = a_version(first.bot)
    a_completed_set(ladder, [third, rival])
    rate()
    old, new = (Rating.objects.get(version=version) for version in (first, third))
    assert new.milli_elo - new.delta == old.milli_elo
    assert (old.games, new.games) == (2, 2)
    assert not Rating.objects.filter(version=second).exists()


def test_three_sets_in_a_row_with_a_forfeit_suspend_the_entry_until_a_new_version() -> None:
    ladder, bad, good = a_ladder(players=2), a_version(a_bot()), a_version()
    entries = [enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner) for version in (bad, good)]
    for fault in (Verdict.CRASHED, None, Verdict.CRASHED, Verdict.CRASHED, Verdict.CRASHED):
        assert Entry.objects.filter(status="playing").count() == 2
        a_completed_set(ladder, [bad, good], faults={bad.pk: fault} if fault else None)
        rate()
    assert [Entry.objects.get(pk=entry.pk).status for entry in entries] == ["suspended", "playing"]
    assert Rating.objects.get(version=bad).streak == 3
    a_version(bad.bot)
    assert Entry.objects.get(pk=entries[0].pk).status == "playing"


def test_nobody_sheds_a_suspension_by_leaving_and_entering_again() -> None:
    ladder, bad, good = a_ladder(players=2), a_version(), a_version()
    entry = enter_in_ladder(ladder=ladder, bot=bad.bot, by=bad.bot.owner)
    for _ in range(3):
        a_completed_set(ladder, [bad, good], faults={bad.pk: Verdict.CRASHED})
    rate()
    withdraw_bot(entry=entry, by=bad.bot.owner)
    with pytest.raises(Refused, match="kept forfeiting; upload a new version"):
        enter_in_ladder(ladder=ladder, bot=bad.bot, by=bad.bot.owner)
    a_version(bad.bot)
    assert enter_in_ladder(ladder=ladder, bot=bad.bot, by=bad.bot.owner).status == "playing"


def test_who_withdrew_is_not_suspended() -> None:
    ladder, bad, good = a_ladder(players=2), a_version(), a_version()
    entry = withdraw_bot(entry=enter_in_ladder(ladder=ladder, bot=bad.bot, by=bad.bot.owner), by=bad.bot.owner)
    for _ in range(3):
        a_completed_set(ladder, [bad, good], faults={bad.pk: Verdict.CRASHED})
    assert rate() == 3
    assert Entry.objects.get(pk=entry.pk).status == "withdrawn"
