"""Who leaves a ladder has no rank, and plays what it missed before it has one again."""

from typing import Any

import pytest

from tests.factories import a_completed_set, a_ladder, a_version, rate
from tests.tournaments.ledger.ladders.entering import enters
from tournaments.ledger.ladders.absences import played_by
from tournaments.ledger.ladders.entries import withdraw_bot
from tournaments.ledger.ladders.left_entries import left_in
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ratings.absence_debt import EACH, MOST
from tournaments.ratings.export import read as read_export
from tournaments.ratings.export import write as write_export
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db


def test_who_left_stands_without_a_rank_and_moves_nobody_else() -> None:
    ladder = a_ladder(players=2)
    versions = [a_version(), a_version(), a_version()]
    entries = [enters(ladder, version.bot) for version in versions]
    for pair_of in (versions[:2], versions[1:], versions[::2]):
        a_completed_set(ladder, pair_of)
    rate()
    best = standings(ladder)[0]
    entry = next(entry for entry in entries if entry.bot_id == best.bot_id)
    withdraw_bot(entry=entry, by=entry.bot.owner)
    rate()
    assert best.bot_id not in {line.bot_id for line in standings(ladder)}
    [left] = left_in(ladder)
    assert (left.bot_id, left.games, left.sets) == (best.bot_id, best.games, best.sets)
    enters(ladder, entry.bot)
    assert left_in(ladder) == []


def test_who_comes_back_has_no_rank_until_it_has_played_what_it_owes(client: Any) -> None:
    ladder = a_ladder(players=2)
    versions = [a_version(), a_version(), a_version()]
    entries = [enters(ladder, version.bot) for version in versions]
    for _ in range(12):
        for pair_of in (versions[:2], versions[1:], versions[::2]):
            a_completed_set(ladder, pair_of)
    rate()
    best = standings(ladder)[0]
    assert best.rank == 1
    entry = next(entry for entry in entries if entry.bot_id == best.bot_id)
    rivals = [version for version in versions if version.bot_id != best.bot_id]
    withdraw_bot(entry=entry, by=entry.bot.owner)
    a_completed_set(ladder, rivals)  # a set of each of the two others
    enters(ladder, entry.bot)
    rate()
    lines = {line.bot_id: line for line in standings(ladder)}
    assert (lines[best.bot_id].rank, lines[best.bot_id].to_rank) == (None, EACH)
    ranks = sorted(lines[version.bot_id].rank or 0 for version in rivals)
    assert ranks in ([1, 2], [1, 1])  # it counts for nobody's; who are equal share theirs
    table = table_of(read_export(write_export(ledger_of(ladder))))
    assert {row.version: row.rank for row in table.rows} == {line.version_id: line.rank for line in lines.values()}
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert f"back, {EACH} sets to a rank" in page
    mine = next(version for version in versions if version.bot_id == best.bot_id)
    for _ in range(EACH - 1):
        a_completed_set(ladder, [mine, rivals[0]])
    rate()
    assert next(line.to_rank for line in standings(ladder) if line.bot_id == best.bot_id) == 1
    a_completed_set(ladder, [mine, rivals[1]])
    rate()
    assert next(line for line in standings(ladder) if line.bot_id == best.bot_id).rank is not None


def test_absences_add_up_and_who_missed_nothing_owes_nothing() -> None:
    ladder = a_ladder(players=2)
    versions = [a_version() for _ in range(5)]
    entries = [enters(ladder, version.bot) for version in versions]
    a_completed_set(ladder, versions[:2])
    rate()

    def away(sets: int) -> float:
        withdraw_bot(entry=entries[0], by=entries[0].bot.owner)
        for _ in range(sets):
            create_set(ladder=ladder, versions=[versions[1].pk, versions[2].pk])
        enters(ladder, versions[0].bot)
        entries[0].refresh_from_db()
        return entries[0].ranked_from - played_by(entries[0])

    assert away(0) < 1e-9
    assert away(1) == pytest.approx(EACH / 2)  # a set has two seats, and four bots are there
    assert away(1) == pytest.approx(EACH)
    assert away(100) == MOST
    withdraw_bot(entry=entries[4], by=entries[4].bot.owner)  # it has never played
    create_set(ladder=ladder, versions=[versions[1].pk, versions[2].pk])
    assert enters(ladder, versions[4].bot).ranked_from == 0


def test_those_who_left_are_listed_a_page_at_a_time(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.web.pages.standings_filter.LENGTH", 2)
    ladder = a_ladder(players=2)
    versions = [a_version() for _ in range(4)]
    entries = [enters(ladder, version.bot) for version in versions]
    for pair_of in (versions[:2], versions[1:3]):
        a_completed_set(ladder, pair_of)
    rate()
    for entry in entries[:3]:
        withdraw_bot(entry=entry, by=entry.bot.owner)
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert page.count('<span class="tag">left</span>') == 2
    assert "3 bots have left; 2 are shown" in page
    assert "page=1&amp;left=2#standings" in page
    for number in ("2", "99"):
        page = client.get(f"/ladders/{ladder.slug}/?left={number}").content.decode()
        assert page.count('<span class="tag">left</span>') == 1
        assert "Better ones that left" in page
