"""What is in a private space, asked for by programs: there for its members, and for nobody else."""

import re

import pytest
from django.db import transaction

from tests.again import again
from tests.factories import a_user
from tests.spaces import a_space
from tests.tournaments.features.spaces.test_pages import WORD, content_of, into
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.api.test_permissions import NOBODYS, TABLE, Row, a_known_world, filled
from tournaments.audit import check_log
from tournaments.audit.log import append
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import Bot, Space, User

pytestmark = pytest.mark.django_db
PLACES = ("ladders", "bots", "events", "matches", "trials")


def a_private_world() -> tuple[dict[str, object], dict[str, str], Space]:
    named, keys = a_known_world()
    space = a_space(organiser=a_user("odette"), members=[User.objects.get(username="ada")])
    a_space(organiser=a_user("elsewhere"))
    into(space)
    append(kind="pause_ladder", by="odette", subject=f"ladder {WORD}", reason=f"{WORD} sleeps", space=space.pk)
    tokens = {
        name: f"Token {make_token(user=User.objects.get(username=name), name='t')}" for name in ("elsewhere", "odette")
    }
    strangers = {"anonymous": "", "bob": keys["other"], "elsewhere": tokens["elsewhere"]}
    return named, {**strangers, "odette": tokens["odette"], "ada": keys["owner"]}, space


def of_nothing(row: Row, key: str) -> int:
    """How the address answers of what there is not."""
    path = row.path.replace("{slug}", "no-such").replace("{event}", "no-such")
    status: int = ask(row.method, re.sub(r"\{\w+\}", str(NOBODYS), path), key).status_code
    return status


def test_a_stranger_finds_nothing_of_a_private_space_at_any_address() -> None:
    named, keys, _ = again(a_private_world)
    leaks = []
    strangers = ("anonymous", "bob", "elsewhere")
    for row in TABLE:
        for asker in strangers:
            before = transaction.savepoint()
            body = filled(row.body, named)
            kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
            answer = ask(row.method, row.path.format(**named), keys[asker], body, kind=kind)
            transaction.savepoint_rollback(before)
            if WORD.encode() in content_of(answer):
                leaks.append((row.method, row.path, asker, answer.status_code))
            is_there = "{" in row.path and row.path.partition("/")[0] in (
                "ladders",
                "bots",
                "events",
                "matches",
                "trials",
            )
            is_refused = answer.status_code in (401, 404)
            if is_there and not is_refused and answer.status_code != of_nothing(row, keys[asker]):
                leaks.append((row.method, row.path, asker, answer.status_code))
    assert leaks == []


def test_the_log_is_sealed_for_strangers_and_holds_for_everybody() -> None:
    _, keys, _ = again(a_private_world)
    logs = {name: content_of(ask("GET", "audit/log", keys[name])).decode() for name in ("elsewhere", "odette")}
    assert {name: WORD in log for name, log in logs.items()} == {"elsewhere": False, "odette": True}
    assert check_log(logs["elsewhere"].splitlines()) == check_log(logs["odette"].splitlines())
    [newest, *_] = ask("GET", "audit", keys["elsewhere"]).json()["results"]
    assert (newest["kind"], newest["subject"], newest["reason"]) == ("pause_ladder", "in a space", "")


def test_a_bot_of_one_space_enters_no_other_and_its_name_is_free_outside() -> None:
    _, keys, space = again(a_private_world)
    taken = Bot.objects.filter(space=space).first()
    assert taken
    outside = ask("POST", "bots", keys["elsewhere"], {"game": "zaibatsu", "name": taken.name})
    assert outside.status_code == 201
    inside = ask("POST", "bots", keys["elsewhere"], {"game": "zaibatsu", "name": "Intruder", "space": space.slug})
    assert (inside.status_code, inside.json()["code"]) == (404, "unknown_space")
    mine = ask("POST", "bots", keys["ada"], {"game": "zaibatsu", "name": "Of the site"}).json()["id"]
    entered = ask("POST", "ladders/main/entries", keys["ada"], {"bot": mine})
    assert (entered.status_code, entered.json()["code"]) == (409, "other_space")
    run = ask("POST", "acts/pause_ladder", keys["odette"], {"ladder": "main", "reason": "a holiday"})
    assert run.status_code == 201
    for body, code in (({"ladder": "main"}, "unknown_ladder"), ({"ladder": "no-such"}, "unknown_ladder")):
        assert ask("POST", "acts/resume_ladder", keys["elsewhere"], {**body, "reason": "x"}).json()["code"] == code
