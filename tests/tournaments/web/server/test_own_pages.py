"""Pages of people who are signed in: the visitors' page with their own parts, and nothing of anybody else."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.cache import caches

from tests.again import again
from tests.factories import a_bot, a_user, a_version
from tests.holding import KNOCKOUT, a_running, play_out
from tests.tournaments.web.pages.conftest import World, a_world
from tests.tournaments.web.server.reading import Front, Reader, told
from tournaments.features.events.lifecycle import release_round
from tournaments.models import Match, Membership, Team, User
from tournaments.web.pages import recent_changes
from tournaments.web.server import own_pages, page_cache
from tournaments.web.server.own_parts import INTERNAL

pytestmark = pytest.mark.django_db
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
AGO = re.compile(r">[^<]*(?=</time>)")
OWN, HOLES, WHOLE = "own", "holes", ""


@pytest.fixture(autouse=True)
def nobody_has_changed_anything_and_time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (page_cache, own_pages):
        monkeypatch.setattr(module, "monotonic", lambda: 1000.0)
    caches["default"].clear()


@pytest.fixture
def world() -> World:
    return again(a_world)


@pytest.fixture
def front() -> Front:
    return Front()


def pages_of(world: World) -> list[str]:
    match = Match.objects.filter(set=world.set).earliest("pk").pk
    paths = ["/", "/ladders/arena/", "/events/", "/overall/", "/live/", f"/bots/{world.bot.pk}/"]
    return [*paths, f"/matches/{match}/"]


def without_tokens(page: str) -> str:
    """Nor how long ago something was, which goes on meanwhile."""
    return AGO.sub(">", TOKEN.sub("", page))


def afresh(user: User | None, path: str) -> tuple[str, set[bytes]]:
    """The page, and the names of its headers, as Django makes it for this person alone."""
    other = Front()
    other.pages.cache.sessions = (b"",)  # every cookie names somebody
    reader = Reader(other, user)
    caches["default"].set(f"changed:{user.pk if user else 0}", 1)
    answer = reader.get(path)
    caches["default"].clear()
    return answer.body.decode(), {name for name, _ in answer.headers}


def test_everybody_sees_the_page_that_is_made_for_them_alone(world: World, front: Front) -> None:
    stranger = a_user("sam")
    for path in pages_of(world):
        for user in (None, stranger, world.owner, world.other, world.staff):
            answer = Reader(front, user).get(path)
            whole, headers = afresh(user, path)
            assert (path, user, without_tokens(answer.body.decode())) == (path, user, without_tokens(whole))
            if user:
                assert {name for name, _ in answer.headers} - {b"content-length"} == headers - {b"content-length"}
            assert not {name for name, _ in answer.headers} & INTERNAL


def test_a_page_is_made_once_for_all_who_see_it_as_visitors_do(world: World, front: Front) -> None:
    readers = [Reader(front, a_user(f"reader{number}")) for number in range(3)]
    for path in pages_of(world):
        front.asked.clear()
        for number, reader in enumerate(readers):
            text = reader.text(path)
            assert f"reader{number}’s account" in text
            assert [f"reader{other}’s" in text for other in range(3)].count(True) == 1
        Reader(front).get(path)
        assert [what for _, what in front.asked] == [OWN, HOLES, OWN, OWN]


def test_nothing_of_a_person_is_kept(world: World, front: Front) -> None:
    for path in pages_of(world):
        for user in (world.owner, world.staff, world.other):
            assert f"{user.username}’s account" in Reader(front, user).text(path)
    for kept in front.pages.cache.kept.values():
        text = kept.answer.body.decode()
        assert "’s account" not in text
        assert "csrfmiddlewaretoken" not in text
        assert "Sign in" in text
        assert not {name for name, _ in kept.answer.headers} & {b"set-cookie", b"x-request-id", *INTERNAL}


def test_owners_and_organisers_get_pages_made_for_them_alone(world: World, front: Front) -> None:
    *_, bot, match = pages_of(world)
    evidence, desk = "For the owner", "Organise"
    for path, user in ((bot, world.owner), (match, world.owner), (match, world.staff), ("/", world.staff)):
        front.asked.clear()
        text = Reader(front, user).text(path)
        assert (evidence in text or path in ("/", bot), desk in text) == (True, user == world.staff)
        assert [what for _, what in front.asked] == [OWN]
    for path in (bot, match, "/"):
        text = Reader(front, a_user()).text(path)
        assert (evidence in text, desk in text, "Upload a new version" in text) == (False, False, False)


def test_rights_count_at_the_moment_of_the_request(world: World, front: Front) -> None:
    *_, bot, match = pages_of(world)
    user = a_user("uma")
    reader = Reader(front, user)
    assert "For the owner" not in reader.text(match)
    team = Team.objects.create(name="Together")
    place = Membership.objects.create(team=team, user=user, role=Membership.Role.MEMBER)
    world.bot.team = team
    world.bot.save()
    assert "For the owner" in reader.text(match)
    assert "Upload a new version" in reader.text(bot)
    place.delete()
    assert "For the owner" not in reader.text(match)
    assert "Upload a new version" not in reader.text(bot)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    assert "Organise" in reader.text(match)
    User.objects.filter(pk=user.pk).update(is_staff=False)
    assert "Organise" not in reader.text(match)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert ("uma’s account" in reader.text("/"), "Sign in" in reader.text("/")) == (False, True)


def test_a_session_that_is_over_or_made_up_shows_a_visitors_page(world: World, front: Front) -> None:
    reader, thief = Reader(front, world.owner), Reader(front, cookies={"sessionid": "made-up-by-somebody"})
    assert "olga’s account" in reader.text("/")
    assert "olga" not in thief.text("/").partition("<main")[0]
    world.owner.set_password("another password of olga")
    world.owner.save()
    assert "olga’s account" not in reader.text("/")


def held_back() -> Any:
    return play_out(a_running(4, KNOCKOUT, released=0))


def test_results_that_are_held_back_reach_nobody_by_a_kept_page(front: Front) -> None:
    event = again(held_back)
    match, organiser = Match.objects.filter(set__event=event).earliest("pk").pk, a_user("stella", staff=True)
    staff, paths = Reader(front, organiser), (f"/events/{event.slug}/", f"/matches/{match}/")
    owner, stranger = Reader(front, event.entrants.get(place=1).bot.owner), Reader(front, a_user())
    wins = re.compile(r"by <bdi>\w+</bdi>\s+wins\.")
    assert [(staff.get(path).status, bool(wins.search(staff.text(path)))) for path in paths] == [
        (200, True),
        (200, False),
    ]
    for reader in (stranger, owner, Reader(front)):
        assert (reader.get(paths[0]).status, wins.search(reader.text(paths[0]))) == (200, None)
        assert reader.get(paths[1]).status == 404
    while event.released is not None:
        release_round(event=event, by=organiser)
        event.refresh_from_db()
    front.pages.cache.forget()
    assert [bool(wins.search(reader.text(paths[0]))) for reader in (stranger, owner)] == [True, True]


def test_each_host_has_pages_of_its_own(world: World, front: Front) -> None:
    user = a_user()
    for host in ("localhost", "127.0.0.1", "localhost"):
        Reader(front, user, host).get("/ladders/arena/")
    assert [what for _, what in front.asked] == [OWN, HOLES, OWN, HOLES, OWN]
    assert Reader(front, user, "evil.example").get("/").status == 400
    assert {key[1] for key in front.pages.cache.kept} == {b",localhost", b",127.0.0.1"}


def test_forms_in_a_joined_page_work_and_their_tokens_are_their_readers(world: World, front: Front) -> None:
    bot = a_bot(world.owner, "Ocelot")
    a_version(bot)
    mine, other = Reader(front, world.owner), Reader(front, world.other)
    page = mine.text("/ladders/arena/")
    assert [what for _, what in front.asked] == [OWN, HOLES]
    token, foreign = TOKEN.search(page), TOKEN.search(other.text("/ladders/arena/"))
    assert token
    assert foreign
    assert mine.cookies["csrftoken"] != other.cookies["csrftoken"]
    kind = {"content_type": "application/x-www-form-urlencoded"}
    for given, status in ((foreign[1], 403), (token[1], 302)):
        form = urlencode({"csrfmiddlewaretoken": given, "bot": bot.pk}).encode()
        assert mine.send("POST", "/ladders/arena/enter/", form, **kind).status == status
    after = mine.text("/ladders/arena/")
    assert "Ocelot is in the Arena ladder." in after  # the message, and what it says
    assert after.count("Ocelot") >= 3
    assert "Ocelot is in the Arena ladder." not in other.text("/ladders/arena/")


def test_who_changes_something_sees_it_at_once_and_organisers_changes_are_seen_by_all(
    world: World, front: Front
) -> None:
    bot = a_bot(world.owner, "Ocelot")
    a_version(bot)
    mine, other, nobody = Reader(front, world.owner), Reader(front, a_user()), Reader(front)
    for reader in (mine, other, nobody):
        assert "Ocelot" not in reader.text("/ladders/arena/").partition('id="enter"')[0]
    token = TOKEN.search(mine.text("/ladders/arena/"))
    assert token
    form = urlencode({"csrfmiddlewaretoken": token[1], "bot": bot.pk}).encode()
    mine.send("POST", "/ladders/arena/enter/", form, content_type="application/x-www-form-urlencoded")
    mine.text("/ladders/arena/")  # takes the message
    front.asked.clear()
    assert "Ocelot" in mine.text("/ladders/arena/").partition('id="enter"')[0]
    assert front.asked == [("/ladders/arena/", OWN)]
    assert front.pages.cache.kept
    staff = Reader(front, world.staff)
    token = TOKEN.search(staff.text("/"))
    assert token
    answer = staff.send(
        "POST",
        "/notices/read/",
        urlencode({"csrfmiddlewaretoken": token[1]}).encode(),
        content_type="application/x-www-form-urlencoded",
    )
    assert not {name for name, _ in answer.headers} & INTERNAL
    assert not front.pages.cache.kept


def test_without_redis_nothing_is_taken_for_unchanged(
    world: World, front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise OSError

    reader = Reader(front, a_user())
    reader.get("/")
    monkeypatch.setattr(recent_changes, "caches", {"default": type("Away", (), {"get": away, "set": away})()})
    front.asked.clear()
    assert "account" in reader.text("/")
    assert [what for _, what in front.asked] == [OWN]  # and what came was whole
    token = TOKEN.search(reader.text("/"))
    assert token
    form = urlencode({"csrfmiddlewaretoken": token[1]}).encode()
    reader.send("POST", "/notices/read/", form, content_type="application/x-www-form-urlencoded")
    assert not front.pages.cache.kept


def test_headers_say_whose_the_page_is(world: World, front: Front) -> None:
    own, visitors = Reader(front, a_user()).get("/"), Reader(front).get("/")
    assert (told(own, "cache-control"), told(own, "vary")) == ("private, no-cache", "Cookie, Accept-Language")
    assert (told(visitors, "cache-control"), told(visitors, "vary")) == (
        "public, max-age=0, s-maxage=1",
        "Cookie, Accept-Encoding, Accept-Language",
    )
    assert (told(own, "etag"), told(own, "content-encoding"), own.shared) == ("", "", False)
    assert told(own, "content-security-policy") == told(visitors, "content-security-policy")
    assert int(told(own, "content-length")) == len(own.body)


@pytest.mark.parametrize(
    "forged", ["boardroom-wants", "boardroom.wants", "http_boardroom_wants", "wsgi.boardroom.wants"]
)
def test_no_header_of_a_client_asks_for_parts(forged: str, world: World, front: Front) -> None:
    answer = Reader(front).get("/", **{forged: OWN})
    assert (answer.status, b"<main" in answer.body) == (200, True)
    answer = Reader(front, a_user()).send("HEAD", "/", b"", **{forged: OWN})
    assert not {name for name, _ in answer.headers} & INTERNAL


def test_marks_that_somebody_writes_are_text(world: World, front: Front) -> None:
    world.bot.about = "</0 _account.html> <0 _account.html> boardroom-holes: _account.html 0 9"
    world.bot.save()
    text = Reader(front, a_user("sam")).text(f"/bots/{world.bot.pk}/")
    assert text.count("sam’s account") == 1
    assert "&lt;/0 _account.html&gt;" in text


def test_a_page_that_is_gone_or_took_too_long_is_made_for_one_alone(
    world: World, front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(front, a_user())
    assert reader.get("/matches/999999/").status == 404
    assert not front.pages.cache.kept
    monkeypatch.setattr(own_pages, "OLDEST", -1.0)
    front.asked.clear()
    assert "account" in reader.text("/")
    assert [what for _, what in front.asked] == [OWN, HOLES, WHOLE]


def test_no_cookie_reaches_the_page_that_is_kept(world: World, front: Front) -> None:
    """Of a language, a time zone, a theme: whatever a page may come to depend on."""
    cookies: list[str] = []
    ask: Callable[..., Any] = front.ask

    async def noting(scope: Any) -> Any:
        wants = scope.get("boardroom.wants")
        cookies.extend(f"{wants} {name.decode()}={value.decode()}" for name, value in scope["headers"])
        return await ask(scope)

    front.ask = noting  # type: ignore[method-assign]
    reader = Reader(front, a_user(), cookies={"theme": "dark", "django_language": "ja"})
    reader.get("/", accept_language="ja", x_request_id="0123456789", user_agent="Somebody")
    assert {each for each in cookies if each.startswith(HOLES)} == {
        f"{HOLES} host=localhost",
        f"{HOLES} accept-language=en",
    }


def test_ones_own_bots_are_those_that_one_runs(world: World, front: Front) -> None:
    user, team = a_user("uma"), Team.objects.create(name="Together")
    Membership.objects.create(team=team, user=user, role=Membership.Role.MEMBER)
    Membership.objects.create(team=team, user=world.staff, role=Membership.Role.INVITED)
    world.bot.team = team
    world.bot.save()
    a_bot(user, "Alder")
    page = " ".join(Reader(front, user).text("/").partition('id="mine"')[2].partition("</section>")[0].split())
    assert re.findall(r">(Alder|Orchid|Rook|Thistle)<", page) == ["Alder", "Orchid"]
    assert ("In no ladder yet." in page, "Arena (playing)" in page, "Version 1:" in page) == (True, True, True)
    for other in (world.staff, a_user()):
        assert "You have none yet." in Reader(front, other).text("/")
