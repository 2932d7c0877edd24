"""Kept pages of a private space: one for all of its members, and nothing of it for anybody else."""

import pytest

from tests.again import again
from tests.factories import a_user
from tests.spaces import a_space
from tests.tournaments.web.pages.conftest import World, a_world
from tests.tournaments.web.server.reading import Front, Reader
from tests.tournaments.web.server.test_own_pages import (
    HOLES,
    OWN,
    afresh,
    nobody_has_changed_anything_and_time_stands_still,
    without_tokens,
)
from tournaments.models import Bot, Ladder, Match, MatchSet, Space, SpaceMember

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures(nobody_has_changed_anything_and_time_stands_still.__name__),
]


def a_private_world() -> tuple[World, Space]:
    world, space = a_world(), a_space(members=[a_user(f"member{number}") for number in range(3)])
    for rows in (Ladder, Bot, MatchSet):
        rows.objects.update(space=space)
    return world, space


def pages_of(world: World) -> list[str]:
    match = Match.objects.filter(set=world.set).earliest("pk").pk
    return ["/ladders/arena/", f"/bots/{world.bot.pk}/", f"/matches/{match}/"]


def test_a_page_is_made_once_for_all_members_and_never_given_to_others() -> None:
    world, space = again(a_private_world)
    front, members = Front(), [place.user for place in space.members.filter(role="member").select_related("user")]
    for path in pages_of(world):
        front.asked.clear()
        shown = [Reader(front, member).text(path) for member in members]
        assert [what for _, what in front.asked] == [OWN, HOLES, OWN, OWN]
        assert [member.username in text for member, text in zip(members, shown, strict=True)] == [True] * 3
        assert without_tokens(shown[2]) == without_tokens(afresh(members[2], path)[0])
        for stranger in (None, a_user(), world.owner):
            answer = Reader(front, stranger).get(path)
            assert (answer.status, b"Arena" in answer.body) == (404, False)


def test_who_leaves_sees_it_no_more_and_a_page_that_is_private_is_kept_for_nobody_outside() -> None:
    world, space = again(a_private_world)
    front, place = Front(), space.members.filter(role="member").first()
    assert place
    reader, path = Reader(front, place.user), "/ladders/arena/"
    assert reader.get(path).status == 200
    place.delete()
    assert reader.get(path).status == 404
    Space.objects.update(access=Space.Access.PUBLIC)
    assert Reader(front).get(path).status == 200
    Space.objects.update(access=Space.Access.PRIVATE)
    front.pages.cache.forget()  # as the act does that makes it private
    assert Reader(front).get(path).status == 404
    SpaceMember.objects.create(space=space, user=world.owner)
    assert Reader(front, world.owner).get(path).status == 200
