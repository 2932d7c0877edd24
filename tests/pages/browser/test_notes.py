"""Notes of one's bot go along with the film."""

from dataclasses import replace
from typing import Any

from playwright.sync_api import expect

from engine.replay import read
from tests.factories import a_bot, a_ladder, a_user, a_version, reports
from tests.pages.browser.conftest import Site
from tournaments.dispatch.leases import claim
from tournaments.dispatch.orders import order_for
from tournaments.matchmaking.ladder_sets import create_set
from tournaments.models import Match
from tournaments.recording.reports import record
from workers.orders import Note, Report


def noted(report: Report) -> Report:
    """With a line at each answer of seat 0."""
    lines: Any = read(report.replay).answers
    said = [Note(0, at, f"#eval <b>{at}</b>") for at, line in enumerate(lines) if line[0] == 0]
    return replace(report, notes=said)


def test_the_list_shows_those_of_the_moment(site: Site) -> None:
    ada = a_user("ada")
    made = create_set(ladder=a_ladder(players=2), versions=[a_version(a_bot(ada)).pk for _ in range(2)])
    for report in reports(order_for(made, claim(match_set=made))):
        assert record(noted(report)) == "recorded"
    match = Match.objects.filter(set=made).earliest("pk")
    lines: Any = read(bytes(match.result.replay)).answers
    first, *_, last = [at for at, line in enumerate(lines) if line[0] == 0]
    page = site.open(f"/matches/{match.pk}/", person=ada)
    items, here = page.locator("#notes .notes > li"), page.locator("#notes .notes > .here")
    moments = [int(moment) for moment in items.evaluate_all("all => all.map((each) => each.dataset.fault)")]
    page.goto(f"{site.url}/matches/{match.pk}/?at={moments[-1]}")
    expect(here.last).to_contain_text(f"<b>{last}</b>")
    top = "document.querySelector('#notes .notes').scrollTop"
    assert page.evaluate(top) > 0
    page.locator("[data-go=first]").click()
    for _ in range(moments[0]):
        page.locator("[data-go=after]").click()
    expect(here.first).to_contain_text(f"<b>{first}</b>")
    assert page.evaluate(top) == 0
