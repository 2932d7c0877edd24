"""Parts of pages that are made for many: nobody gets what somebody else alone may see, nor what is old."""

import re
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from tests.again import again
from tests.factories import a_bot, a_user, a_version
from tests.holding import KNOCKOUT, a_running, an_event, play_out
from tests.spaces import a_space
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.furnished import a_held_event
from tests.tournaments.web.server.reading import Front, Reader, header_of
from tournaments.features.events.lifecycle import release_round
from tournaments.features.events.registration import withdraw_from_event
from tournaments.ledger.acts import Announce
from tournaments.models import Bot, Ladder, Match, MatchSet, Membership, SpaceMember, Team, User
from tournaments.web.pages import kept_parts
from tournaments.web.pages.kept_parts import KeptParts
from tournaments.web.server.page_cache import FORGET

pytestmark = pytest.mark.django_db
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
WINS = re.compile(r"by <bdi>\w+</bdi>\s+wins\.")
AGO = re.compile(r">[^<]*(?=</time>)")
Clock = SimpleNamespace


@pytest.fixture(autouse=True)
def parts(settings: Settings) -> None:
    """Keep the parts of pages, as a site does, and none of another test."""
    place = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": str(uuid4())}
    settings.CACHES = settings.CACHES | {"parts": place}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Time that stands still until a test moves it: parts stay fresh."""
    moment = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(kept_parts, "monotonic", lambda: moment.now)
    return moment


def pages_of(world: World) -> list[str]:
    match = Match.objects.filter(set=world.set).earliest("pk").pk
    paths = ["/", "/ladders/arena/", "/ladders/arena/?name=r", "/events/", "/overall/", "/live/", "/live/?ladder=arena"]
    walls = ["/live/wall/", "/ladders/arena/wall/?view=2"]
    return [*paths, *walls, f"/bots/{world.bot.pk}/", f"/matches/{match}/", f"/matches/{match}/?at=3"]


def text_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def plain(page: str) -> str:
    """Return the page without tokens, nor how long ago something was, which goes on meanwhile."""
    return AGO.sub(">", TOKEN.sub("", page))


def test_everybody_sees_the_page_that_is_made_for_them_alone(
    pages_world: World, settings: Settings, clock: Clock
) -> None:
    held, kept = a_held_event(pages_world), settings.CACHES
    people = [pages_world.owner, pages_world.staff, a_user("sam"), pages_world.other, None]
    for path in [*pages_of(pages_world), f"/events/{held.slug}/"]:
        texts = {user: plain(text_of(signed_in(user), path)) for user in [*people, *people[::-1]]}
        settings.CACHES = kept | {"parts": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
        for user in people:
            assert (path, user, texts[user]) == (path, user, plain(text_of(signed_in(user), path)))
        settings.CACHES = kept


def test_a_page_whose_parts_are_kept_asks_little(pages_world: World, clock: Clock) -> None:
    for path in ("/", "/ladders/arena/", pages_of(pages_world)[-2]):
        asked = []
        for reader in (a_user(), a_user()):
            client = signed_in(reader)
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert f"{reader.username}’s account" in text_of(client, path)
            asked.append(len(queries))
        assert (path, asked[1] <= 12, asked[0] > asked[1]) == (path, True, True)


def test_nothing_of_a_person_is_there_in_a_part(clock: Clock) -> None:
    page = Template(
        "{% load kept %}{{ user }}{% kept main parts %}[{{ user }}{{ own }}{% csrf_token %}{{ shown }}]{% endkept %}"
    )
    request = RequestFactory().get("/")
    request.user = a_user()
    context = {"request": request, "parts": KeptParts((), lambda: {"shown": "all see"}), "user": "ada", "own": "hers"}
    assert page.render(Context({**context, "csrf_token": "secret"})) == "ada[all see]"


def parts_seen_by(user: User | AnonymousUser, key: object, made: Callable[[Any], str], path: str = "/") -> str:
    request = RequestFactory().get(path)
    request.user = user
    return KeptParts((key,), dict).text_of("main", request, made)


def test_a_part_is_made_again_a_second_later_and_for_another_key_path_or_visitor(clock: Clock) -> None:
    made: list[int] = []

    def make(_: object) -> str:
        made.append(len(made))
        return str(made[-1])

    user = a_user()
    assert [parts_seen_by(user, "staff", make), parts_seen_by(a_user(), "staff", make)] == ["0", "0"]
    assert [parts_seen_by(user, "all", make), parts_seen_by(user, "staff", make, "/?page=2")] == ["1", "2"]
    assert [parts_seen_by(AnonymousUser(), "staff", make), parts_seen_by(user, "staff", make)] == ["3", "3"]
    clock.now += kept_parts.SECONDS
    assert [parts_seen_by(user, "staff", make), parts_seen_by(user, "staff", make)] == ["4", "4"]


def test_who_comes_while_a_part_is_made_again_gets_the_one_before_for_a_while(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_parts, "STALE", 0.2)
    user, meanwhile = a_user(), list[str]()

    def again_slowly(_: object) -> str:
        meanwhile.append(parts_seen_by(user, "all", lambda _: "another"))
        time.sleep(kept_parts.SECONDS + kept_parts.STALE)
        meanwhile.append(parts_seen_by(user, "all", lambda _: "another"))
        return "new"

    assert parts_seen_by(user, "all", lambda _: "old") == "old"
    clock.now += kept_parts.SECONDS
    assert parts_seen_by(user, "all", again_slowly) == "new"
    assert meanwhile == ["old", "another"]
    assert parts_seen_by(user, "all", lambda _: "another") == "new"


@pytest.mark.parametrize(("text", "second"), [("", ""), ("é" * 4, "é" * 4), ("é" * 4 + "e", "new")])
def test_an_empty_part_is_kept_and_a_large_one_is_made_each_time(
    text: str, second: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_parts, "LARGEST", 8)
    assert parts_seen_by(a_user(), "all", lambda _: text) == text
    assert parts_seen_by(a_user(), "all", lambda _: "new") == second


def test_a_part_that_could_not_be_made_is_made_by_the_next(clock: Clock) -> None:
    with pytest.raises(ZeroDivisionError):
        parts_seen_by(a_user(), "all", lambda _: str(1 / 0))
    assert parts_seen_by(a_user(), "all", lambda _: "made") == "made"


def test_who_enters_or_leaves_sees_it_at_once_and_so_does_everybody(pages_world: World, clock: Clock) -> None:
    bot = a_bot(pages_world.owner, "Ocelot")
    a_version(bot)
    mine, other, path = signed_in(pages_world.owner), signed_in(a_user()), "/ladders/arena/"

    def listed() -> list[bool]:
        tables = [text_of(reader, path).partition("<tbody>")[2].partition("</tbody>")[0] for reader in (mine, other)]
        return ["Ocelot" in table for table in tables]

    assert listed() == [False, False]
    mine.post("/ladders/arena/enter/", {"bot": bot.pk})
    assert listed() == [True, True]
    mine.post(f"/entries/{bot.entries.get().pk}/withdraw/")
    assert listed() == [False, False]


def test_who_registers_for_an_event_sees_it_at_once(pages_world: World, clock: Clock) -> None:
    event, version = an_event([], ladder=pages_world.ladder), a_version(a_bot(pages_world.owner, "Ocelot"))
    client, path = signed_in(pages_world.owner), f"/events/{event.slug}/"
    assert "<bdi>olga</bdi>" not in text_of(client, path)
    client.post(f"{path}register/", {"bot": version.bot.pk})
    assert "<bdi>olga</bdi>" in text_of(client, path)


def test_who_leaves_an_event_sees_at_once_who_plays_instead(pages_world: World, clock: Clock) -> None:
    bots = [a_version(a_bot(a_user(), name)).bot for name in ("Ocelot", "Puma")]
    event = an_event(bots, ladder=pages_world.ladder, places=1)
    client, path = signed_in(pages_world.owner), f"/events/{event.slug}/"
    assert ["Ocelot" in text_of(client, path), ">waiting<" in text_of(client, path)] == [True, True]
    withdraw_from_event(entrant=event.entrants.get(bot=bots[0]), by=bots[0].owner)
    assert ["Ocelot" in text_of(client, path), ">waiting<" in text_of(client, path)] == [False, False]


def test_what_an_organiser_changes_is_seen_at_once(pages_world: World, clock: Clock) -> None:
    readers = [signed_in(user) for user in (pages_world.staff, pages_world.owner, a_user())]
    for path, ladder in (("/", None), ("/ladders/arena/", pages_world.ladder)):
        assert ["Hear ye" in text_of(reader, path) for reader in readers] == [False] * 3
        Announce(ladder=ladder, text="Hear ye").do(by=pages_world.staff, reason="Tell all.")
        assert ["Hear ye" in text_of(reader, path) for reader in readers] == [True] * 3


def test_other_changes_are_seen_a_second_later(pages_world: World, clock: Clock) -> None:
    client, path = signed_in(a_user()), "/ladders/arena/"
    assert "Orchid" in text_of(client, path)
    Bot.objects.filter(pk=pages_world.bot.pk).update(name="Otter")
    assert "Orchid" in text_of(client, path)
    clock.now += kept_parts.SECONDS
    assert "Orchid" not in text_of(client, path)


def test_rights_count_at_the_moment_of_the_request(pages_world: World, clock: Clock) -> None:
    match, evidence = pages_of(pages_world)[-2], "For the owner"
    user, client = a_user("uma"), signed_in(User.objects.get(username="uma"))
    assert evidence not in text_of(client, match)
    assert evidence in text_of(signed_in(pages_world.owner), match)
    team = Team.objects.create(name="Together")
    Bot.objects.filter(pk=pages_world.bot.pk).update(team=team)
    place = Membership.objects.create(team=team, user=user, role=Membership.Role.MEMBER)
    assert evidence in text_of(client, match)
    place.delete()
    assert evidence not in text_of(client, match)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    assert evidence in text_of(client, match)
    assert "This ladder on the desk" in text_of(client, "/ladders/arena/")
    User.objects.filter(pk=user.pk).update(is_staff=False)
    assert "This ladder on the desk" not in text_of(client, "/ladders/arena/")


def held_back() -> Any:
    return play_out(a_running(4, KNOCKOUT, released=0))


def test_results_that_are_held_back_reach_nobody_by_a_kept_part(clock: Clock) -> None:
    event, organiser = again(held_back), a_user("stella", staff=True)
    path = f"/events/{event.slug}/"
    people = [organiser, event.entrants.get(place=1).bot.owner, a_user()]

    def told_to() -> list[bool]:
        return [bool(WINS.search(text_of(signed_in(user), path))) for user in people]

    assert told_to() == [True, False, False]
    while event.released is not None:
        release_round(event=event, by=organiser)
        event.refresh_from_db()
    assert told_to() == [True, True, True]


def test_organisers_of_a_space_share_nothing_held_back_with_its_members(clock: Clock) -> None:
    event, organiser, member = again(held_back), a_user("stella"), a_user()
    space = a_space(organiser=organiser, members=[member])
    for rows in (Ladder, Bot, MatchSet):
        rows.objects.update(space=space)
    match, bot = Match.objects.filter(set__event=event).values_list("pk", "seats__version__bot").earliest("pk")
    for path, shown in ((f"/events/{event.slug}/", WINS), (f"/bots/{bot}/", re.compile(f"/matches/{match}/"))):
        for user in (organiser, member, organiser):
            assert bool(shown.search(text_of(signed_in(user), path))) == (user == organiser)
    statuses = [signed_in(user).get(f"/matches/{match}/").status_code for user in (organiser, member)]
    assert statuses == [200, 404]


def test_what_is_in_a_private_space_is_there_for_its_members_alone(pages_world: World, clock: Clock) -> None:
    space = a_space(members=[a_user("member"), a_user("another")])
    for rows in (Ladder, Bot, MatchSet):
        rows.objects.update(space=space)
    _, ladder, *_, bot, match, _ = pages_of(pages_world)
    members = [signed_in(User.objects.get(username=name)) for name in ("member", "another")]
    for path in (ladder, bot, match):
        assert all("Arena" in text_of(member, path) for member in members)
        for stranger in (None, a_user(), pages_world.owner):
            answer = signed_in(stranger).get(path)
            assert (answer.status_code, b"Arena" in answer.content) == (404, False)
    SpaceMember.objects.filter(user__username="member").delete()
    assert members[0].get(ladder).status_code == 404


def test_a_session_that_is_over_or_made_up_shows_a_visitors_page(pages_world: World) -> None:
    front = Front()
    reader, thief = Reader(front, pages_world.owner), Reader(front, cookies={"sessionid": "made-up-by-somebody"})
    assert "olga’s account" in reader.text("/")
    assert "olga" not in thief.text("/").partition("<main")[0]
    pages_world.owner.set_password("another password of olga")
    pages_world.owner.save()
    assert "olga’s account" not in reader.text("/")


def test_nothing_of_a_person_is_in_the_page_that_the_front_keeps(pages_world: World) -> None:
    front = Front()
    for path in pages_of(pages_world)[:2]:
        for user in (pages_world.owner, None, pages_world.staff, None):
            page = Reader(front, user).text(path)
            assert ("’s account" in page, "Sign in" in page) == (user is not None, user is None)
    assert len(front.pages.kept) == 2
    for kept in front.pages.kept.values():
        assert "csrfmiddlewaretoken" not in kept.answer.body.decode()


def test_a_page_of_a_person_is_theirs_and_one_of_visitors_is_public(pages_world: World) -> None:
    private, public = (Reader(Front(), user).get("/") for user in (a_user(), None))
    assert (header_of(private, "cache-control"), header_of(private, "vary")) == (
        "private, no-cache",
        "Cookie, Accept-Language",
    )
    assert (header_of(private, "etag"), header_of(private, "content-encoding"), private.shared) == ("", "", False)
    assert header_of(public, "cache-control") == "public, max-age=0, s-maxage=1"
    assert header_of(public, "vary") == "Cookie, Accept-Encoding, Accept-Language"


def test_visitors_see_at_once_what_organisers_change(pages_world: World) -> None:
    front = Front()
    staff, mine, nobody = Reader(front, pages_world.staff), Reader(front, pages_world.owner), Reader(front)
    for reader, forgotten in ((mine, False), (staff, True)):
        nobody.get("/")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', reader.text("/"))
        assert token
        form = f"csrfmiddlewaretoken={token[1]}".encode()
        answer = reader.send("POST", "/notices/read/", form, content_type="application/x-www-form-urlencoded")
        assert (answer.status, header_of(answer, FORGET.lower())) == (302, "")
        assert (not front.pages.kept) == forgotten
