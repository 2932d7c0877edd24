"""OpenID Connect, the code flow with PKCE, by allauth: discovery, state, the exchange of the code."""

import logging
import secrets
from collections.abc import Mapping
from time import monotonic, time
from typing import Any

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal import statekit
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest, HttpResponse
from requests.exceptions import RequestException

from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.features.sign_on.addresses import here
from tournaments.features.sign_on.claimed_identity import Known, known_by
from tournaments.features.sign_on.fetching import asking
from tournaments.features.sign_on.id_tokens import claims_of
from tournaments.features.sign_on.purposes import EXPIRED, LASTS

log = logging.getLogger(__name__)

DISCOVERED_FOR = 300.0  # seconds
_discovered: dict[str, tuple[float, dict[str, Any]]] = {}  # until when, by issuer


class Protocol(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # it has no types
    """allauth's, told by our settings where the provider is and where we are."""

    def __init__(self, request: HttpRequest, ours: Provider) -> None:
        super().__init__(request, ours.key)
        self.ours = ours
        app = SocialApp(provider="openid_connect", provider_id=ours.key, name=ours.title)
        app.client_id, app.secret = ours.client_id, ours.secret
        app.settings = {"server_url": ours.issuer.rstrip("/"), "oauth_pkce_enabled": True}
        self.provider = OpenIDConnectProvider(request, app=app)
        self.provider.get_oauth2_adapter = lambda _request: self

    def get_provider(self) -> OpenIDConnectProvider:
        return self.provider

    def get_callback_url(self, *_: object) -> str:
        return here("sign-on-answer", self.ours)

    @property
    def openid_config(self) -> dict[str, Any]:
        until, config = _discovered.get(self.ours.issuer, (0.0, {}))
        if until < monotonic():
            config = dict(super().openid_config)
            if config["issuer"] != self.ours.issuer:
                raise ValueError(f"it says that it is {config['issuer']!r:.200}, not {self.ours.issuer}")
            _discovered[self.ours.issuer] = monotonic() + DISCOVERED_FOR, config
        return config

    def keys(self) -> object:
        with get_adapter().get_requests_session() as session:
            answer = session.get(self.openid_config["jwks_uri"])
            answer.raise_for_status()
            return answer.json()


def begin(request: HttpRequest, ours: Provider, state: dict[str, Any]) -> HttpResponse:
    """Return the redirect to the provider. Raises Refused: try_later, provider_late, provider_failed."""
    nonce = secrets.token_urlsafe(24)
    asked = {"nonce": nonce} | ({"max_age": "0"} if state["purpose"] == "again" else {})
    with asking(ours.title):
        answer: HttpResponse = Protocol(request, ours).provider.redirect(
            request, "login", data={**state, "nonce": nonce}, auth_params=asked
        )
    return answer


def answered(request: HttpRequest, ours: Provider) -> tuple[Known, dict[str, Any]]:
    """Return who it is, and the state of the beginning, which is used up by this.

    Raises Refused: sign_on_expired, sign_on_cancelled, sign_on_refused, bad_identity, domain_not_allowed, and as
    `begin`."""
    stash = statekit.unstash_state(request, state_id=request.GET.get("state", ""), provider_id=ours.key)
    if stash is None or request.GET.get("iss", ours.issuer) != ours.issuer:
        raise Refused("sign_on_expired", EXPIRED)
    if error := request.GET.get("error"):
        raise refusal_of_provider(ours, error)
    protocol, state = Protocol(request, ours), stash["data"]
    with asking(ours.title):
        tokens, keys = exchanged(protocol, request.GET.get("code", ""), stash["pkce_code_verifier"]), protocol.keys()
    expected = {"issuer": ours.issuer, "client": ours.client_id, "nonce": state["nonce"], "title": ours.title}
    claims = claims_of(tokens.get("id_token"), keys, **expected)
    if state["purpose"] == "again" and claims.get("auth_time", time()) < time() - LASTS:
        raise Refused(
            "sign_on_expired",
            "%(title)s did not ask you again who you are; sign out there, and begin again",
            title=ours.title,
        )
    if not claims.get("email") or "email_verified" not in claims:
        with asking(ours.title):
            claims = with_user_info(protocol, claims, tokens.get("access_token"))
    return known_by(ours, claims["sub"], claims.get("preferred_username"), verified_email(claims)), state


def verified_email(claims: Mapping[str, Any]) -> object:
    """Return the address if the provider says that it is theirs; some say so by the text "true"."""
    return claims.get("email") if str(claims.get("email_verified")).strip().lower() == "true" else ""


def with_user_info(protocol: Protocol, claims: dict[str, Any], token: object) -> dict[str, Any]:
    """Return the claims with those of UserInfo, whose address goes first.

    Without `domains` nobody needs an address: then a UserInfo that cannot be used is no reason to refuse.
    """
    try:
        told = user_info(protocol, claims["sub"], token)
    except (RequestException, KeyError, ValueError, TypeError) as error:
        if protocol.ours.domains:
            raise
        log.warning("UserInfo of %s cannot be used: %r", protocol.ours.key, error)
        return claims
    address = {name: told.get(name) for name in ("email", "email_verified")} if told.get("email") else {}
    return {**told, **claims, **address}


def user_info(protocol: Protocol, subject: str, token: object) -> Mapping[str, Any]:
    """Return what UserInfo tells (OpenID Connect Core 1.0, 5.3), empty where there is none.

    Raises ValueError where it is about somebody else, and as `Session.get`."""
    if not (address := protocol.openid_config.get("userinfo_endpoint")):
        return {}
    with get_adapter().get_requests_session() as session:
        answer = session.get(address, headers={"Authorization": f"Bearer {token}"})
        answer.raise_for_status()
        told = answer.json()
    if not isinstance(told, dict) or told.get("sub") != subject:
        raise ValueError("it tells nothing about this person")
    return told


def refusal_of_provider(ours: Provider, error: str) -> Refused:
    if error == "access_denied":
        return Refused("sign_on_cancelled", "%(title)s says that you or its rules refused", title=ours.title)
    return Refused(
        "sign_on_refused",
        "%(title)s refused it (%(error)s); its operator or ours can say why",
        title=ours.title,
        error=f"{error:.60}",
    )


def exchanged(protocol: Protocol, code: str, verifier: str) -> Mapping[str, object]:
    """Return the tokens, by the code, which is good for one exchange."""
    client = protocol.get_client(protocol.request, protocol.provider.app)
    try:
        answer = client.get_access_token(code, pkce_code_verifier=verifier)
    except OAuth2Error as error:
        raise Refused(
            "sign_on_refused", "%(title)s did not take the code; begin again", title=protocol.ours.title
        ) from error
    return dict(answer)
