"""Times in the zone of the reader's clock; without a script, or where that is UTC, as the server writes them."""

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.factories import a_user
from tests.holding import an_event
from tests.pages.browser.conftest import Site
from tournaments.models import Event

AT = "1 July 2099, 18:30 UTC"


@pytest.fixture
def event(site: Site) -> Event:
    return an_event([], starts_at=datetime(2099, 7, 1, 18, 30, tzinfo=UTC))


def test_a_time_is_told_by_the_readers_clock(site: Site, event: Event) -> None:
    tab = site.open(f"/events/{event.slug}/", timezone_id="Asia/Kolkata")
    time = tab.locator("time[data-zone]").first
    expect(time).to_have_text("2 July 2099 at 00:00 GMT+5:30")
    expect(time).to_have_attribute("title", AT)
    expect(time).to_have_attribute("datetime", "2099-07-01T18:30:00+00:00")


@pytest.mark.parametrize("known", [{"timezone_id": "UTC"}, {"timezone_id": "Asia/Tokyo", "java_script_enabled": False}])
def test_else_it_is_told_in_utc(site: Site, event: Event, known: dict[str, Any]) -> None:
    tab = site.open(f"/events/{event.slug}/", **known)
    expect(tab.locator("time[data-zone]").first).to_have_text(AT)


def test_a_field_takes_utc_and_says_what_that_is_here(site: Site, event: Event) -> None:
    tab = site.open(f"/desk/events/{event.slug}/edit/", person=a_user(staff=True), timezone_id="America/New_York")
    field, told = tab.get_by_label("Starts at"), tab.locator("output[for=id_starts_at]")
    expect(field).to_have_value("2099-07-01 18:30")
    expect(told).to_have_text("Where you are: 1 July 2099 at 14:30 GMT-4")
    field.fill("2099-12-01 02:00")
    expect(told).to_have_text("Where you are: 30 November 2099 at 21:00 GMT-5")
    field.fill("soon")
    expect(told).to_have_text("")
