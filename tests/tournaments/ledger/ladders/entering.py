"""Bots that enter ladders, teams, and refusals, for the tests of entries."""

from collections.abc import Callable

import pytest

from tests.factories import SAMPLE
from tournaments.core.errors import Refused
from tournaments.features.teams import rules as teams
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Bot, Entry, Ladder, Team, User

ONE, OTHER = b"ONE = 1\n" + SAMPLE, b"TWO = 2\n" + SAMPLE


def code(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.detail[-1] not in ".\n"
    return refusal.value.code


def a_team(*people: User) -> Team:
    founder, *members = people
    team = teams.create_team(name=f"Team of {founder.username}", by=founder)
    for person in members:
        teams.invite_to_team(team=team, user=person, by=founder)
        teams.answer_team_invitation(team=team, by=person, joins=True)
    return team


def enters(ladder: Ladder, bot: Bot) -> Entry:
    return enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)
