"""People, bots and played matches that the pages can show."""

from dataclasses import dataclass
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from engine.referee import Verdict
from tests.again import again
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version
from tournaments.core.config.sign_on import Provider
from tournaments.models import Bot, Ladder, MatchSet, User


@dataclass
class World:
    """A ladder with three bots and a played set, in which the owner's bot was at fault; and people who look."""

    ladder: Ladder
    owner: User
    other: User
    staff: User
    bot: Bot  # the owner's
    rival: Bot  # the other's
    set: MatchSet


@pytest.fixture(autouse=True)
def own_counters(settings: Settings) -> None:
    """Counts of another test in the cache are none of this one's business."""
    default = {**settings.CACHES["default"], "KEY_PREFIX": f"test-{uuid4()}"}
    settings.CACHES = settings.CACHES | {"default": default}


@pytest.fixture(autouse=True)
def a_provider(settings: Settings) -> None:
    """That pages can name. Nothing is behind it: tests/tournaments/features/sign_on/test_openid.py has a real one."""
    settings.SIGN_ON = {"uni": Provider("uni", "University", "http://127.0.0.1:9", client_id="boardroom")}


@pytest.fixture
def pages_world(db: None) -> World:
    return again(a_world)


def a_world() -> World:
    ladder = a_ladder("arena", title="Arena", description="Where the world begins.", version_pause=0)
    owner, other, staff = a_user("olga"), a_user("otto"), a_user("stella", staff=True)
    bot, rival, third = a_bot(owner, "Orchid"), a_bot(other, "Rook"), a_bot(a_user("theo"), "Thistle")
    versions = [a_version(competitor) for competitor in (bot, rival, third)]
    for competitor in (bot, rival, third):
        ladder.entries.create(bot=competitor)
    played = a_completed_set(ladder, versions, faults={versions[0].pk: Verdict.ILLEGAL_ANSWER})
    return World(ladder, owner, other, staff, bot, rival, played)


def signed_in(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client
