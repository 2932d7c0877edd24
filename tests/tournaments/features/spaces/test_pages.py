"""What is in a private space: for its members as on the site itself, for everybody else not there at all."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.again import again
from tests.factories import a_user
from tests.spaces import a_space
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.furnished import Furnished, a_furnished_world
from tests.tournaments.web.pages.test_permissions import ASKERS, TABLE, Row, another, status_of
from tournaments.models import Bot, Event, Ladder, MatchSet, Space, SpaceMember, User

pytestmark = pytest.mark.django_db
WORD = "Quokka"  # in the name of all that is in the space
PEOPLES = {  # of people, who are on the site: they stand there as before, without what they have in the space
    "person", "team", "team-action", "shared-game", "shared-film", "practice-join", "oembed", "embed", "card",
    "feed-person", "feed-following", "invited", "join",
}  # fmt: skip

# What is made for other sites and for readers that do not sign in.
FOR_STRANGERS = {"embed", "card", "oembed", "feed-ladder", "feed-bot", "feed-event", "feed-person", "feed-following"}


def into(space: Space) -> None:
    """Move all there is into the space."""
    Ladder.objects.update(space=space, title=f"{WORD} ladder", description=f"{WORD} plays here")
    for bot in Bot.objects.all():
        Bot.objects.filter(pk=bot.pk).update(space=space, name=f"{WORD} {bot.pk}", about=f"{WORD} eats leaves")
    Event.objects.update(title=f"{WORD} cup", description=f"{WORD} wins")
    MatchSet.objects.update(space=space)


def a_private_world() -> tuple[Furnished, Space]:
    """The world of the table of permissions, moved into a private space of which its owner is a member."""
    furnished = a_furnished_world()
    space = a_space(organiser=a_user("odette"), members=[furnished.world.owner])
    a_space(organiser=a_user("elsewhere"))
    into(space)
    return furnished, space


@pytest.fixture
def private(db: None) -> tuple[Furnished, Space]:
    return again(a_private_world)


def strangers() -> dict[str, Client]:
    """Clients of nobody, of an organiser of another space, and of a former member whose bots are there."""
    users = User.objects.filter(username__in=("elsewhere", "otto"))
    return {"nobody": Client(), **{user.username: signed_in(user) for user in users}}


def content_of(answer: HttpResponse) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]


def sent(client: Client, row: Row, method: str, named: dict[str, object]) -> HttpResponse:
    """The answer; what it changes is undone."""
    before = transaction.savepoint()
    typed = {name: str(value).format(**named) for name, value in row.form}
    answer: HttpResponse = getattr(client, method)(row.path.format(**named), typed)
    transaction.savepoint_rollback(before)
    return answer


def test_a_stranger_finds_nothing_of_a_private_space_at_any_address(private: tuple[Furnished, Space]) -> None:
    named, askers, leaks, opened = private[0].named, strangers(), [], []
    for row, asker, method in product(TABLE, askers, ("get", "post")):
        answer = sent(another(askers[asker]), row, method, named)
        if WORD.encode() in content_of(answer):
            leaks.append((method, row.path, asker))
        if row.path.count("{") and row.name not in PEOPLES and status_of(answer) in (200, 204, 422):
            opened.append((method, row.path, asker, answer.status_code))
    assert (leaks, opened) == ([], [])


def test_a_member_sees_it_as_what_is_on_the_site(private: tuple[Furnished, Space]) -> None:
    furnished, _ = private
    clients = {"owner": signed_in(furnished.world.owner), "staff": signed_in(furnished.world.staff)}
    rows = [row for row in TABLE if row.name not in FOR_STRANGERS]
    for row in rows:
        for asker, client in clients.items():
            answer: Any = another(client).get(row.path.format(**furnished.named))
            assert (row.path, asker, status_of(answer)) == (row.path, asker, row.seen[ASKERS.index(asker)])


def addresses(names: tuple[str, ...], furnished: Furnished) -> Iterator[str]:
    return (row.path.format(**furnished.named) for row in TABLE if row.name in names and "{" in row.path)


def test_its_organiser_runs_it_and_no_other_space(private: tuple[Furnished, Space]) -> None:
    furnished, space = private
    odette, elsewhere = (signed_in(User.objects.get(username=name)) for name in ("odette", "elsewhere"))
    desk = ["/desk/ladders/arena/", "/desk/ladders/arena/sources/"]
    desk += addresses(("desk-event", "desk-edit-event", "event-webhooks"), furnished)
    for path in desk:
        assert (path, odette.get(path).status_code, elsewhere.get(path).status_code) == (path, 200, 404)
    paused = {"ladder": "arena", "reason": "A holiday", "seen": '{"ladder": "arena"}', "do": "1"}
    assert elsewhere.post("/desk/acts/pause_ladder/", paused).status_code == 200
    assert Ladder.objects.get(slug="arena").status == Ladder.Status.OPEN
    assert odette.post("/desk/acts/pause_ladder/", paused).status_code == 302
    assert Ladder.objects.get(slug="arena").status == Ladder.Status.PAUSED
    assert b"A holiday" in odette.get("/audit/").content
    assert b"A holiday" not in elsewhere.get("/audit/").content
    assert odette.get("/desk/").status_code == 403
    SpaceMember.objects.filter(space=space, user__username="odette").delete()
    assert odette.get("/desk/ladders/arena/").status_code == 403
