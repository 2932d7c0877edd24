"""Launches from a course of a learning platform (LTI 1.3): it starts them, we send a request, it answers with a form.

The form comes from another site, without our cookies. So the nonce is made from the state alone; the state itself is
looked up, and used up, on the page behind the form, where the session is.
"""

import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from allauth.socialaccount.internal import statekit
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.crypto import salted_hmac

from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.features.sign_on.addresses import here
from tournaments.features.sign_on.claimed_identity import Known, known_by
from tournaments.features.sign_on.fetching import Session, asking
from tournaments.features.sign_on.id_tokens import claims_of
from tournaments.features.sign_on.lti_courses import Launch, claimed_course, sealed_launch
from tournaments.features.sign_on.purposes import EXPIRED

SALT, LASTS = "launch", 60  # seconds: it goes from the platform's form to the page behind it
HINTS = ("login_hint", "lti_message_hint")
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
LAUNCH = {"version": "1.3.0", "message_type": "LtiResourceLinkRequest"}


def nonce_of(state: str) -> str:
    return salted_hmac("lti nonce", state, algorithm="sha256").hexdigest()


def begin(request: HttpRequest, ours: Provider, state: dict[str, Any]) -> HttpResponse:
    """Raises Refused: bad_launch."""
    asked = request.GET
    if asked.get("iss") != ours.issuer or asked.get("client_id", ours.client_id) != ours.client_id:
        raise Refused("bad_launch", "%(title)s is opened from one of its courses", title=ours.title)
    name = secrets.token_urlsafe(24)
    statekit.stash_state(request, provider_id=ours.key, state=state, state_id=name)
    fixed = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
    whose = {"client_id": ours.client_id, "redirect_uri": here("sign-on-assertion", ours)}
    hints = {hint: asked[hint] for hint in HINTS if hint in asked}
    to = urlencode({**fixed, **whose, **hints, "state": name, "nonce": nonce_of(name)})
    return HttpResponseRedirect(f"{ours.sign_on_url}{'&' if '?' in ours.sign_on_url else '?'}{to}")


def received(ours: Provider, _path: str, posted: Mapping[str, str]) -> str:
    """Return what a launch says, signed by us.
    Raises Refused: sign_on_refused, bad_identity, bad_launch, wrong_deployment."""
    if error := posted.get("error"):
        raise Refused(
            "sign_on_refused",
            "%(title)s refused it (%(error)s); its operator or ours can say why",
            title=ours.title,
            error=f"{error:.60}",
        )
    with asking(ours.title), Session() as session:
        answer = session.get(ours.keys_url)
        answer.raise_for_status()
        keys = answer.json()
    state = posted.get("state", "")
    whom = {"issuer": ours.issuer, "client": ours.client_id, "nonce": nonce_of(state), "title": ours.title}
    claims = claims_of(posted.get("id_token", ""), keys, **whom)
    if any(claims.get(f"{CLAIM}{name}") != value for name, value in LAUNCH.items()):
        raise Refused("bad_launch", "%(title)s asks for something other than opening a course", title=ours.title)
    if claims.get(f"{CLAIM}deployment_id") not in ours.deployments:
        raise Refused(
            "wrong_deployment", "the operator of this site has not approved this place in %(title)s", title=ours.title
        )
    known = known_by(ours, claims["sub"], claims.get("given_name"), "")
    return signing.dumps([ours.key, state, known.subject, known.name, claimed_course(claims)], salt=SALT, compress=True)


def answered(request: HttpRequest, ours: Provider) -> tuple[Known, dict[str, Any]]:
    """Return who it is, and the state, whose next page is the course. Raises Refused: sign_on_expired."""
    try:
        key, began, subject, name, course = signing.loads(request.GET.get("said", ""), salt=SALT, max_age=LASTS)
    except signing.BadSignature:
        raise Refused("sign_on_expired", EXPIRED) from None
    state = statekit.unstash_state(request, state_id=str(began), provider_id=ours.key) if key == ours.key else None
    if state is None:
        raise Refused("sign_on_expired", EXPIRED)
    onward = urlencode({"said": sealed_launch(Launch(ours.key, subject, **course))})
    return Known(ours.key, subject, name), {**state, "next": f"{reverse('sign-on-course')}?{onward}"}
