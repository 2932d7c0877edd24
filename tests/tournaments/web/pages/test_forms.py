import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from engine.games import GAMES
from engine.records import to_plain
from tests.factories import SAMPLE, a_bot, a_ladder, a_user
from tests.tournaments.core.accounts.test_second_factor import with_factor
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.accounts.api_tokens import token_with_secret
from tournaments.models import ApiToken, Bot, Bundle, Entry, User, Version
from tournaments.web.server.request_rates import CODES, GUESSES, SIGN_IN

pytestmark = pytest.mark.django_db

PASSWORD = "vermilion tea house"


def a_file(data: bytes = SAMPLE, name: str = "mybot.py") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def sign_up(**fields: str) -> tuple[Html, Client]:
    client = Client()
    typed = {"username": "nina", "password1": PASSWORD, "password2": PASSWORD, **fields}
    return Html(client.post("/sign-up/", typed, follow=True).content.decode()), client


def test_signing_up_signs_in_and_leads_to_the_upload() -> None:
    page, client = sign_up()
    assert "Welcome, nina." in page.text
    assert "Upload a bot" in page.text
    assert client.session["_auth_user_id"] == str(User.objects.get(username="nina").pk)


def test_signing_up_leads_back_to_where_one_came_from_but_never_to_another_site() -> None:
    typed = {"username": "nina", "password1": PASSWORD, "password2": PASSWORD}
    assert Client().post("/sign-up/", {**typed, "next": "/ladders/x/"}).headers["Location"] == "/ladders/x/"
    away = Client().post("/sign-up/", {**typed, "username": "nino", "next": "https://evil.example/"})
    assert away.headers["Location"] == "/upload/"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"username": ""}, "This field is required."),
        ({"username": "two words"}, "space is not allowed in a person"),
        ({"username": "<b>"}, "1 to 30 letters of one script, digits and _ . -"),
        ({"username": "a" * 31}, "at most 30 characters"),
        ({"username": "TAKEN"}, "There is somebody named taken already"),
        ({"password1": "short", "password2": "short"}, "at least 10 characters"),
        ({"password1": "password", "password2": "password"}, "too common"),
        ({"password2": "another tea house"}, "The two password fields"),
    ],
)
def test_a_wrong_sign_up_says_what_would_be_right_and_keeps_the_name(fields: dict[str, str], words: str) -> None:
    a_user("taken")
    page, _ = sign_up(**fields)
    assert words in page.text
    assert page.faults() == []
    assert User.objects.count() == 1
    name = next(field for field in page.all("input") if field.get("name") == "username")
    assert name.get("value", "") == fields.get("username", "nina")


def test_signing_in_and_out() -> None:
    a_user("olga")
    client = Client()
    wrong = client.post("/sign-in/", {"username": "olga", "password": "wrong"})
    assert "No account has this name and password." in Html(wrong.content.decode()).text
    right = client.post("/sign-in/", {"username": "olga", "password": "the password of olga"})
    assert right.headers["Location"] == "/"
    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/").headers["Location"] == "/"
    assert "_auth_user_id" not in client.session


def test_passwords_cannot_be_guessed_for_long() -> None:
    a_user("olga")
    for _ in range(10):
        assert Client().post("/sign-in/", {"username": "olga", "password": "a guess"}).status_code == 200
    right = {"username": "olga", "password": "the password of olga"}
    page = Html(Client().post("/sign-in/", right).content.decode())
    assert "Too many attempts: at most" in page.text
    assert page.faults() == []
    assert Client().post("/sign-in/", right, REMOTE_ADDR="192.0.2.7").status_code == 302


def signs_in(client: Client, address: str, *guess: str) -> bool:
    form = {"username": "olga", "password": guess or "the password of olga"}
    return client.post("/sign-in/", form, REMOTE_ADDR=address).status_code == 302


def test_right_passwords_count_for_nothing_and_give_no_wrong_one_back() -> None:
    a_user("olga")
    for _ in range(9):
        assert signs_in(Client(), "192.0.2.1")
        assert not signs_in(Client(), "192.0.2.1", "a guess")
    for _ in range(3):
        assert signs_in(Client(), "192.0.2.1")
    assert not signs_in(Client(), "192.0.2.1", "a guess")
    assert not signs_in(Client(), "192.0.2.1")


def test_a_browser_that_knows_an_account_signs_in_as_often_as_an_address_may() -> None:
    a_user("olga")
    client = Client()
    tried = []
    for number in range(SIGN_IN.times + 2):
        tried.append(signs_in(client, f"192.0.2.{number}"))
        client.post("/sign-out/")
    assert tried == [True] * (SIGN_IN.times + 1) + [False]


def test_right_codes_count_for_nothing() -> None:
    codes = with_factor(a_user("olga"))
    for code in codes[: CODES.times + 2]:
        client = Client()
        client.post("/sign-in/", {"username": "olga", "password": "the password of olga"})
        assert client.post("/sign-in/code/", {"code": code}).status_code == 302


