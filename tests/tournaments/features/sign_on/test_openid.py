"""Single sign-on by OpenID Connect: a real provider on loopback, and all that it, and people, may do wrong."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.conf import settings as present
from django.test import Client, override_settings
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.tournaments.core.accounts.test_second_factor import code_of, with_factor
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tests.tournaments.web.pages.mock_provider import CLIENT, SECRET, MockProvider
from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.features.sign_on.claimed_identity import known_by
from tournaments.models import Identity, User

pytestmark = pytest.mark.django_db
NINA = {"sub": "0017", "preferred_username": "nina@uni.example", "email": "nina@uni.example", "email_verified": True}
RIGHT = {"password": "the password of olga"}


@pytest.fixture(scope="module", autouse=True)
def loaded() -> Iterator[None]:
    """Settings as they are where SIGN_ON names providers."""
    apps = [*present.INSTALLED_APPS, "allauth.socialaccount"]
    around = [*present.MIDDLEWARE, "allauth.account.middleware.AccountMiddleware"]
    with override_settings(MIDDLEWARE=around), override_settings(INSTALLED_APPS=apps):
        yield


@pytest.fixture
def university(settings: Settings) -> Iterator[MockProvider]:
    from tournaments.features.sign_on import openid

    openid._discovered.clear()
    with MockProvider(person=NINA) as mock:
        configured = [
            Provider("uni", "University", mock.issuer, client_id=CLIENT, secret=SECRET),
            Provider("other", "Other", mock.issuer, client_id=CLIENT, secret=SECRET),
        ]
        settings.SIGN_ON = {provider.key: provider for provider in configured}
        settings.SITE_URL = "http://testserver"
        yield mock


def sent_back(client: Client, mock: MockProvider, path: str = "/sign-on/uni/") -> str:
    """The address that the browser is sent back to, which has not been there yet."""
    answer = client.get(path)
    assert answer.status_code == 302, Html(answer.content.decode()).text
    assert answer["Location"].startswith(f"{mock.issuer}/authorise?")
    return mock.authorise(answer["Location"])


def signs_on(client: Client, mock: MockProvider, path: str = "/sign-on/uni/") -> Html:
    """Sign on as far as it goes without typing."""
    answer = client.get(sent_back(client, mock, path), follow=True)
    page = Html(answer.content.decode())
    assert page.faults() == []
    return page


def user_of(client: Client) -> str | None:
    number = client.session.get("_auth_user_id")
    return User.objects.get(pk=number).username if number else None


def nina(**more: object) -> User:
    user = a_user("nina", **more)  # type: ignore[arg-type]
    Identity.objects.create(user=user, provider="uni", subject="0017")
    return user


def test_somebody_new_chooses_a_name_and_comes_in_by_it_ever_after(university: MockProvider) -> None:
    client = Client()
    assert "Sign in with University" in Html(client.get("/sign-in/?next=/tokens/").content.decode()).text
    page = signs_on(client, university, "/sign-on/uni/?next=/tokens/")
    assert "University knows you" in page.text
    assert 'value="nina"' in client.get("/sign-on/name/").content.decode()
    assert client.post("/sign-on/name/", {"username": "nina"})["Location"] == "/tokens/"
    user = User.objects.get()
    assert (user_of(client), user.confirmed_email, user.has_usable_password()) == ("nina", "nina@uni.example", False)
    again = Client()
    signs_on(again, university)
    assert user_of(again) == "nina"
    assert User.objects.count() == Identity.objects.count() == 1


@pytest.mark.parametrize("name", ["olga", "0lga", "Οlga", "", "a b", "x" * 31])
def test_a_name_that_is_taken_or_none_is_refused_and_nothing_is_made(university: MockProvider, name: str) -> None:
    a_user("olga")
    client = Client()
    signs_on(client, university)
    answer = client.post("/sign-on/name/", {"username": name})
    assert answer.status_code == 200
    assert Html(answer.content.decode()).faults() == []
    assert (User.objects.count(), Identity.objects.count(), user_of(client)) == (1, 0, None)
    client.post("/sign-on/name/", {"username": "nina"})
    assert user_of(client) == "nina"


def test_the_same_address_opens_nobody_elses_account(university: MockProvider) -> None:
    User.objects.filter(pk=a_user("olga").pk).update(email=NINA["email"], confirmed_email=NINA["email"])
    client = Client()
    signs_on(client, university)
    assert user_of(client) is None
    other = Client()
    nina()
    signs_on(other, university, "/sign-on/other/")  # the same subject of another provider is another person
    assert user_of(other) is None


WRONG = {
    "a signature of another": {"signed_by": "a stranger"},
    "no signature": {"algorithm": "none"},
    "signed by the secret": {"algorithm": "HS256"},
    "for another site": {"claims": {"aud": "somebody else"}},
    "for several sites": {"claims": {"aud": [CLIENT, "somebody else"]}},
    "by another site": {"claims": {"azp": "somebody else"}},
    "of another provider": {"claims": {"iss": "https://evil.example"}},
    "another nonce": {"claims": {"nonce": "of yesterday"}},
    "no nonce": {"claims": {"nonce": None}},
    "expired": {"claims": {"exp": 1_600_000_000}},
    "no end": {"claims": {"exp": None}},
    "from tomorrow": {"claims": {"iat": 4_000_000_000}},
    "nobody": {"claims": {"sub": None}},
    "a nobody": {"claims": {"sub": ""}},
    "a number": {"claims": {"sub": 17}},
    "a long one": {"claims": {"sub": "x" * 256}},
    "a NUL": {"claims": {"sub": "a\0b"}},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=list(WRONG))
def test_what_does_not_hold_opens_nothing(university: MockProvider, wrong: dict[str, object]) -> None:
    nina()
    for name, value in wrong.items():
        setattr(university, name, value)
    client = Client()
    back = sent_back(client, university)
    refused(client, back, 403, "bad_identity")


def refused(client: Client, path: str, status: int, code: str) -> Html:
    answer = client.get(path)
    page = Html(answer.content.decode())
    assert (answer.status_code, page.faults()) == (status, []), page.text
    assert code in page.text
    assert "no-store" in answer["Cache-Control"]
    assert (user_of(client), "new_identity" in client.session) == (None, False)
    return page


KEYS, TOKEN, FOUND = "/keys", "/token", "/.well-known/openid-configuration"


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        ({"statuses": {TOKEN: 500}}, "sign_on_refused"),
        ({"statuses": {KEYS: 500}}, "provider_failed"),
        ({"bodies": {KEYS: b"<html>"}}, "provider_failed"),
        ({"bodies": {KEYS: b"[]"}}, "bad_identity"),
        ({"bodies": {KEYS: b'{"keys": [7]}'}}, "bad_identity"),
        ({"bodies": {TOKEN: b"[]"}}, "sign_on_refused"),
        ({"bodies": {TOKEN: b'{"access_token": "x"}'}}, "bad_identity"),
        ({"bodies": {KEYS: b" " * (2 << 20)}}, "provider_failed"),
    ],
)
def test_a_provider_in_trouble_is_told_from_a_stranger(
    university: MockProvider, trouble: dict[str, object], code: str
) -> None:
    nina()
    client = Client()
    back = sent_back(client, university)
    for name, value in trouble.items():
        setattr(university, name, value)
    refused(client, back, 503 if code == "provider_failed" else 403, code)


@pytest.mark.parametrize(
    ("status", "body"), [(500, b"{}"), (200, b"<html>"), (200, b'{"issuer": "https://e.example"}')]
)
def test_one_that_cannot_be_found_leads_nowhere(university: MockProvider, status: int, body: bytes) -> None:
    university.statuses[FOUND], university.bodies[FOUND] = status, body
    refused(Client(), "/sign-on/uni/", 503, "provider_failed")


def test_one_that_answers_late_is_not_waited_for(university: MockProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournaments.features.sign_on import fetching

    monkeypatch.setattr(fetching, "WAITS", (0.2, 0.2))
    client = Client()
    back = sent_back(client, university)
    university.waits[TOKEN] = 30
    assert "did not answer in time" in refused(client, back, 503, "provider_late").text
    for _ in range(3):
        assert fetching.AT_ONCE.acquire(blocking=False)
    refused(client, "/sign-on/uni/", 503, "try_later")  # as many as may wait do
    for _ in range(3):
        fetching.AT_ONCE.release()


def test_an_answer_counts_once_in_the_browser_that_asked_and_for_the_provider_it_is_of(
    university: MockProvider,
) -> None:
    nina()
    client, other = Client(), Client()
    back = sent_back(client, university)
    refused(other, back, 403, "sign_on_expired")
    refused(client, back.replace("/uni/", "/other/"), 403, "sign_on_expired")
    refused(client, f"{sent_back(client, university)}&iss=https://evil.example", 403, "sign_on_expired")
    client.get(back)
    assert user_of(client) == "nina"
    client.logout()
    for path in (back, "/sign-on/uni/answer/", "/sign-on/uni/answer/?state=%F0%9F%92%A9&code=x"):
        refused(client, path, 403, "sign_on_expired")


def test_a_code_is_used_up_and_who_says_no_is_told_so(university: MockProvider) -> None:
    client = Client()
    back, another = sent_back(client, university), sent_back(client, university)
    code = dict(parse_qsl(urlsplit(back).query))["code"]
    client.get(back)
    state = dict(parse_qsl(urlsplit(another).query))["state"]
    client.session.flush()
    refused(Client(), f"/sign-on/uni/answer/?state={state}&error=access_denied", 403, "sign_on_expired")
    for error, expected in (("access_denied", "sign_on_cancelled"), ("<b>server_error", "sign_on_refused")):
        client = Client()
        state = dict(parse_qsl(urlsplit(sent_back(client, university)).query))["state"]
        refused(client, f"/sign-on/uni/answer/?state={state}&error={error}", 403, expected)
    client = Client()
    state = dict(parse_qsl(urlsplit(sent_back(client, university)).query))["state"]
    refused(client, f"/sign-on/uni/answer/?state={state}&code={code}", 403, "sign_on_refused")


def test_only_addresses_of_the_domains_named_come_in(university: MockProvider, settings: Settings) -> None:
    settings.SIGN_ON = {"uni": Provider("uni", "U", university.issuer, "openid", CLIENT, SECRET, ("uni.example",))}
    for email, verified in (("nina@evil.example", True), ("nina@uni.example", False), ("nina@uni.example", "false")):
        university.claims = {"email": email, "email_verified": verified}
        client = Client()
        refused(client, sent_back(client, university), 403, "domain_not_allowed")
    university.claims = {}
    client = Client()
    assert "Your name here" in signs_on(client, university).text


@pytest.mark.parametrize(
    "email",
    [
        *(
            "nina@evil.example,nina@uni.example",
            "nina@evil.example\nnina@uni.example",
            "nina@evil.example\r@uni.example",
        ),
        *("nina@uni.example\n", "nina@evil.example @uni.example", '"nina@evil.example"@uni.example', "@uni.example"),
        *("<nina@evil.example>@uni.example", "a;b@uni.example", "nina\0@uni.example", "nina\u2028x@uni.example"),
    ],
)
def test_what_is_not_exactly_one_address_is_of_no_domain(email: str) -> None:
    with pytest.raises(Refused, match="e-mail address of uni"):
        known_by(Provider("uni", "U", "https://uni.example", domains=("uni.example",)), "7", "Nina", email)


ADDRESS = "nina@uni.example"
WITHOUT: dict[str, Any] = {"email": None, "email_verified": None, "preferred_username": None}


@pytest.mark.parametrize(
    ("verified", "email"),
    [(True, ADDRESS), ("true", ADDRESS), (" True", ADDRESS)]
    + [(value, "") for value in (False, "false", "False", "", "yes", "1", 1, 0, [True], ["true"], {"true": True})],
)
@pytest.mark.parametrize("where", ["claims", "user_info"])
def test_an_address_counts_where_the_provider_says_yes_in_any_spelling(
    university: MockProvider, where: str, verified: object, email: str
) -> None:
    university.claims = WITHOUT
    setattr(university, where, {"sub": "0017", "email": ADDRESS, "email_verified": verified})
    client = Client()
    signs_on(client, university)
    client.post("/sign-on/name/", {"username": "nina"})
    assert User.objects.get().confirmed_email == email


@pytest.mark.parametrize("odd", ["\0", "\x1b", "\ufffe"])
def test_a_name_of_the_provider_is_cleaned_and_an_address_is_none_then(university: MockProvider, odd: str) -> None:
    university.claims = {"preferred_username": f"ni{odd}na", "email": f"nina{odd}@uni.example"}
    client = Client()
    signs_on(client, university)
    assert 'value="nina"' in client.get("/sign-on/name/").content.decode()
    client.post("/sign-on/name/", {"username": "nina"})
    assert User.objects.get().confirmed_email == ""


def test_user_info_is_asked_where_the_token_has_no_address_or_does_not_say_whose_it_is(
    university: MockProvider,
) -> None:
    university.user_info = {"sub": "0017", "email": ADDRESS, "email_verified": "true", "preferred_username": "nina"}
    cases = [({}, False), (WITHOUT, True), ({"email": ""}, True), ({"email_verified": None}, True)]
    for claims, is_asked in (*cases, ({"email_verified": False}, False)):
        university.claims = claims
        signs_on(Client(), university)
        assert (university.asked[-1] == "/userinfo") == is_asked, claims
        assert (university.bearers[-1] == "Bearer x") == is_asked
    university.claims = WITHOUT
    client = Client()
    signs_on(client, university)
    assert 'value="nina"' in client.get("/sign-on/name/").content.decode()


STRANGE: list[dict[str, object]] = [
    {"statuses": {"/userinfo": 500}},
    {"bodies": {"/userinfo": b"eyJhbGciOiJSUzI1NiJ9.e30.c2ln"}},
    {"bodies": {"/userinfo": b"[]"}},
    {"user_info": {"email": ADDRESS, "email_verified": True}},
    {"user_info": {"sub": "0018", "email": ADDRESS, "email_verified": True}},
]


@pytest.mark.parametrize("strange", STRANGE)
def test_a_user_info_that_cannot_be_used_confirms_nothing_and_stops_only_whom_an_address_lets_in(
    university: MockProvider, strange: dict[str, object], settings: Settings
) -> None:
    university.user_info, university.claims = {}, dict(WITHOUT)
    for name, value in strange.items():
        setattr(university, name, value)
    client = Client()
    assert "University knows you" in signs_on(client, university).text
    client.post("/sign-on/name/", {"username": "nina"})
    assert User.objects.get().confirmed_email == ""
    settings.SIGN_ON = {"uni": Provider("uni", "U", university.issuer, "openid", CLIENT, SECRET, ("uni.example",))}
    client = Client()
    refused(client, sent_back(client, university), 503, "provider_failed")


@pytest.mark.parametrize("away", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_it_leads_to_no_other_site(university: MockProvider, away: str) -> None:
    nina()
    client = Client()
    assert client.get(sent_back(client, university, f"/sign-on/uni/?next={away}"))["Location"] == "/"
    assert client.get(f"/sign-on/uni/?next={away}")["Location"] == "/"


def test_a_closed_account_stays_closed(university: MockProvider) -> None:
    user = nina()
    User.objects.filter(pk=user.pk).update(is_active=False)
    client = Client()
    refused(client, sent_back(client, university), 403, "account_closed")


def test_a_second_factor_is_asked_for_all_the_same(university: MockProvider) -> None:
    user = nina(staff=True)
    with_factor(user)
    client = Client()
    assert "Your code" in signs_on(client, university, "/sign-on/uni/?next=/tokens/").text
    assert user_of(client) is None
    assert client.post("/sign-in/code/?next=/tokens/", {"code": code_of(user)})["Location"] == "/tokens/"
    assert user_of(client) == "nina"


def test_an_identity_is_linked_by_whoever_knows_the_password(university: MockProvider) -> None:
    olga = a_user("olga")
    client = signed_in(olga)
    assert client.get("/sign-on/uni/")["Location"] == "/"  # without the form it links nothing
    client.post("/account/link/uni/", {"password": "a guess"})
    assert client.get("/sign-on/uni/")["Location"] == "/"
    assert 'href="/sign-on/uni/"' in client.post("/account/link/uni/", RIGHT).content.decode()
    assert "You can now sign in with University" in signs_on(client, university).text
    assert olga.identities.get().called == "nina@uni.example"
    assert client.get("/sign-on/uni/")["Location"] == "/"  # once
    other = Client()
    signs_on(other, university)
    assert user_of(other) == "olga"


def test_an_identity_of_somebody_else_is_linked_to_nobody_else(university: MockProvider) -> None:
    nina()
    client = signed_in(a_user("olga"))
    client.post("/account/link/uni/", RIGHT)
    answer = client.get(sent_back(client, university))
    assert (answer.status_code, user_of(client)) == (403, "olga")
    assert "identity_taken" in answer.content.decode()
    client.post("/account/link/uni/", RIGHT)
    back = sent_back(client, university)
    university.claims = {"sub": "0018"}
    client.force_login(a_user("otto"))  # somebody else has signed in meanwhile, in the same browser
    assert client.get(back).status_code == 403
    assert Identity.objects.count() == 1


def test_the_only_way_in_stays_and_who_has_no_password_signs_on_once_more(university: MockProvider) -> None:
    user = nina()
    user.set_unusable_password()
    user.save()
    client = Client()
    signs_on(client, university)
    unlink = f"/account/unlink/{user.identities.get().pk}/"
    assert "only way into this account" in Html(client.post(unlink, {"send": "1"}).content.decode()).text
    session = client.session
    session["signed_on"] = 0
    session.save()
    new = {"new_password1": "correct horse battery", "new_password2": "correct horse battery"}
    for path, typed in (
        ("/account/password/", new),
        ("/account/data/", {"send": "1"}),
        (unlink, {"send": "1"}),
        ("/tokens/", {"name": "x"}),
    ):
        page = Html(client.post(path, typed).content.decode())
        assert "Sign in again" in page.text, path
    university.claims = {"auth_time": 1_600_000_000}  # it did not ask
    assert client.get(sent_back(client, university, "/sign-on/uni/?again=1")).status_code == 403
    university.claims = {"sub": "0018"}
    assert client.get(sent_back(client, university, "/sign-on/uni/?again=1")).status_code == 403
    university.claims = {}
    signs_on(client, university, "/sign-on/uni/?again=1&next=/account/password/")
    assert client.post("/account/password/", new)["Location"] == "/account/"
    assert client.post(unlink, {"password": "correct horse battery"}).status_code == 302
    assert not Identity.objects.exists()


def test_nobody_unlinks_what_is_anothers(university: MockProvider) -> None:
    number = nina().identities.get().pk
    client = signed_in(a_user("olga"))
    assert client.post(f"/account/unlink/{number}/", RIGHT).status_code == 404
    assert client.post("/account/link/nobody/", RIGHT).status_code == 404
    assert Identity.objects.count() == 1


def test_the_admin_has_nothing_of_the_library(settings: Settings) -> None:
    stella = a_user("stella", staff=True)
    User.objects.filter(pk=stella.pk).update(is_superuser=True)
    page = signed_in(stella).get("/admin/")
    assert (page.status_code, "ocial" in page.content.decode()) == (200, False)
