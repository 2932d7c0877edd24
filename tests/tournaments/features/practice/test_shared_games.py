"""A practice game under a link: what everybody sees there, what nobody does, and that it can be taken back."""

import pytest
from django.test import Client

from tests.holding import ROBIN, a_running, play_round
from tests.practising import a_practice, everything_by_the_book
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.features.events.lifecycle import release_round
from tournaments.models import Event, Practice

pytestmark = pytest.mark.django_db
SECRET = "what its stderr said"


def a_game(world: World) -> Practice:
    """It is over; a bot of the owner wrote to stderr, and had a fault."""
    practice = everything_by_the_book(a_practice(world.owner, world.ladder))
    faults = [{"seat": 1, "verdict": "crashed", "answer": 0, "detail": SECRET, "given": SECRET}]
    practice.report = {"stderr": {"1": SECRET}, "faults": faults}
    practice.save()
    return practice


def link_of(practice: Practice) -> str:
    return f"/play/shared/{Practice.objects.get(pk=practice.pk).share_key}/"


def test_whoever_has_the_link_sees_result_and_replay_until_it_is_taken_back(pages_world: World) -> None:
    practice, owner = a_game(pages_world), signed_in(pages_world.owner)
    assert "Share this game" in owner.get(f"/play/{practice.pk}/").content.decode()
    answer = owner.post(f"/play/{practice.pk}/share/", follow=True)
    link = link_of(practice)
    assert link in answer.content.decode()
    assert len(link) > 43
    page = Client().get(link)
    html = Html(page.content.decode())
    assert (page["X-Robots-Tag"], page["Cache-Control"], html.faults()) == ("noindex", "private, no-store", [])
    assert "The result" in html.text
    assert f'data-film="{link}film/"' in page.content.decode()
    assert Client().get(f"{link}film/").json()["frames"]
    owner.post(f"/play/{practice.pk}/share/")
    assert link_of(practice) == link
    owner.post(f"/play/{practice.pk}/take-back/")
    assert {Client().get(path).status_code for path in (link, f"{link}film/", "/play/shared/%00/")} == {404}
    owner.post(f"/play/{practice.pk}/share/")
    assert link_of(practice) != link


def test_what_bots_told_their_owner_is_not_shown_there(pages_world: World) -> None:
    practice, owner = a_game(pages_world), signed_in(pages_world.owner)
    owner.post(f"/play/{practice.pk}/share/")
    assert SECRET in owner.get(f"/play/{practice.pk}/").content.decode()
    for client in (owner, Client()):
        page = client.get(link_of(practice)).content.decode()
        assert (SECRET in page, "Your bots" in page, "(you)" in page) == (False, False, False)
        assert SECRET not in client.get(f"{link_of(practice)}film/").content.decode()


def test_only_what_is_over_is_shared(pages_world: World) -> None:
    practice = a_practice(pages_world.owner, pages_world.ladder)
    answer = signed_in(pages_world.owner).post(f"/play/{practice.pk}/share/", follow=True)
    assert "A game can be shared when it is over." in answer.content.decode()
    assert not Practice.objects.get(pk=practice.pk).share_key


def held() -> Event:
    event = a_running(2, ROBIN, released=0)
    play_round(event)
    return event


def test_what_goes_on_from_a_match_is_shared_only_while_the_match_is_public(pages_world: World) -> None:
    practice, event, owner = a_game(pages_world), held(), signed_in(pages_world.owner)
    practice.match, practice.moment = event.sets.earliest("pk").matches.earliest("pk"), 3
    practice.save()
    answer = owner.post(f"/play/{practice.pk}/share/", follow=True)
    assert "It continues a match that is not public" in answer.content.decode()
    release_round(event=event, by=pages_world.staff)
    owner.post(f"/play/{practice.pk}/share/")
    assert Client().get(link_of(practice)).status_code == 200
    Event.objects.filter(pk=event.pk).update(released=0)
    assert Client().get(link_of(practice)).status_code == 404


def test_the_games_of_an_account_that_is_shut_are_not_shown(pages_world: World) -> None:
    practice = a_game(pages_world)
    signed_in(pages_world.owner).post(f"/play/{practice.pk}/share/")
    pages_world.owner.is_active = False
    pages_world.owner.save()
    assert Client().get(link_of(practice)).status_code == 404
