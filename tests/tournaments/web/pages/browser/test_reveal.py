"""A held-back round is shown place by place with the keys that a presenter has."""

from playwright.sync_api import expect

from tests.holding import ROBIN, a_running, an_organiser, fresh, play_out
from tests.tournaments.web.pages.browser.conftest import PHONE, Site


def test_space_shows_the_next_place_and_an_arrow_takes_it_back(site: Site) -> None:
    event = play_out(a_running(3, ROBIN, released=0))
    page = site.open(f"/desk/events/{event.slug}/reveal/", person=an_organiser())
    places = page.locator(".places .place")
    for count in (1, 2, 3, 3):
        page.keyboard.press("Space")
        expect(places).to_have_count(count)
        page.wait_for_load_state()  # its script too
    page.keyboard.press("ArrowLeft")
    expect(places).to_have_count(2)
    assert fresh(event).released == 0


def test_on_a_phone_points_stand_beside_the_name(site: Site) -> None:
    event = play_out(a_running(3, ROBIN, released=0))
    page = site.open(f"/desk/events/{event.slug}/reveal/?shown=3", person=an_organiser(), viewport=PHONE)
    for line in page.locator(".places li").all():
        parts = [line.locator(part).bounding_box() for part in (".place", ".who", ".points")]
        place, name, points = [box for box in parts if box]
        assert place["x"] + place["width"] <= name["x"]
        assert name["x"] + name["width"] <= points["x"]
