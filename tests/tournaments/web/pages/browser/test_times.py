"""Times in the zone of the reader's clock; without a script, or where that is UTC, as the server writes them."""

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from tests.factories import a_user
from tests.holding import an_event
from tests.tournaments.web.pages.browser.conftest import Site
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


@pytest.mark.parametrize(
    "browser_options", [{"timezone_id": "UTC"}, {"timezone_id": "Asia/Tokyo", "java_script_enabled": False}]
)
def test_else_it_is_told_in_utc(site: Site, event: Event, browser_options: dict[str, Any]) -> None:
    tab = site.open(f"/events/{event.slug}/", **browser_options)
    expect(tab.locator("time[data-zone]").first).to_have_text(AT)


def test_a_part_that_is_fetched_anew_is_told_so_too(site: Site, event: Event) -> None:
    tab = site.open("/events/", timezone_id="Asia/Kolkata")
    Event.objects.filter(pk=event.pk).update(title="The monsoon cup")
    tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as when one comes back to the page
    card = tab.locator("#upcoming .card")
    expect(card.get_by_role("heading")).to_have_text("The monsoon cup")
    expect(card.locator("time[data-zone]")).to_have_text("2 July 2099 at 00:00 GMT+5:30")


def editing(site: Site, event: Event, **options: Any) -> Tab:
    return site.open(f"/desk/events/{event.slug}/edit/", person=a_user(staff=True), **options)


def test_a_field_takes_the_organisers_own_zone_and_sends_utc(site: Site, event: Event) -> None:
    tab = editing(site, event, timezone_id="America/New_York")
    field = tab.get_by_label("Starts at")
    expect(field).to_have_value("2099-07-01T14:30")
    expect(tab.locator("#id_starts_at_helptext")).to_contain_text("In your time zone, America/New_York.")
    field.fill("2099-11-30T21:00")
    expect(tab.locator("output[for=id_starts_at]")).to_have_text("In UTC: 2099-12-01 02:00")
    tab.get_by_label("Why").fill("The hall is free later")
    tab.get_by_role("button", name="Preview").click()
    expect(tab.get_by_label("Starts at")).to_have_value("2099-11-30T21:00")
    tab.get_by_role("button", name="Change it").click()
    tab.wait_for_url(f"**/desk/events/{event.slug}/")
    event.refresh_from_db()
    assert event.starts_at == datetime(2099, 12, 1, 2, tzinfo=UTC)


def test_without_a_script_it_takes_utc_and_says_so(site: Site, event: Event) -> None:
    tab = editing(site, event, timezone_id="America/New_York", java_script_enabled=False)
    expect(tab.get_by_label("Starts at")).to_have_value("2099-07-01 18:30")
    expect(tab.locator("#id_starts_at_helptext")).to_contain_text("In UTC, such as")
    tab.get_by_label("Starts at").fill("soon")
    tab.get_by_role("button", name="Preview").click()
    expect(tab.get_by_label("Starts at")).to_have_value("soon")


def test_half_a_date_is_not_sent_and_what_is_none_stays_as_it_was_typed(site: Site, event: Event) -> None:
    tab = editing(site, event, timezone_id="Asia/Tokyo")
    field = tab.get_by_label("Starts at")
    field.fill("")
    field.press("0")
    field.press("1")
    tab.get_by_role("button", name="Preview").click()
    assert field.evaluate("(field) => field.validity.badInput")
    tab.evaluate(
        "document.querySelector('[name=starts_at]').value = 'soon'; document.querySelector('form.desk').submit()"
    )
    expect(tab.get_by_label("Starts at")).to_have_value("soon")
