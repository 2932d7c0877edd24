"""Series of friendly sets, and versions compared."""

import pytest
from django.test import Client

from engine.referee import Verdict
from tests.bots.test_bundle import zipped
from tests.factories import SAMPLE, a_completed_set, a_ladder, a_version, play_set
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.models import Bundle, MatchSet, User, Version
from tournaments.web.pages.version_comparison import LINES

pytestmark = pytest.mark.django_db


def page_of(user: User | None, path: str) -> Html:
    page = Html(signed_in(user).get(path).content.decode())
    assert page.faults() == []
    return page


def ask(client: Client, world: World, sets: str) -> str:
    typed = {"ladder": "arena", "against": "rook;\u00a0Thistle", "sets": sets}
    return Html(client.post(f"/bots/{world.bot.pk}/friendly/", typed, follow=True).content.decode()).text


def test_a_series_is_asked_for_in_one_go_and_adds_up_as_its_sets_end(pages_world: World) -> None:
    client, path = signed_in(pages_world.owner), f"/bots/{pages_world.bot.pk}/series/"
    assert "You can request 10 more now, and 50 within 24 hours." in page_of(pages_world.owner, path).text
    text = ask(client, pages_world, "3")
    assert "Requested: it is played as soon as its turn comes." in text
    assert "You can request 7 more now, and 47 within 24 hours." in text
    assert "No set is over yet." in text
    first, second, _ = MatchSet.objects.filter(asked_by=pages_world.owner)
    faults = {pages_world.rival.versions.get().pk: Verdict.CRASHED}
    play_set(first, faults=faults)
    assert "% of the points." in page_of(None, path).text
    play_set(second, faults=faults)
    text = page_of(None, path).text
    assert "Version 1 against" in text
    assert "the 95 % interval is" in text
    assert "open" in text
    assert "Request sets" not in text


@pytest.mark.parametrize("sets", ["0", "11", "-1", "many", "9" * 30])
def test_a_series_has_as_many_sets_as_may_be_open(pages_world: World, sets: str) -> None:
    assert "A series has 1 to 10 sets" in ask(signed_in(pages_world.owner), pages_world, sets)
    assert not MatchSet.objects.filter(asked_by=pages_world.owner).exists()


def test_a_series_beyond_the_quota_is_not_begun_at_all(pages_world: World) -> None:
    client = signed_in(pages_world.owner)
    ask(client, pages_world, "8")
    assert "sets open at a time, so request at most 2 now" in ask(client, pages_world, "3")
    assert MatchSet.objects.filter(asked_by=pages_world.owner).count() == 8


def changed(world: World, data: bytes) -> Version:
    return a_version(world.bot, data)


def test_what_was_changed_is_shown_to_those_who_run_the_bot_alone(pages_world: World) -> None:
    changed(pages_world, SAMPLE.replace(b"the same answer", b"another answer"))
    path = f"/bots/{pages_world.bot.pk}/compare/?a=1&b=2"
    for user in (pages_world.owner, pages_world.staff):
        assert "another answer" in page_of(user, path).text
        assert "bot.py: changed" in page_of(user, path).text
    for stranger in (None, pages_world.other):
        assert "answer" not in page_of(stranger, path).text


def test_a_note_is_for_those_who_run_the_bot_and_organisers_alone(pages_world: World) -> None:
    Version.objects.filter(pk=changed(pages_world, b"").pk).update(note="bids lower")
    for path in (f"/bots/{pages_world.bot.pk}/", f"/bots/{pages_world.bot.pk}/compare/"):
        seen = [
            user
            for user in (pages_world.owner, pages_world.staff, pages_world.other, None)
            if "bids lower" in page_of(user, path).text
        ]
        assert seen == [pages_world.owner, pages_world.staff], path