def test_who_shows_the_right_password_may_do_so_as_often_as_they_like() -> None:
    client = signed_in(a_user("olga"))
    for _ in range(GUESSES.times + 2):
        page = client.post("/account/", {"email": "o@example.org", "password": "the password of olga"}, follow=True)
        assert "That was too often" not in page.content.decode()


def test_nobody_locks_out_another_by_guessing_at_their_account() -> None:
    a_user("olga")
    hers, near, far = Client(), "192.0.2.1", "198.51.100.1"
    assert signs_in(hers, near)
    hers.post("/sign-out/")
    for number in range(60):  # more than an address may try at, and from many
        assert not signs_in(Client(), f"203.0.113.{number % 3}", "a guess")
        assert not signs_in(Client(), near, "a guess")
    assert not signs_in(Client(), near)  # a browser like any other, where the guesses come from
    assert signs_in(Client(), far)
    assert signs_in(hers, near)


def test_a_browser_that_knows_one_account_has_no_guesses_of_its_own_at_another() -> None:
    a_user("olga"), a_user("otto")
    client = Client()
    client.post("/sign-in/", {"username": "otto", "password": "the password of otto"})
    client.post("/sign-out/")
    for _ in range(10):
        signs_in(client, "192.0.2.1", "a guess")
    assert not signs_in(client, "192.0.2.1")
    del client.cookies["device"]
    assert not signs_in(client, "192.0.2.1")


def test_who_knows_the_password_does_not_lock_out_the_owner_by_guessing_codes() -> None:
    user = a_user("olga")
    recovery_codes = with_factor(user)
    hers, other = Client(), Client()
    for client, codes in ((hers, recovery_codes[:1]), (other, ["no code"] * 6)):
        client.post("/sign-in/", {"username": "olga", "password": "the password of olga"})
        for code in codes:
            client.post("/sign-in/code/", {"code": code})
    assert "Too many attempts" in other.post("/sign-in/code/", {"code": recovery_codes[1]}).content.decode()
    hers.post("/sign-out/")
    hers.post("/sign-in/", {"username": "olga", "password": "the password of olga"})
    assert hers.post("/sign-in/code/", {"code": recovery_codes[1]}).status_code == 302


def test_accounts_are_not_made_by_the_hundred() -> None:
    for number in range(20):
        sign_up(username=f"nina{number}")
    page, _ = sign_up(username="nina20")
    assert "Too many attempts: at most" in page.text
    assert User.objects.count() == 20


def test_who_comes_from_a_ladder_finds_it_chosen_and_its_game() -> None:
    game = list(GAMES.values())[-1]
    options = to_plain(game.read_options({"players": 2}))
    a_ladder("uncommon", title="Uncommon", game=game.name, rules=game.version, options=options)
    form = signed_in(a_user()).get("/upload/?ladder=uncommon").content.decode()
    assert f'<option value="{game.name}" selected>' in form
    assert f'<option value="uncommon" selected data-game="{game.name}">Uncommon ({game.title})</option>' in form
    assert "selected" not in signed_in(a_user()).get("/upload/?ladder=%00").content.decode().split('name="ladder"')[0]


def test_one_form_makes_the_bot_uploads_its_version_and_enters_the_ladder() -> None:
    ladder, client = a_ladder("arena"), signed_in(a_user("olga"))
    typed = {"game": "zaibatsu", "name": "Orchid", "note": "the first", "ladder": "arena", "file": a_file()}
    answer = client.post("/upload/", typed)
    bot = Bot.objects.get()
    assert answer.headers["Location"] == f"/bots/{bot.pk}/"
    version = bot.versions.get()
    assert (version.status, version.note, bytes(version.bundle.content)) == ("checking", "the first", SAMPLE)
    assert bot.entries.get().ladder == ladder


WRONG = [
    ({"name": ""}, "id_name_error", "This field is required."),
    ({"name": "x"}, "id_name_error", "3 to 40 letters"),
    ({"name": "ROOK"}, "id_name_error", "choose another name"),
    ({"game": "chess"}, "id_game_error", "Select a valid choice"),
    ({"file": a_file(b"")}, "id_file_error", "This file is empty."),
    ({"file": a_file(b"PK\x03\x04 not really", "bot.zip")}, "id_file_error", "zip"),
    ({"file": a_file(name="bot.exe")}, "id_file_error", ".py"),
    ({"note": "n" * 201}, "id_note_error", "at most 200 characters"),
    ({"ladder": "nowhere"}, "id_ladder_error", "Choose one from the list."),
]


