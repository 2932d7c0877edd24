"""A visitor plays at once, and nothing else; what is refused says so."""

import re
from dataclasses import replace

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

from tests.factories import a_ladder, a_user
from tests.practising import a_shared_table
from tests.spaces import a_space
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.routes import routes
from tournaments.core.accounts import guests
from tournaments.core.accounts.guests import GAMES, OF_AN_ADDRESS
from tournaments.features.guests.actions import SwitchGuestsOff, SwitchGuestsOn
from tournaments.features.moderation.actions import Suspend
from tournaments.features.practice.seats import INVITED, PERSON
from tournaments.features.practice.start import begin_practice
from tournaments.models import Follow, Practice, PracticeSeat, Spending, User
from tournaments.web.pages.guests import PLAY as PLAY_ROUTES
from tournaments.web.pages.guests import WAYS_IN

pytestmark = pytest.mark.django_db
NOW = "/play/now/"
PLAY = {"game": "zaibatsu", "bots": "2"}


def a_guest() -> tuple[Client, User]:
    client = Client()
    answer = client.post(NOW, PLAY)
    assert answer.status_code == 302, answer.content.decode()
    return client, User.objects.filter(guest_until__isnull=False).latest("pk")


def text_of(client: Client, path: str) -> str:
    return client.get(path, follow=True).content.decode()


def test_a_visitor_sits_at_a_table_after_one_press(pages_world: World) -> None:
    assert "Against 2 bots" in text_of(Client(), NOW)
    client, guest = a_guest()
    game = Practice.objects.get(owner=guest)
    assert sum("person" in seat for seat in game.seats) == 1
    assert len(game.seats) == 3
    assert guest.username.startswith("Guest ")
    assert not guest.has_usable_password()
    page = text_of(client, f"/play/{game.pk}/")
    assert "Keep this game under a name" in page
    assert guest.username in page
    assert client.session.get_expiry_age() <= 86_400


def test_the_page_offers_the_game_that_was_named_alone_and_chooses_nothing(pages_world: World) -> None:
    a_ladder("beasts", game="kaiju")
    both, named = text_of(Client(), NOW), text_of(Client(), f"{NOW}?game=kaiju")
    assert ("Zaibatsu" in both, "Kaiju" in both) == (True, True)
    assert 'value="zaibatsu"' not in named
    assert "Other games" in named
    assert not {"checked", "selected"} & set(both.replace(">", " ").split())


@pytest.mark.parametrize("sent", [{}, {"game": "chess", "bots": "2"}, {**PLAY, "bots": "99"}, {**PLAY, "bots": "zwei"}])
def test_what_is_not_offered_makes_nobody_a_guest(pages_world: World, sent: dict[str, str]) -> None:
    answer = Client().post(NOW, sent)
    assert (answer.status_code, 'role="alert"' in answer.content.decode()) == (422, True)
    assert not User.objects.filter(guest_until__isnull=False).exists()


def test_somebody_with_an_account_plays_as_themselves(pages_world: World) -> None:
    signed_in(pages_world.owner).post(NOW, PLAY)
    assert Practice.objects.get().owner == pages_world.owner
    assert not User.objects.filter(guest_until__isnull=False).exists()


