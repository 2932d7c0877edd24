"""Pages of spaces: opened, joined by codes, filled from rosters."""

import re
from time import perf_counter

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.spaces import a_space
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.filled import form_of
from tests.tournaments.web.pages.test_ways_back import by_name
from tournaments.core.accounts.invitations import invitation_token
from tournaments.core.notices.delivery import deliver_due
from tournaments.features.spaces.join_codes import make_code
from tournaments.features.spaces.roster import bring_in, plan
from tournaments.models import Space, User

pytestmark = pytest.mark.django_db
NEW = {"username": "nina", "password1": "vermilion tea house", "password2": "vermilion tea house"}


@pytest.fixture
def teacher(db: None) -> User:
    return a_user("tessa")


@pytest.fixture
def space(teacher: User) -> Space:
    return a_space("bio1", organiser=teacher)


def done(client: Client, space: Space, text: str, do: str = "yes") -> str:
    """A roster that was shown, and then done."""
    page = client.post(f"/spaces/{space.slug}/roster/", {"people": text}).content.decode()
    seen = re.search(r'name="seen" value="(\w+)"', page)
    assert seen
    sent = {"people": text, "seen": seen[1], "do": do}
    return client.post(f"/spaces/{space.slug}/roster/", sent).content.decode()


# --- codes ---------------------------------------------------------------------------------------------------------


def test_somebody_new_signs_up_by_a_code_and_is_seen_there_alone(space: Space, teacher: User) -> None:
    code, client = make_code(space=space, by=teacher, days=7, uses=1), Client()
    page = client.get(f"/join/{code.spelled.lower()}/")
    assert page.status_code == 200
    assert space.title in page.content.decode()
    onward = f"/join/{code.key}/"
    answer = client.post("/sign-up/", {**NEW, "next": onward}, query_params={"next": onward})
    assert answer["Location"] == "/spaces/bio1/"  # the one use of the code is gone
    nina = User.objects.get(username="nina")
    assert (nina.home, space.members.filter(user=nina).exists()) == (space, True)
    assert "My spaces" in client.get("/spaces/bio1/").content.decode()
    assert client.get("/account/").content.decode().count("Be visible on the whole site") == 1
    client.post("/account/whole-site/")
    assert User.objects.get(username="nina").home is None
    assert Client().get(onward).status_code == 404


