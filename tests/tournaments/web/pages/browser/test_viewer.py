"""A replay watched by mouse, by keyboard, and without JavaScript."""

import re
from unittest.mock import ANY

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.factories import a_completed_set, a_set_with_dice
from tests.tournaments.web.pages.browser.conftest import PHONE, SMALL_LAPTOP, Site
from tournaments.models import Ladder

AT_SEVEN = re.compile(r"[?&]at=7\b")
# Lists whose box scrolls, and that have less room at the left than a number of three digits takes.
CUT_NUMBERS = """() => [...document.querySelectorAll("ol")].filter((list) => {
  const { listStyleType, listStylePosition, overflowY, font, paddingLeft } = getComputedStyle(list);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  const cuts = overflowY !== "visible" && listStyleType === "decimal" && listStylePosition === "outside";
  return cuts && parseFloat(paddingLeft) < pen.measureText("100. ").width;
}).map((list) => list.outerHTML.slice(0, 90))"""

# What scrolls inside another thing of the film that scrolls.
NESTED = """() => {
  const overflows = (each) => each.scrollHeight > each.clientHeight + 1;
  const scrolls = (each) => overflows(each) && /auto|scroll/.test(getComputedStyle(each).overflowY);
  const all = [...document.querySelectorAll(".film *")].filter(scrolls);
  const nested = all.filter((inner) => all.some((outer) => outer !== inner && outer.contains(inner)));
  return nested.map((each) => each.outerHTML.slice(0, 90));
}"""


def path_of(ladder: Ladder) -> str:
    return f"/matches/{ladder.sets.get().matches.earliest('pk').pk}/"


def test_a_replay_is_played_stepped_and_dragged_and_its_address_follows(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder) + "?at=20&as=all")
    scrub = page.get_by_label("Moment, by answers given")
    expect(scrub).to_have_value("20")
    page.get_by_role("link", name="Moment after", exact=True).click()
    expect(scrub).to_have_value("21")
    expect(page).to_have_url(site.url + path_of(ladder) + "?at=21&as=all#film")
    before = page.locator(".picture.wide").inner_html()
    scrub.fill("60")
    expect(page.locator("[data-log] .here").first).to_be_visible()
    assert page.locator(".picture.wide").inner_html() != before
    scrub.fill("21")
    expect(scrub).to_have_attribute("aria-valuetext", re.compile("^moment 21 of"))
    assert page.locator(".picture.wide").inner_html() == before  # to go back gives the same picture
    page.get_by_label("Speed").select_option("30×")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=120_000)  # it has come to the end
    expect(scrub).to_have_value(scrub.get_attribute("max") or "")
    expect(page.locator("[data-log]")).to_contain_text("win")


def test_a_replay_is_watched_by_keyboard_and_heard(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder))
    scrub = page.get_by_label("Moment, by answers given")
    scrub.focus()
    page.keyboard.press("ArrowRight")
    expect(scrub).to_have_value("1")
    expect(page.locator(".film [data-say]")).to_contain_text("on pile")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-now]")).not_to_be_empty()
    page.keyboard.press("End")
    expect(scrub).to_have_value(scrub.get_attribute("max") or "")
    page.keyboard.press("Home")
    expect(scrub).to_have_value("0")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_links_and_the_choice_of_language_lead_to_the_moment_that_is_shown(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder) + "?at=2&as=all")
    page.get_by_label("Moment, by answers given").fill("7")
    page.get_by_text("Embed it", exact=True).click()
    expect(page.get_by_label("For a page of your own")).to_have_value(
        re.compile(r'^<iframe src="http.*\?at=7&amp;as=all"')
    )
    for name in ("To embed", "Go on from here", "Score"):
        expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute("href", AT_SEVEN)
    page.get_by_role("link", name="To embed").click()
    expect(page).to_have_url(AT_SEVEN)
    page.get_by_label("Moment, by answers given").fill("9")
    expect(page.get_by_role("link", name="on Boardroom")).to_have_attribute("href", re.compile(r"\?at=9&"))
    page.goto(site.url + path_of(ladder) + "?at=2&as=all")
    page.get_by_label("Moment, by answers given").fill("7")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("#scrub")).to_have_value("7")


