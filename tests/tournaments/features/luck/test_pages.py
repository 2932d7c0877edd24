"""The luck of the dice, as pages and the API show it."""

from dataclasses import replace

import pytest
from django.test import Client

from engine.luck import luck_of, shipped
from engine.luck_value import with_hash
from engine.records import to_plain
from tests.factories import a_set_with_dice, a_user, rate
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tests.tournaments.web.pages.test_films import match_of, replay_of, see
from tournaments.features.luck import pages as luck_pages
from tournaments.features.luck.actions import NameLuckValue
from tournaments.features.luck.luck_adjusted_ratings import fit_due
from tournaments.features.luck.match_luck import compute_luck
from tournaments.models import Bot, LadderLuck, Version
from tournaments.web.server.request_rates import Rate

pytestmark = pytest.mark.django_db


def test_the_shadow_stands_beside_the_rating_and_is_marked_as_one() -> None:
    played = a_set_with_dice()
    ladder = played.ladder
    assert ladder
    for version in Version.objects.filter(seats__match__set=played).distinct():
        Bot.objects.filter(pk=version.bot_id).update(game="gigabucks")
        ladder.entries.create(bot=version.bot)
    rate()
    path, client = f"/ladders/{ladder.slug}/", signed_in(None)
    assert "Without luck" not in client.get(f"{path}?details=1").content.decode()
    assert client.get(f"/api/v1{path}standings").json()["shadow"] is None
    NameLuckValue(ladder, "gigabucks-house-1").do(by=a_user(staff=True), reason="A season.")
    compute_luck()
    fit_due()
    shadow = client.get(f"/api/v1{path}standings").json()["shadow"]
    assert (shadow["value"], shadow["sets"], len(shadow["lines"])) == ("gigabucks-house-1", 1, 2)
    assert "Without luck" not in client.get(path).content.decode()
    text = client.get(f"{path}?details=1").content.decode()
    assert text[: text.index("</thead>")].count("<th ") == 8
    page = Html(text)
    assert page.faults() == []
    assert "which affects no rating" in page.text
    for line in shadow["lines"]:
        # The API has rounded to tenths, so a half may be either.
        elos, widths = ({f"{number - 0.04:.0f}", f"{number + 0.04:.0f}"} for number in (line["elo"], line["ci95"]))
        assert any(f"{elo} ±{width}" in page.text for elo in elos for width in widths)


def test_the_luck_of_every_roll_is_a_bar_with_a_sum_for_each_seat_in_words() -> None:
    match = a_set_with_dice().matches.order_by("turn")[0]
    page = see(f"/matches/{match.pk}/?at=1")
    (address,) = [section["data-fetched"] for section in page.all("section") if section.get("data-fetched")]
    assert address == f"/matches/{match.pk}/luck/?at=1&as=all"
    panel = see(address)
    assert (page.faults(), panel.faults()) == ([], [])
    bars = [svg for svg in panel.all("svg") if svg.get("class") == "luck"]
    assert len(bars) == 2
    assert "rolls; the best" in bars[0]["aria-label"]
    value = shipped("gigabucks")
    assert value
    assert value.hash in panel.text
    sums = [100 * float(part) for part in luck_of(replay_of(match), value).taken_out]
    assert [bar["aria-label"].split("luck ")[1].split(" %")[0] for bar in bars] == [
        f"{part:+.1f}".replace("-", "−") for part in sums
    ]


def test_bars_are_by_the_value_that_the_ladder_names() -> None:
    played, value = a_set_with_dice(), shipped("gigabucks")
    assert value
    assert played.ladder
    flat = with_hash(replace(value, name="own", coefficient=0))
    LadderLuck.objects.create(ladder=played.ladder, value=to_plain(flat), hash=flat.hash)
    page = see(f"/matches/{played.matches.all()[0].pk}/luck/")
    assert flat.hash in page.text
    bars = [svg for svg in page.all("svg") if svg.get("class") == "luck"]
    assert ["luck +0.0 %" in bar["aria-label"] for bar in bars] == [True, True]


def test_without_dice_there_is_no_luck_and_for_too_many_rolls_the_page_names_the_command(
    pages_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    without, match = match_of(pages_world), a_set_with_dice().matches.all()[0]
    assert "Luck of the dice" not in see(f"/matches/{without.pk}/").text
    for path in (f"/matches/{without.pk}/luck/", f"/matches/{match.pk}/luck/?as=9"):
        assert Client().get(path).status_code == 404
    monkeypatch.setattr(luck_pages, "OUTCOMES", 5)
    page = see(f"/matches/{match.pk}/luck/")
    assert "So many rolls take too long for a page." in page.text
    assert "python3 -m engine.luck" in page.text
    monkeypatch.setattr(luck_pages, "LUCK", Rate("one", 1, 60))
    assert [Client().get(f"/matches/{match.pk}/luck/").status_code for _ in range(2)] == [200, 429]
