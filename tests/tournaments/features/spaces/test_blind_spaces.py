"""A space that hides who is who from its organisers, too: no page, file, answer, search or order tells them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from tests.again import again
from tests.factories import a_ladder, a_user, an_upload, play_set
from tests.spaces import a_space
from tests.tournaments.features.spaces.test_joining import refusal
from tests.tournaments.features.spaces.test_pages import content_of, into
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.api.test_permissions import TABLE as OPERATIONS
from tests.tournaments.web.api.test_permissions import a_known_world, filled
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.furnished import Furnished, a_furnished_world
from tests.tournaments.web.pages.test_permissions import TABLE as PAGES
from tests.tournaments.web.pages.test_permissions import another
from tournaments.core.accounts.api_tokens import make_token
from tournaments.features.courses.actions import SetMarking
from tournaments.features.spaces.opening import open_space
from tournaments.features.spaces.roster import bring_in, bring_in_and_mail
from tournaments.features.spaces.settings_actions import HideNames, ShowNames
from tournaments.ledger.acts.base import actions
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Act, Delivery, Notice, Space, SpaceMember, User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mails")]
WHO = "quagga"  # in every name and address that a roster knows


@pytest.fixture
def mails(settings: object) -> None:
    settings.CAN_MAIL = True  # type: ignore[attr-defined]


def identify(space: Space) -> None:
    """Make all people members whom a roster brought in; two of them run the space."""
    Space.objects.filter(pk=space.pk).update(pseudonyms=True, blind=True)
    for number, user in enumerate(User.objects.filter(is_staff=False).exclude(spaces__role="organiser")):
        address = f"{WHO}{number}@example.org"
        User.objects.filter(pk=user.pk).update(email=address, home=space)
        place = {"identity": f"Person {WHO} {number}", "address": address}
        SpaceMember.objects.update_or_create(space=space, user=user, defaults=place)


def tells_names(answer: Any) -> bool:
    return WHO in content_of(answer).decode(errors="replace").lower()


def test_no_page_tells_an_organiser_who_is_who() -> None:
    furnished, space, leaks = again(a_hidden_world)
    clients = [signed_in(User.objects.get(username="odette")), signed_in(furnished.world.staff)]
    for path, method, typed in pages(furnished.named, space):
        for client in clients:
            before = transaction.savepoint()
            if tells_names(getattr(another(client), method)(path, typed)):
                leaks.append((path, method))
            transaction.savepoint_rollback(before)
    assert leaks == []
    Space.objects.filter(pk=space.pk).update(blind=False)
    assert tells_names(clients[0].get(f"/spaces/{space.slug}/members/")), "or this test would find nothing anywhere"


def a_hidden_world() -> tuple[Furnished, Space, list[tuple[str, str]]]:
    furnished = a_furnished_world()
    space = a_space("hidden", organiser=a_user("odette"), members=[furnished.world.owner])
    into(space)
    identify(space)
    return furnished, space, []


def pages(named: dict[str, object], space: Space) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield every address of the table, of this space where one is named, of acts, and of lists that are searched."""
    for row in PAGES:
        path = row.path.format(**named).replace("/bio1/", f"/{space.slug}/")
        typed = {name: str(value).format(**named) for name, value in row.form}
        yield from ((path, method, typed) for method in ("get", "post") if row.name != "account-erase")
    for kind in actions():
        yield f"/desk/acts/{kind}/?space={space.slug}&ladder=arena&user=olga&bot={named['bot']}", "get", {}
    person = User.objects.get(username="olga").pk
    yield from ((path, "get", {}) for path in (f"/admin/tournaments/user/{person}/change/", "/admin/tournaments/user/"))


def test_no_answer_to_a_program_does() -> None:
    named, keys, leaks = again(a_hidden_world_of_programs)
    for row in OPERATIONS:
        path = row.path.format(**{**named, "space": "hidden"})
        body = filled(row.body, named)
        if isinstance(body, dict):
            body = {**body, **({"space": "hidden"} if body.get("space") == "bio1" else {})}
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        for key in keys:
            before = transaction.savepoint()
            if tells_names(ask(row.method, path, key, body, kind=kind)):
                leaks.append((row.method, row.path))
            transaction.savepoint_rollback(before)
    assert leaks == []


