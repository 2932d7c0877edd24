"""Notes of one's bot go along with the film."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from playwright.sync_api import expect

from engine.replay import read_replay
from tests.factories import a_bot, a_ladder, a_user, a_version, reports
from tests.tournaments.web.pages.browser.conftest import PHONE, Site
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Match, User
from workers.orders import Note, Report


def noted(report: Report) -> Report:
    """The report with a note at each answer of seat 0."""
    lines: Any = read_replay(report.replay).answers
    notes = [Note(0, answer, f"#eval <b>{answer}</b>") for answer, line in enumerate(lines) if line[0] == 0]
    return replace(report, notes=notes)


def played(owners: list[User], write: Callable[[Report], Report] = noted) -> Match:
    """A match of their bots, with notes."""
    made = create_set(ladder=a_ladder(players=2), versions=[a_version(a_bot(owner)).pk for owner in owners])
    for report in reports(order_of_set(made, claim(match_set=made))):
        assert record_report(write(report)) == "recorded"
    return Match.objects.filter(set=made).earliest("pk")


def test_the_list_shows_those_of_the_moment(site: Site) -> None:
    ada = a_user("ada")
    match = played([ada, ada])
    lines: Any = read_replay(bytes(match.result.replay)).answers
    first, *_, last = [answer for answer, line in enumerate(lines) if line[0] == 0]
    page = site.open(f"/matches/{match.pk}/", person=ada)
    items, marked = page.locator("#notes .notes > li"), page.locator("#notes .notes > .here")
    moments = [int(moment) for moment in items.evaluate_all("all => all.map((each) => each.dataset.fault)")]
    page.goto(f"{site.url}/matches/{match.pk}/?at={moments[-1]}")
    expect(marked.last).to_contain_text(f"<b>{last}</b>")
    top = "document.querySelector('#notes .notes').scrollTop"
    assert page.evaluate(top) > 0
    page.locator("[data-go=first]").click()
    for _ in range(moments[0]):
        page.locator("[data-go=after]").click()
    expect(marked.first).to_contain_text(f"<b>{first}</b>")
    assert page.evaluate(top) == 0


HERE = "tests/tournaments/web/pages/browser/test_notes.py"
HOSTILE = [
    {"place": '"]<img src=x onerror=alert(1)>', "number": 1},
    {"place": "pile:99", "to": "__proto__"},
    {"to": "constructor", "number": 1e308},
]
DRAWN = [{"place": "pile:1", "number": 14}, {"place": "pile:1", "to": "pile:2", "number": -0.125}]


def marked(report: Report) -> Report:
    """The report with marks at the start, a few of each seat, and more than are drawn at seat 0's first answer."""
    lines: Any = read_replay(report.replay).answers
    first = next(answer for answer, line in enumerate(lines) if line[0] == 0)
    drawn = "\n".join(f"see {json.dumps(mark)}" for mark in [*HOSTILE, *DRAWN])
    too_many = "\n".join(f"see {json.dumps(DRAWN[0])}" for _ in range(40))
    return replace(report, notes=[Note(0, -1, drawn), Note(1, -1, drawn), Note(0, first, too_many)])


def test_what_they_say_of_the_board_is_drawn_on_it_and_what_is_not_there_is_not(site: Site) -> None:
    ada = a_user("ada")
    match = played([ada, a_user("bob")], marked)
    seat = match.seats.get(version__bot__owner=ada).number
    page = site.open(f"/matches/{match.pk}/?at=0", person=ada)
    drawn = page.locator("svg.picture.wide > .sketch")
    expect(drawn.locator("text")).to_have_text(["14", str(seat), "-0.125", str(seat)])
    assert drawn.locator(".ring.outline").count() == 3
    assert drawn.locator(".way.outline").count() == 1
    assert page.locator("svg.picture.slim > .sketch").count() == 0
    assert "pile:99" in page.locator("#notes").inner_text()
    page.set_viewport_size(PHONE)
    expect(page.locator("svg.picture.slim > .sketch .ring.outline")).to_have_count(3)
    page.locator("[data-go=last]").click()
    expect(page.locator(".sketch")).to_have_count(0)


def test_no_more_than_a_few_are_drawn_at_once(site: Site) -> None:
    ada = a_user("ada")
    match = played([ada, ada], marked)
    lines: Any = read_replay(bytes(match.result.replay)).answers
    first = next(answer for answer, line in enumerate(lines) if line[0] == 0)
    page = site.open(f"/matches/{match.pk}/?at={first + 1}", person=ada)
    expect(page.locator("svg.picture.wide > .sketch .ring.outline")).to_have_count(24)


def test_nobody_else_gets_them(site: Site) -> None:
    match = played([a_user("ada"), a_user("ben")], marked)
    for person in (None, a_user("stranger")):
        page = site.open(f"/matches/{match.pk}/?at=0", person=person)
        page.evaluate("document.querySelector('replay-film').ready")
        assert page.locator(".sketch").count() == 0
        assert "data-mark-of" not in page.content()
