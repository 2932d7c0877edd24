"""Over all games a ladder counts by its final table, once that has a winner, and until then by its running ratings."""

import pytest
from django.test import Client

from tests.factories import a_user
from tests.seasons import a_season, fit
from tests.tournaments.features.final_runs.test_final_card import deal
from tournaments.features.overall.rules import name_bot
from tournaments.features.overall.standings import overall_standings
from tournaments.ledger import acts
from tournaments.ledger.ladders.final_fits import final_table
from tournaments.models import Bot, Entry, Ladder
from tournaments.ratings.final_table import LEAST

pytestmark = pytest.mark.django_db


def elos() -> dict[str, float]:
    _, table = overall_standings()
    return {line.name: line.games["zaibatsu"] for line in table.lines}


def test_luck_from_before_the_freeze_is_not_in_the_order() -> None:
    ladder, versions = a_season(3, rounds=12)
    best, _, last = (version.bot.owner.username for version in versions)
    acts.Freeze(ladder).do(by=a_user("olga", staff=True), reason="x")
    ladder = Ladder.objects.get()
    deal(ladder, versions[::-1], 4)
    running = elos()
    assert running[best] > running[last]
    assert "This is the running score." in Client().get("/overall/").content.decode()
    deal(ladder, versions[::-1], 4)
    final = {line.who.owner: line.row.elo for line in final_table(ladder).lines}
    assert elos() == final
    assert final[last] > final[best]
    page = Client().get("/overall/").content.decode()
    assert "Every ladder is frozen, and counts by its final table" in page


def test_a_bot_that_was_left_without_a_place_counts_by_what_it_played() -> None:
    ladder, versions = a_season(3)
    olga = a_user("olga", staff=True)
    acts.Freeze(ladder).do(by=olga, reason="x")
    deal(Ladder.objects.get(), versions, 2)
    deal(Ladder.objects.get(), versions[:2], LEAST)
    acts.Close(Ladder.objects.get()).do(by=olga, reason="x")
    final = final_table(Ladder.objects.get())
    assert [line.who.version_id for line in final.lacking] == [versions[2].pk]
    assert elos() == {line.who.owner: line.row.elo for line in final.lines}


def test_who_is_named_after_the_freeze_gains_nothing_by_the_final_table() -> None:
    ladder, versions = a_season(3)
    acts.Freeze(ladder).do(by=a_user("olga", staff=True), reason="x")
    ladder = Ladder.objects.get()
    owner = versions[0].bot.owner
    Bot.objects.filter(pk=versions[2].bot_id).update(owner=owner)
    Ladder.objects.update(owners_apart=False)
    deal(ladder, versions[::-1], LEAST)
    first = elos()[owner.username]
    name_bot(bot=Bot.objects.get(pk=versions[2].bot_id), by=owner)
    fit()
    assert elos()[owner.username] == first, "the first that entered counts still"
    assert Entry.objects.get(bot=versions[2].bot_id).named_after == LEAST * 3 + (ladder.final_after or 0)