def a_hidden_world_of_programs() -> tuple[dict[str, object], list[str], list[tuple[str, str]]]:
    named, keys = a_known_world()
    space = a_space("hidden", organiser=a_user("odette"), members=[User.objects.get(username="ada")])
    into(space)
    identify(space)
    return named, [f"Token {make_token(user=User.objects.get(username='odette'), name='t')}", keys["staff"]], []


def test_neither_searches_nor_orders_nor_queries_tell() -> None:
    furnished, space, _ = again(a_hidden_world)
    odette, staff = signed_in(User.objects.get(username="odette")), signed_in(furnished.world.staff)
    User.objects.filter(is_staff=True).update(is_superuser=True)
    page = odette.get(f"/spaces/{space.slug}/members/", {"name": WHO}).content.decode()
    assert "Nobody has this name." in page
    assert "olga" in odette.get(f"/spaces/{space.slug}/members/", {"name": "olg"}).content.decode()
    listed = staff.get("/admin/tournaments/user/", {"q": WHO}).content.decode()
    assert ("0 of" in listed or "0 selected" in listed or "0 results" in listed, "olga" in listed) == (True, False)
    assert staff.get("/admin/tournaments/user/", {"email__startswith": WHO}).status_code in (302, 400)
    change = staff.get(f"/admin/tournaments/user/{User.objects.get(username='olga').pk}/change/").content.decode()
    assert WHO not in change


@pytest.fixture
def space() -> Space:
    return open_space(by=a_user("teacher", staff=True), slug="class", title="Class", pseudonyms=True, blind=True)


def roster(count: int) -> str:
    return "email,name\n" + "".join(f"{WHO}{n}@example.org,Person {WHO} {n:03}\n" for n in range(count))


def test_a_roster_says_what_is_wrong_and_not_whose_account_is_whose(space: Space) -> None:
    teacher = User.objects.get(username="teacher")
    token, client = f"Token {make_token(user=teacher, name='x')}", signed_in(teacher)
    lines = {"people": roster(30) + "no address,Nobody\n"}
    answers = [ask("POST", "spaces/class/roster", token, {**lines, "preview": True}).json()]
    answers += [ask("POST", "spaces/class/roster", token, lines).json() for _ in range(2)]
    SpaceMember.objects.filter(space=space, role="member").first().delete()  # type: ignore[union-attr]
    answers.append(ask("POST", "spaces/class/roster", token, {**lines, "preview": True}).json())
    assert [answer for answer in answers if answer != answers[0]] == [], "an answer tells who was there before"
    assert {line["what"] for line in answers[0]["lines"]} == {"in", "wrong_address"}
    assert not any(line["account"] or line["link"] for line in answers[0]["lines"])
    names = [place.user.username for place in space.members.filter(role="member").select_related("user")]
    seen = client.post("/spaces/class/roster/", lines)
    done = client.post("/spaces/class/roster/", {**lines, "do": "file", "seen": seen.context["seen"]})
    assert done["Content-Type"].startswith("text/html")
    both = seen.content.decode() + done.content.decode()
    assert [name for name in [*names, "/invited/"] if name in both] == []
    entries = Act.objects.filter(kind="roster").order_by("number")
    assert [entry.detail for entry in entries] == [{"accounts": 30}, {"accounts": 1}], (
        "and everybody sees how many came"
    )
    assert WHO not in json.dumps([entry.detail for entry in entries])


def test_numbers_follow_no_roster(space: Space) -> None:
    bring_in(space=space, text=roster(40), by=User.objects.get(username="teacher"))
    for order in ("pk", "user__pk"):
        places = space.members.filter(role="member").order_by(order)
        assert [place.identity for place in places] != sorted(place.identity for place in places)