def test_a_code_that_ends_while_somebody_signs_up_makes_no_account(space: Space, teacher: User) -> None:
    code = make_code(space=space, by=teacher, days=7, uses=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tournaments.features.spaces.members.settings.MEMBERS_A_SPACE", 1)
        answer = Client().post("/sign-up/", {**NEW, "next": f"/join/{code.key}/"})
    assert "has room for 1 people" in answer.content.decode()
    assert not User.objects.filter(username="nina").exists()


def test_a_code_is_not_found_by_trying(space: Space, teacher: User) -> None:
    code, thief, classmate = make_code(space=space, by=teacher, days=7, uses=30), signed_in(a_user()), Client()
    statuses = [thief.get(f"/join/{number:012}/").status_code for number in range(100)]
    assert (statuses.count(404), statuses.count(429)) == (20, 80)
    assert thief.get(f"/join/{code.code}/").status_code == 429  # nor is a right one told then
    assert thief.get(f"/join/{code.key}/").status_code == 200
    assert [classmate.get(f"/join/{code.code}/").status_code for _ in range(50)] == [200] * 50
    guesses = [Client().post("/sign-up/", {**NEW, "next": f"/join/{n:012}/"}).status_code for n in range(22)]
    assert guesses[0] == 302  # an account of the site, as without a code
    assert classmate.get("/join/AAAABBBBCCCC/").status_code in (404, 429)


def test_whoever_is_signed_in_joins_by_a_button_and_others_come_back_to_it(space: Space, teacher: User) -> None:
    code, anna = make_code(space=space, by=teacher, days=7, uses=5), signed_in(a_user())
    assert Client().post(f"/join/{code.key}/")["Location"] == f"/sign-in/?next=/join/{code.key}/"
    assert anna.get("/spaces/bio1/").status_code == 404
    assert anna.get("/join/", {"code": f" {code.spelled} "})["Location"] == f"/join/{code.spelled}/"
    for _ in range(2):  # a double click
        assert anna.post(f"/join/{code.key}/")["Location"] == "/spaces/bio1/"
    assert (space.members.count(), space.join_codes.get().left) == (2, 4)


# --- rosters -------------------------------------------------------------------------------------------------------

ODD = '\ufeffName;E-Mail-Adresse;Benutzername\r\n"Lovelace;\r\nAda";ada@example.org;\r\n'
ODD += "Ben;BEN@example.org;ben\r\nBen;ben@example.org;\r\nCleo;cleo at example;\r\n=1+1;dora@example.org;tessa\r\n"
ODD += '\r\n;;\r\nÉmile;"emile@example.org";\r\n'


def test_a_roster_says_line_by_line_what_it_does_and_is_repeated_without_harm(space: Space, teacher: User) -> None:
    client = signed_in(teacher)
    planned = plan(space=space, text=ODD, by=teacher)
    assert [(row.line.number, row.what) for row in planned] == [
        *((2, "new"), (4, "new"), (5, "double"), (6, "wrong_address"), (7, "name_taken"), (10, "new")),
    ]
    before = User.objects.count()
    page = done(client, space, ODD)
    assert User.objects.count() == before + 3
    places = space.members.exclude(user=teacher).order_by("pk")
    assert list(places.values_list("user__username", "identity", "address")) == [
        ("ada", "Lovelace; Ada", "ada@example.org"),
        ("ben", "Ben", "ben@example.org"),
        ("emile", "Émile", "emile@example.org"),
    ]
    ada = User.objects.get(username="ada")
    assert (ada.home, ada.has_usable_password(), page.count("/invited/")) == (space, False, 3)
    again = done(client, space, ODD.replace("Ben;", "Benjamin;", 1))
    assert (User.objects.count(), space.members.get(user__username="ben").identity) == (before + 3, "Benjamin")
    link = re.findall(r"/invited/[^<]+", again)[0]
    assert len(link) < 45  # so that it can be typed from paper
    new = Client()
    assert "ada" in new.get(link).content.decode()
    passwords = {"new_password1": "vermilion tea house", "new_password2": "vermilion tea house"}
    assert new.post(link, passwords)["Location"] == "/spaces/bio1/"
    assert new.get("/spaces/bio1/").status_code == 200
    assert Client().get(link).status_code == 404  # it works once
    assert done(client, space, ODD).count("/invited/") == 2


@pytest.mark.parametrize(
    ("account", "what"),
    [
        ("two words", "bad_name"),
        ("<b>", "bad_name"),
        ("_x", "bad_name"),
        ("x" * 31, "bad_name"),
        ("аda", "bad_name"),  # of two scripts
        ("TESSA", "name_taken"),
        ("ａda", "new"),  # wide letters are spelled as usual
    ],
)
def test_an_account_name_that_cannot_be_is_told_from_one_that_is_taken(
    account: str, what: str, space: Space, teacher: User
) -> None:
    (planned,) = bring_in(space=space, text=f"email;name;account\nada@example.org;Ada;{account}", by=teacher)
    assert planned.what == what
    assert ("1 to 30 letters" in planned.says) is (what == "bad_name")
    assert not planned.user or planned.user.username == "ada"


def test_the_preview_names_the_columns_that_are_read_and_those_that_are_not(space: Space, teacher: User) -> None:
    text = "Forename;Surname;Email;Parent <email>\nAda;Lovelace;ada@example.org;anne@example.org"
    page = signed_in(teacher).post("/spaces/bio1/roster/", {"people": text}).content.decode()
    assert "Columns that are read: Forename, Surname, Email" in page
    assert "Columns that are not read: Parent &lt;email&gt;" in page
    listed = signed_in(teacher).post("/spaces/bio1/roster/", {"people": "a@x.org"}).content.decode()
    assert "Columns that are" not in listed


def test_a_program_is_told_of_each_line_and_column_what_a_page_says(space: Space, teacher: User) -> None:
    text = "Email,Account,Login\nada@example.org,two words,a@x.org\nben@example.org,,,more\n,cleo,"
    preview = ask("POST", "spaces/bio1/roster", teacher, {"people": text, "preview": True}).json()
    assert [line["what"] for line in preview["lines"]] == ["bad_name", "not_read", "wrong_address"]
    assert preview["lines"][1]["says"] == "This line has more cells than there are headings"
    assert (preview["read"], preview["not_read"]) == (["Email", "Account"], ["Login"])


def test_links_as_a_file_hold_no_formula(space: Space, teacher: User) -> None:
    text = done(signed_in(teacher), space, '"=cmd()",fay@example.org\n', do="file")
    assert text.splitlines()[0] == "\ufeffname,email,account,link"
    assert text.splitlines()[1].startswith("'=cmd(),fay@example.org,fay,http")
    done(signed_in(teacher), space, text)  # the file is itself a roster
    assert space.members.get(address="fay@example.org").identity == "=cmd()"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is nobody in it"),
        ("name;class\nAda;3b\n", "no column has e-mail addresses"),
        ("\n".join(f"p{n}@example.org" for n in range(10_000)), "it has 10,000 people"),
        ('a@example.org,"' + "x" * 200_000, "cannot be read as a table"),
    ],
)
def test_a_roster_that_cannot_be_is_refused_with_a_sentence(text: str, says: str, space: Space, teacher: User) -> None:
    page = signed_in(teacher).post("/spaces/bio1/roster/", {"people": text}).content.decode()
    assert says.lower() in page.lower()


