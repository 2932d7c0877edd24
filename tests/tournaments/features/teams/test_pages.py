"""What the pages let members of a team do: with its bots all that the owner may, but for handing them on."""

from dataclasses import replace

import pytest
from django.db import transaction

from tests.factories import a_user
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.furnished import things
from tests.tournaments.web.pages.html import Html
from tests.tournaments.web.pages.owned import owned
from tests.tournaments.web.pages.test_permissions import TABLE, Row
from tournaments.features.teams.rules import (
    answer_team_invitation,
    create_team,
    give_bot,
    invite_to_team,
    remove_member,
)
from tournaments.models import Team, User

pytestmark = pytest.mark.django_db
OF_THE_BOT = ("{bot}", "{entry}", "{entrant}", "{check}")
ROWS = [row for row in TABLE if any(thing in row.path for thing in OF_THE_BOT)]


def answered(row: Row, method: str, asker: User, named: dict[str, object]) -> tuple[int, bool]:
    """The status, and whether anything was changed; the world is as before afterwards."""
    typed = {name: str(value).format(**named) for name, value in row.form}
    before, of_before = transaction.savepoint(), owned()
    status = getattr(signed_in(asker), method)(row.path.format(**named), typed).status_code
    changed = owned() != of_before
    transaction.savepoint_rollback(before)
    return status, changed


@pytest.fixture
def crew(pages_world: World) -> Team:
    """The owner's, with the owner's bot."""
    crew = create_team(name="The crew", by=pages_world.owner)
    give_bot(bot=pages_world.bot, team=crew, by=pages_world.owner)
    return crew


def test_a_member_may_do_with_a_bot_what_its_owner_may_but_hand_it_on(pages_world: World, crew: Team) -> None:
    named, mate = things(pages_world), a_user("mate")
    invite_to_team(team=crew, user=mate, by=pages_world.owner)
    answer_team_invitation(team=crew, by=mate, joins=True)
    for row in ROWS:
        for method in ("get", "post"):
            status, changed = answered(row, method, mate, named)
            statuses = row.seen if method == "get" else row.sent
            refused = method == "post" and row.name == "bot-team"
            changes = row.is_change and method == "post" and row.name != "bot-overall"  # its owner alone names it
            expected = (422, False) if refused else (statuses[0], changes)
            assert (row.path, method, status, changed) == (row.path, method, *expected)


@pytest.mark.parametrize("state", ["invited", "removed"])
def test_whoever_is_only_invited_or_was_removed_is_like_anybody_else(
    state: str, pages_world: World, crew: Team
) -> None:
    named, guest = things(pages_world), a_user("guest")
    invite_to_team(team=crew, user=guest, by=pages_world.owner)
    if state == "removed":
        answer_team_invitation(team=crew, by=guest, joins=True)
        remove_member(team=crew, user=guest, by=pages_world.owner)
    for row in [replace(row, is_change=False) for row in ROWS]:
        for method, statuses in (("get", row.seen), ("post", row.sent)):
            assert (row.path, *answered(row, method, guest, named)) == (row.path, statuses[1], False)


def test_an_invitation_is_answered_on_the_teams_page_and_shown_to_nobody_else(pages_world: World, crew: Team) -> None:
    guest, client = a_user("guest"), signed_in(pages_world.owner)
    client.post(f"/teams/{crew.pk}/invite/", {"user": "guest"})
    for user, sees in ((None, False), (pages_world.other, False), (pages_world.owner, True)):
        assert ("guest" in Html(signed_in(user).get(f"/teams/{crew.pk}/").content.decode()).text) == sees
    assert "The crew" not in Html(signed_in(None).get("/people/guest/").content.decode()).text
    assert "You are invited" in Html(signed_in(guest).get("/teams/").content.decode()).text
    done = signed_in(guest).post(f"/teams/{crew.pk}/join/", follow=True)
    assert "You are in The crew now." in Html(done.content.decode()).text
    done = signed_in(guest).get("/")
    assert "Your bots Orchid" in Html(done.content.decode()).text
