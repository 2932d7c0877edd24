"""Badges: earned once, by rated sets of ladders alone, taken back with a void set, and read a part at a time."""

from datetime import timedelta

import pytest
from django.db.models import F

from bots.characters import characters_of
from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tests.holding import ROBIN, a_running, play_out
from tournaments.features.faces import badges
from tournaments.features.faces.badges import award_badges, read_again
from tournaments.ledger.acts.disqualification import Disqualify
from tournaments.ledger.acts.void_sets import ReinstateSet, VoidSet
from tournaments.models import Badge, BadgeReading, Bot, Entry, Ladder, MatchSet, RatingStep, Version

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return a_ladder("arena", players=2)


def enter(ladder: Ladder, name: str = "", house: str = "") -> Version:
    bot = a_bot(name=name)
    if house:
        Bot.objects.filter(pk=bot.pk).update(house=house)
    ladder.entries.create(bot=bot)
    return a_version(bot)


def won(ladder: Ladder, winner: Version, loser: Version) -> MatchSet:
    return a_completed_set(ladder, [winner, loser], faults={loser.pk: Verdict.CRASHED})


def award() -> None:
    rate()
    award_badges()


def earned(version: Version) -> dict[tuple[str, str], int | None]:
    """Return the badges of the version's bot, with the numbers of the sets that earned them."""
    return {(badge.kind, badge.character): badge.set.number for badge in badges_of(version)}


def badges_of(version: Version) -> list[Badge]:
    return list(Badge.objects.filter(bot=version.bot_id).select_related("set"))


def test_finishing_a_set_ahead_of_a_character_earns_its_badge_and_the_first_win_once(ladder: Ladder) -> None:
    mine, boss = enter(ladder), enter(ladder, house="rung3")
    for _ in range(3):
        won(ladder, mine, boss)
    award()
    assert earned(mine) == {("beaten", "rung3"): 1, ("first_win", ""): 1}
    assert earned(boss) == {}
    before = list(Badge.objects.order_by("pk").values())
    read_again(mine.bot)
    award_badges()
    assert list(Badge.objects.order_by("pk").values()) == before


def test_losing_to_a_character_or_beating_a_sample_earns_no_badge_of_it(ladder: Ladder) -> None:
    mine, boss, sample = enter(ladder), enter(ladder, house="rung1"), enter(ladder, house="random")
    won(ladder, boss, mine)
    won(ladder, mine, sample)
    award()
    assert earned(mine) == {("first_win", ""): 2}


def test_an_upset_is_a_win_over_a_bot_of_somebody_else_that_had_much_more_elo(ladder: Ladder) -> None:
    low, high, third = enter(ladder), enter(ladder), enter(ladder)
    for _ in range(2):
        won(ladder, high, third)
    won(ladder, high, low)
    won(ladder, low, high)
    award()
    assert earned(low) == {("first_win", ""): 4, ("first_upset", ""): 4}
    assert ("first_upset", "") not in earned(high)
    Badge.objects.all().delete()
    Bot.objects.filter(pk=low.bot_id).update(owner=high.bot.owner)
    read_again(low.bot)
    award_badges()
    assert earned(low) == {("first_win", ""): 4}


def test_all_characters_are_beaten_with_the_last_of_them_over_several_ladders(ladder: Ladder) -> None:
    second = a_ladder("second", players=2)
    mine = enter(ladder)
    houses = list(characters_of("zaibatsu"))
    for number, house in enumerate(houses):
        won(second if number % 2 else ladder, mine, enter(ladder, house=house))
    award()
    kept = Badge.objects.get(bot=mine.bot, kind="all_beaten")
    assert kept.set == MatchSet.objects.filter(number__isnull=False).latest("pk")
    first = MatchSet.objects.filter(number__isnull=False).earliest("pk")
    VoidSet(first).do(by=a_user(staff=True), reason="a test")
    award_badges()
    assert not Badge.objects.filter(kind="all_beaten").exists()
    assert Badge.objects.filter(bot=mine.bot, kind="beaten").count() == len(houses) - 1


def test_a_week_on_the_ladder_is_a_set_seven_days_after_it_entered(ladder: Ladder) -> None:
    mine, other = enter(ladder), enter(ladder)
    Entry.objects.filter(bot=mine.bot).update(entered_at=F("entered_at") - timedelta(days=7))
    won(ladder, other, mine)
    award()
    assert earned(mine) == {("week", ""): 1}
    assert ("week", "") not in earned(other)


def test_a_void_set_takes_its_badges_back_until_another_earns_them_and_a_reinstated_one_has_them_again(
    ladder: Ladder,
) -> None:
    mine, boss, staff = enter(ladder), enter(ladder, house="rung3"), a_user(staff=True)
    first, _ = won(ladder, mine, boss), won(ladder, mine, boss)
    award()
    VoidSet(first).do(by=staff, reason="a test")
    award_badges()
    assert earned(mine) == {("beaten", "rung3"): 2, ("first_win", ""): 2}
    ReinstateSet(MatchSet.objects.get(pk=first.pk)).do(by=staff, reason="a test")
    award_badges()
    assert earned(mine) == {("beaten", "rung3"): 1, ("first_win", ""): 1}


def test_what_a_disqualified_bot_earned_is_taken_back(ladder: Ladder) -> None:
    mine, boss = enter(ladder), enter(ladder, house="rung3")
    won(ladder, mine, boss)
    award()
    assert earned(mine)
    Disqualify(bot=mine.bot).do(by=a_user(staff=True), reason="a test")
    award_badges()
    assert Badge.objects.count() == 0


def test_events_earn_nothing_so_no_held_back_round_is_told() -> None:
    event = a_running(4, ROBIN, released=0)
    for number, entrant in enumerate(event.entrants.order_by("pk"), 1):
        if number % 2:
            Bot.objects.filter(pk=entrant.bot_id).update(house=f"rung{number}")
    play_out(event)
    award()
    assert not Badge.objects.exists()


def test_a_ladder_is_read_in_parts_and_goes_on_where_it_stopped(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, boss = enter(ladder), enter(ladder, house="rung3")
    for _ in range(2):
        won(ladder, boss, mine)
    won(ladder, mine, boss)
    rate()
    monkeypatch.setattr(badges, "STEPS", 3)
    assert award_badges() == 1
    assert earned(mine) == {}
    assert award_badges() == 1
    assert earned(mine) == {("beaten", "rung3"): 3, ("first_win", ""): 3, ("first_upset", ""): 3}
    while award_badges():
        pass
    reading = BadgeReading.objects.get(ladder=ladder)
    assert reading.step == RatingStep.objects.latest("pk").pk
    assert reading.fit_at == ladder.fit.made_at


def test_a_set_that_comes_late_is_read_although_later_ones_were(ladder: Ladder) -> None:
    mine, boss = enter(ladder), enter(ladder, house="rung3")
    late = won(ladder, mine, boss)
    MatchSet.objects.filter(pk=late.pk).update(counts=False)
    won(ladder, boss, mine)
    award()
    assert earned(mine) == {}
    MatchSet.objects.filter(pk=late.pk).update(counts=True)
    award()
    assert earned(mine) == {("beaten", "rung3"): 1, ("first_win", ""): 1}
