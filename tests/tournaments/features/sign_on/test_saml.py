"""Single sign-on by SAML: assertions signed by a real key, right ones and wrong ones. Needs the extra `saml`."""

import base64
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID
from django.test import Client
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.tournaments.features.sign_on.test_openid import loaded, user_of
from tests.tournaments.web.pages.html import Html
from tests.tournaments.web.pages.mock_provider import key_of
from tournaments.core.config.sign_on import Provider
from tournaments.models import Identity

saml = pytest.importorskip(
    "onelogin.saml2.utils", reason="needs the extra saml: tournaments/features/sign_on/requirements.lock"
)
pytestmark = pytest.mark.django_db
__all__ = ["loaded"]
ISSUER, HERE = "https://idp.example/saml", "http://testserver/sign-on/company/"
NAMES = "urn:oasis:names:tc:SAML:2.0"
TEMPLATE = (
    f'<samlp:Response xmlns:samlp="{NAMES}:protocol" xmlns:saml="{NAMES}:assertion" ID="r{{number}}" Version="2.0" '
    'IssueInstant="{now}" Destination="{to}" InResponseTo="{asked}"><saml:Issuer>{issuer}</saml:Issuer>'
    f'<samlp:Status><samlp:StatusCode Value="{NAMES}:status:{{status}}"/></samlp:Status>{{assertion}}</samlp:Response>'
)
ASSERTION = (
    f'<saml:Assertion xmlns:saml="{NAMES}:assertion" ID="a{{number}}" Version="2.0" IssueInstant="{{now}}">'
    "<saml:Issuer>{issuer}</saml:Issuer><saml:Subject>"
    f'<saml:NameID Format="{NAMES}:nameid-format:{{kind}}">{{subject}}</saml:NameID>'
    f'<saml:SubjectConfirmation Method="{NAMES}:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{{end}}" '
    'Recipient="{to}" InResponseTo="{asked}"/></saml:SubjectConfirmation></saml:Subject>'
    '<saml:Conditions NotBefore="{start}" NotOnOrAfter="{end}"><saml:AudienceRestriction>'
    "<saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>"
    '<saml:AuthnStatement AuthnInstant="{now}" SessionIndex="s"><saml:AuthnContext><saml:AuthnContextClassRef>'
    f"{NAMES}:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>"
    '<saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>nina@company.example'
    "</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>"
)


@cache
def certificate(name: str) -> str:
    key, called = key_of(name), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(called).issuer_name(called).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now).not_valid_after(now + timedelta(days=1))
    return made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


def private(name: str) -> str:
    kind, bare = serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    return key_of(name).private_bytes(serialization.Encoding.PEM, kind, bare).decode()


@dataclass
class Assertion:
    """An assertion, and what is wrong with it."""

    asked: str
    signed_by: str | None = "company"
    subject: str = "0017"
    status: str = "Success"
    kind: str = "persistent"
    audience: str = f"{HERE}metadata/"
    issuer: str = ISSUER
    to: str = f"{HERE}assertion/"
    minutes: int = 5  # for which it holds
    edit: tuple[str, str] = field(default=("", ""))  # after it was signed
    number: int = 1

    def sent(self) -> str:
        now = datetime.now(UTC)
        times = {"now": now, "start": now - timedelta(minutes=1), "end": now + timedelta(minutes=self.minutes)}
        values = {name: f"{moment:%Y-%m-%dT%H:%M:%SZ}" for name, moment in times.items()}
        values |= {name: escape(str(getattr(self, name))) for name in ("subject", "audience", "issuer", "to", "asked")}
        values |= {"kind": self.kind, "number": str(self.number), "status": self.status}
        made = ASSERTION.format(**values)
        if self.signed_by:
            utils = saml.OneLogin_Saml2_Utils
            made = utils.add_sign(made, private(self.signed_by), certificate(self.signed_by)).decode()
        made = made.replace(*self.edit) if self.edit[0] else made
        return base64.b64encode(TEMPLATE.format(**values, assertion=made).encode()).decode()


@pytest.fixture(autouse=True)
def company(settings: Settings) -> Iterator[None]:
    provider = Provider("company", "Company", ISSUER, "saml", sign_on_url=f"{ISSUER}/in")
    as_is = {"certificate": certificate("company"), "email_attribute": "mail"}
    settings.SIGN_ON = {"company": Provider(**{name: getattr(provider, name) for name in Provider.__slots__} | as_is)}
    settings.SITE_URL = "http://testserver"
    return iter(())