def test_panels_are_open_one_at_a_time_and_nothing_scrolls_in_what_scrolls(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder) + "?at=40&as=all")
    panels = page.locator(".beside > details[name]")
    expect(page.locator(".beside > details[name][open]")).to_have_attribute("id", "log")
    for panel in panels.all()[1:]:
        panel.locator("summary").click()
        expect(page.locator(".beside > details[name][open]")).to_have_count(1)
        assert panel.get_attribute("open") is not None
        assert page.evaluate(NESTED) == []
    page.set_viewport_size(PHONE)
    for panel in panels.all():
        panel.locator("summary").click()
        assert page.evaluate(NESTED) == []


def test_full_screen_is_the_whole_screen_and_is_left_again(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder))
    button, film = page.locator("label.larger"), "document.querySelector('replay-film')"
    button.click()
    page.wait_for_function(f"document.fullscreenElement === {film}")
    box = page.locator(".film .stage").bounding_box()
    assert box
    assert box["y"] + box["height"] <= page.evaluate("innerHeight")
    assert page.evaluate("innerHeight") - box["height"] < 40
    button.click()
    page.wait_for_function("!document.fullscreenElement")
    expect(page.locator("#larger")).not_to_be_checked()


def test_controls_and_numbers_of_chapters_are_seen_as_they_are_drawn(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder))
    page.locator("label.larger").click()
    assert page.locator("#larger").is_checked()
    assert page.locator("#larger").bounding_box() == {"x": ANY, "y": ANY, "width": 1, "height": 1}
    page.get_by_text("Chapters", exact=True).click()
    assert page.evaluate(CUT_NUMBERS) == []


def test_the_luck_of_the_dice_comes_when_one_gets_there(site: Site) -> None:
    page = site.open(f"/matches/{a_set_with_dice().matches.earliest('pk').pk}/?at=3&as=1")
    link, bars = page.get_by_role("link", name="What each roll was worth", exact=True), page.locator("svg.luck")
    page.mouse.wheel(0, 800)
    expect(bars).to_have_count(2)
    expect(link).to_have_count(0)
    page.get_by_text("The rolls that moved most").click()
    page.locator("#luck li a").first.click()
    expect(page).to_have_url(re.compile(r"/matches/\d+/\?at=\d+&as=1#film"))


def test_the_chart_is_switched_and_the_choice_remembered(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder) + "?at=20&as=all")
    chances, score = (page.locator(f'figure[data-kind="{kind}"]') for kind in ("chances", "score"))
    expect(chances).to_be_visible()
    expect(score).to_be_hidden()
    shown = page.locator("[data-chance]").first
    expect(shown).to_contain_text("%")
    page.get_by_role("link", name="Last moment").click()
    expect(shown).to_have_text(re.compile("^(0|33|50|100) %$"))
    page.get_by_role("link", name="Score", exact=True).click()
    expect(score).to_be_visible()
    expect(chances).to_be_hidden()
    page.reload()
    expect(score).to_be_visible()
    page.get_by_role("link", name="Chances", exact=True).click()
    expect(chances).to_be_visible()


def test_without_javascript_links_lead_through_the_match(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder), java_script_enabled=False)
    expect(page.locator(".picture.wide .title").first).to_contain_text("Round 1")
    page.get_by_role("link", name="Last moment").click()
    expect(page.locator(".picture.wide .title").first).to_contain_text("After the last round")
    page.get_by_text("Chapters", exact=True).click()
    page.get_by_role("link", name="Round 2", exact=True).click()
    expect(page.locator(".picture.wide .title").first).to_contain_text("Round 2")
    page.get_by_role("link", name="seat 1", exact=False).click()
    expect(page.locator(".picture.wide .back").first).to_be_visible()  # the hands of others


