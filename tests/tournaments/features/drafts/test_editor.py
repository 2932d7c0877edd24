"""Writing bots in the browser."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from engine.games import GAMES
from tests.factories import SAMPLE, a_bot, a_ladder, a_user, a_version
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.filled import form_of
from tests.tournaments.web.pages.html import Html
from tournaments.features.drafts.rules import DRAFTS, MOST, begin_draft, save
from tournaments.ledger.competitors.starting_points import starts
from tournaments.models import Bot, Bundle, Draft, DraftState, User, Version

pytestmark = pytest.mark.django_db
NASTY = "</textarea><script>alert(1)</script>\n"


def a_draft(owner: User, **fields: Any) -> Draft:
    return begin_draft(**{"owner": owner, "game": "zaibatsu", "source": SAMPLE.decode(), "name": "Orchard", **fields})


def filled(draft: Draft, **fields: str) -> dict[str, str]:
    """The fields that the form sends."""
    mine = {"source": draft.source, "filename": draft.filename, "name": draft.name}
    return {**mine, "since": draft.saved_at.isoformat(), **fields}


def page_of(client: Client, path: str, fields: dict[str, str] | None = None) -> Html:
    answer = client.get(path) if fields is None else client.post(path, fields, follow=True)
    page = Html(answer.content.decode())
    assert page.faults() == []
    return page


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_begins_from_a_sample_of_its_game_or_from_nothing(game: str) -> None:
    client = signed_in(a_user("olga"))
    page = page_of(client, f"/editor/?game={game}")
    keys = [button["value"] for button in page.all("button") if button.get("name") == "start"]
    assert keys == [start.key for start in starts(game)]
    assert {"random", "empty"} <= set(keys)
    for start in starts(game):
        opened = page_of(client, "/editor/", {"game": game, "start": start.key})
        draft = Draft.objects.latest("pk")
        assert (draft.source, draft.filename, draft.bot) == (start.source, start.filename, None)
        assert f"A bot for {GAMES[game].title}" in opened.text


def test_nothing_is_made_of_what_is_not_offered() -> None:
    client = signed_in(a_user("olga"))
    for fields in ({"game": "chess", "start": "random"}, {"game": "zaibatsu", "start": "../secret"}, {}):
        assert "Write a bot in the browser" in page_of(client, "/editor/", fields).text
    assert not Draft.objects.exists()


def test_a_version_of_ones_own_is_edited_and_becomes_the_next(pages_world: World) -> None:
    client, version = signed_in(pages_world.owner), pages_world.bot.versions.get()
    page_of(client, "/editor/", {"version": str(version.pk)})
    draft = Draft.objects.get()
    assert (draft.bot, draft.source.encode()) == (pages_world.bot, bytes(version.bundle.content))
    page_of(client, f"/drafts/{draft.pk}/", filled(draft, source=draft.source + "B = 1", do="submit", note="better"))
    newest = pages_world.bot.versions.latest("number")
    assert (newest.number, newest.note, newest.status) == (2, "better", "checking")


@pytest.mark.parametrize("person", ["other", "staff"])
def test_the_source_of_somebody_elses_bot_is_never_opened(pages_world: World, person: str) -> None:
    version = pages_world.bot.versions.get()
    assert signed_in(getattr(pages_world, person)).post("/editor/", {"version": version.pk}).status_code == 404
    assert not Draft.objects.exists()


def test_a_version_of_several_files_says_that_it_is_changed_at_home(pages_world: World) -> None:
    version = pages_world.bot.versions.get()
    Version.objects.filter(pk=version.pk).update(filename="bot.zip")
    page = page_of(signed_in(pages_world.owner), "/editor/", {"version": str(version.pk)})
    assert "is more than one text file; change it at home, and upload it again." in page.text


def test_what_is_typed_is_saved_by_the_button_and_by_the_script() -> None:
    user = a_user("olga")
    draft, client = a_draft(user), signed_in(user)
    page_of(client, f"/drafts/{draft.pk}/", filled(draft, source="one\r\ntwo", do="save"))
    draft.refresh_from_db()
    assert draft.source == "one\ntwo"
    answer = client.post(f"/drafts/{draft.pk}/", filled(draft, source="three"), headers={"Accept": "application/json"})
    draft.refresh_from_db()
    assert (draft.source, answer.json()) == ("three", {"said": "Saved", "since": draft.saved_at.isoformat()})


def test_a_draft_becomes_a_new_bot_which_enters_its_ladder() -> None:
    user = a_user("olga")
    draft, ladder = a_draft(user), a_ladder("arena")
    page = page_of(signed_in(user), f"/drafts/{draft.pk}/", filled(draft, do="submit", note="first", ladder="arena"))
    bot = Bot.objects.get()
    assert (bot.name, bot.owner, bot.entries.get().ladder) == ("Orchard", user, ladder)
    assert bytes(bot.versions.get().bundle.content) == draft.source.encode()
    assert "Orchard v1 is submitted and being checked." in page.text
    draft.refresh_from_db()
    assert draft.bot == bot


WRONG = [
    ({"name": ""}, "The bot has no name yet"),
    ({"name": "x"}, "3 to 40 letters"),
    ({"name": "ROOK"}, "choose another name"),
    ({"filename": "bot.exe"}, "is neither"),
    ({"filename": ""}, "Give the file a name"),
    ({"source": ""}, "the upload is empty"),
    ({"source": "a\0b"}, "Null characters are not allowed."),
    ({"source": "x" * (MOST + 1)}, "at most 262144 characters"),
    ({"source": "é" * (MOST // 2 + 1)}, "a draft has at most 262,144"),
    ({"ladder": "nowhere"}, "Choose one from the list."),
    ({"note": "n" * 201}, "at most 200 characters"),
]


@pytest.mark.parametrize(("fields", "words"), WRONG)
def test_a_refused_draft_says_what_would_be_right_keeps_the_text_and_leaves_no_bot(
    fields: dict[str, str], words: str
) -> None:
    a_bot(name="Rook")
    user = a_user("olga")
    draft = a_draft(user)
    page = page_of(signed_in(user), f"/drafts/{draft.pk}/", filled(draft, do="submit", **fields))
    assert words in page.text
    assert " ".join(fields.get("source", draft.source).split())[:40] in page.text
    assert (Bot.objects.count(), Version.objects.count(), Bundle.objects.count()) == (1, 0, 0)


def test_two_windows_do_not_overwrite_each_other_unseen() -> None:
    user = a_user("olga")
    draft, client = a_draft(user), signed_in(user)
    late = filled(draft, source="of the second window", since=(draft.saved_at - timedelta(minutes=1)).isoformat())
    answer = client.post(f"/drafts/{draft.pk}/", late)
    assert "saved from another window" in answer.content.decode()
    assert "of the second window" in answer.content.decode()
    assert Draft.objects.get().source == SAMPLE.decode()
    client.post(f"/drafts/{draft.pk}/", {**late, "since": ""})  # as the answer's form sends it
    assert Draft.objects.get().source == "of the second window"
    odd = client.post(f"/drafts/{draft.pk}/", {**late, "source": "odd", "since": "2026-13-45T00:00:00"})
    assert "saved from another window" in odd.content.decode()


def test_a_source_is_words_on_the_page_and_never_markup() -> None:
    user = a_user("olga")
    draft = a_draft(user, source=NASTY, filename="<b>.py", name="<i>")
    for path in (f"/drafts/{draft.pk}/", "/drafts/", "/editor/"):
        body = signed_in(user).get(path).content.decode()
        assert "<script>alert" not in body
        assert "<b>.py" not in body
        assert "<i>" not in body


@pytest.mark.parametrize("path", ["/drafts/{}/", "/drafts/{}/delete/"])
def test_drafts_of_others_are_not_there(path: str) -> None:
    draft = a_draft(a_user("olga"))
    for client in (signed_in(a_user("otto")), signed_in(a_user("stella", staff=True))):
        assert client.post(path.format(draft.pk), filled(draft, source="mine now")).status_code == 404
        assert client.get(f"/drafts/{draft.pk}/").status_code == 404
        assert "Orchard" not in client.get("/drafts/").content.decode()
    assert Draft.objects.get().source == SAMPLE.decode()


def test_nobody_keeps_drafts_without_end_and_deleting_makes_room() -> None:
    user = a_user("olga")
    client = signed_in(user)
    drafts = [a_draft(user) for _ in range(DRAFTS)]
    page = page_of(client, "/editor/", {"game": "zaibatsu", "start": "empty"})
    assert f"You have {DRAFTS} drafts, the most that one person may keep; delete one first." in page.text
    page_of(client, f"/drafts/{drafts[0].pk}/delete/", {})
    page_of(client, "/editor/", {"game": "zaibatsu", "start": "empty"})
    assert Draft.objects.count() == DRAFTS


def test_submitting_is_counted_with_the_uploads() -> None:
    user = a_user("olga")
    draft, client = a_draft(user, name="x"), signed_in(user)
    for _ in range(30):
        client.post(f"/drafts/{draft.pk}/", filled(draft, do="submit"))
    draft.refresh_from_db()
    page = page_of(client, f"/drafts/{draft.pk}/", filled(draft, do="submit"))
    assert "Too many attempts" in page.text


def test_a_version_that_could_not_be_submitted_yet_waits_in_the_draft() -> None:
    user = a_user("olga")
    bot = a_bot(user, "Orchid")
    a_version(bot)
    draft = a_draft(user, bot=bot, source="print(1)\n")
    page_of(signed_in(user), f"/drafts/{draft.pk}/", filled(draft, do="submit"))
    draft.refresh_from_db()
    page = page_of(signed_in(user), f"/drafts/{draft.pk}/", filled(draft, source="print(2)\n", do="submit"))
    assert "is still being checked" in page.text
    draft.refresh_from_db()
    assert draft.source == "print(2)\n"


TYPED = "\n\n  from bots.sdk import play\n\tx = \"<é & 'ß'>\"  \n\n"
REFUSED = [{"name": "Ana's first"}, {"name": ""}, {"filename": "bot.exe"}, {"ladder": "nowhere"}]


@pytest.mark.parametrize("wrong", REFUSED)
def test_a_refused_draft_stands_again_to_the_byte_and_is_stored_so(wrong: dict[str, str]) -> None:
    user = a_user("olga")
    a_ladder("arena")
    draft, client = a_draft(user), signed_in(user)
    sent = filled(draft, source=TYPED.replace("\n", "\r\n"), note=" <i> ", do="submit") | wrong
    for _ in range(2):
        page = client.post(f"/drafts/{draft.pk}/", sent).content.decode()
        sent |= dict(form_of(page, f"/drafts/{draft.pk}/").sent())
        assert {name: sent[name] for name in ("name", "filename", "note")} == {
            name: {"name": "Orchard", "filename": "bot.py", "note": " <i> ", **wrong}[name]
            for name in ("name", "filename", "note")
        }
    assert Draft.objects.get().source in (TYPED, SAMPLE.decode())
    assert sent["source"] == TYPED.replace("\n", "\r\n")


def states(draft: Draft) -> list[str]:
    return list(draft.states.order_by("pk").values_list("source", flat=True))


def test_every_save_that_changes_the_source_keeps_what_was_there_and_it_can_be_taken_back() -> None:
    user = a_user("olga")
    draft, client = a_draft(user, source="one\n"), signed_in(user)
    path = f"/drafts/{draft.pk}/"
    for source in ("two\n", "two\n", "two\nthree\n"):
        client.post(path, filled(draft, source=source, since=""))
    assert states(draft) == ["one\n", "two\n"]
    listed = page_of(client, f"{path}states/")
    assert "Up to 200 are kept" in listed.text
    first = draft.states.earliest("pk")
    shown = page_of(client, f"{path}states/{first.pk}/")
    assert [line for line in ("-one", "+two", "+three") if line in shown.text] == ["-one", "+two", "+three"]
    back = page_of(client, f"{path}states/{first.pk}/take/", {})
    assert "one" in back.text
    draft.refresh_from_db()
    assert (draft.source, states(draft)) == ("one\n", ["one\n", "two\n", "two\nthree\n"])
    client.post(f"{path}delete/")
    assert not DraftState.objects.exists()


def test_a_state_brings_the_language_of_its_source_back_and_nothing_else_of_the_draft() -> None:
    user = a_user("olga")
    draft, client = a_draft(user, source="one"), signed_in(user)
    client.post(f"/drafts/{draft.pk}/", filled(draft, source="int two;", filename="bot.c", name="Other"))
    client.post(f"/drafts/{draft.pk}/states/{draft.states.get().pk}/take/")
    draft.refresh_from_db()
    assert (draft.source, draft.filename, draft.name) == ("one", "bot.py", "Other")


@pytest.mark.parametrize("name", ["otto", "stella"])
def test_earlier_states_are_their_writers_alone(name: str) -> None:
    user = a_user("olga")
    draft, other = a_draft(user, source="secret one"), a_user(name, staff=name == "stella")
    signed_in(user).post(f"/drafts/{draft.pk}/", filled(draft, source="two"))
    state, mine = draft.states.get(), a_draft(other)
    for path in (f"{draft.pk}/states/", f"{draft.pk}/states/{state.pk}/", f"{mine.pk}/states/{state.pk}/"):
        assert signed_in(other).get(f"/drafts/{path}").status_code == 404
    for number in (draft.pk, mine.pk):
        assert signed_in(other).post(f"/drafts/{number}/states/{state.pk}/take/").status_code == 404
    assert Draft.objects.get(pk=mine.pk).source == SAMPLE.decode()


def test_states_are_bounded_in_number_and_of_all_drafts_together_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.features.drafts.rules.STATES", 3)
    monkeypatch.setattr("tournaments.features.drafts.rules.STATES_BYTES", 18)
    user = a_user("olga")
    first, second, foreign = (
        a_draft(user, source="1..."),
        a_draft(user, source="a..."),
        a_draft(a_user("otto"), source="A..."),
    )
    for draft, signs in ((foreign, "BC"), (first, "23456")):
        for sign in signs:
            save(draft=draft, source=f"{sign}...", filename="bot.py", name="")
    assert states(first) == ["1...", "4...", "5..."], "of long ago there are fewer"
    for sign in "bc":
        save(draft=second, source=f"{sign}...", filename="bot.py", name="")
    assert (states(first), states(second), states(foreign)) == (["4...", "5..."], ["a...", "b..."], ["A...", "B..."])
