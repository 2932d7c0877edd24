"""The buttons, the timeline, the list and the feed, as a browser without scripts has them."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from django.test import Client

from tests.factories import a_bot, a_checked, a_user
from tests.holding import a_draft, an_event
from tests.spaces import a_space
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.notices.channels import new_feed_key
from tournaments.features.follow import pages, rules
from tournaments.features.follow.rules import start_following
from tournaments.models import Bot, SpaceMember

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def buttons(client: Client, path: str) -> list[tuple[str, str]]:
    """Return the state and the address of each button that follows."""
    page = Html(client.get(path).content.decode())
    assert page.faults() == []
    pressed = [button["aria-pressed"] for button in page.all("button") if "aria-pressed" in button]
    forms = [form["action"] for form in page.all("form") if "/follow" in form.get("action", "")]
    return list(zip(pressed, forms, strict=True))


@pytest.mark.parametrize("path", ["/bots/{bot}/", "/people/olga/", "/ladders/arena/", "/events/{event}/"])
def test_the_button_of_each_page_follows_and_stops(path: str, pages_world: World) -> None:
    path = path.format(bot=pages_world.bot.pk, event=an_event([]).slug)
    client = signed_in(pages_world.other)
    [(pressed, address)] = buttons(client, path)
    assert pressed == "false"
    assert client.post(address)["Location"] == path
    [(pressed, address)] = buttons(client, path)
    assert (pressed, pages_world.other.follows.count()) == ("true", 1)
    assert buttons(signed_in(a_user()), path)[0][0] == "false", "each person has their own"
    assert client.post(address)["Location"] == path
    assert (buttons(client, path)[0][0], pages_world.other.follows.count()) == ("false", 0)


def test_visitors_and_owners_have_no_button_and_nobody_by_a_link(pages_world: World) -> None:
    for path in (f"/bots/{pages_world.bot.pk}/", "/people/olga/"):
        assert buttons(Client(), path) == buttons(signed_in(pages_world.owner), path) == []
    assert signed_in(pages_world.other).get("/follow/person/olga/").status_code == 405
    assert Client().post("/follow/person/olga/")["Location"].startswith("/sign-in/")


def test_what_one_may_not_see_is_not_found(pages_world: World) -> None:
    hidden = a_bot(a_user(), "Hidden")
    Bot.objects.filter(pk=hidden.pk).update(space=a_space())
    client = signed_in(pages_world.other)
    for path in (
        f"bot/{hidden.pk}",
        "bot/0",
        "bot/x",
        "person/nobody",
        "ladder/x",
        f"event/{a_draft().slug}",
        "team/1",
    ):
        answer = client.post(f"/follow/{path}/")
        assert (answer.status_code, "Hidden" in answer.content.decode()) == (404, False), path


def test_too_many_are_refused_on_the_page(pages_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "FOLLOWED", replace(rules.FOLLOWED, most=0))
    client = signed_in(pages_world.other)
    answer = client.post("/follow/person/olga/", follow=True).content.decode()
    assert "at most 0 bots, people, ladders and events" in answer
    assert pages_world.other.follows.count() == 0


def test_the_timeline_has_the_news_page_by_page(pages_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LENGTH", 2)
    client = signed_in(pages_world.other)
    assert "Nothing yet." in client.get("/following/").content.decode()
    bot = a_bot(a_user("theresa"), "Tulip")
    start_following(user=pages_world.other, target=bot)
    for _ in range(3):
        a_checked(bot)
    newest = Html(client.get("/following/").content.decode())
    assert newest.faults() == []
    assert "Tulip plays with version 3 now." in newest.text
    assert "new bot" not in newest.text
    [older] = [link["href"] for link in newest.all("a") if link.get("href", "").startswith("?before=")]
    last = client.get(f"/following/{older}").content.decode()
    assert "theresa has a new bot: Tulip." in last
    assert 'href="?before=' not in last
    german = client.get("/following/", headers={"accept-language": "de"}).content.decode()
    assert "Tulip spielt jetzt mit Version 3." in german


def test_matches_are_those_of_the_bots_that_one_follows_and_may_see(pages_world: World) -> None:
    client, match = signed_in(pages_world.other), pages_world.set.matches.latest("pk").pk
    link = f'"/matches/{match}/'
    assert link not in client.get("/following/matches/").content.decode()
    start_following(user=pages_world.other, target=pages_world.bot)
    assert link in client.get("/following/matches/").content.decode()
    Bot.objects.filter(pk=pages_world.bot.pk).update(space=a_space())
    assert link not in client.get("/following/matches/").content.decode()


def test_the_list_stops_what_one_follows_also_what_one_no_longer_sees(pages_world: World) -> None:
    user, client = pages_world.other, signed_in(pages_world.other)
    space = a_space(members=[user])
    hidden = a_bot(a_user(), "Hidden")
    Bot.objects.filter(pk=hidden.pk).update(space=space)
    for target in (pages_world.bot, Bot.objects.get(pk=hidden.pk)):
        start_following(user=user, target=target)
    SpaceMember.objects.filter(user=user).delete()
    page = Html(client.get("/following/list/").content.decode())
    assert page.faults() == []
    assert "Orchid" in page.text
    assert "Hidden" not in page.text
    addresses = [form["action"] for form in page.all("form") if form.get("action", "").startswith("/following/")]
    assert len(addresses) == 2
    assert signed_in(a_user()).post(addresses[0]).status_code == 404
    for address in addresses:
        assert client.post(address, {"list": "1"})["Location"] == "/following/list/"
    assert "You follow nothing yet." in client.get("/following/list/").content.decode()


def test_the_feed_is_opened_by_its_key_and_sent_again_only_if_it_changed(pages_world: World) -> None:
    user, key = pages_world.other, new_feed_key(pages_world.other)
    bot = a_bot(a_user("theresa"), "Tulip")
    start_following(user=user, target=bot)
    a_checked(bot)
    path = f"/feeds/following/otto/{key}/"
    answer = Client().get(path)
    feed = ET.fromstring(answer.content)  # noqa: S314  our own
    assert [str(entry.findtext(f"{ATOM}title")) for entry in feed.iter(f"{ATOM}entry")] == [
        "theresa has a new bot: Tulip."
    ]
    [address] = [link.get("href", "") for link in feed.iter(f"{ATOM}link") if link.get("rel") == "self"]
    assert urlsplit(address).path == path
    assert answer["Cache-Control"] == "private, no-cache"
    assert Client().get(path, headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert Client().get("/feeds/following/otto/x/").status_code == 404
    assert Client().get("/feeds/following/olga//").status_code == 404
    Bot.objects.filter(pk=bot.pk).update(space=a_space())
    assert b"Tulip" not in Client().get(path).content
    new_feed_key(user)
    assert Client().get(path).status_code == 404