def test_a_chart_shows_what_has_been_played_and_the_rest_when_asked_for(site: Site, ladder: Ladder) -> None:
    for script in (True, False):
        page = site.open(path_of(ladder) + "?at=20", java_script_enabled=script)
        cover, names = (
            page.locator("[data-kind=chances] [data-future]"),
            page.locator("[data-kind=chances] [data-later]"),
        )
        expect(cover).to_be_visible()
        expect(names.last).to_be_hidden()  # they stand where the lines end
        page.get_by_label("Show how it goes on").check()
        expect(names.last).to_be_visible()
        expect(cover).to_be_hidden()
        page.get_by_label("Show how it goes on").uncheck()
        page.get_by_role("link", name="Last moment").click()
        expect(names.last).to_be_visible()
        page.context.close()


def test_goal_and_needs_stand_beside_the_board_and_the_legend_is_opened_by_keyboard(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder) + "?at=20")
    expect(page.locator(".aim")).to_contain_text("It ends after four rounds.")
    needs = page.locator(".needs")
    expect(needs).to_have_count(page.locator(".seats li").count())
    before = needs.all_text_contents()
    page.get_by_label("Moment, by answers given").fill("70")
    expect(needs.first).not_to_have_text(before[0])
    page.locator("#guide summary").press("Enter")
    expect(page.locator(".legend")).to_contain_text("basic goods")
    assert page.evaluate(NESTED) == []
    page.set_viewport_size(PHONE)
    expect(page.locator(".legend")).to_contain_text("basic goods")


# Whether the finale covers the deck, or lies outside the board at its top, right or left.
COVERS = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [finale, frame] = [box(".finale"), box(".frame")], beside = finale.left < frame.left - 1;
  return [finale.bottom > box(".deck").top + 1, finale.top < frame.top - 1, finale.right > frame.right + 1, beside];
}"""


@pytest.mark.parametrize("screen", [SMALL_LAPTOP, PHONE])
def test_a_film_ends_on_its_finale_which_moves_nothing_and_spoils_nothing(
    site: Site, ladder: Ladder, screen: ViewportSize
) -> None:
    older = path_of(ladder)
    newer = a_completed_set(ladder, [entry.bot.versions.get() for entry in ladder.entries.order_by("pk")])
    page = site.open(f"/matches/{newer.matches.earliest('pk').pk}/?at=20&as=all", viewport=screen)
    finale, stage, scrub = page.locator(".finale"), page.locator(".film .stage"), page.locator("#scrub")
    expect(scrub).to_have_value("20")
    expect(finale).to_be_hidden()
    before = stage.bounding_box(), page.locator(".frame").bounding_box()
    scrub.press("End")
    expect(finale).to_be_visible()
    assert (stage.bounding_box(), page.locator(".frame").bounding_box()) == before
    assert page.evaluate(COVERS) == [False] * 4
    expect(finale.locator("li")).to_have_count(3)
    play = finale.get_by_role("link", name="Play from here").get_attribute("href") or ""
    expect(finale.get_by_role("link", name="Next match")).to_have_attribute("href", older)
    finale.locator("summary").click()
    expect(finale.locator("li").first).to_be_hidden()
    finale.locator("summary").click()
    again = finale.get_by_role("link", name="Watch that again")
    moment = again.get_attribute("data-at") or ""
    again.click()
    expect(scrub).to_have_value(moment)
    expect(finale).to_be_hidden()
    assert 0 <= int(play.rpartition("=")[2]) < int(moment)


def test_without_javascript_the_finale_is_there_at_the_end_alone(site: Site, ladder: Ladder) -> None:
    page = site.open(path_of(ladder) + "?at=20&as=all", java_script_enabled=False)
    expect(page.locator(".finale")).to_be_hidden()
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    page.get_by_role("link", name="Last moment").click()
    expect(page.locator(".finale")).to_be_visible()
    page.locator(".finale").get_by_role("link", name="Watch that again").click()
    expect(page.locator(".finale")).to_be_hidden()
