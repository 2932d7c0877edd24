"""The pages of notices, webhooks and feeds, and the links in letters."""

import re
from email import message_from_bytes
from email.policy import default
from xml.etree import ElementTree as ET

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django.fixtures import Settings

from tests.factories import a_user, an_upload
from tests.holding import ROBIN, a_draft, an_event, play_round
from tests.tournaments.core.notices.conftest import Listener
from tests.tournaments.web.pages.conftest import World, own_counters, pages_world, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.notices.create import notify
from tournaments.core.notices.delivery import deliver_due
from tournaments.features.events.lifecycle import start_event
from tournaments.models import Bot, Delivery, Ladder, Notice, User, Webhook

__all__ = ["own_counters", "pages_world"]  # fixtures
pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def mailed(settings: Settings) -> User:
    settings.CAN_MAIL = True
    user = a_user("mia")
    user.email = "mia@example.org"
    user.save()
    return user


def link_in(letter: str) -> str:
    match = re.search(r"http://127.0.0.1:8000(/\S+)", letter)
    assert match
    return match[1]


def test_notices_are_listed_the_newest_first_and_marked_as_read() -> None:
    user = a_user()
    for number in range(40):
        notify([user], "fault", str(number), f"Fault {number}.", "/")
    client = signed_in(user)
    page = Html(client.get("/notices/").content.decode())
    assert page.faults() == []
    assert "Fault 39. new" in page.text
    assert "Fault 9." not in page.text
    assert "Fault 9." in Html(client.get(f"/notices/?before={user.notices.get(key='10').pk}").content.decode()).text
    client.post("/notices/read/")
    assert not user.notices.filter(read_at=None).exists()


def test_an_address_is_proven_by_a_letter_and_a_button(mailed: User) -> None:
    client = signed_in(mailed)
    client.post("/notices/letter/")
    path = link_in(str(mail.outbox[0].body))
    assert client.get(path).status_code == 200
    mailed.refresh_from_db()
    assert mailed.confirmed_email == ""  # programs follow links too
    Client().post(path)
    mailed.refresh_from_db()
    assert mailed.confirmed_email == "mia@example.org"
    mailed.email = "another@example.org"
    mailed.save()
    assert Client().get(path).status_code == 404
    assert Client().get(path[:-3] + "aa/").status_code == 404


def test_who_is_mailed_says_of_what_and_stops_it_by_one_button(mailed: User) -> None:
    client = signed_in(mailed)
    client.post("/notices/", {"kinds": ["fault", "rank"]})
    mailed.refresh_from_db()
    assert mailed.mailed == ["fault", "rank"]
    assert "Select a valid choice" in client.post("/notices/", {"kinds": ["gossip"]}).content.decode()
    mailed.confirmed_email = mailed.email
    mailed.save()
    notify([mailed], "fault", "x", "Something.", "/")
    deliver_due()
    away = link_in(str(mail.outbox[-1].body).partition("No more e-mail")[2])
    stranger = Client(enforce_csrf_checks=True)
    assert "You get an e-mail when" in stranger.get(away).content.decode()
    assert stranger.post(away, {"List-Unsubscribe": "One-Click"}).status_code == 200
    mailed.refresh_from_db()
    assert mailed.mailed == ["rank"]


def test_a_webhook_is_made_tried_and_removed(listener: Listener) -> None:
    user, other = a_user(), a_user()
    client = signed_in(user)
    page = client.post("/webhooks/", {"url": listener.url, "receiver": "json", "kinds": ["fault"]}).content.decode()
    webhook = user.webhooks.get()
    assert webhook.secret in page
    assert webhook.secret not in client.get("/webhooks/").content.decode()
    Webhook.objects.update(stopped="It was.", failures=5)
    client.post(f"/webhooks/{webhook.pk}/test/")
    deliver_due()
    assert b"This is a test." in listener.heard[0][1]
    assert Delivery.objects.get().status == "done"
    assert signed_in(other).post(f"/webhooks/{webhook.pk}/remove/").status_code == 404
    client.post(f"/webhooks/{webhook.pk}/remove/")
    assert not user.webhooks.exists()


