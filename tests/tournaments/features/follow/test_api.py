"""Following from a program."""

import pytest

from tests.factories import a_bot, a_checked, a_ladder, a_user
from tests.holding import an_event
from tests.tournaments.web.api.asking import ask, refused
from tournaments.features.own_data.archive import profile_of

pytestmark = pytest.mark.django_db


def test_a_program_follows_lists_and_stops() -> None:
    ada, bot, ladder, event = a_user("ada"), a_bot(a_user("olga"), "Orchid"), a_ladder("arena"), an_event([])
    bodies = [{"bot": bot.pk}, {"person": "olga"}, {"ladder": "arena"}, {"event": event.slug}]
    made = [ask("POST", "follows", ada, body) for body in (*bodies, bodies[0])]
    assert [answer.status_code for answer in made] == [201] * 5
    assert made[4].json() == made[0].json()
    rows = ask("GET", "follows", ada).json()["results"]
    assert [row["title"] for row in rows] == [str(event), str(ladder), "olga", "Orchid"]
    assert {name: rows[3][name] for name in ("bot", "person", "ladder", "event")} == {
        "bot": bot.pk,
        "person": None,
        "ladder": None,
        "event": None,
    }
    assert [(row["kind"], row["name"]) for row in profile_of(ada)["follows"]][:2] == [
        ("bot", "Orchid"),
        ("person", "olga"),
    ]
    for row in rows:
        assert refused(ask("DELETE", f"follows/{row['id']}", a_user())) == (404, "unknown_follow")
        assert ask("DELETE", f"follows/{row['id']}", ada).status_code == 204
    assert ask("GET", "follows", ada).json()["results"] == []


def test_it_says_what_is_wrong() -> None:
    ada = a_user("ada")
    assert refused(ask("POST", "follows", ada, {"bot": 999}))[1] == "unknown_bot"
    assert refused(ask("POST", "follows", ada, {"person": "nobody"})) == (404, "unknown_user")
    assert refused(ask("POST", "follows", ada, {}))[0] == 400
    assert refused(ask("POST", "follows", ada, {"person": "ada", "ladder": "x"}))[0] == 400
    assert refused(ask("POST", "follows", None, {"person": "ada"})) == (401, "not_signed_in")


def test_the_timeline_for_programs_has_the_news_newest_first() -> None:
    ada, bot = a_user("ada"), a_bot(a_user("olga"), "Orchid")
    ask("POST", "follows", ada, {"bot": bot.pk})
    for _ in range(2):
        a_checked(bot)
    rows = ask("GET", "timeline", ada).json()["results"]
    assert [(row["kind"], row["text"]) for row in rows] == [
        ("version", "Orchid plays with version 2 now."),
        ("bot", "olga has a new bot: Orchid."),
    ]
    assert (rows[0]["bot"], rows[0]["path"]) == (bot.pk, f"/bots/{bot.pk}/")
    first = ask("GET", "timeline?page_size=1", ada).json()
    assert ask("GET", first["next"], ada).json()["results"] == rows[1:]
