import pytest

from tests.factories import a_bot, a_user
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tournaments.models import Bot

pytestmark = pytest.mark.django_db


def test_a_bot_is_created_and_found_at_its_location() -> None:
    made = ask("POST", "bots", a_user("ada"), {"game": "zaibatsu", "name": "Analytical"})
    assert made.status_code == 201
    assert (
        made.json().items()
        >= {"game": "zaibatsu", "name": "Analytical", "owner": "ada", "active_version": None}.items()
    )
    assert ask("GET", made["Location"]).json() == made.json()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"game": "zaibatsu", "name": "x"}, (400, "bad_name")),
        ({"game": "chess", "name": "Deep"}, (400, "unknown_game")),
        ({"game": "zaibatsu", "name": "Analytical"}, (409, "name_taken")),
        ({"game": "zaibatsu"}, (400, "invalid")),
        ({"game": "zaibatsu", "name": 5}, (400, "invalid")),
        ({"game": ["zaibatsu"], "name": "A bot"}, (400, "invalid")),
        ({"game": "zaibatsu", "name": "\x00"}, (400, "invalid")),
        ({"game": "zaibatsu", "name": "A bot", "owner": "bob"}, (400, "invalid")),
        ([], (400, "invalid")),
        ("bot", (400, "invalid")),
        (None, (400, "invalid")),
    ],
)
def test_what_cannot_be_a_bot_leaves_no_trace(body: object, expected: tuple[int, str]) -> None:
    user = a_user()
    a_bot(user, "Analytical")
    assert refused(ask("POST", "bots", user, body)) == expected
    assert Bot.objects.count() == 1


def test_an_unknown_field_is_named_with_those_that_are_taken() -> None:
    answer = ask("POST", "bots", a_user(), {"game": "zaibatsu", "name": "A bot", "colour": "red"})
    assert answer.json()["fields"] == {"colour": ["Unknown field; this takes game, name, space."]}


def test_bots_are_found_by_owner_game_and_name(api_world: World) -> None:
    def names(query: str) -> list[str]:
        return [row["name"] for row in ask("GET", f"bots?{query}").json()["results"]]

    assert names("") == ["Difference", "Analytical"]
    assert names("owner=ada") == ["Analytical"]
    assert names("name=ANALYTICAL&game=zaibatsu") == ["Analytical"]
    assert names("owner=nobody") == []


def test_a_bot_names_the_version_that_plays(api_world: World) -> None:
    assert ask("GET", f"bots/{api_world.bot.pk}").json()["active_version"] == 1