def test_who_has_lost_the_letter_gets_another_one_the_next_day(space: Space) -> None:
    teacher = User.objects.get(username="teacher")
    assert bring_in_and_mail(space=space, text=roster(3), by=teacher)[1] == 3
    assert bring_in_and_mail(space=space, text=roster(3), by=teacher)[1] == 0
    Notice.objects.update(key="invited yesterday")
    assert bring_in_and_mail(space=space, text=roster(1), by=teacher)[1] == 1
    assert Delivery.objects.count() == 4


def test_an_organiser_lifts_it_with_a_reason_that_all_members_are_told(space: Space) -> None:
    teacher = User.objects.get(username="teacher")
    bring_in(space=space, text=roster(3), by=teacher)
    student = space.members.filter(role="member").select_related("user").first()
    assert student
    ladder = a_ladder("class-arena", players=2, space=space)
    panel = create_bot(owner=teacher, game="zaibatsu", name="Random Rita", space=space)
    bot = create_bot(owner=student.user, game="zaibatsu", name="x", space=space)
    for competitor in (panel, bot):
        play_set(an_upload(competitor).check_set)
        enter_in_ladder(ladder=ladder, bot=competitor, by=competitor.owner)
    SetMarking(ladder, "10 = 60% Random Rita").do(by=teacher, reason="A course.")
    client, files = signed_in(teacher), ("/ladders/class-arena/gradebook.csv", "/ladders/class-arena/gradebook/")
    assert [tells_names(client.get(path)) for path in files] == [False, False]
    token = f"Token {make_token(user=teacher, name='x')}"
    assert {line["identity"] for line in ask("GET", "ladders/class-arena/gradebook", token).json()["rows"]} == {""}
    act = ShowNames(space).do(by=teacher, reason="Marks are final.")
    assert act.space == space
    people = {place.user_id for place in space.members.all()}
    texts = Notice.objects.filter(key=f"act {act.number}")
    assert {notice.user_id for notice in texts} == people
    assert all("Marks are final." in notice.text for notice in texts)
    assert [tells_names(client.get(path)) for path in (*files, "/spaces/class/members/")] == [True] * 3
    assert tells_names(ask("GET", "spaces/class/members", token))
    assert refusal(ShowNames(space).do, by=teacher, reason="x") == "wrong_status"
    assert refusal(HideNames(space).do, by=teacher, reason="x") == "wrong_status"


def test_it_is_hidden_before_anybody_has_come_in_or_not_at_all(settings: object) -> None:
    teacher = a_user("teacher", staff=True)
    drawn = open_space(by=teacher, slug="drawn", title="Drawn", pseudonyms=True)
    typed = open_space(by=teacher, slug="typed", title="Typed")
    assert refusal(HideNames(typed).do, by=teacher, reason="x") == "not_drawn"
    assert refusal(open_space, by=teacher, slug="third", title="x", blind=True) == "not_drawn"
    assert refusal(HideNames(drawn).do, by=a_user(), reason="x") == "not_organiser"
    HideNames(drawn).do(by=teacher, reason="A fair exam.")
    drawn.refresh_from_db()
    assert drawn.blind
    seen = open_space(by=teacher, slug="seen", title="Seen", pseudonyms=True)
    bring_in(space=seen, text=roster(1), by=teacher)
    assert refusal(HideNames(seen).do, by=teacher, reason="x") == "wrong_status"
    settings.CAN_MAIL = False  # type: ignore[attr-defined]
    assert refusal(open_space, by=teacher, slug="nomail", title="x", pseudonyms=True, blind=True) == "no_mail"
    assert refusal(bring_in, space=drawn, text=roster(1), by=teacher) == "no_mail"
    form = {"title": "T", "slug": "nomail", "access": "private", "pseudonyms": "on", "blind": "on"}
    page = Client()
    page.force_login(teacher)
    assert "this site sends no e-mail" in page.post("/new-space/", form).content.decode().lower()
