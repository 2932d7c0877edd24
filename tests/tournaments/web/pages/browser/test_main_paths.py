"""The main paths in a real Chromium, as people go them: by mouse, by keyboard, on a phone, in the dark."""

from pathlib import Path

from playwright.sync_api import expect

from tests import factories
from tests.factories import SAMPLE, a_bot, a_completed_set, a_user, a_version, play_set
from tests.holding import KNOCKOUT, a_running, play_out
from tests.tournaments.web.pages.browser.conftest import PHONE, Site, phone_faults, sign_up, tab_to
from tournaments.models import Bot, Entry, Ladder, MatchSet, Version


def test_a_newcomer_signs_up_uploads_a_bot_and_sees_it_on_the_ladder(
    site: Site, ladder: Ladder, tmp_path: Path
) -> None:
    page = site.open()
    sign_up(page, "nina")
    expect(page.get_by_role("status").first).to_contain_text("Welcome, nina.")
    (tmp_path / "mybot.py").write_bytes(SAMPLE + b"# mine\n")
    page.get_by_label("Name").fill("Newcomer")
    page.get_by_label("File").set_input_files(tmp_path / "mybot.py")
    expect(page.get_by_label("Ladder")).to_have_value("arena")  # of the game that is chosen
    page.get_by_label("Game").select_option("kaiju")
    expect(page.get_by_label("Ladder")).to_have_value("")
    page.get_by_label("Game").select_option("zaibatsu")
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", name="Newcomer", exact=True)).to_be_visible()
    expect(page.get_by_text("Version 1 is being checked")).to_be_visible()
    play_set(MatchSet.objects.get(checks__bot__name="Newcomer"))
    expect(page.locator("#versions .tag.good").first).to_have_text("active")  # by itself: nobody reloads
    expect(page.locator("#announcer")).to_contain_text("Version 1: Passed its check")
    page.get_by_role("link", name="Arena").first.click()
    expect(page.locator("#standings")).to_contain_text("Newcomer v1")


def test_a_file_too_large_is_refused_before_it_is_sent(site: Site, ladder: Ladder, tmp_path: Path) -> None:
    page = site.open("/upload/", person=a_user("olga"))
    (tmp_path / "huge.zip").write_bytes(bytes(6 << 20))
    page.get_by_label("File").set_input_files(tmp_path / "huge.zip")
    refusal = "This file has 6291456 bytes; at most 5242880 are taken."
    expect(page.get_by_label("File")).to_have_js_property("validationMessage", refusal)


def test_standings_move_while_one_watches_and_keep_the_focus(site: Site, ladder: Ladder) -> None:
    page = site.open("/ladders/arena/")
    link = page.locator("#standings").get_by_role("link", name="Random")
    link.focus()
    a_completed_set(ladder, list(Version.objects.filter(status="active", bot__entries__ladder=ladder)))
    factories.rate()
    expect(page.locator("#standings tbody tr").first.locator("td").nth(3)).to_have_text("2", timeout=30_000)
    expect(link).to_be_focused()


def test_everything_can_be_reached_and_done_by_keyboard(site: Site, ladder: Ladder) -> None:
    owner = a_user("olga")
    a_version(a_bot(owner, "Orchid"))
    page = site.open("/ladders/arena/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, "sign in")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("olga")
    page.keyboard.press("Tab")
    page.keyboard.type("the password of olga")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Enter the ladder")).to_be_visible()
    tab_to(page, "Enter the ladder")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Orchid is in the Arena ladder.")
    assert Entry.objects.get(bot=Bot.objects.get(name="Orchid")).status == Entry.Status.PLAYING


def test_a_match_tells_its_log_round_by_round(site: Site, ladder: Ladder) -> None:
    page = site.open("/ladders/arena/")
    page.locator("#matches").get_by_role("rowheader").get_by_role("link").first.click()
    page.get_by_text("Chapters", exact=True).click()
    page.get_by_role("link", name="Round 1", exact=True).click()
    expect(page.locator("[data-log]")).to_contain_text("is Commissioner")


def test_a_phone_never_scrolls_sideways_and_words_stand_out(site: Site, ladder: Ladder) -> None:
    page = site.open("/", viewport=PHONE)
    sign_up(page, "nina")
    match = ladder.sets.get().matches.first()
    assert match is not None
    bot = Bot.objects.get(name="A long name with many words in it")
    for path in ("/", "/ladders/arena/", f"/bots/{bot.pk}/", f"/matches/{match.pk}/", "/upload/", "/tokens/"):
        page.goto(site.url + path)
        assert phone_faults(page) == [], path


def test_an_event_fits_a_phone_too(site: Site) -> None:
    event = play_out(a_running(5, KNOCKOUT, title="A cup whose name is rather long for a small screen"))
    page = site.open("/events/", viewport=PHONE)
    for path in ("/events/", f"/events/{event.slug}/"):
        page.goto(site.url + path)
        assert phone_faults(page) == [], path
    expect(page.locator(".bracket > div")).to_have_count(3)


def test_without_javascript_every_page_still_tells_its_story(site: Site, ladder: Ladder) -> None:
    page = site.open("/", java_script_enabled=False)
    page.get_by_role("link", name="Arena").first.click()
    expect(page.locator("#standings")).to_contain_text("Marginal v1")
    sign_up(page, "nina")
    expect(page.get_by_role("status").first).to_contain_text("Welcome, nina.")
