"""From an empty account to a bot that plays, in the browser: the editor, the check, the upload, a session that ends."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.factories import SAMPLE, a_user, play_set
from tests.practising import bots_answer
from tests.tournaments.web.pages.browser.conftest import Site, sign_up, tab_to
from tournaments.features.drafts.rules import begin_draft
from tournaments.models import Bot, Draft, Ladder, MatchSet, Practice, Version


def test_a_newcomer_writes_a_bot_finds_its_mistake_and_submits_it(site: Site, ladder: Ladder) -> None:
    page = site.open()
    sign_up(page, "nina")
    page.get_by_role("main").get_by_role("link", name="Write one in the browser").click()
    page.get_by_role("button", name="Start with this").first.click()
    source = page.get_by_label("Source")
    expect(page.locator("pre.numbers")).to_be_attached()  # the editor is there
    source.press("Control+End")
    page.keyboard.type("\nif True:\npass")  # Enter keeps the line's indentation, and adds to it after a colon
    expect(page.locator("#saving")).to_have_text("Saved.", timeout=30_000)
    assert Draft.objects.get().source.endswith("\nif True:\n    pass")
    page.get_by_role("button", name="Check in the sandbox").click()
    expect(page.get_by_text("It is being played in the sandbox.")).to_be_visible()
    bots_answer(Practice.objects.get(), crash)
    expect(page.get_by_text("It ended at line 2 with NameError")).to_be_visible(timeout=30_000)  # nobody reloads
    page.get_by_role("link", name="Go to line 2").click()
    expect(source).to_be_focused()
    assert page.evaluate("getSelection().toString()") == "from engine.games.zaibatsu import Bid, ToBid, best"
    page.get_by_text("Submit it", exact=True).click()
    page.get_by_label("Name of the bot").fill("Newcomer")
    page.get_by_label("Ladder").select_option(label="Arena (Zaibatsu)")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("status").first).to_contain_text("Newcomer v1 is submitted and being checked.")
    play_set(MatchSet.objects.get(checks__bot__name="Newcomer"))
    expect(page.locator("#versions .tag.good").first).to_have_text("active", timeout=30_000)


def crash(plain: dict[str, object]) -> None:
    """The report, as if the bot had crashed at its start."""
    traceback = 'Traceback\n  File "/bot/bot.py", line 2, in <module>\nNameError: name "x" is not defined'
    plain["stderr"] = [{"seat": 0, "text": traceback}]
    plain["faults"] = [
        {"seat": 0, "answer": -1, "verdict": "crashed", "detail": "exit code 1", "asked": None, "given": None}
    ]


def test_the_editor_is_left_and_used_by_keyboard_alone(site: Site, ladder: Ladder) -> None:
    user = a_user("olga")
    draft = begin_draft(owner=user, game="zaibatsu", source="one\ntwo")
    page = site.open(f"/drafts/{draft.pk}/", person=user)
    source = page.get_by_label("Source")
    source.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Tab")
    expect(source).to_have_value("    one\ntwo")
    page.keyboard.press("Shift+Tab")
    expect(source).to_have_value("one\ntwo")
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Earlier states")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_focused()
    tab_to(page, "Submit it")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name of the bot")).to_be_visible()


def test_what_is_typed_without_a_connection_is_kept_and_offered_again(site: Site, ladder: Ladder) -> None:
    user = a_user("olga")
    draft = begin_draft(owner=user, game="zaibatsu", source="old")
    page = site.open(f"/drafts/{draft.pk}/", person=user)
    page.route("**/drafts/**", lambda route: route.abort())
    page.get_by_label("Source").fill("typed on the train")
    expect(page.locator("#saving")).to_contain_text("No connection. What you type is kept in this browser")
    page.unroute("**/drafts/**")
    site.wrong.clear()  # the browser has told of the broken connection
    page.goto(f"{site.url}/drafts/{draft.pk}/")
    page.get_by_role("button", name="Take it").click()
    expect(page.get_by_label("Source")).to_have_value("typed on the train")
    expect(page.locator("#saving")).to_have_text("Saved.", timeout=30_000)
    draft.refresh_from_db()
    assert draft.source == "typed on the train"


def test_what_is_typed_before_the_editor_has_loaded_is_saved_and_typing_goes_on(site: Site, ladder: Ladder) -> None:
    user = a_user("olga")
    late: list[Route] = []
    draft, page = begin_draft(owner=user, game="zaibatsu", source="old"), site.open(person=user)
    page.route("**/editor.*js", lambda route: late.append(route))  # noqa: PLW0108 - Playwright wants to mark it
    page.goto(f"{site.url}/drafts/{draft.pk}/", wait_until="commit")
    page.get_by_label("Source").press("Control+End")
    page.keyboard.type(" and")
    late[0].continue_()
    expect(page.locator("pre.numbers")).to_be_attached()
    page.keyboard.type(" new")
    expect(page.locator("#saving")).to_have_text("Saved.", timeout=30_000)
    draft.refresh_from_db()
    assert draft.source == "old and new"


def test_an_upload_that_is_cut_is_sent_again_and_its_file_stays_chosen(
    site: Site, ladder: Ladder, tmp_path: Path
) -> None:
    user = a_user("olga")
    page = site.open("/upload/", person=user)
    fill(page, "x", tmp_path)
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_text("is not allowed as a bot's name")).to_be_visible()  # in place: the file is still there
    cut = []

    def cut_once(route: Route) -> None:
        cut.append(route.request.method)
        route.abort() if len(cut) == 1 else route.continue_()

    page.route("**/upload/", cut_once)
    page.get_by_label("Name").fill("Orchid")
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_text("The connection broke. Trying again")).to_be_visible()
    expect(page.get_by_role("heading", name="Orchid", exact=True)).to_be_visible(timeout=30_000)
    site.wrong.clear()
    assert bytes(Version.objects.get(bot__owner=user).bundle.content) == SAMPLE + b"# mine\n"


def fill(page: Page, name: str, folder: Path) -> None:
    (folder / "mybot.py").write_bytes(SAMPLE + b"# mine\n")
    page.get_by_label("Name").fill(name)
    page.get_by_label("File").set_input_files(folder / "mybot.py")


def test_a_file_is_dropped_anywhere_on_the_page(site: Site, ladder: Ladder) -> None:
    page = site.open("/upload/", person=a_user("olga"))
    page.evaluate(DROP)
    assert page.get_by_label("File").evaluate("field => field.files[0].name") == "dropped.py"


DROP = """() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["pass"], "dropped.py"));
  const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  document.querySelector("footer").dispatchEvent(drop);
}"""


@pytest.mark.parametrize("script", [True, False])
def test_a_session_that_ends_while_one_types_loses_nothing(site: Site, ladder: Ladder, script: bool) -> None:
    user = a_user("olga")
    draft = begin_draft(owner=user, game="zaibatsu", source="old")
    page = site.open(f"/drafts/{draft.pk}/", person=user, java_script_enabled=script)
    page.context.clear_cookies(name="sessionid")
    page.get_by_label("Source").fill("typed for an hour")
    if script:
        expect(page.locator("#saving")).to_contain_text("You are signed out. Your text is kept in this browser")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("Name").fill("olga")
    page.get_by_label("Password").fill("the password of olga")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Source")).to_have_value("typed for an hour")
    page.get_by_role("button", name="Send it").click()
    expect(page.get_by_label("Source")).to_have_value("typed for an hour")
    draft.refresh_from_db()
    assert draft.source == "typed for an hour"
    assert not Bot.objects.filter(owner=user).exists()


TYPED = "\n\n  from bots.sdk import play\n\tx = \"<é & 'ß'>\"  \n\n"


@pytest.mark.parametrize("script", [True, False])
def test_a_refused_submission_gives_the_source_back_and_what_it_was_before_is_taken_back(
    site: Site, ladder: Ladder, script: bool
) -> None:
    user = a_user("olga")
    draft = begin_draft(owner=user, game="zaibatsu", source="\nold\n")
    page = site.open(f"/drafts/{draft.pk}/", person=user, java_script_enabled=script)
    page.get_by_label("Source").fill(TYPED)
    page.get_by_text("Submit it").click()
    page.get_by_label("Name of the bot").fill("Ana's first")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("is not allowed in a bot's name")).to_be_visible()
    expect(page.get_by_label("Source")).to_have_value(TYPED)
    page.get_by_role("link", name="Earlier states").click()
    page.get_by_role("table").get_by_role("link").first.click()
    expect(page.locator(".diff .removed")).to_have_text(["-old"])
    page.get_by_role("button", name="Restore this state").click()
    expect(page.get_by_label("Source")).to_have_value("\nold\n")
    assert list(draft.states.order_by("pk").values_list("source", flat=True)) == ["\nold\n", TYPED]
