"""SAML 2.0, started by us and answered with a form (HTTP-POST), using python3-saml: an extra."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from allauth.socialaccount.internal import statekit
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.errors import OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError
from onelogin.saml2.settings import OneLogin_Saml2_Settings

from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.features.sign_on.addresses import here
from tournaments.features.sign_on.claimed_identity import Known, known_by
from tournaments.features.sign_on.purposes import EXPIRED

POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
PASSING = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
UNREADABLE = (OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError, SyntaxError, ValueError, TypeError, AttributeError)
MOST = 300_000  # characters of an assertion
SALT, LASTS = "assertion", 60  # seconds: it goes from the provider's form to the page behind it


def saml_configuration(ours: Provider) -> dict[str, Any]:
    """Strict: an assertion that is not signed itself is none. SHA-1 is no signature."""
    return {
        "strict": True,
        "sp": {
            "entityId": here("sign-on-metadata", ours),
            "assertionConsumerService": {"url": here("sign-on-assertion", ours), "binding": POST},
            "NameIDFormat": PERSISTENT,
        },
        "idp": {
            "entityId": ours.issuer,
            "singleSignOnService": {"url": ours.sign_on_url},
            "x509cert": ours.certificate,
        },
        "security": {
            "wantAssertionsSigned": True,
            "wantNameId": True,
            "wantAttributeStatement": False,
            "requestedAuthnContext": False,
            "rejectDeprecatedAlgorithm": True,
            "allowRepeatAttributeName": True,
            "allowSingleLabelDomains": True,
        },
    }


def protocol(ours: Provider, path: str, posted: dict[str, str]) -> OneLogin_Saml2_Auth:
    site = urlsplit(settings.SITE_URL)
    asked = {"https": "on" if settings.HTTPS else "off", "http_host": site.netloc, "script_name": path}
    return OneLogin_Saml2_Auth({**asked, "get_data": {}, "post_data": posted}, saml_configuration(ours))


def begin(request: HttpRequest, ours: Provider, state: dict[str, Any]) -> HttpResponse:
    asked = protocol(ours, request.path, {})
    to = asked.login(return_to="", force_authn=state["purpose"] == "again")
    statekit.stash_state(request, provider_id=ours.key, state=state, state_id=asked.get_last_request_id())
    return HttpResponseRedirect(to)


def metadata(ours: Provider) -> bytes:
    found = OneLogin_Saml2_Settings(saml_configuration(ours), sp_validation_only=True).get_sp_metadata()
    return found if isinstance(found, bytes) else str(found).encode()


def received(ours: Provider, path: str, posted: Mapping[str, str]) -> str:
    """Return what an assertion says, signed by us. Raises Refused: bad_identity, sign_on_cancelled, domain_not_allowed.
    The browser brings it to the page that knows its session, which a form of another site does not."""
    text = posted.get("SAMLResponse", "")
    if len(text) > MOST:
        raise Refused(
            "bad_identity", "what %(title)s says is longer than %(most)s characters", title=ours.title, most=MOST
        )
    said = protocol(ours, path, {"SAMLResponse": text})
    try:
        said.process_response()
        errors = said.get_errors()
    except UNREADABLE as error:
        raise Refused(
            "bad_identity",
            "what %(title)s says cannot be read: %(error)s",
            title=ours.title,
            error=str(error).rstrip("."),
        ) from error
    if errors or not said.is_authenticated():
        why = said.get_last_error_reason() or "it says no"
        raise Refused(
            "bad_identity",
            "what %(title)s says about you is not valid: %(error)s",
            title=ours.title,
            error=str(why).rstrip("."),
        )
    return signing.dumps([ours.key, said.get_last_response_in_response_to(), *claimed_person(ours, said)], salt=SALT)


def claimed_person(ours: Provider, said: OneLogin_Saml2_Auth) -> list[str]:
    """Subject, name, address."""
    if said.get_nameid_format() == PASSING:
        raise Refused(
            "bad_identity",
            "%(title)s calls you something else each time; a persistent name is needed",
            title=ours.title,
        )
    attributes = said.get_attributes()
    name, email = ((attributes.get(each) or [""])[0] for each in (ours.name_attribute, ours.email_attribute))
    known = known_by(ours, said.get_nameid(), name, email)
    return [known.subject, known.name, known.email]


def answered(request: HttpRequest, ours: Provider) -> tuple[Known, dict[str, Any]]:
    """Return who it is, and the state of the beginning, as of OpenID Connect. Raises Refused: sign_on_expired."""
    try:
        key, began, *person = signing.loads(request.GET.get("said", ""), salt=SALT, max_age=LASTS)
    except signing.BadSignature:
        raise Refused("sign_on_expired", EXPIRED) from None
    state = statekit.unstash_state(request, state_id=str(began), provider_id=ours.key) if key == ours.key else None
    if state is None:
        raise Refused("sign_on_expired", EXPIRED)
    return Known(ours.key, *person), state
