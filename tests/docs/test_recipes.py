"""The recipes of docs/contributing.md, each applied to a copy of the site, which then does what it says."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.snippets import ROOT, Snippet, snippets
from tests.factories import a_bot, a_user
from tests.tournaments.web.server.stand import environment
from tournaments.features.teams.rules import answer_team_invitation, create_team, give_bot, invite_to_team
from tournaments.models import Bot, Membership

FOLDER = "tournaments/features/teams/"
RECIPES = [snippet for snippet in snippets() if (snippet.page, snippet.language) == ("docs/contributing.md", "diff")]
START = """
import django
django.setup()
from django.test import Client
from django.test.utils import setup_test_environment
from tournaments.ops import dispatcher
from tournaments.core.accounts.api_tokens import make_token
from tournaments.ledger.acts.base import actions
from tournaments.models import Bot, Membership, User
setup_test_environment()
client, olga, bot = Client(), User.objects.get(username="olga"), Bot.objects.get()
"""
# By a file of the recipe: what is done with the copy.
DOES = {
    "actions.py": """
client.force_login(olga)
assert "Take a bot out of its team" in client.get("/desk/").content.decode()
headers = {"Authorization": f"Token {make_token(user=olga, name='laptop')}"}
sent = {"bot": bot.pk, "reason": "They asked."}
done = client.post("/api/v1/acts/take_out_of_team", sent, "application/json", headers=headers)
assert done.json()["act"]["kind"] == "take_out_of_team", done.content
assert Bot.objects.get().team is None
again = client.post("/api/v1/acts/take_out_of_team", sent, "application/json", headers=headers)
assert again.json()["code"] == "not_member", again.content
""",
    "steps.py": """
dispatcher.dispatch_round(["old invitations"])
assert [place.user.username for place in Membership.objects.order_by("since")] == ["ada", "ben"]
""",
    "largest.html": """
page = client.get("/largest-teams/").content.decode()
assert "The crew</a> 2" in page, page
assert [team["name"] for team in client.get("/api/v1/largest-teams").json()] == ["The crew"]
""",
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with a copy of the site."""
    ignored = shutil.ignore_patterns("static", "__pycache__")
    shutil.copytree(ROOT / "tournaments", tmp_path / "tournaments", ignore=ignored)
    for name in ("engine", "bots", "workers", "docs", "tournaments/static"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.fixture
def team(transactional_db: None) -> None:
    """Make a team of two, with a bot and an invitation that nobody has answered for a year."""
    ada, ben, old = a_user("ada"), a_user("ben"), a_user("old")
    a_user("olga", staff=True)
    crew = create_team(name="The crew", by=ada)
    give_bot(bot=a_bot(ada), team=crew, by=ada)
    for user in (ben, old):
        invite_to_team(team=crew, user=user, by=ada)
    answer_team_invitation(team=crew, by=ben, joins=True)
    Membership.objects.filter(user=old).update(since="2020-01-01T00:00:00Z")
    assert Bot.objects.get().team == crew


def test_there_are_three_recipes() -> None:
    assert [sum(f"/{file}\n" in recipe.text for recipe in RECIPES) for file in DOES] == [1, 1, 1]
    assert len(RECIPES) == len(DOES)


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_a_recipe_touches_one_folder_and_does_what_it_says(recipe: Snippet, copy: Path, team: None) -> None:
    touched = {line.split("/", 1)[1] for line in recipe.text.splitlines() if line.startswith("+++ ")}
    assert touched
    assert all(file.startswith(FOLDER) for file in touched)
    subprocess.run(["git", "apply", "-"], cwd=copy, input=recipe.text, text=True, check=True)
    does = next(does for file, does in DOES.items() if f"/{file}\n" in recipe.text)
    run = [sys.executable, "-c", START + does]
    done = subprocess.run(run, cwd=copy, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
