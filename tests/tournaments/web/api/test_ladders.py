from collections.abc import Iterable
from dataclasses import asdict
from typing import cast

import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tournaments.ledger.ladders import rating_ledger
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.rating_ledger import ledger_lines, ledger_of
from tournaments.models import Entry, Fit, MatchSet
from tournaments.models.ladders import RANGES
from tournaments.ratings.export import read, write
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db


def test_a_ladder_tells_its_settings(api_world: World) -> None:
    ladder = ask("GET", "ladders/main").json()
    assert ladder.items() >= {"slug": "main", "game": "zaibatsu", "seats": 2, "status": "open"}.items()
    assert ladder["options"]["players"] == 2
    assert ask("GET", "ladders").json()["results"] == [ladder]


def test_the_standings_rank_the_one_who_did_not_fail_first(api_world: World) -> None:
    first, second = ask("GET", "ladders/main/standings").json()["standings"]
    assert (first["rank"], first["bot"], first["owner"], first["version"]) == (None, "Analytical", "ada", 1)
    assert first["elo"] > 1500 > second["elo"]
    assert (first["sets"], first["games"], first["win_pct"], first["place_mean"]) == (1, 2, 100.0, 1.0)
    assert (second["bot"], second["crash_pct"]) == ("Difference", 100.0)


def test_the_ledger_makes_the_very_table_that_is_published(api_world: World) -> None:
    third = a_version(a_bot(api_world.owner))
    enter_in_ladder(ladder=api_world.ladder, bot=third.bot, by=api_world.owner)
    for table in ([api_world.version, third], [api_world.rivals, third], [api_world.version, api_world.rivals]):
        a_completed_set(api_world.ladder, table)
    rate()
    sent = cast("StreamingHttpResponse", ask("GET", "ladders/main/ledger"))
    lines = b"".join(cast("Iterable[bytes]", sent.streaming_content)).decode().splitlines()
    rows = [asdict(row) for row in table_of(read(lines)).rows]
    assert rows == Fit.objects.get(ladder=api_world.ladder).rows
    published = ask("GET", "ladders/main/standings").json()["standings"]
    for row, line in zip(rows, published, strict=True):
        shared = row.keys() & line.keys() - {"bot", "version", "win_pct", "place_mean", "crash_pct"}
        assert {name: row[name] for name in shared} == {name: line[name] for name in shared}
        assert row["version"] == line["version_id"]


