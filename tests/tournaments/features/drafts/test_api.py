"""Drafts from a program: begun, saved, restored, checked, submitted."""

import pytest

from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tournaments.models import Version

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