def test_a_webhooks_form_says_what_would_be_right() -> None:
    client = signed_in(a_user())
    page = Html(client.post("/webhooks/", {"url": "http://example.org/", "receiver": "json"}).content.decode())
    assert "Choose at least one kind of notice." in page.text
    page = Html(
        client.post(
            "/webhooks/", {"url": "http://example.org/", "receiver": "json", "kinds": ["fault"]}
        ).content.decode()
    )
    assert "is not an address such as https://example.org/hook" in page.text
    assert {"http://example.org/"} <= {field.get("value") for field in page.all("input")}


def entries(client: Client, path: str) -> list[str]:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.content)  # noqa: S314 - our own
    return [str(entry.findtext(f"{ATOM}title")) for entry in feed.iter(f"{ATOM}entry")]


def test_ladders_and_bots_have_feeds_of_what_everybody_may_see(pages_world: World) -> None:
    an_upload(pages_world.bot)
    for path in ("/feeds/ladders/arena/", f"/feeds/bots/{pages_world.bot.pk}/"):
        titles = entries(Client(), path)
        assert len(titles) == 3
        assert all(title.startswith("Match ") and "Orchid" in title for title in titles)


def test_a_feed_of_an_event_holds_back_what_is_held_back(pages_world: World) -> None:
    event = an_event([pages_world.bot, pages_world.rival], ROBIN, released=0)
    start_event(event=event, by=pages_world.staff)
    play_round(event)
    assert entries(signed_in(pages_world.staff), f"/feeds/events/{event.slug}/") == [
        f"{event} begins with 2 bots, each with the version it has now.",
        f"{event} is announced; bots may register.",
    ]
    assert signed_in(pages_world.staff).get(f"/feeds/events/{a_draft().slug}/").status_code == 404


def test_ones_own_feed_is_opened_by_its_key_and_closed_by_another() -> None:
    user = a_user("nora")
    notify([user], "fault", "a", "A fault.", "/")
    client = signed_in(user)
    client.post("/notices/feed/")
    user.refresh_from_db()
    path = f"/feeds/people/nora/{user.feed_key}/"
    assert path in client.get("/notices/").content.decode()
    assert entries(Client(), path) == ["A fault."]
    client.post("/notices/feed/")
    assert Client().get(path).status_code == 404
    assert Client().get(f"/feeds/people/{a_user('olaf')}/x/").status_code == 404


STORED = "\x01\v\f\x1b\x1c\x1f\x7f\x85\x9f\u2028\ufffe\ufdd0\U0001ffff"  # as rows from before may have them


def test_feeds_pictures_and_sitemaps_are_well_formed_whatever_is_stored(pages_world: World) -> None:
    event = an_event([pages_world.bot, pages_world.rival], ROBIN, title=f"Cup{STORED}\n1")
    Ladder.objects.update(title=f"Are{STORED}na\r\n<&>")
    Bot.objects.filter(pk=pages_world.bot.pk).update(name=f"Or{STORED}chid")
    notify([pages_world.owner], "fault", "a", f"A{STORED}fault.", "/")
    User.objects.update(feed_key="key")
    paths = ("ladders/arena", f"bots/{pages_world.bot.pk}", f"events/{event.slug}", "people/olga/key")
    for path in paths:
        titles = entries(signed_in(pages_world.staff), f"/feeds/{path}/")
        assert [title for title in titles if not title.isprintable()] == []
    assert entries(Client(), "/feeds/people/olga/key/")[0] == "A fault."
    for path in ("/sitemap.xml", "/sitemap-ladders.xml"):
        assert ET.fromstring(Client().get(path).content) is not None  # noqa: S314 - our own
    match = pages_world.set.matches.order_by("pk")[0]
    assert Client().get(f"/matches/{match.pk}/card.png").status_code == 200
    assert ET.fromstring(Client().get(f"/matches/{match.pk}/board.svg").content) is not None  # noqa: S314 - our own


def test_letters_are_well_formed_whatever_is_stored(mailed: User) -> None:
    mailed.confirmed_email, mailed.mailed = mailed.email, ["fault"]
    mailed.save()
    notify([mailed], "fault", "a", f"A{STORED}fault\nBcc: eve@evil.example", "/")
    assert Notice.objects.count() == 1
    deliver_due()
    letter = mail.outbox[0]
    assert isinstance(letter, EmailMessage)
    read = message_from_bytes(letter.message().as_bytes(), policy=default)
    assert (read["Subject"], read["Bcc"]) == ("A bot of yours was at fault", None)
    body = read.get_body()
    assert body is not None
    assert {sign for sign in body.get_content() if not sign.isprintable()} == {"\n"}
