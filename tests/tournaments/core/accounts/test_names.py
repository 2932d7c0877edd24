"""Names that people would take for each other: nobody gets the second, and an upgrade parts what is there."""

from unicodedata import normalize
from urllib.parse import quote

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from tests.factories import a_bot, a_user
from tests.tournaments.core.accounts.test_quotas import outcome_beside
from tournaments.core.errors import Refused
from tournaments.features.teams.rules import create_team
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.models import Bot, Team, User

ALIKE = [
    *(("Same_Name", name) for name in ("Same-Name", "Same.Name", "same_name", "SAME-NAME", "Same_Narne", "Same Name")),
    *(("blend", name) for name in ("Iblend", "lblend", "BLEND", "b1end", "bIend")),
    *(("Iblend", name) for name in ("blend", "lblend", "1blend")),
    ("Robot100", "Robotl00"),
    ("Robot100", "R0b0tIOO"),
    ("coco", "сосо"),  # of Cyrillic letters
    ("NIKO", "ΝΙΚΟ"),  # of Greek ones
    ("Вова_один", "вова-один"),
    ("Ëëë", "Ёёё"),
    ("محمد٢", "مُحَمّد2"),
    ("カエロ", "力工口"),
]
APART = [
    ("Kai", "Kal"),
    ("Bot 1", "Bot 2"),
    ("Bot 1.1", "Bot 11"),
    ("Ron", "Iron"),
    ("ana", "anna"),
    ("Same", "Same 2"),
    ("ana", "äna"),
    ("Кот", "Код"),
    ("हिन्दी", "हिन्दू"),
    ("中国人", "中国入"),
]


def signs_up(name: str) -> bool:
    secret = "a tea house in vermilion"
    Client().post("/sign-up/", {"username": name, "password1": secret, "password2": secret})
    return User.objects.filter(username=name).exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_a_name_that_is_taken_for_another_is_refused_to_people_bots_and_teams(first: str, second: str) -> None:
    owner = a_user(first)
    assert not signs_up(second)
    a_bot(owner, first)
    create_team(name=first, by=owner)
    with pytest.raises(Refused, match=f"named {first}.*choose another name") as bot:
        a_bot(owner, second)
    with pytest.raises(Refused, match=f"named {first}.*choose another name") as team:
        create_team(name=second, by=owner)
    assert (bot.value.code, team.value.code) == ("name_taken", "name_taken")


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), APART)
def test_names_that_nobody_mixes_up_stand_beside_each_other(first: str, second: str) -> None:
    owner = a_user()
    assert [create_team(name=name, by=owner).name for name in (first, second)] == [first, second]
    assert [a_bot(owner, name).name for name in (first, second)] == [first, second]


IN_ANY_SCRIPT = [
    *("Łukasz", "Ольга", "Ωμέγα", "عمرو٣", "עברית", "हिन्दी", "বাংলা", "ไทย", "한국어", "日本ボット", "李", "Bot中国"),
]


@pytest.mark.django_db
@pytest.mark.parametrize("name", IN_ANY_SCRIPT)
def test_people_have_names_of_any_script_and_pages_at_them(name: str) -> None:
    assert signs_up(name)
    page = Client().get(reverse("person", args=[name]))
    assert (page.status_code, name in page.content.decode()) == (200, True)
    assert Client().get(f"/people/{quote(normalize('NFD', name))}/").status_code == 200
    assert Client().get(f"/api/v1/people/{quote(name)}").json()["name"] == name


REFUSED = [
    ("аdmin", "mixed_scripts", "Cyrillic and Latin together"),
    ("عbc", "mixed_scripts", "Arabic and Latin together"),
    ("عمر٣۴", "mixed_scripts", "must be of one script"),
    ("ad\u200bmin", "bad_name", "U.200B zero width space"),
    ("क\u094d\u200dष", "bad_name", "zero width joiner"),
    ("ad\u202enim", "bad_name", "right-to-left override"),
    ("a\u2066dm", "bad_name", "left-to-right isolate"),
    ("robot😀", "bad_name", "“😀” .U.1F600 grinning face. is not allowed"),
    ("ǀǀǀa", "bad_name", "latin letter dental click"),
    ("عـمر", "bad_name", "arabic tatweel"),
    ("z\u0335\u0336\u0337\u0338\u0339alg", "bad_name", "at most 4 accents"),
    ("x\u0336\u0336yz", "bad_name", "all different"),
    ("ab-\u0336c", "bad_name", "no accent stands alone"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "code", "words"), REFUSED)
def test_what_is_hidden_piled_up_or_mixed_is_refused_with_a_sentence(name: str, code: str, words: str) -> None:
    owner = a_user()
    assert not signs_up(name)
    for make in (lambda: create_team(name=name, by=owner), lambda: a_bot(owner, name)):
        with pytest.raises(Refused, match=words) as refused:
            make()
        assert refused.value.code == code


@pytest.mark.django_db
def test_one_spelling_is_kept_of_what_looks_the_same() -> None:
    assert [a_bot(name=name).name for name in ("ｆｕｌｌ", "ﬁsh", "e\u0301te\u0301")] == ["full", "fish", "été"]
    owner = a_user("Renée")
    secret = {"username": normalize("NFD", "Renée"), "password": f"the password of {owner}"}
    assert Client().post("/sign-in/", secret).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize("second", ["same_name", "Same-Name", "Sarne_Name", "SAME.NAME"])
def test_the_database_itself_holds_names_apart(second: str) -> None:
    owner = a_user("Same_Name")
    Bot.objects.create(owner=owner, game="zaibatsu", name="Same_Name")
    Team.objects.create(name="Same_Name")
    for make in (
        lambda: User.objects.create(username=second),
        lambda: Bot.objects.create(owner=owner, game="zaibatsu", name=second),
        lambda: Team.objects.create(name=second),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            make()
    Bot.objects.create(owner=owner, game="kaiju", name=second)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_ask_at_once_one_gets_the_name() -> None:
    first, second = a_user(), a_user()
    outcome = outcome_beside(
        lambda: create_bot(owner=first, game="zaibatsu", name="Same_Name"),
        lambda: create_bot(owner=second, game="zaibatsu", name="Same-Name"),
    )
    assert outcome == "name_taken"
    assert Bot.objects.get().owner == first
    signed = outcome_beside(lambda: a_user("nina_a"), lambda: signs_up("Nina-A"))
    assert (signed, User.objects.filter(username__istartswith="nina").count()) == ("done", 1)
