"""A space in which nobody but its organisers knows who is who: no name that anybody typed is ever in it."""

import json

import pytest
from django.test import Client

from tests.factories import a_ladder, a_user, an_upload, play_set
from tests.tournaments.features.spaces.test_joining import refusal
from tournaments.features.spaces import members
from tournaments.features.spaces.join_codes import join_by, make_code
from tournaments.features.spaces.opening import open_space
from tournaments.features.spaces.roster import bring_in
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Result, Space, SpaceMember, User

pytestmark = pytest.mark.django_db
ROSTER = "email,name,account\nada.byron@example.org,Ada Byron,ada-b\ncharles@example.org,Charles Babbage,\n"
REAL = ("byron", "ada-b", "babbage", "charles", "engine")


@pytest.fixture
def space() -> Space:
    made = open_space(by=a_user("teacher", staff=True), slug="class", title="Class", pseudonyms=True)
    bring_in(space=made, text=ROSTER, by=User.objects.get(username="teacher"))
    return made


def students(space: Space) -> list[User]:
    return [place.user for place in space.members.filter(role="member").select_related("user").order_by("identity")]


def test_accounts_of_a_roster_and_their_bots_have_drawn_names(space: Space) -> None:
    ada, charles = students(space)
    assert [place.identity for place in space.members.filter(role="member").order_by("identity")] == [
        "Ada Byron", "Charles Babbage",
    ]  # fmt: skip
    ladder = a_ladder("class-arena", players=2, space=space)
    for student in (ada, charles):
        for asked in ("Ada's Engine", "Another"):
            bot = create_bot(owner=student, game="zaibatsu", name=asked, space=space)
            play_set(an_upload(bot).check_set)
        enter_in_ladder(ladder=ladder, bot=bot, by=student)
    spoken = ada.username.replace("-", " ").title()
    assert sorted(bot.name for bot in ada.bots.all()) == [spoken, f"{spoken} 2"]
    teachers = create_bot(owner=User.objects.get(username="teacher"), game="zaibatsu", name="Reference", space=space)
    assert teachers.name == "Reference"
    text = json.dumps([line.bot for line in standings(ladder)], default=str).lower()
    text += "".join(str(bytes(result.replay)) for result in Result.objects.all())
    client = Client()
    client.force_login(charles)
    pages = [f"/bots/{bot.pk}/" for bot in ada.bots.all()]
    pages += ["/ladders/class-arena/", "/spaces/class/", f"/people/{ada.username}/", "/search/?q=ada", "/people/"]
    text += "".join(client.get(path).content.decode() for path in pages).lower()
    assert [name for name in REAL if name in text] == []


def test_nobody_comes_in_under_a_name_that_was_typed(space: Space) -> None:
    teacher, somebody = User.objects.get(username="teacher"), a_user("somebody")
    code = make_code(space=space, by=teacher, days=1, uses=5)
    assert refusal(join_by, code=code, user=somebody) == "drawn_names"
    assert refusal(members.admit_member, space=space, user=somebody) == "drawn_names"
    typed = {"username": "grace.hopper", "password1": "vermilion tea house", "password2": "vermilion tea house"}
    page = Client().post(f"/sign-up/?next=/join/{code.key}/", typed)
    assert ("names are drawn" in page.content.decode(), "grace.hopper" in page.content.decode()) == (True, True)
    assert not User.objects.filter(username="grace.hopper").exists()
    assert SpaceMember.objects.filter(space=space).count() == 3


def test_the_same_roster_again_changes_nobodys_name_and_spaces_without_it_are_as_ever(space: Space) -> None:
    teacher, before = User.objects.get(username="teacher"), [student.username for student in students(space)]
    assert [row.what for row in bring_in(space=space, text=ROSTER, by=teacher)] == ["member", "member"]
    assert [student.username for student in students(space)] == before
    open_one = open_space(by=teacher, slug="openclass", title="Open")
    bring_in(space=open_one, text="email,account\nmary@example.org,mary\n", by=teacher)
    [mary] = students(open_one)
    assert mary.username == "mary"
    assert create_bot(owner=mary, game="zaibatsu", name="Frank", space=open_one).name == "Frank"
