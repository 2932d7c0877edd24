"""Drafts and practice games from a program."""

from typing import Any

import pytest
from django.test import Client

from engine.replay import read, verify
from tests.api.asking import ask, refused
from tests.api.world import World
from tests.practising import bots_answer
from tournaments.accounts.api_tokens import make_token
from tournaments.models import Practice, Version

pytestmark = pytest.mark.django_db


def test_a_draft_is_begun_saved_restored_and_submitted(api_world: World) -> None:
    ada = api_world.owner
    starts = ask("GET", "draft-starts?game=zaibatsu").json()["results"]
    assert starts[0]["key"] == "first"
    draft = ask("POST", "drafts", ada, {"game": "zaibatsu", "start": "first"}).json()
    assert draft["source"] == starts[0]["source"]
    path = f"drafts/{draft['id']}"
    saved = ask("PATCH", path, ada, {"source": "print(1)", "name": "Of a draft", "since": draft["saved_at"]}).json()
    late = {"source": "print(2)", "since": draft["saved_at"]}
    assert refused(ask("PATCH", path, ada, late)) == (409, "changed_elsewhere")
    [state] = ask("GET", f"{path}/states", ada).json()["results"]
    assert ask("GET", f"{path}/states/{state['id']}", ada).json()["source"] == draft["source"]
    restored = ask("POST", f"{path}/states/{state['id']}/take", ada).json()
    assert (saved["source"], restored["source"]) == ("print(1)", draft["source"])
    version = ask("POST", f"{path}/submit", ada, {"note": "first", "ladder": "main"}).json()
    assert Version.objects.get(pk=version["id"]).bot.name == "Of a draft"
    assert ask("GET", path, ada).json()["bot"] == version["bot"]


def test_a_draft_begins_from_a_version_of_ones_own_alone(api_world: World) -> None:
    begun = ask("POST", "drafts", api_world.owner, {"version": api_world.version.pk}).json()
    assert (begun["bot"], begun["name"]) == (api_world.bot.pk, "Analytical")
    assert refused(ask("POST", "drafts", api_world.owner, {"version": api_world.rivals.pk})) == (404, "unknown_version")
    assert refused(ask("POST", "drafts", api_world.owner, {"version": 1, "game": "kaiju"})) == (400, "invalid")
    assert refused(ask("POST", "drafts", api_world.owner, {"game": "zaibatsu", "start": "x"})) == (400, "unknown_start")


def test_a_check_of_a_draft_is_a_practice(api_world: World) -> None:
    draft = ask("POST", "drafts", api_world.owner, {"game": "zaibatsu", "start": "first"}).json()
    check = ask("POST", f"drafts/{draft['id']}/check", api_world.owner, {}).json()
    assert [seat["kind"] for seat in check["seats"]] == ["draft", "sample"]
    assert ask("GET", f"drafts/{draft['id']}", api_world.owner).json()["tried"] == check["id"]


def test_a_game_is_played_to_its_end_by_what_is_asked(api_world: World) -> None:
    """A program that answers every question with its default, as `asked` shows them."""
    ada = api_world.owner
    begun = ask("POST", "practices", ada, {"ladder": "main", "seats": ["person", "sample-random"]}).json()
    over = played(f"Token {make_token(user=ada, name='a program')}", begun["id"])
    assert min(over["outcome"]["places"]) == 1
    replay = ask("GET", f"practices/{begun['id']}/replay", ada)
    verify(read(replay.content))  # raises, if it does not hold
    link = ask("POST", f"practices/{begun['id']}/share", ada).json()["shared"]
    assert Client().get(link).status_code == 200
    assert ask("DELETE", f"practices/{begun['id']}/share", ada).status_code == 204
    assert Client().get(link).status_code == 404
    again = ask("POST", f"practices/{begun['id']}/again", ada).json()
    assert [seat["kind"] for seat in again["seats"]] == ["sample", "person"]


def played(key: str, number: int) -> dict[str, Any]:
    for _ in range(1000):
        shown = ask("GET", f"practices/{number}", key).json()
        if shown["status"] == "waiting":
            bots_answer(Practice.objects.get(pk=number))
        elif shown["status"] == "asking":
            answered(key, shown)
        else:
            return dict(shown)
    raise AssertionError("it goes on for ever")


def answered(key: str, shown: dict[str, Any]) -> None:
    asked = shown["asked"]
    assert {"question", "view", "events", "seat"} == asked.keys()
    body = {"turn": shown["answers"], "action": default_of(asked["question"])}
    assert ask("POST", f"practices/{shown['id']}/answers", key, body).status_code == 200


def default_of(question: dict[str, Any]) -> dict[str, Any]:
    """What the rules of Zaibatsu take from anybody: the first card and pile offered, and no bid."""
    if question["t"] == "bid":
        return {"t": "bid", "amount": 0}
    first = question["piles"][0]
    if question["t"] == "call":
        return {"t": "call", "pile": first}
    return {"t": "place", "card": question["cards"][0], "pile": first}


def test_an_illegal_or_late_answer_changes_nothing(api_world: World) -> None:
    begun = ask("POST", "practices", api_world.owner, {"ladder": "main", "seats": ["person", "sample-random"]}).json()
    path = f"practices/{begun['id']}/answers"
    if begun["status"] == "waiting":
        bots_answer(Practice.objects.get(pk=begun["id"]))
    now = ask("GET", f"practices/{begun['id']}", api_world.owner).json()
    illegal = {"turn": now["answers"], "action": {"t": "nonsense"}}
    assert refused(ask("POST", path, api_world.owner, illegal)) == (400, "illegal_answer")
    assert refused(ask("POST", path, api_world.owner, {**illegal, "turn": 77})) == (409, "not_your_turn")
    assert ask("GET", f"practices/{begun['id']}", api_world.owner).json() == now


def test_a_fork_goes_on_from_a_match_and_shows_nobodys_secrets(api_world: World) -> None:
    seats = ["person", f"version-{api_world.rivals.pk}"]
    fork = ask("POST", f"matches/{api_world.match.pk}/fork", api_world.owner, {"at": 2, "seats": seats}).json()
    assert (fork["match"], fork["seats"][1]["version"]) == (api_world.match.pk, api_world.rivals.pk)
    assert refused(ask("GET", f"practices/{fork['id']}", api_world.other)) == (404, "unknown_practice")
    wrong = {"at": 2, "seats": ["person", "nobody"]}
    assert refused(ask("POST", f"matches/{api_world.match.pk}/fork", api_world.owner, wrong)) == (404, "unknown_bot")
