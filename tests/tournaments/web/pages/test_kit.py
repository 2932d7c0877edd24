"""The kit on the site: for people, for programs, and for what installs it."""

import json
import re
from html import unescape

import pytest
from django.test import Client

from bots.command.wheel import wheel
from bots.schemas import schemas
from engine.games import GAMES

pytestmark = pytest.mark.django_db


def test_the_page_tells_how_to_install_and_its_link_is_the_wheel() -> None:
    page = unescape(Client().get("/kit/").content.decode())
    name = wheel().name
    assert f"pipx install http://testserver/kit/{name}" in page
    assert "boardroom login --site http://testserver" in page
    assert f'href="/kit/{name}#sha256={wheel().sha256}"' in page
    answer = Client().get(f"/kit/{name}")
    assert (answer.status_code, answer.content) == (200, wheel().content)
    assert name in answer["Content-Disposition"]


def test_the_index_has_one_link_with_its_hash() -> None:
    page = Client().get("/kit/boardroom-kit/").content.decode()
    assert re.findall(r'<a href="([^"]+)"', page) == [f"/kit/{wheel().name}#sha256={wheel().sha256}"]


def test_programs_read_the_version_and_the_rules() -> None:
    kit = Client().get("/kit/version.json").json()
    assert kit["rules"] == {name: game.version for name, game in GAMES.items()}
    assert (kit["wheel"], kit["sha256"], kit["size"]) == (wheel().name, wheel().sha256, len(wheel().content))


def test_what_has_not_changed_is_not_sent_again() -> None:
    first = Client().get(f"/kit/{wheel().name}")
    again = Client().get(f"/kit/{wheel().name}", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_every_schema_is_there_all_of_a_game_at_once_and_each_by_itself() -> None:
    assert 'href="/kit/schemas/network.json"' in Client().get("/kit/").content.decode()
    answer = Client().get("/kit/schemas/network.json").json()
    assert (answer["game"], answer["rules"]) == ("network", GAMES["network"].version)
    assert answer["schemas"] == json.loads(json.dumps(schemas(GAMES["network"])))
    schema = Client().get("/kit/schemas/network/question-bid.json")
    assert (schema["Content-Type"], schema.json()) == ("application/schema+json", answer["schemas"]["question-bid"])


@pytest.mark.parametrize("name", ["chess.json", "network/question-move.json", "chess/view.json"])
def test_a_schema_of_what_there_is_not_is_not_there(name: str) -> None:
    assert Client().get(f"/kit/schemas/{name}").status_code == 404


@pytest.mark.parametrize("name", ["boardroom_kit-9.9-py3-none-any.whl", "boardroom/", "manage.py", "django/"])
def test_another_file_is_not_there(name: str) -> None:
    assert Client().get(f"/kit/{name}").status_code == 404


@pytest.mark.parametrize("where", ["/", "/docs/", "/upload/"])
def test_it_is_linked_where_one_begins(where: str, admin_client: Client) -> None:
    assert 'href="/kit/"' in admin_client.get(where).content.decode()