def test_everybody_sees_how_two_versions_fared(pages_world: World) -> None:
    newer = changed(pages_world, SAMPLE + b"# newer\n")
    a_completed_set(
        pages_world.ladder, [newer, pages_world.rival.versions.get(), Version.objects.get(bot__name="Thistle")]
    )
    text = page_of(None, f"/bots/{pages_world.bot.pk}/compare/").text
    assert "Matches 3 3" in text
    assert "Matches with a fault 3 0" in text
    assert "CPU time a match 2 ms 2 ms" in text


@pytest.mark.parametrize("query", ["?a=9&b=1", "?a=x", "?b=-", "?a=" + "9" * 30])
def test_versions_that_are_not_there_are_not_compared(pages_world: World, query: str) -> None:
    changed(pages_world, b"")
    answer = signed_in(None).get(f"/bots/{pages_world.bot.pk}/compare/{query}")
    assert (answer.status_code, "There is no version “" in answer.content.decode()) == (404, True)


def test_one_version_alone_cannot_be_compared(pages_world: World) -> None:
    a_ladder()
    answer = signed_in(None).get(f"/bots/{pages_world.bot.pk}/compare/")
    assert (answer.status_code, "has no two versions that could be compared" in answer.content.decode()) == (404, True)


def test_markup_in_a_source_is_shown_and_what_is_too_long_is_not(pages_world: World) -> None:
    path = f"/bots/{pages_world.bot.pk}/compare/?a=1&b=2"
    newer = changed(pages_world, SAMPLE + b"# <script>alert(1)</script>\n")
    body = signed_in(pages_world.owner).get(path).content.decode()
    assert "<script>alert" not in body
    assert "&lt;script&gt;alert(1)" in body
    Bundle.objects.filter(pk=newer.bundle_id).update(content=b"a\n" * (LINES + 1))
    assert "bot.py: changed; too long to be shown here" in page_of(pages_world.owner, path).text


@pytest.mark.parametrize(
    "more",
    [b"#" + b"x" * 4_000_000, b"#" + "\N{GRINNING FACE}".encode() * 60_000, b"#'\"<>&\n" * 2_999, b"#x\r" * 90_000],
)
def test_however_long_lines_and_files_are_the_page_is_not(pages_world: World, more: bytes) -> None:
    changed(pages_world, SAMPLE + more)
    path = f"/bots/{pages_world.bot.pk}/compare/?a=1&b=2"
    assert len(signed_in(pages_world.owner).get(path).content) < 600_000


NUMBERS = "\n#".join(map(str, range(1_500_000))).encode()


def files_changed(world: World, files: dict[str, bytes]) -> str:
    """Return the page, where a second version has more files."""
    newer = changed(world, b"")
    data = zipped({"bot.py": SAMPLE, **files})
    Bundle.objects.filter(pk=newer.bundle_id).update(content=data, size=len(data))
    Version.objects.filter(pk=newer.pk).update(filename="bot.zip")
    return signed_in(world.owner).get(f"/bots/{world.bot.pk}/compare/?a=1&b=2").content.decode()


def test_of_many_files_as_many_are_shown_as_fit_a_page(pages_world: World) -> None:
    page = files_changed(pages_world, {f"{number}.py": b"#" + NUMBERS[: 12_000 + number] for number in range(60)})
    assert len(page) < 1_000_000
    assert "0.py: added</h3>" in page
    assert "9.py: added; too long to be shown here" in page


def test_a_version_of_many_megabytes_is_not_unpacked(pages_world: World) -> None:
    assert "too large to be compared here" in files_changed(pages_world, {"table.txt": NUMBERS})


def test_a_draft_is_begun_from_the_bots_page(pages_world: World) -> None:
    version = pages_world.bot.versions.get()
    buttons = page_of(pages_world.owner, f"/bots/{pages_world.bot.pk}/").all("button")
    edit = next(button for button in buttons if button.get("form") == "edit")
    assert (edit["name"], edit["value"]) == ("version", str(version.pk))
    assert not [
        button
        for button in page_of(pages_world.other, f"/bots/{pages_world.bot.pk}/").all("button")
        if "form" in button
    ]
