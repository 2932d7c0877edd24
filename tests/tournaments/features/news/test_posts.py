"""Webhooks of spaces and events: what is posted there, when, and by whose right."""

import json

import pytest

from tests.factories import a_ladder, a_user, a_version
from tests.holding import ROBIN, a_draft, an_event, play_out
from tests.spaces import a_space
from tests.tournaments.core.notices.conftest import Listener, listener
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import own_counters, pages_world, signed_in
from tournaments.core.errors import Refused
from tournaments.core.notices import create
from tournaments.core.notices.delivery import deliver_due
from tournaments.core.notices.webhooks import MOST, Of, add_webhook
from tournaments.features.events.lifecycle import announce, call_off, release_round, start_event
from tournaments.features.own_data.archive import profile_of
from tournaments.features.spaces.actions import CloseSpace
from tournaments.ledger.acts import Announce
from tournaments.models import Delivery, Event, Space, SpaceMember, User, Webhook

__all__ = ["listener", "own_counters", "pages_world"]  # fixtures
pytestmark = pytest.mark.django_db
URL = "https://example.org/chats/1a2b3c4d"


@pytest.fixture
def organiser() -> User:
    return a_user("stella", staff=True)


@pytest.fixture
def space() -> Space:
    return a_space("chess", organiser=a_user("odette"))


def hook(user: User, of: Of) -> Webhook:
    return add_webhook(user=user, url=URL, receiver="slack", of=of)


def posted(webhook: Webhook) -> list[str]:
    return [str(row.notice) for row in Delivery.objects.filter(webhook=webhook).order_by("pk")]


def a_small_event(**fields: object) -> Event:
    return an_event([a_version().bot for _ in range(2)], ROBIN, **fields)


def test_an_event_posts_its_announcement_start_and_winner(organiser: User) -> None:
    event = a_draft(ROBIN)
    webhook = hook(organiser, event)
    announce(event=event, by=organiser)
    event = a_small_event(title="Cup")
    running = hook(organiser, event)
    start_event(event=event, by=organiser)
    play_out(event)
    winner = event.entrants.get(place=1).bot
    assert posted(webhook) == [f"{webhook.event} is announced; bots may register."]
    assert posted(running) == ["Cup has begun.", f"Cup is over. The winner is {winner}."]


def test_held_back_results_are_posted_when_they_are_released_and_the_winner_last(organiser: User) -> None:
    event = a_small_event(title="Cup", released=0)
    webhook = hook(organiser, event)
    start_event(event=event, by=organiser)
    play_out(event)
    assert posted(webhook) == ["Cup has begun."]
    release_round(event=event, by=organiser)
    first = ["Cup has begun.", "The results of Cup up to round 1 are out."]
    assert posted(webhook)[:2] == first
    assert posted(webhook)[2:] == [f"Cup is over. The winner is {event.entrants.get(place=1).bot}."]


def test_an_event_that_is_called_off_names_no_winner(organiser: User) -> None:
    event = a_small_event(title="Cup")
    webhook = hook(organiser, event)
    call_off(event=event, by=organiser, reason="The hall is closed")
    assert posted(webhook) == ["Cup was called off: The hall is closed."]


def test_a_space_posts_its_announcements_and_the_news_of_its_events(space: Space) -> None:
    odette = User.objects.get(username="odette")
    webhook = hook(odette, space)
    elsewhere = hook(odette, a_space(organiser=odette))
    Announce(text="No games on Friday.", space=space).do(by=odette, reason="A holiday")
    event = a_draft(ROBIN, by=odette, ladder=a_ladder(players=2, space=space), slug="chess-cup", title="Cup")
    announce(event=event, by=odette)
    assert posted(webhook) == ["News of Chess: No games on Friday.", "Cup is announced; bots may register."]
    assert posted(elsewhere) == []


def test_who_no_longer_runs_the_space_posts_nothing_from_it(space: Space) -> None:
    odette, heir = User.objects.get(username="odette"), a_user("henry")
    SpaceMember.objects.create(space=space, user=heir, role=SpaceMember.Role.ORGANISER)
    webhook = hook(odette, space)
    SpaceMember.objects.filter(user=odette).update(role=SpaceMember.Role.MEMBER)
    Announce(text="News.", space=space).do(by=heir, reason="New")
    assert posted(webhook) == []


@pytest.mark.django_db(transaction=True)
def test_what_waits_is_not_posted_once_they_run_it_no_more(space: Space, listener: Listener) -> None:
    odette = User.objects.get(username="odette")
    webhook = add_webhook(user=odette, url=listener.url, receiver="slack", of=space)
    Announce(text="News.", space=space).do(by=odette, reason="New")
    SpaceMember.objects.filter(user=odette).delete()
    deliver_due()
    assert listener.heard == []
    [delivery] = Delivery.objects.filter(webhook=webhook)
    assert (delivery.status, delivery.answer) == (
        "failed",
        "the person who added this webhook no longer organises there",
    )