def begins(client: Client) -> str:
    """The ID of our question, as the provider reads it."""
    to = client.get("/sign-on/company/?next=/tokens/")["Location"]
    assert to.startswith(f"{ISSUER}/in?")
    asked = zlib.decompress(base64.b64decode(dict(parse_qsl(urlsplit(to).query))["SAMLRequest"]), -15).decode()
    assert f'AssertionConsumerServiceURL="{HERE}assertion/"' in asked
    return asked.partition('ID="')[2].partition('"')[0]


def post(assertion: str) -> tuple[int, str, str]:
    """Post as the provider's page does: without any cookie of ours."""
    answer = Client(enforce_csrf_checks=True).post("/sign-on/company/assertion/", {"SAMLResponse": assertion})
    return answer.status_code, answer.get("Location", ""), answer.content.decode()


def nina() -> None:
    Identity.objects.create(user=a_user("nina"), provider="company", subject="0017")


def test_an_assertion_opens_the_account_once_and_in_the_browser_that_asked() -> None:
    nina()
    client = Client()
    assertion = Assertion(begins(client)).sent()
    status, onward, _ = post(assertion)
    assert (status, user_of(client)) == (302, None)
    assert Client().get(onward).status_code == 403
    assert client.get(onward)["Location"] == "/tokens/"
    assert user_of(client) == "nina"
    client.logout()
    for path in (onward, post(assertion)[1]):
        assert "sign_on_expired" in client.get(path).content.decode()
    assert user_of(client) is None


def test_somebody_new_chooses_a_name() -> None:
    client = Client()
    page = Html(client.get(post(Assertion(begins(client), subject="1").sent())[1], follow=True).content.decode())
    assert "nina@company.example" in page.text
    client.post("/sign-on/name/", {"username": "nina"})
    assert (user_of(client), Identity.objects.get().subject) == ("nina", "1")


WRONG = {
    "no signature": {"signed_by": None},
    "another's signature": {"signed_by": "a stranger"},
    "another subject": {"edit": (">0017<", ">0018<")},
    "a comment in the subject": {"edit": (">0017<", ">00<!-- -->17<")},
    "another audience": {"audience": "https://elsewhere.example"},
    "another issuer": {"issuer": "https://evil.example"},
    "for another site": {"to": "https://evil.example/"},
    "too late": {"minutes": -1},
    "it says no": {"status": "Responder"},
    "another name each time": {"kind": "transient"},
    "nobody": {"subject": ""},
    "a long name": {"subject": "x" * 256},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=list(WRONG))
def test_what_does_not_hold_opens_nothing(wrong: dict[str, object]) -> None:
    nina()
    client = Client()
    status, _, page = post(Assertion(begins(client), **wrong).sent())  # type: ignore[arg-type]
    if wrong == WRONG["a comment in the subject"] and status == 302:  # canonical XML has no comments: it means the same
        return
    assert (status, "bad_identity" in page, Html(page).faults()) == (403, True, [])


def test_a_signed_part_beside_another_is_no_wrapping() -> None:
    """The signed assertion stays, and one that nobody signed stands before it."""
    nina()
    asked = begins(Client())
    signed = base64.b64decode(Assertion(asked).sent()).decode()
    forged = base64.b64decode(Assertion(asked, signed_by=None, subject="0018", number=2).sent()).decode()
    part = forged[forged.index("<saml:Assertion") : forged.index("</samlp:Response>")]
    for both in (
        signed.replace("<saml:Assertion", f"{part}<saml:Assertion", 1),
        signed.replace("</samlp", f"{part}</samlp"),
    ):
        assert post(base64.b64encode(both.encode()).decode())[0] == 403


BOMB = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize("text", ["", "x", "%%%", "A" * 200_001, "é", base64.b64encode(BOMB.encode()).decode()])
def test_anything_else_is_no_assertion(text: str) -> None:
    status, _, page = post(text)
    assert (status, "bad_identity" in page) == (403, True)


def test_an_assertion_longer_than_any_is_not_read() -> None:
    assert post("A" * 300_001)[0] == 413


def test_the_providers_operator_is_told_who_we_are() -> None:
    answer = Client().get("/sign-on/company/metadata/")
    assert answer["Content-Type"] == "application/samlmetadata+xml"
    assert f'Location="{HERE}assertion/"' in answer.content.decode()
