"""A guest's games go with whoever signs up or in, and with the day where nobody does."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from engine.replay import read_replay, verify
from tests.factories import a_user
from tests.practising import a_shared_table, answer_by_the_book, bots_answer, everything_by_the_book
from tests.tournaments.features.guests.test_pages import NOW, PLAY, a_guest, text_of
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.core.errors import Refused
from tournaments.features.guests.rules import forget_guests
from tournaments.features.practice.gathering import take_seat
from tournaments.features.practice.quota import check_quota
from tournaments.models import Notice, Practice, PracticeSeat, User

pytestmark = pytest.mark.django_db
PASSWORD = "vermilion tea house"
NEW = {"username": "nina", "password1": PASSWORD, "password2": PASSWORD}


def the_game(guest: User) -> Practice:
    return Practice.objects.select_related("ladder", "owner").get(owner=guest)


def over(*guests: User) -> None:
    User.objects.filter(pk__in=[guest.pk for guest in guests]).update(guest_until=timezone.now() - timedelta(seconds=1))


def seated(table: Practice) -> tuple[Client, User]:
    client = Client()
    client.post(f"/play/join/{table.invite_key}/")
    return client, User.objects.filter(guest_until__isnull=False).latest("pk")


def test_who_signs_up_in_mid_game_goes_on_with_it_under_the_new_name(pages_world: World) -> None:
    client, guest = a_guest()
    game = the_game(guest)
    if game.status == Practice.Status.WAITING:
        bots_answer(game)
    assert f"Your games as {guest} are kept" in text_of(client, "/sign-up/")
    answer = client.post("/sign-up/", {**NEW, "next": f"/play/{game.pk}/"})
    assert answer["Location"] == f"/play/{game.pk}/"
    nina = User.objects.get(username="nina")
    assert (nina.pk, nina.guest_until, nina.check_password(PASSWORD)) == (guest.pk, None, True)
    page = text_of(client, f"/play/{game.pk}/")
    assert ("nina (you)" in page, "Keep this game" in page, "kept under your name" in page) == (True, False, True)
    assert client.session.get_expiry_age() > 86_400
    assert client.get("/account/").status_code == 200
    everything_by_the_book(the_game(nina))
    forget_guests()
    assert User.objects.filter(pk=nina.pk).exists()


def test_a_game_that_is_over_has_the_name_under_which_it_is_kept(pages_world: World) -> None:
    client, guest = a_guest()
    game = everything_by_the_book(the_game(guest))
    assert f"{guest} (you)" in text_of(client, f"/play/{game.pk}/")
    client.post("/sign-up/", NEW)
    game.refresh_from_db()
    replay = read_replay(bytes(game.replay or b""))
    verify(replay)
    assert [player.name for player in replay.players].count("nina") == 1
    assert guest.username not in text_of(client, f"/play/{game.pk}/").replace(f"as {guest}", "")


@pytest.mark.parametrize("name", ["olga", "a b", "n<b>", "Guest 1234", "нina", ""])
def test_a_name_that_is_refused_leaves_the_guest_as_it_was(pages_world: World, name: str) -> None:
    client, guest = a_guest()
    assert client.post("/sign-up/", {**NEW, "username": name}).status_code == 200
    guest.refresh_from_db()
    assert guest.guest_until
    assert client.get(f"/play/{the_game(guest).pk}/").status_code == 200


def test_who_signs_in_takes_the_games_along_and_the_guest_is_gone(pages_world: World) -> None:
    client, guest = a_guest()
    game, table = the_game(guest), a_shared_table(pages_world.other, pages_world.ladder)
    client.post(f"/play/join/{table.invite_key}/")
    client.post("/sign-in/", {"username": "olga", "password": "the password of olga"})
    assert not User.objects.filter(pk=guest.pk).exists()
    assert Practice.objects.get(pk=game.pk).owner == pages_world.owner
    assert PracticeSeat.objects.filter(practice=table, user=pages_world.owner).exists()
    assert "olga (you)" in text_of(client, f"/play/{game.pk}/")


def test_at_a_table_where_the_account_sits_already_the_guest_leaves(pages_world: World) -> None:
    table = a_shared_table(pages_world.owner, pages_world.ladder)
    client, guest = seated(table)
    _, third = seated(table)
    client.post("/sign-in/", {"username": "olga", "password": "the password of olga"})
    states = dict(PracticeSeat.objects.filter(practice=table).values_list("user__username", "state"))
    assert states == {"olga": "here", guest.username: "left", third.username: "here"}
    guest.refresh_from_db()
    assert (guest.is_active, guest.guest_until is None) == (False, False)
    assert client.get(f"/play/{table.pk}/").status_code == 200


def test_who_signs_up_in_two_tabs_has_one_account(pages_world: World) -> None:
    client, guest = a_guest()
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.post("/sign-up/", NEW)
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    client.post("/sign-up/", {**NEW, "username": "ninette"})
    assert User.objects.get(pk=guest.pk).username == "nina"
    assert User.objects.get(username="ninette").pk != guest.pk


def test_after_a_day_nothing_is_left_of_a_guest_who_played_alone(pages_world: World) -> None:
    client, guest = a_guest()
    game = everything_by_the_book(the_game(guest))
    client.post(NOW, PLAY)
    assert forget_guests() == 0
    over(guest)
    assert forget_guests() == 1
    assert not User.objects.filter(pk=guest.pk).exists()
    assert not Practice.objects.filter(owner=guest.pk).exists()
    assert client.get(f"/play/{game.pk}/").status_code == 302
    ends = timezone.now() + timedelta(days=1)
    assert not Session.objects.filter(expire_date__gt=ends).exists()
    assert forget_guests() == 0


def test_at_a_table_with_others_the_neutral_name_stays_and_the_game_goes_on(pages_world: World) -> None:
    table = a_shared_table(pages_world.owner, pages_world.ladder)
    (_, guest), (_, other) = seated(table), seated(table)
    over(guest)
    forget_guests()
    guest.refresh_from_db()
    assert (guest.is_active, Notice.objects.filter(user=guest).exists()) == (False, False)
    assert forget_guests() == 0
    game = Practice.objects.get(pk=table.pk)
    assert game.status == Practice.Status.ASKING
    assert guest.username in text_of(signed_in(pages_world.owner), f"/play/{table.pk}/")
    everything_by_the_book(Practice.objects.select_related("ladder", "owner").get(pk=table.pk))
    over(other)
    forget_guests()
    assert guest.username in text_of(signed_in(pages_world.owner), f"/play/{table.pk}/")
    assert Client().post("/sign-in/", {"username": guest.username, "password": ""}).status_code == 200


def test_a_table_that_a_guest_hosts_is_the_others_when_the_guest_is_gone(pages_world: World) -> None:
    client, host = a_guest()
    form = {"seat": "0", "opponent-1": "invited", "opponent-2": "sample-random", "hours": "3m"}
    assert client.post("/play/under/arena/", form).status_code == 302
    table = Practice.objects.filter(owner=host).latest("pk")
    assert (table.minutes, table.hours) == (3, None)
    take_seat(key=table.invite_key, by=(friend := a_user("frieda")))
    over(host)
    forget_guests()
    table.refresh_from_db()
    assert table.owner == friend
    assert table.status in (Practice.Status.ASKING, Practice.Status.WAITING)  # who begins is drawn
    assert User.objects.filter(pk=host.pk, is_active=False).exists()


def test_of_a_table_of_guests_alone_nothing_is_left(pages_world: World) -> None:
    client, host = a_guest()
    form = {"seat": "0", "opponent-1": "invited", "opponent-2": "sample-random", "hours": "1m"}
    client.post("/play/under/arena/", form)
    table = Practice.objects.filter(owner=host).latest("pk")
    _, friend = seated(table)
    table = Practice.objects.select_related("ladder", "owner").get(pk=table.pk)
    while table.status == Practice.Status.WAITING:  # whose turn it is first is drawn
        bots_answer(table)
        table.refresh_from_db()
    answer_by_the_book(table)
    over(host)
    forget_guests()
    assert Practice.objects.get(pk=table.pk).owner == friend
    over(friend)
    forget_guests()
    forget_guests()
    assert not Practice.objects.filter(pk=table.pk).exists()
    assert not User.objects.filter(guest_until__isnull=False).exists()


def test_a_guest_has_a_sixth_of_what_a_person_has_in_a_day(pages_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _, guest = a_guest()
    check_quota(guest)
    monkeypatch.setattr(settings, "PRACTICES_A_DAY", 6)
    with pytest.raises(Refused, match="you may begin 1 games in 24 hours"):
        check_quota(guest)
    monkeypatch.undo()
    guest.practices.update(seconds=601)
    with pytest.raises(Refused, match="bots have thought 10 minutes"):
        check_quota(guest)
    guest.practices.update(owner=pages_world.owner)
    check_quota(pages_world.owner)
