"""A body without fields, or that is no object, is refused with a sentence that says what belongs into it."""

import pytest

from tests.factories import a_user
from tests.spaces import a_space
from tests.tournaments.web.api.asking import ask, refused
from tournaments.core.accounts.api_tokens import make_token

pytestmark = pytest.mark.django_db
WITH_FIELDS = {
    "bots": "game, name, space",
    "teams": "name",
    "drafts": "game, start, version",
    "spaces/bio1/codes": "days, uses",
    "spaces/bio1/roster": "people, preview",
}
CHANGES = {"account": "about, mailed", "spaces/bio1": "title, about"}


@pytest.fixture
def token(db: None) -> str:
    user = a_user("tessa", staff=True)
    a_space("bio1", organiser=user)
    return f"Token {make_token(user=user, name='of a test')}"


def refusal(method: str, path: str, token: str, body: bytes, kind: str = "application/json") -> tuple[int, str, str]:
    answer = ask(method, path, token, body, kind=kind)
    return *refused(answer), answer.json()["detail"]


@pytest.mark.parametrize("path", WITH_FIELDS)
def test_a_body_without_fields_is_told_which_it_takes(path: str, token: str) -> None:
    for body in (b"", b"{}", b" {} "):
        status, code, sentence = refusal("POST", path, token, body)
        assert (status, code) == (400, "invalid")
        if path != "drafts":  # which says itself what it needs
            assert sentence == f"No fields were sent; send a JSON object with {WITH_FIELDS[path]}."


def test_an_empty_form_is_told_which_fields_it_takes() -> None:
    status, code, sentence = refusal("POST", "tokens", "", b"", "application/x-www-form-urlencoded")
    assert (status, code) == (400, "invalid")
    assert sentence.startswith("No fields were sent; send a JSON object with username, password")


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_of_nothing_is_refused(path: str, token: str) -> None:
    for body in (b"", b"{}"):
        sentence = f"Say what to change: {CHANGES[path]}."
        assert refusal("PATCH", path, token, body) == (400, "invalid", sentence)


@pytest.mark.parametrize(
    ("body", "shown"),
    [(b"[]", "[]"), (b"3", "3"), (b"null", "null"), (b"false", "false"), (b'"x"', '"x"'), (b"[{}]", "[{}]")],
)
def test_what_is_no_object_is_shown(body: bytes, shown: str, token: str) -> None:
    for method, path, takes in (
        ("POST", "bots", " with game, name, space"),
        ("PATCH", "account", " with about, mailed"),
        ("POST", "spaces/bio1/ask", " without fields"),
    ):
        sentence = f"The body must be a JSON object{takes}, not {shown}."
        assert refusal(method, path, token, body) == (400, "invalid", sentence)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "x"])
def test_another_content_type_is_told_the_right_one(kind: str, token: str) -> None:
    expected = (415, "unsupported_media_type", "The Content-Type of the body must be application/json.")
    assert refusal("POST", "teams", token, b"name=x", kind) == expected


@pytest.mark.parametrize("body", [b" ", b"{", b"\xff", b"name=x", b"\xef\xbb\xbf{}"])
def test_what_is_no_json_gets_a_whole_sentence(body: bytes, token: str) -> None:
    status, code, sentence = refusal("POST", "teams", token, body)
    assert (status, code) == (400, "malformed")
    assert sentence.startswith("The body must be JSON in UTF-8, and cannot be read: ")
    assert sentence.endswith(".")