@pytest.mark.parametrize(("fields", "place", "words"), WRONG)
def test_a_wrong_upload_is_told_beside_its_field_loses_no_word_and_leaves_no_trace(
    fields: dict[str, object], place: str, words: str
) -> None:
    a_bot(name="Rook")
    client = signed_in(a_user("olga"))
    typed = {"game": "zaibatsu", "name": "Orchid", "note": "a note of mine", "ladder": "", "file": a_file(), **fields}
    page = Html(client.post("/upload/", typed).content.decode())
    assert page.faults() == []
    assert [
        element for _, element in page.elements if element.get("id") == place and element.get("class") == "errorlist"
    ]
    assert words in page.text
    note = next(field for field in page.all("input") if field.get("name") == "note")
    assert note["value"] == typed["note"]
    assert (Bot.objects.count(), Bundle.objects.count(), Version.objects.count(), Entry.objects.count()) == (1, 0, 0, 0)


def test_without_a_file_the_form_says_which_files_are_taken() -> None:
    client = signed_in(a_user("olga"))
    page = Html(client.post("/upload/", {"game": "zaibatsu", "name": "Orchid"}).content.decode())
    assert "Choose a file: one source file such as bot.py, or a .zip." in page.text


def test_the_next_version_is_uploaded_by_the_owner_alone() -> None:
    owner = a_user("olga")
    bot = a_bot(owner, "Orchid")
    path = f"/bots/{bot.pk}/upload/"
    assert signed_in(a_user("otto")).post(path, {"file": a_file()}).status_code == 403
    assert signed_in(owner).post(path, {"file": a_file(), "note": "two"}).headers["Location"] == f"/bots/{bot.pk}/"
    again = signed_in(owner).post(path, {"file": a_file(SAMPLE + b"#\n")})
    assert "still being checked" in Html(again.content.decode()).text
    assert bot.versions.count() == 1


def test_a_token_is_shown_once_and_opens_nothing_when_revoked() -> None:
    user = a_user("olga")
    client = signed_in(user)
    made = client.post("/tokens/", {"name": "laptop", "days": 30, "password": "the password of olga"})
    page = Html(made.content.decode())
    secret = next(word for word in page.text.split() if word.startswith("brd_"))
    made_for = token_with_secret(secret)
    assert made_for
    assert made_for.user == user
    assert "no-store" in made.headers["Cache-Control"]
    assert secret not in client.get("/tokens/").content.decode()
    token = ApiToken.objects.get()
    assert signed_in(a_user("otto")).post(f"/tokens/{token.pk}/revoke/").status_code == 404
    assert client.post(f"/tokens/{token.pk}/revoke/").headers["Location"] == "/tokens/"
    assert token_with_secret(secret) is None


def test_an_open_session_alone_makes_no_token() -> None:
    user = a_user("olga")
    client, form = signed_in(user), {"name": "laptop", "days": 30}
    for proof in ({}, {"password": "a guess"}, {"code": "123456"}):
        client.post("/tokens/", {**form, **proof})
    recovery_codes = with_factor(user)
    client = signed_in(user)
    for proof in ({}, {"password": "the password of olga"}, {"code": "123456"}):
        client.post("/tokens/", {**form, **proof})
    assert not ApiToken.objects.exists()
    client.post("/tokens/", {**form, "name": "n" * 61, "code": recovery_codes[0]})
    client.post("/tokens/", {**form, "code": recovery_codes[0]})
    assert ApiToken.objects.get().name == "laptop"


@pytest.mark.parametrize(("name", "words"), [("", "This field is required."), ("n" * 61, "at most 60 characters")])
def test_a_token_needs_a_name(name: str, words: str) -> None:
    page = Html(signed_in(a_user("olga")).post("/tokens/", {"name": name, "days": 30}).content.decode())
    assert words in page.text
    assert page.faults() == []
    assert not ApiToken.objects.exists()


def test_an_upload_that_is_sent_again_after_a_broken_connection_makes_one_bot_and_one_version() -> None:
    ladder, user = a_ladder("arena"), a_user("olga")
    client = signed_in(user)
    typed = {"game": "zaibatsu", "name": "Orchid", "note": "one", "ladder": "arena"}
    first = client.post("/upload/", {**typed, "file": a_file()})
    again = client.post("/upload/", {**typed, "file": a_file()})
    assert first.headers["Location"] == again.headers["Location"]
    path = f"{again.headers['Location']}upload/"
    assert client.post(path, {"file": a_file()}).headers["Location"] == again.headers["Location"]
    assert (Bot.objects.get().versions.count(), ladder.entries.count()) == (1, 1)
    another = client.post("/upload/", {**typed, "file": a_file(SAMPLE + b"# more\n")})
    assert "choose another name" in Html(another.content.decode()).text


def test_a_text_is_as_long_as_its_writer_counts() -> None:
    """Browsers send two characters for the end of a line, and count one."""
    user = a_user("olga")
    about = "a line\r\n" * 62 + "the end"
    assert len(about) > 500 > len(about.replace("\r", ""))
    assert signed_in(user).post("/account/about/", {"about": about}).status_code == 302
    user.refresh_from_db()
    assert user.about == about.replace("\r", "")
