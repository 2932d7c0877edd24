"""Every model in the admin, for everybody: who may look, add, change, delete, and which actions there are."""

from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client, RequestFactory

import tournaments.ops.admin.tables  # noqa: F401  it registers them
from tests.factories import a_completed_set, a_ladder, a_user, a_version, rate
from tests.holding import a_draft, an_event
from tests.tournaments.core.accounts.test_second_factor import with_factor
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Act, User, Worker

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, slots=True)
class Row:
    """What an organiser with every right may do with the rows of a model."""

    adds: bool
    changes: bool
    deletes: bool
    actions: frozenset[str] = frozenset()  # some of those there are


def looked_at(*actions: str) -> Row:
    return Row(adds=False, changes=False, deletes=False, actions=frozenset(actions))


TABLE = {
    "act": looked_at("reinstate", "withdraw_announcement"),
    "bot": looked_at("blank", "disqualify", "rename"),
    "entrant": looked_at("disqualify_entrant"),
    "entry": looked_at(),
    "event": looked_at("announce_event", "call_off_event", "discard_event", "release_round", "start_event"),
    "group": Row(adds=True, changes=True, deletes=True, actions=frozenset({"delete_selected"})),
    "ladder": looked_at(
        *("adopt_rules", "allow_outside_workers", "announce", "change_settings", "name_luck_value", "pause_ladder")
    ),
    "match": looked_at("quarantine_match", "release_match"),
    "matchset": looked_at("reinstate_set", "void_set"),
    "rating": looked_at(),
    "user": Row(adds=True, changes=True, deletes=False, actions=frozenset({"rename", "take_their_second_factor_away"})),
    "version": looked_at("blank", "disqualify"),
    "worker": looked_at("block_worker", "drain_worker", "void_worked", "welcome_worker"),
}
NEED_ANOTHER_ROW = {"clear_double", "edit_event", "enter_twins", "extend_deadline", "remove_member"}
REGISTERED = {model._meta.model_name or "": model for model in admin.site._registry}


@pytest.fixture
def rows(settings: Any) -> None:
    """Make at least one row of everything."""
    settings.STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    enter_in_ladder(ladder=ladder, bot=versions[0].bot, by=versions[0].bot.owner)
    a_completed_set(ladder, versions)
    rate()
    an_event([versions[0].bot])
    a_draft()
    Worker.objects.create(name="a worker")


def client_of(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def organiser() -> User:
    user = a_user(staff=True)
    user.is_superuser = True
    user.save()
    return user


def addresses(name: str) -> list[str]:
    model = REGISTERED[name]
    row = model._default_manager.order_by("-pk").first()
    base = f"/admin/{model._meta.app_label}/{name}/"
    return [base, f"{base}add/", *([f"{base}{row.pk}/change/", f"{base}{row.pk}/delete/"] if row else [])]


def test_the_table_misses_no_model() -> None:
    assert set(TABLE) == set(REGISTERED)


@pytest.mark.usefixtures("rows")
def test_organisers_may_do_what_the_table_says_and_nothing_else() -> None:
    user = organiser()
    client = client_of(user)
    request = RequestFactory().get("/admin/")
    request.user = user
    for name, model in REGISTERED.items():
        row = TABLE[name]
        seen, add, *of_row = addresses(name)
        assert (name, client.get(seen).status_code) == (name, 200)
        assert (name, client.get(add).status_code) == (name, 200 if row.adds else 403)
        offered = set(admin.site._registry[model].get_actions(request))
        assert row.actions <= offered, name
        assert not offered & NEED_ANOTHER_ROW, name
        assert (name, "delete_selected" in offered) == (name, row.deletes)
        if of_row:
            assert (name, client.get(of_row[0]).status_code) == (name, 200)
            assert (name, client.post(of_row[0], {}).status_code in ((200, 302) if row.changes else (403,))) == (
                name,
                True,
            )
            assert (name, client.get(of_row[1]).status_code) == (name, 200 if row.deletes else 403)


@pytest.mark.usefixtures("rows")
def test_each_act_of_a_list_opens_its_page_about_the_chosen_row() -> None:
    client, opened = client_of(organiser()), set()
    for name, model in REGISTERED.items():
        for kind in (action.__name__ for action in admin.site._registry[model].actions or () if callable(action)):
            form = {"action": kind, "_selected_action": [model._default_manager.latest("pk").pk]}
            answer = client.post(f"/admin/tournaments/{name}/", form)
            assert answer["Location"].startswith(f"/desk/acts/{kind}/?"), answer["Location"]
            assert client.get(answer["Location"], follow=True).status_code == 200, kind
            opened.add(kind)
    assert len(opened) > 30


@pytest.mark.usefixtures("rows")
def test_nobody_else_gets_past_the_door() -> None:
    people = {"nobody": None, "owner": a_user(), "an organiser without rights": a_user(staff=True)}
    everywhere = [address for name in REGISTERED for address in addresses(name)]
    clients = {asker: client_of(user) for asker, user in people.items()}
    for (asker, client), address, verb in product(clients.items(), everywhere, ("get", "post")):
        answer = getattr(client, verb)(address)
        door = answer.status_code == 302 and answer["Location"].startswith("/admin/login/")
        refused = answer.status_code == 403 if asker.startswith("an organiser") else door
        assert (asker, verb, address, refused) == (asker, verb, address, True)


def test_rights_to_people_alone_open_nothing_else_and_make_nobody_more_than_they_were() -> None:
    clerk, boss, other = a_user(staff=True), organiser(), a_user()
    clerk.user_permissions.add(*Permission.objects.filter(codename__in=("view_user", "change_user")))
    client = client_of(clerk)
    assert client.get("/admin/tournaments/user/").status_code == 200
    assert client.get("/admin/tournaments/ladder/").status_code == 403
    assert client.get(f"/admin/tournaments/user/{clerk.pk}/delete/").status_code == 403
    for person in (clerk, other):
        joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
        form = {"username": person.username, "is_superuser": "on", "is_staff": "on", **joined}
        assert client.post(f"/admin/tournaments/user/{person.pk}/change/", form).status_code == 302
    assert set(User.objects.filter(is_superuser=True)) == {boss}
    assert set(User.objects.filter(is_staff=True)) == {clerk, boss}
    for path in ("change/", "password/"):
        assert client.post(f"/admin/tournaments/user/{boss.pk}/{path}", {"username": "mine"}).status_code == 403
    with_factor(boss)
    form = {"action": "take_their_second_factor_away", "_selected_action": str(boss.pk), "reason": "I say so"}
    client.post("/admin/tournaments/user/", form)
    assert Authenticator.objects.filter(user=boss).exists()


@pytest.mark.usefixtures("rows")
def test_an_organiser_takes_a_second_factor_away_by_an_action_with_a_reason() -> None:
    user = a_user("olga")
    with_factor(user)
    client = client_of(organiser())
    form = {"action": "take_their_second_factor_away", "_selected_action": [user.pk], "reason": ""}
    page = client.post("/admin/tournaments/user/", form, follow=True).content.decode()
    assert "say how you know" in page
    assert Authenticator.objects.exists()
    page = client.post("/admin/tournaments/user/", form | {"reason": "met her"}, follow=True).content.decode()
    assert "the password alone is enough now" in page
    assert (Act.objects.get(kind="second_factor_removed").reason, Authenticator.objects.count()) == ("met her", 0)
