"""An organiser at the desk, by keyboard: a ladder and a tournament are made, seen first, and run."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.factories import a_bot, a_user, a_version
from tests.tournaments.web.pages.browser.conftest import Site
from tournaments.features.events.registration import register
from tournaments.models import Event, Ladder


@pytest.fixture
def desk(site: Site) -> Page:
    return site.open("/desk/", person=a_user("stella", staff=True))


def follow(page: Page, link: str) -> None:
    page.get_by_role("link", name=link, exact=True).focus()
    page.keyboard.press("Enter")


def press(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).focus()
    page.keyboard.press("Enter")


def fill(page: Page, label: str, text: str) -> None:
    page.get_by_label(label, exact=True).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def test_an_organiser_makes_a_ladder_and_holds_a_tournament_by_keyboard(desk: Page) -> None:
    follow(desk, "Make a ladder")
    follow(desk, "Zaibatsu")
    fill(desk, "Title", "Winter")
    fill(desk, "Players", "9")
    press(desk, "Preview")
    expect(desk.locator("main")).to_contain_text("options.players must be 2 to 4, not 9")
    fill(desk, "Players", "2")
    press(desk, "Preview")
    expect(desk.locator("#preview")).to_contain_text("Two bots.")
    fill(desk, "Why", "It is winter.")
    press(desk, "Create the ladder")
    expect(desk.get_by_role("heading", name="Winter", level=1)).to_be_visible()
    follow(desk, "Plan a tournament …")
    follow(desk, "Knock-out")
    fill(desk, "Title", "Winter Cup")
    press(desk, "Preview")
    expect(desk.locator("#preview")).to_contain_text("Timetable with 8 entrants")
    press(desk, "Create the draft")
    follow(desk, "Announce …")
    fill(desk, "Why", "It is time.")
    press(desk, "Announce")
    expect(desk.get_by_role("status").first).to_contain_text("Done")
    event = Event.objects.get(slug="winter-cup", ladder=Ladder.objects.get(slug="winter"))
    for name in ("Amber", "Basalt"):
        version = a_version(a_bot(name=name))
        register(event=event, bot=version.bot, by=version.bot.owner)
    desk.goto(desk.url.split("/desk")[0] + "/desk/events/winter-cup/")
    expect(desk.locator("#outlook-title").locator("..")).to_contain_text(re.compile("Amber – Basalt|Basalt – Amber"))
    follow(desk, "Start …")
    fill(desk, "Why", "All are here.")
    press(desk, "Start")
    expect(desk.get_by_role("status").first).to_contain_text("Done")
    assert Event.objects.get().status == Event.Status.RUNNING