@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r", "\v", "\u2028"])
def test_a_file_is_added_at_the_first_press_whatever_its_line_ends(line_end: str, space: Space, teacher: User) -> None:
    client, path = signed_in(teacher), f"/spaces/{space.slug}/roster/"
    file = line_end.join(["", "email;name", "a1@uni.example;A One", "B Two", "c3@uni.example;C\x07Three\0", ""])
    page = client.post(path, {"file": SimpleUploadedFile("r.csv", file.encode())}).content.decode()
    fields = by_name(form_of(page, path))
    fields["people"] = [text.replace("\n", "\r\n") for text in fields["people"]]  # as browsers send it
    added = client.post(path, fields | {"do": ["yes"]}).content.decode()
    assert "Roster added" in added
    assert space.members.exclude(user=teacher).count() == 2
    for shown in (page, added):
        assert shown.index("B Two") < shown.index("a1@uni.example"), "what is wrong comes first"
        assert "This is not an e-mail address: 1" in shown


def test_a_file_that_is_no_roster_is_shown_to_be_mended(space: Space, teacher: User) -> None:
    file = SimpleUploadedFile("r.csv", b"Kontakt;Klasse\r\nada;3b\r\n")
    page = signed_in(teacher).post("/spaces/bio1/roster/", {"file": file}).content.decode()
    assert "“Kontakt”, “Klasse”" in page
    assert "ada;3b" in page


def test_a_file_of_any_coding_is_read_and_what_was_not_shown_is_not_done(space: Space, teacher: User) -> None:
    client = signed_in(teacher)
    for coding in ("utf-8-sig", "utf-16", "latin-1"):
        file = ("r.csv", "email\tname\r\nemile@example.org\tÉmile\r\n".encode(coding))
        page = client.post("/spaces/bio1/roster/", {"file": SimpleUploadedFile(*file)}).content.decode()
        assert "<bdi>Émile</bdi>" in page, coding
    client.post("/spaces/bio1/roster/", {"people": "x@example.org", "seen": "0", "do": "yes"})
    big = SimpleUploadedFile("r.csv", b"x" * 1_000_001)
    assert "1,000,000 at most" in client.post("/spaces/bio1/roster/", {"file": big}).content.decode()
    assert space.members.count() == 1


def test_a_file_whose_letters_are_guessed_says_how_to_save_it_where_a_name_looks_wrong(
    space: Space, teacher: User
) -> None:
    client, notice = signed_in(teacher), "If a name looks wrong, save the file as “CSV UTF-8”"
    for coding, is_guessed in (("utf-8", False), ("cp1252", True)):
        file = SimpleUploadedFile("r.csv", "email;name\na@example.org;Zoë\n".encode(coding))
        page = " ".join(client.post("/spaces/bio1/roster/", {"file": file}).content.decode().split())
        assert (notice in page) is is_guessed
    polish = SimpleUploadedFile("r.csv", "email;name\na@example.org;Łukasz\n".encode("cp1250"))
    assert "save it as “CSV UTF-8”" in client.post("/spaces/bio1/roster/", {"file": polish}).content.decode()


def test_nobody_becomes_who_a_teacher_means_by_typing_an_address(space: Space, teacher: User) -> None:
    """A roster finds no accounts of elsewhere, either."""
    thief, elsewhere = a_user("thief"), a_user("elsewhere")
    space.members.create(user=thief)
    User.objects.filter(pk=thief.pk).update(email="ada@example.org", home=space)
    User.objects.filter(pk=elsewhere.pk).update(email="ben@example.org", confirmed_email="ben@example.org")
    planned = plan(space=space, text="ada@example.org\nben@example.org\n", by=teacher)
    assert [row.what for row in planned] == ["new", "new"]
    User.objects.filter(pk=thief.pk).update(confirmed_email="ada@example.org")
    assert plan(space=space, text="ada@example.org\n", by=teacher)[0].what == "member"


