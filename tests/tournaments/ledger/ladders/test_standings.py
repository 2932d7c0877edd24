from typing import Any

import pytest

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_version, an_upload, rate
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.ladders.standings import StandingsTable, standings
from tournaments.models import Entry, Ladder, Rating, Version

pytestmark = pytest.mark.django_db


def entered(ladder: Ladder, *versions: Version) -> list[Entry]:
    return [enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner) for version in versions]


def test_a_ladder_nobody_is_in_has_no_standings() -> None:
    assert standings(a_ladder()) == []


def test_the_better_rated_stand_higher_and_every_column_is_true() -> None:
    ladder, good, bad = a_ladder(players=2), a_version(a_bot(name="good")), a_version(a_bot(name="bad"))
    entered(ladder, bad, good)
    a_completed_set(ladder, [good, bad], faults={bad.pk: Verdict.CRASHED})
    rate()
    first, second = standings(ladder)
    assert (first.rank, first.bot, first.version, first.owner, first.status) == (
        None,
        "good",
        1,
        good.bot.owner.username,
        "playing",
    )
    assert (first.bot_id, first.version_id) == (good.bot_id, good.pk)
    assert (first.elo_classic, first.delta, first.sets, first.games) == (1564, 64, 1, 2)
    assert first.elo + second.elo == 3000
    assert (first.rank_lo, first.rank_hi, first.provisional, first.comparable) == (1, 2, True, True)
    assert first.elo - second.elo > 200
    assert first.fitted == first.elo
    assert first.los_next is not None
    assert 0.5 < first.los_next < 1
    assert second.los_next is None
    assert (first.win_pct, first.place_mean, first.crash_pct) == (100, 1, 0)
    assert (second.rank, second.bot, second.elo_classic, second.delta) == (None, "bad", 1436, -64)
    assert (second.win_pct, second.place_mean, second.crash_pct) == (0, 2, 100)


def test_who_has_not_played_stands_at_the_start_and_who_entered_first_stands_higher() -> None:
    ladder, versions = a_ladder(), [a_version() for _ in range(3)]
    entered(ladder, *versions)
    lines = standings(ladder)
    assert [line.version_id for line in lines] == [version.pk for version in versions]
    assert [(line.rank, line.provisional) for line in lines] == [(None, True)] * 3
    assert {(line.elo, line.delta, line.games, line.win_pct, line.place_mean) for line in lines} == {(1500, 0, 0, 0, 0)}


def test_a_rank_is_the_place_of_whoever_is_known_well_enough_to_have_one() -> None:
    ladder, versions = a_ladder(players=2), [a_version() for _ in range(4)]
    entered(ladder, *versions)
    for version, elo, sd in zip(versions, (1700, 1600, 1600, 1400), (40, 400, 40, 40), strict=True):
        Rating.objects.create(ladder=ladder, version=version, milli_elo=1_500_000, elo=elo, sd=sd, sets=1)
    lines = {line.version_id: line for line in standings(ladder)}
    assert [lines[version.pk].rank for version in versions] == [1, None, 2, 4]


def test_who_has_played_no_set_has_no_rank() -> None:
    """A rating that is known well gives none, as of a version whose sets were all cancelled."""
    ladder, version = a_ladder(players=2), a_version()
    entered(ladder, version)
    Rating.objects.create(ladder=ladder, version=version, milli_elo=1_500_000, elo=1600, sd=40)
    assert [line.rank for line in standings(ladder)] == [None]


def test_a_new_version_shows_its_forerunners_number_and_nothing_played() -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    entered(ladder, *versions)
    a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED})
    rate()
    before = standings(ladder)[0]
    a_version(versions[0].bot)
    first = standings(ladder)[0]
    assert (first.version, first.elo_classic, first.delta, first.games) == (2, 1564, 0, 0)
    assert (first.elo, first.fitted) == (before.elo, None)
    assert first.ci95 > before.ci95


def test_who_withdrew_or_has_no_active_version_is_not_listed_and_who_is_suspended_is() -> None:
    ladder, versions = a_ladder(), [a_version() for _ in range(3)]
    left, suspended, _ = entered(ladder, *versions)
    withdraw_bot(entry=left, by=left.bot.owner)
    Entry.objects.filter(pk=suspended.pk).update(status=Entry.Status.SUSPENDED)
    entered(ladder, an_upload(a_bot()))
    assert [(line.version_id, line.status) for line in standings(ladder)] == [
        (versions[1].pk, "suspended"),
        (versions[2].pk, "playing"),
    ]


def test_standings_take_as_many_queries_whatever_their_length(django_assert_num_queries: Any) -> None:
    ladder = a_ladder(players=2)
    for _ in range(3):
        versions = [a_version(), a_version()]
        entered(ladder, *versions)
        a_completed_set(ladder, versions)
        rate()
        with django_assert_num_queries(8):
            standings(ladder)


def test_any_few_lines_are_as_in_the_whole_table() -> None:
    """Alike ratings, a version without games after one with, a bot without a rank, and one that never played."""
    ladder, versions = a_ladder(players=2), [a_version() for _ in range(6)]
    entered(ladder, *versions)
    for version, elo in zip(versions, (1700.02, 1700.01, 1650.0, 1650.04, 1600.0), strict=False):
        Rating.objects.create(ladder=ladder, version=version, milli_elo=1_500_000, elo=elo, sd=20, sets=1)
    Entry.objects.filter(bot=versions[1].bot).update(ranked_from=5)
    a_version(versions[4].bot)
    lines = standings(ladder)
    assert [line.rank for line in lines] == [1, None, 2, 2, None, None]
    assert [line.bot_id for line in lines[:4]] == [versions[place].bot_id for place in (0, 1, 3, 2)]
    table = StandingsTable(ladder)
    assert [table.standings([place])[0] for place in range(6)] == lines
    assert table.standings([4, 1]) == [lines[4], lines[1]]
