"""Practice games from a program."""

from typing import Any

import pytest
from django.test import Client

from engine.replay import read_replay, verify
from tests.practising import bots_answer
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import Practice

pytestmark = pytest.mark.django_db


def test_a_game_is_played_to_its_end_by_what_is_asked(api_world: World) -> None:
    """A program that answers every question with its default, as `asked` shows them."""
    ada = api_world.owner
    begun = ask("POST", "practices", ada, {"ladder": "main", "seats": ["person", "sample-random"]}).json()
    over = played(f"Token {make_token(user=ada, name='a program')}", begun["id"])
    assert min(over["outcome"]["places"]) == 1
    replay = ask("GET", f"practices/{begun['id']}/replay", ada)
    verify(read_replay(replay.content))  # raises, if it does not hold
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
    """An answer that the rules of Zaibatsu take from anybody: the first card and pile offered, and no bid."""
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