def test_five_hundred_from_one_address_are_refused_in_a_sentence(pages_world: World) -> None:
    for _ in range(OF_AN_ADDRESS.most):
        assert Client().post(NOW, PLAY).status_code == 302
    for _ in range(5):
        answer = Client().post(NOW, PLAY)
        assert answer.status_code == 422
        assert "guests have come from your network" in answer.content.decode()
    assert User.objects.filter(guest_until__isnull=False).count() == OF_AN_ADDRESS.most
    assert "127.0.0.1" not in "".join(Spending.objects.values_list("holder", flat=True))
    assert Client(REMOTE_ADDR="192.0.2.7").post(NOW, PLAY).status_code == 302
    for last in (1, 2):  # of IPv6 the network counts
        for number in range(OF_AN_ADDRESS.most // 2 + last):
            sixth = Client(REMOTE_ADDR=f"2001:db8::{last}:{number:x}").post(NOW, PLAY)
    assert sixth.status_code == 422


def test_the_site_has_room_for_so_many_guests(pages_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "AT_ONCE", replace(guests.AT_ONCE, most=1))
    a_guest()
    answer = Client().post(NOW, PLAY)
    assert (answer.status_code, "no room for more" in answer.content.decode()) == (422, True)
    User.objects.filter(guest_until__isnull=False).update(guest_until=timezone.now())
    a_guest()


def test_a_guest_plays_two_games_at_once(pages_world: World) -> None:
    client, guest = a_guest()
    for _ in range(GAMES.most - 1):
        assert client.post(NOW, PLAY).status_code == 302
    answer = client.post(NOW, PLAY)
    assert (answer.status_code, "at most 2 games at once" in answer.content.decode()) == (422, True)
    assert Practice.objects.filter(owner=guest).count() == GAMES.most
    client.post(f"/play/{Practice.objects.latest('pk').pk}/leave/")
    assert client.post(NOW, PLAY).status_code == 302


def test_without_cookies_one_is_told_so(pages_world: World) -> None:
    answer = Client(enforce_csrf_checks=True).post(NOW, PLAY)
    assert (answer.status_code, "Cookies are needed" in answer.content.decode()) == (403, True)
    assert not User.objects.filter(guest_until__isnull=False).exists()


def test_organisers_switch_guests_off_and_on(pages_world: World) -> None:
    client, _ = a_guest()
    SwitchGuestsOff().do(by=pages_world.staff, reason="The fair is over.")
    assert Client().get(f"{NOW}?game=kaiju")["Location"] == "/sign-in/?next=/play/now/%3Fgame%3Dkaiju"
    assert "What you typed is kept: sign in" in Client().post(NOW, PLAY).content.decode()
    assert "Here one plays with an account." in Client().get(NOW, follow=True).content.decode()
    assert client.get("/play/").status_code == 200  # who is there finishes
    table = a_shared_table(pages_world.owner, pages_world.ladder)
    assert "plays with an account alone" in text_after_join(Client(), table)
    assert "You need no account" not in text_of(Client(), f"/play/join/{table.invite_key}/")
    SwitchGuestsOn().do(by=pages_world.staff, reason="Another fair.")
    a_guest()


def text_after_join(client: Client, table: Practice) -> str:
    return client.post(f"/play/join/{table.invite_key}/", follow=True).content.decode()


def test_a_friend_opens_an_invitation_without_an_account(pages_world: World) -> None:
    table = a_shared_table(pages_world.owner, pages_world.ladder)
    link, friend, third = f"/play/join/{table.invite_key}/", Client(), Client()
    page = text_of(friend, link)
    assert "olga invites you to a seat" in page
    assert "You need no account" in page
    assert "1 day" in page
    assert not PracticeSeat.objects.exclude(user=pages_world.owner).exists()
    assert friend.post(link)["Location"] == f"/play/{table.pk}/"
    assert "You sit at this table." in text_of(friend, link)  # opened once more
    assert friend.post(link)["Location"] == f"/play/{table.pk}/"
    assert PracticeSeat.objects.filter(practice=table).count() == 2
    assert third.post(link).status_code == 302  # the last seat: it begins
    for late in (Client(), friend, signed_in(pages_world.other)):
        answer = late.get(link)
        assert (answer.status_code, "no longer works" in answer.content.decode()) == (404, True)
        assert late.post(link).status_code == 404
    names = {row.user.username for row in PracticeSeat.objects.filter(practice=table)} - {"olga"}
    assert all(name.startswith("Guest ") for name in names)
    assert friend.get(f"/play/{table.pk}/").status_code == 200


def test_a_seat_that_is_refused_makes_nobody_a_guest(pages_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_shared_table(pages_world.owner, pages_world.ladder)
    monkeypatch.setattr("tournaments.features.practice.gathering.invited_to", lambda *_: None)
    Client().post(f"/play/join/{table.invite_key}/")
    assert not User.objects.filter(guest_until__isnull=False).exists()


def test_private_spaces_are_as_closed_to_guests_as_to_visitors(pages_world: World) -> None:
    space = a_space("bio1", organiser=(teacher := a_user("tessa")))
    ladder = a_ladder("bio1-cup", space=space)
    table = begin_practice(by=teacher, ladder=ladder, seats=[PERSON, INVITED, INVITED])
    client, guest = a_guest()
    for path in (f"/play/join/{table.invite_key}/", "/play/under/bio1-cup/", "/ladders/bio1-cup/", "/spaces/bio1/"):
        assert client.get(path).status_code == 404
        assert client.post(path).status_code in (403, 404, 405)
    assert "bio1" not in text_of(client, NOW) + text_of(client, "/play/")
    assert not PracticeSeat.objects.filter(user=guest).exists()


def test_nobody_is_told_of_guests(pages_world: World) -> None:
    client, guest = a_guest()
    number = guest.username.split()[1]
    for path in ("/people/", f"/search/?q={number}", "/sitemap-people.xml", "/api/v1/people"):
        for asker in (Client(), signed_in(pages_world.owner), client):
            assert not re.search(f"people/[^/]*{number}|[^=]{guest.username}(?!</a>)", text_of(asker, path))
    for asker in (Client(), client, signed_in(pages_world.owner)):
        assert asker.get(f"/people/{guest.username}/").status_code == 404
    refused = signed_in(pages_world.owner).post("/follow/person/" + guest.username + "/")
    assert (refused.status_code, Follow.objects.count()) == (404, 0)


def test_on_other_pages_a_guest_is_a_visitor_and_is_offered_a_name(pages_world: World) -> None:
    client, guest = a_guest()
    page = text_of(client, "/account/")
    assert f"As {guest} you can only play." in page
    answer = client.post("/follow/ladder/arena/")
    assert (answer.status_code, "A guest can only play" in answer.content.decode()) == (403, True)
    assert client.get("/api/v1/account").status_code == 401
    assert client.post("/api/v1/practices", {}, content_type="application/json").status_code in (401, 403)


def test_who_is_suspended_does_not_play_on_as_a_guest_in_the_same_session(pages_world: World) -> None:
    client = signed_in(pages_world.other)
    Suspend(user=pages_world.other, words="Too loud.").do(by=pages_world.staff, reason="Loud.")
    assert client.post(NOW, PLAY).status_code == 403
    assert not Practice.objects.exists()


def test_over_guests_are_visitors(pages_world: World) -> None:
    client, guest = a_guest()
    User.objects.filter(pk=guest.pk).update(guest_until=timezone.now())
    game = Practice.objects.get(owner=guest)
    assert client.get(f"/play/{game.pk}/").status_code == 302
    assert "can only play" not in text_of(client, f"/play/{game.pk}/")
    assert client.post(NOW, PLAY).status_code == 302
    assert Practice.objects.latest("pk").owner != guest


OPEN_TO_GUESTS = {  # what a guest may send, as itself or as a visitor
    *("play-now", "play-begin", "practice", "practice-table", "practice-join", "practice-leave", "practice-retry"),
    *("practice-again", "invited", "language", "lost-password", "reset-password", "sign-in", "sign-in-code"),
    *("sign-in-passkey", "passkey-challenge", "sign-out", "sign-up", "sign-on-course", "sign-on-name"),
    *("sign-on-launch", "sign-on-assertion"),
}
NUMBERS = {"int": "1", "slug": "arena", "str": "x", "path": "x"}


def address_of(route: URLPattern) -> str:
    return "/" + re.sub(r"<(\w+):\w+>", lambda match: NUMBERS[match[1]], str(route.pattern))


def test_all_that_a_guest_sends_is_refused_but_games_and_the_ways_in(pages_world: World) -> None:
    """Fail closed: whoever adds a form to the site need not think of guests."""
    client, guest = a_guest()
    taken = set[str]()
    for route in routes():
        client.force_login(guest)  # one of the ways out is on the list
        answer = client.post(address_of(route))
        if b"A guest can only play" in answer.content:
            assert answer.status_code == 403
        elif answer.status_code != 405:
            taken.add(str(route.name))
    assert taken == OPEN_TO_GUESTS
    assert WAYS_IN | PLAY_ROUTES >= OPEN_TO_GUESTS


def test_two_tabs_are_one_guest_and_an_old_form_says_so(pages_world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.get(NOW)
    old = client.cookies[settings.CSRF_COOKIE_NAME].value
    assert client.post(NOW, {**PLAY, "csrfmiddlewaretoken": old}).status_code == 302
    answer = client.post(NOW, {**PLAY, "csrfmiddlewaretoken": old}, headers={"origin": "http://testserver"})
    assert answer.status_code == 403
    assert User.objects.filter(guest_until__isnull=False).count() == 1