def test_an_invitation_is_mailed_once_and_its_link_confirms_the_address(
    space: Space, teacher: User, settings: Settings
) -> None:
    settings.CAN_MAIL, client = True, signed_in(teacher)
    for _ in range(2):
        page = done(client, space, "Ada,ada@example.org\n")
        assert "/invited/" not in page
        deliver_due()
    (letter,) = mail.outbox
    assert letter.to == ["ada@example.org"]
    link = next(word for word in letter.body.split() if "/invited/" in word).removeprefix(settings.SITE_URL)
    passwords = {"new_password1": "vermilion tea house", "new_password2": "vermilion tea house"}
    assert Client().post(link, passwords).status_code == 302
    ada = User.objects.get(username="ada")
    assert (ada.confirmed_email, ada.home) == ("ada@example.org", space)
    shut = User.objects.create(username="shut", is_active=False, password="!x")
    assert Client().get(f"/invited/{invitation_token(shut, mailed=True)}/").status_code == 404


def test_a_class_of_300_is_in_within_seconds(space: Space, teacher: User) -> None:
    text = "email,name\n" + "".join(f"anna.maier{n}@example.org,Anna Maier {n}\n" for n in range(300))
    began = perf_counter()
    bring_in(space=space, text=text, by=teacher)
    took = perf_counter() - began
    print(f"300 people in {took:.1f} s")
    assert space.members.count() == 301
    assert took < 20  # 2 s when nothing else runs


# --- who may -------------------------------------------------------------------------------------------------------


def test_an_organiser_of_the_space_makes_its_ladder_and_nobody_else_does(space: Space, teacher: User) -> None:
    a_space(organiser=(other := a_user()))
    client, typed = signed_in(teacher), {"title": "Main", "reason": "The term begins"}
    path = "/desk/new-ladder/?game=kaiju&space=bio1"
    assert "space=bio1" in client.get("/desk/new-ladder/?space=bio1").content.decode()
    fields = by_name(form_of(client.get(path).content.decode(), path)) | {name: [text] for name, text in typed.items()}
    shown = client.post(path, fields).content.decode()
    seen = by_name(form_of(shown, path)) | {"do": ["yes"]}
    for stranger, status in ((other, 404), (a_user(), 403)):
        assert signed_in(stranger).post(path, seen).status_code == status
    assert client.post("/desk/new-ladder/?game=kaiju", seen).status_code == 403  # of the site itself
    assert client.post(path, seen)["Location"] == "/desk/ladders/bio1-main/"
    assert space.ladders.get().slug == "bio1-main"


RUN = ("settings/", "members/", "ways-in/", "roster/")


def test_pages_of_a_private_space_are_its_organisers_and_to_others_it_is_not_there(space: Space, teacher: User) -> None:
    space.members.create(user=(member := a_user()))
    a_space(organiser=(other := a_user()))
    site = a_user(staff=True)
    statuses = {teacher: (200, 200), site: (200, 200), member: (200, 403), other: (404, 404), a_user(): (404, 404)}
    for person, (page, run) in statuses.items():
        client = signed_in(person)
        assert [client.get(f"/spaces/bio1/{name}").status_code for name in ("", *RUN)] == [page, *[run] * len(RUN)]
        remove = client.get(f"/desk/acts/remove_member/?space=bio1&user={member.username}").content.decode()
        assert ("is no longer a member" in remove) == (page == run == 200)
    assert Client().get("/spaces/bio1/").status_code == 404


def test_a_member_is_removed_on_the_desk_and_the_space_is_no_more_there_for_them(space: Space, teacher: User) -> None:
    space.members.create(user=(member := a_user("mia")))
    client, about = signed_in(teacher), {"space": "bio1", "user": "mia", "reason": "moved away"}
    page = client.post("/desk/acts/remove_member/", about).content.decode()
    sent = by_name(form_of(page, "/desk/acts/remove_member/")) | {"do": ["yes"]}
    assert client.post("/desk/acts/remove_member/", sent).status_code == 302
    assert signed_in(member).get("/spaces/bio1/").status_code == 404
    assert "My spaces" not in signed_in(member).get("/").content.decode()
