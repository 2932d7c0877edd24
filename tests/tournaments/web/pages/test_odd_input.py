"""Whatever is typed into an address, a query or a form, the answer is about it: never a failure of ours."""

import re
from collections.abc import Mapping

import pytest
from django.test import Client

from tests.factories import a_ladder, a_user
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.routes import routes
from tournaments.features.drafts.rules import begin_draft
from tournaments.features.teams.rules import create_team
from tournaments.models import Draft, User

pytestmark = pytest.mark.django_db

NAMES = (
    *("a", "after", "against", "as", "at", "b", "before", "bot", "format", "from", "game", "ladder", "maxheight"),
    *("maxwidth", "next", "page", "players", "q", "round", "seat", "sort", "url", "version", "with"),
)
PART = re.compile(r"<(?:(\w+):)?(\w+)>")
ODD = ("1" * 5000, "²", "2026-13-45T00:00:00")


def answers(client: Client, path: str, sent: Mapping[str, str] | None = None) -> int:
    client.raise_request_exception = False
    answer = client.get(path) if sent is None else client.post(path, sent)
    return answer.status_code


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/people/a%00b/", 404),
        ("/docs/a%00b/", 404),
        ("/docs/files/a%00b", 404),
        ("/feeds/people/olga/%00/", 404),
        ("/notices/stop/%00/", 404),
        ("/api/v1/people/a%00b", 404),
        (f"/bots/{'1' * 5000}/", 404),
        (f"/matches/{'9' * 30}/", 404),
    ],
)
def test_what_no_text_may_hold_is_refused_in_every_address(path: str, status: int) -> None:
    assert answers(signed_in(a_user()), path) == status


@pytest.mark.parametrize("odd", ["%00", "%1B", "%EF%BF%BE", "%7F", "%C2%9F"])
@pytest.mark.parametrize(
    "path",
    [
        *("/api/v1/bots?owner=", "/api/v1/matches?ladder=a", "/?ladder=", "/live/?ladder=a", "/editor/?game="),
        *("/bots/1/?", "/sign-in/?next=", "/search/?q=", "/people/?q=a"),
    ],
)
def test_a_query_means_what_it_does_without_what_no_text_holds(path: str, odd: str) -> None:
    client = signed_in(a_user())
    plain = answers(client, path)
    assert (answers(client, f"{path}{odd}"), plain < 500) == (plain, True)


@pytest.mark.parametrize("value", ODD, ids=("many digits", "a raised digit", "no date"))
def test_every_page_takes_any_value_of_any_name_in_its_query(value: str, pages_world: World) -> None:
    client, number = signed_in(pages_world.owner), str(pages_world.bot.pk)
    client.raise_request_exception = False
    parts = {"slug": "arena", "name": "olga", "action": "leave", "kind": "pause_ladder"}
    for pattern in routes():
        path = PART.sub(lambda part: parts.get(part[2], number if part[1] == "int" else "x"), f"/{pattern.pattern}")
        answer = client.get(path, dict.fromkeys(NAMES, value))
        assert (answer.status_code != 500, b"Something went wrong" in answer.getvalue()) == (True, False), path


def test_a_cookie_that_spells_what_no_text_may_hold_is_nobodys() -> None:
    client = Client(raise_request_exception=False, headers={"Cookie": 'sessionid="abcdefgh\\000"; csrftoken="\\000"'})
    assert client.get("/account/").headers["Location"] == "/sign-in/?next=/account/"


def owners_draft(user: User) -> Draft:
    return begin_draft(owner=user, game="zaibatsu", source="one")


@pytest.mark.parametrize("since", ["2026-13-45T00:00:00", "²", "1" * 5000])
def test_a_time_that_is_none_is_no_time_of_saving(since: str) -> None:
    draft = owners_draft(a_user())
    sent = {"source": "two", "filename": "bot.py", "name": "", "since": since}
    assert answers(signed_in(draft.owner), f"/drafts/{draft.pk}/", sent) in (200, 302)


@pytest.mark.parametrize("seat", ["1" * 5000, "²", "-1", "\0"])
def test_a_seat_that_is_none_is_any(seat: str) -> None:
    ladder = a_ladder(players=2)
    assert answers(signed_in(a_user()), f"/play/under/{ladder.slug}/", {"seat": seat}) < 500


def test_a_form_with_what_no_text_may_hold_is_refused(pages_world: World) -> None:
    team = create_team(name="The crew", by=pages_world.owner)
    client, nul, bot = signed_in(pages_world.owner), "a\0b", f"/bots/{pages_world.bot.pk}"
    forms = [
        (f"/teams/{team.pk}/invite/", {"user": nul}),
        (f"{bot}/friendly/", {"ladder": nul, "against": nul}),
        (f"{bot}/friendly/", {"ladder": "arena", "against": nul, "sets": nul}),
        (f"{bot}/about/", {"about": nul}),
        (f"{bot}/team/", {"team": nul}),
        ("/play/under/arena/", {"opponent-1": nul, "players": nul}),
        ("/editor/", {"game": nul, "start": nul}),
    ]
    assert [path for path, sent in forms if answers(client, path, sent) == 500] == []
    for path, names in (("/sign-in/", ("username", "password")), ("/sign-up/", ("username", "password1", "password2"))):
        assert answers(Client(), path, dict.fromkeys(names, nul)) == 200


@pytest.mark.parametrize("length", ["9" * 5000, "1" * 4301])
def test_a_length_that_no_body_has_is_too_large(length: str) -> None:
    client = Client(raise_request_exception=False)
    answer = client.post("/sign-in/", {"username": "x"}, headers={"Content-Length": length})
    assert (answer.status_code, b"That was too large" in answer.content) == (413, True)
