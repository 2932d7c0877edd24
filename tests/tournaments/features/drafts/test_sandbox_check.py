"""A draft is tried in the sandbox, and its writer is told what went wrong, where, in words."""

from typing import Any

import pytest

from tests.factories import SAMPLE, a_ladder, a_user
from tests.practising import bots_answer
from tests.tournaments.features.drafts.test_editor import a_draft, filled
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.features.drafts.diagnostics import line_in, words_for
from tournaments.features.practice.turns import fail_game
from tournaments.models import Bot, Draft, Practice, User, Version

pytestmark = pytest.mark.django_db
SYNTAX = 'Traceback\n  File "/bot/bot.py", line 7\n    def x(:\n          ^\nSyntaxError: invalid syntax'
CRASH = (
    'Traceback (most recent call last):\n  File "/bots/sdk.py", line 40, in play\n    x\n'
    '  File "/bot/bot.py", line 12, in choose\n    y\n  File "/engine/core.py", line 9, in z\n    q\nKeyError: \'gold\''
)


@pytest.fixture
def user() -> User:
    a_ladder("arena", title="Arena")
    return a_user("olga")


def checked(user: User, draft: Draft, **fields: str) -> str:
    """The page after pressing the button."""
    sent = filled(draft, do="check", **fields)
    return " ".join(signed_in(user).post(f"/drafts/{draft.pk}/", sent, follow=True).content.decode().split())


def page_of(user: User, draft: Draft) -> Html:
    page = Html(signed_in(user).get(f"/drafts/{draft.pk}/").content.decode())
    assert page.faults() == []
    return page


def test_a_check_plays_one_game_against_a_sample_and_submits_nothing(user: User) -> None:
    draft = a_draft(user)
    assert 'id="check" aria-labelledby="check-title" data-refresh="2"' in checked(user, draft, against="marginal")
    practice = Practice.objects.get()
    assert [seat["name"] for seat in practice.seats] == ["Orchard", "sample marginal", "sample marginal"]
    assert bots_answer(practice) == "taken"
    page = page_of(user, draft)
    assert "and no fault." in page.text
    assert "One game under the settings of Arena; it is not rated." in page.text
    assert "data-refresh" not in next(section for section in page.all("section") if section.get("id") == "check")
    assert not Bot.objects.exists()
    assert not Version.objects.exists()


def with_fault(stderr: str, **fault: object) -> Any:
    def forge(plain: dict[str, Any]) -> None:
        plain["stderr"] = [{"seat": 0, "text": stderr}]
        plain["faults"] = [{"seat": 0, "answer": -1, "verdict": "crashed", "detail": "exit code 1", **fault}]

    return forge


@pytest.mark.parametrize(
    ("stderr", "fault", "words", "line"),
    [
        (SYNTAX, {}, "Python cannot read line 7: invalid syntax", 7),
        (CRASH, {"answer": 3}, "It ended at line 12 with KeyError: 'gold'", 12),
        ("", {"verdict": "timed out", "detail": "1001 ms of 1000"}, "Timed out, at its start: 1001 ms of 1000", None),
        ("", {"answer": 5, "verdict": "illegal answer", "detail": "too high", "asked": {"t": "bid"}, "given": {"n": 9}},
         "Illegal answer, at answer 5: too high", None),
        ("<script>alert(1)</script>", {}, "Crashed, at its start: exit code 1", None),
    ],
)  # fmt: skip
def test_what_went_wrong_is_told_in_words_with_a_link_to_the_line(
    user: User, stderr: str, fault: dict[str, object], words: str, line: int | None
) -> None:
    draft = a_draft(user)
    checked(user, draft)
    assert bots_answer(Practice.objects.get(), with_fault(stderr, **fault)) == "taken"
    page = page_of(user, draft)
    assert words in page.text
    links = [link["href"] for link in page.all("a") if link["href"].startswith("#line-")]
    assert links == ([f"#line-{line}"] if line else [])


def test_a_check_of_an_older_text_says_so_and_a_new_one_takes_its_place(user: User) -> None:
    draft = a_draft(user)
    checked(user, draft)
    bots_answer(Practice.objects.get())
    assert "changed the text" not in page_of(user, draft).text
    signed_in(user).post(f"/drafts/{draft.pk}/", filled(draft, source=draft.source + "# more", since=""))
    assert "You have changed the text since this check." in page_of(user, draft).text
    for _ in range(10):  # none of which was played
        checked(user, draft, since="")
    assert Practice.objects.filter(status="waiting").count() == 1


def test_a_check_that_cannot_be_played_is_no_fault_of_the_bot(user: User) -> None:
    draft = a_draft(user)
    checked(user, draft)
    fail_game(Practice.objects.get(), "no worker is here.")
    assert "It could not be played: no worker is here. This is not your bot’s fault" in page_of(user, draft).text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"against": "../secret"}, "Select a valid choice"),
        ({"source": "", "filename": "bot.py"}, "the upload is empty"),
        ({"filename": "bot.exe"}, "is neither"),
    ],
)
def test_what_cannot_be_checked_is_refused_beside_its_field(user: User, fields: dict[str, str], words: str) -> None:
    draft = a_draft(user)
    assert words in checked(user, draft, **fields)
    assert not Practice.objects.exists()


def test_without_a_ladder_of_its_game_a_draft_cannot_be_checked() -> None:
    user = a_user("olga")
    assert "There is no ladder of Zaibatsu whose clock and limits could apply." in checked(user, a_draft(user))


@pytest.mark.parametrize(
    ("text", "filename", "line"),
    [
        ("bot.c:12:5: error: expected ';'", "bot.c", 12),
        ("engine/core.py:3:1", "bot.py", None),
        ('File "/x/robot.py", line 3', "bot.py", None),
        ('File "bot.py", line 99999', "mine.py", 99999),
        (SAMPLE.decode(), "bot.py", None),
    ],
)
def test_lines_are_those_of_the_draft_alone(text: str, filename: str, line: int | None) -> None:
    assert line_in(text, filename) == line


def test_only_an_exception_is_told_as_one() -> None:
    assert words_for("Hello: world", 3) == ""
    assert words_for("AssertionError", 3) == "It ended at line 3 with AssertionError"