def test_a_ledger_is_made_page_by_page(api_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds what counts when it begins; no page waits for the reader of another."""
    monkeypatch.setattr(rating_ledger, "PAGE", 1)
    third = a_version(a_bot(api_world.owner))
    enter_in_ladder(ladder=api_world.ladder, bot=third.bot, by=api_world.owner)
    for table in ([api_world.version, third], [api_world.rivals, third], [api_world.version, api_world.rivals]):
        a_completed_set(api_world.ladder, table)
    rate()
    MatchSet.objects.filter(ladder=api_world.ladder, number=2).update(rated=False)
    ledger = ledger_of(api_world.ladder)
    lines = ledger_lines(api_world.ladder)
    first = next(lines)
    a_completed_set(api_world.ladder, [api_world.version, third])
    rate()
    assert sorted([first, *lines]) == sorted(write(ledger))
    assert len(ledger.sets) > 2


def test_over_all_games_owners_have_one_fit_of_their_ratings(api_world: World) -> None:
    table = ask("GET", "overall").json()
    best = {line["owner"]: line["elo"] for line in reversed(ask("GET", "ladders/main/standings").json()["standings"])}
    assert table["ladders"] == ["main"]
    assert {line["owner"]: line["games"] for line in table["standings"]} == {
        owner: {"zaibatsu": elo} for owner, elo in best.items()
    }
    assert [line["rank"] for line in table["standings"]] == [1, 2]
    assert all((line["rank_lo"], line["rank_hi"], line["all_hi"]) == (1, 2, 2) for line in table["standings"])
    assert (50 <= table["between"] <= 800, 25 <= table["within"] <= 400) == (True, True)


def test_whether_a_line_is_enough_is_told_of_the_bots_that_play(api_world: World) -> None:
    assert ask("GET", "ladders/main/transitivity").json()["transitivity"].items() >= {"pairs": 0, "cycles": 0}.items()
    versions = [a_version() for _ in range(3)]
    ladder = a_ladder("circle", players=2)
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    assert ask("GET", "ladders/circle/transitivity").json() == {"ladder": "circle", "transitivity": None}
    for _ in range(16):
        for winner, loser in zip(versions, (*versions[1:], versions[0]), strict=True):
            a_completed_set(ladder, [winner, loser], faults={loser.pk: Verdict.CRASHED})
    rate()
    answer = ask("GET", "ladders/circle/transitivity").json()["transitivity"]
    assert (answer["sets"], answer["pairs"], answer["triples"], answer["cycles"]) == (48, 3, 1, 1)
    (cycle,) = answer["strongest"]
    names = [version.bot.name for version in versions]
    assert [(result["winner"]["bot"], result["share"]) for result in cycle["beats"]] == [(name, 1.0) for name in names]
    assert {surprise["one"]["bot"]: surprise["other"]["bot"] for surprise in answer["surprises"]} == dict(
        zip(names, [*names[1:], names[0]], strict=True)
    )
    page = Client().get("/ladders/circle/transitivity/").content.decode()
    assert "None among" not in page
    assert f"{names[0]} v1</a> takes 100 % from {names[1]} v1" in page


def test_standings_are_sent_again_only_when_they_changed(api_world: World) -> None:
    etag = ask("GET", "ladders/main/standings")["ETag"]
    again = ask("GET", "ladders/main/standings", **{"If-None-Match": etag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    a_completed_set(api_world.ladder, [api_world.version, api_world.rivals])
    rate()
    changed = ask("GET", "ladders/main/standings", **{"If-None-Match": etag})
    assert (changed.status_code, len(changed.json()["standings"])) == (200, 2)


def test_a_bot_enters_withdraws_and_enters_again() -> None:
    ladder, bot = a_ladder("other"), a_bot()
    made = ask("POST", "ladders/other/entries", bot.owner, {"bot": bot.pk})
    assert made.status_code == 201
    assert made.json().items() >= {"ladder": "other", "bot": bot.pk, "status": "playing"}.items()
    assert refused(ask("POST", "ladders/other/entries", bot.owner, {"bot": bot.pk})) == (409, "already_entered")
    assert ask("DELETE", made["Location"], bot.owner).json()["status"] == "withdrawn"
    assert refused(ask("DELETE", made["Location"], bot.owner)) == (409, "not_entered")
    assert ask("POST", "ladders/other/entries", bot.owner, {"bot": bot.pk}).json()["id"] == made.json()["id"]
    assert ladder.entries.get().status == "playing"


@pytest.mark.parametrize("bot", ["1", 1.5, True, None, -1, 0, 2**70, [1]])
def test_an_entry_names_a_bot_by_its_number(bot: object) -> None:
    a_ladder("other")
    assert refused(ask("POST", "ladders/other/entries", a_user(), {"bot": bot})) == (400, "invalid")


def test_unknown_ladders_bots_and_entries_are_told_apart(api_world: World) -> None:
    for path in ("ladders/none", "ladders/none/standings", "ladders/none/entries", "matches?ladder=none"):
        assert refused(ask("GET", path)) == (404, "unknown_ladder")
    assert refused(ask("POST", "ladders/none/entries", api_world.owner, {"bot": api_world.bot.pk})) == (
        404,
        "unknown_ladder",
    )
    assert refused(ask("POST", "ladders/main/entries", api_world.owner, {"bot": 999999})) == (404, "unknown_bot")
    assert refused(ask("DELETE", "ladders/main/entries/999999", api_world.owner)) == (404, "unknown_entry")
    a_ladder("other")
    elsewhere = f"ladders/other/entries/{Entry.objects.get(bot=api_world.bot).pk}"
    assert refused(ask("GET", elsewhere)) == (404, "unknown_entry")


def test_a_closed_ladder_takes_nobody() -> None:
    a_ladder("over", status="closed")
    bot = a_bot()
    assert refused(ask("POST", "ladders/over/entries", bot.owner, {"bot": bot.pk})) == (409, "ladder_closed")


def test_a_ladder_tells_its_clock_and_every_limit() -> None:
    a_ladder("strict", threads=2, temp_mb=3, line_kb=4, increment_ms=5)
    shown = ask("GET", "ladders/strict").json()
    assert shown.items() >= {"threads": 2, "temp_mb": 3, "line_kb": 4, "increment_ms": 5, "memory_mb": 512}.items()
    assert shown.keys() >= RANGES.keys()
