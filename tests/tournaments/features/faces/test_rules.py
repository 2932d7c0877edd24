"""What owners choose for a bot's face: who may, and what is refused in a sentence with a stable code."""

import pytest

from tests.factories import a_bot, a_user
from tournaments.core.errors import Refused
from tournaments.features.faces.rules import choose_face
from tournaments.features.moderation.actions import Suspend
from tournaments.ledger.competitors.about_texts import LONGEST_MOTTO
from tournaments.models import Bot, User

pytestmark = pytest.mark.django_db
LOUD = ["#000000", "#FFFFFF"]


def refusal(bot: Bot, by: User, motto: str = "", colours: list[str] | None = None) -> str:
    with pytest.raises(Refused) as refused:
        choose_face(bot=bot, by=by, motto=motto, colours=colours or [])
    return refused.value.code


def test_an_owner_gives_a_bot_a_motto_in_one_line_and_two_colours_and_takes_them_back() -> None:
    bot = a_bot()
    choose_face(bot=bot, by=bot.owner, motto=" Slow \n and\tsteady ", colours=LOUD)
    bot.refresh_from_db()
    assert (bot.motto, bot.colours) == ("Slow and steady", "#000000 #ffffff")
    choose_face(bot=bot, by=bot.owner, motto="", colours=[])
    bot.refresh_from_db()
    assert (bot.motto, bot.colours) == ("", "")


@pytest.mark.parametrize(
    ("colours", "code"),
    [
        (["#777777", "#888888"], "low_contrast"),
        (["#000000", "#000000"], "low_contrast"),
        (["#000000"], "bad_colours"),
        (["#000000", "#ffffff", "#ff0000"], "bad_colours"),
        (["red", "#ffffff"], "bad_colours"),
        (["#00000", "#ffffff"], "bad_colours"),
        (['#000000"/><script>', "#ffffff"], "bad_colours"),
        (["#000000\n", "#ffffff"], "bad_colours"),
    ],
)
def test_colours_that_are_none_or_too_much_alike_are_refused(colours: list[str], code: str) -> None:
    bot = a_bot()
    assert refusal(bot, bot.owner, colours=colours) == code
    assert Bot.objects.get(pk=bot.pk).colours == ""


def test_a_motto_has_a_budget_of_characters() -> None:
    bot = a_bot()
    choose_face(bot=bot, by=bot.owner, motto="x" * LONGEST_MOTTO, colours=[])
    assert refusal(bot, bot.owner, "x" * (LONGEST_MOTTO + 1)) == "motto_too_long"


def test_nobody_else_chooses_a_face_and_nobody_who_is_suspended() -> None:
    bot, staff = a_bot(), a_user(staff=True)
    assert refusal(bot, a_user()) == refusal(bot, staff) == "not_yours"
    Suspend(user=bot.owner, words="You insult.").do(by=staff, reason="a test")
    assert refusal(bot, bot.owner, "New") == "account_suspended"