def test_a_space_that_is_closed_posts_nothing(space: Space, organiser: User) -> None:
    webhook = hook(User.objects.get(username="odette"), space)
    CloseSpace(space).do(by=organiser, reason="The course is over")
    Announce(text="News.", space=space).do(by=organiser, reason="New")
    assert posted(webhook) == []


@pytest.mark.django_db(transaction=True)
def test_one_webhook_that_fails_does_not_stop_the_others(space: Space, listener: Listener) -> None:
    odette = User.objects.get(username="odette")
    broken = add_webhook(user=odette, url="http://127.0.0.1:9/", receiver="teams", of=space)
    add_webhook(user=odette, url=listener.url, receiver="discord", of=space)
    Announce(text="News.", space=space).do(by=odette, reason="New")
    deliver_due()
    assert [json.loads(body)["content"].partition("\n")[0] for _, body in listener.heard] == [
        "News of Chess\\: News\\."
    ]
    assert Delivery.objects.get(webhook=broken).status == "waiting"


@pytest.mark.parametrize("receiver", Webhook.Receiver.values)
def test_none_leads_inside(receiver: str, space: Space, organiser: User) -> None:
    for of in (space, a_draft(ROBIN)):
        for url in ("https://127.0.0.1/", "https://10.1.2.3/hook", "https://[::1]/"):
            with pytest.raises(Refused, match="not a public address"):
                add_webhook(user=organiser, url=url, receiver=receiver, of=of)


def test_no_more_are_posted_than_fit_the_queue(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    odette = User.objects.get(username="odette")
    webhook = hook(odette, space)
    monkeypatch.setattr(create, "MOST_WAITING", 1)
    for text in ("First", "Second"):
        Announce(text=text, space=space).do(by=odette, reason="New")
    assert posted(webhook) == ["News of Chess: First"]


def test_a_chats_address_is_shown_in_part_to_programs_and_in_ones_own_data(organiser: User) -> None:
    add_webhook(user=organiser, url="https://hooks.slack.com/services/T0/B0/abcdefgh", kinds=["act"], receiver="slack")
    add_webhook(user=organiser, url=URL, kinds=["act"])
    shown = ["https://hooks.slack.com/…efgh", URL]
    rows = ask("GET", "webhooks", organiser).json()["results"]
    assert sorted(row["url"] for row in rows) == sorted(shown)
    assert [row["url"] for row in profile_of(organiser)["webhooks"]] == shown


def test_only_organisers_add_them_and_not_without_end(space: Space, organiser: User) -> None:
    member = a_user("mia")
    SpaceMember.objects.create(space=space, user=member)
    for of in (space, a_draft(ROBIN)):
        with pytest.raises(Refused, match="only organisers"):
            hook(member, of)
    event = a_draft(ROBIN)
    for _ in range(MOST):
        hook(organiser, event)
    with pytest.raises(Refused, match=f"you have {MOST} webhooks"):
        hook(organiser, event)
    hook(organiser, a_draft(ROBIN))
    assert add_webhook(user=organiser, url=URL, kinds=["fault"]).event is None


def test_organisers_share_the_webhooks_of_a_space_and_nobody_sees_those_of_persons(space: Space) -> None:
    odette, heir = User.objects.get(username="odette"), a_user("henry")
    SpaceMember.objects.create(space=space, user=heir, role=SpaceMember.Role.ORGANISER)
    shared, private = hook(odette, space), add_webhook(user=odette, url="https://example.org/own", kinds=["fault"])
    client = signed_in(heir)
    page = client.get("/spaces/chess/webhooks/").content.decode()
    assert "https://example.org/…3c4d" in page
    assert URL not in page  # whoever knows it posts to the chat
    assert "https://example.org/own" not in page
    assert client.post(f"/webhooks/{private.pk}/remove/").status_code == 404
    assert signed_in(a_user(staff=True)).post(f"/webhooks/{private.pk}/remove/").status_code == 404
    assert client.post(f"/webhooks/{shared.pk}/remove/")["Location"] == "/spaces/chess/webhooks/"
    assert list(Webhook.objects.all()) == [private]


def test_the_desk_adds_one_and_shows_a_secret_to_programs_alone(organiser: User) -> None:
    event, client = a_draft(ROBIN), signed_in(organiser)
    path = f"/desk/events/{event.slug}/webhooks/"
    chat = client.post(path, {"url": URL, "receiver": "discord"}).content.decode()
    program = client.post(path, {"url": URL, "receiver": "json"}).content.decode()
    assert "whsec_" not in chat
    assert event.webhooks.get(receiver="json").secret in program
