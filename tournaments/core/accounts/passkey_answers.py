"""What passkeys sign, by allauth and its library: a second factor after a password, or a way in without one.

allauth checks the signature, the challenge and the domain. Here an answer counts once and within minutes, for what it
was asked for, from the very origin of the site; and a counter that goes backwards tells of a copy.
"""

import json
import logging
import struct
import time
from typing import Any
from urllib.parse import urlsplit

from allauth.core.context import request_context
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from tournaments.core.accounts.passkeys import (
    KIND,
    LONGEST_ANSWER,
    LONGEST_NAME,
    MOST,
    Copied,
    For,
    opens_alone,
    passkeys_of,
    usable,
)
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.recovery_codes import first_codes
from tournaments.core.errors import Refused
from tournaments.models import User

log = logging.getLogger(__name__)

STATE = "passkey_challenge"  # in the session
LASTS = 300  # seconds

NO_ANSWER = "this passkey was not accepted; try again, or use another way"
EXPIRED = "this was asked more than five minutes ago or in another browser, or it is answered already; try again"
NO_DOMAIN = "passkeys need a site with a domain name and https, which the operator names by SITE_URL"
# What the library raises for bytes of a stranger's.
UNREADABLE = (
    *(ValidationError, ValueError, TypeError, LookupError, AttributeError, AssertionError),
    *(ArithmeticError, RuntimeError, struct.error),
)


def _library() -> Any:
    """Loaded where somebody has a passkey: few requests need it, and it takes 50 ms."""
    from allauth.mfa.webauthn.internal import auth

    return auth


def ask_for_passkey(request: HttpRequest, why: For, user: User | None, *, alone: bool = False) -> dict[str, Any]:
    """Return what a browser hands on to the authenticator. `alone`: the new one shall open the account by itself.

    Raises Refused: no_domain."""
    auth = _library()
    if not usable():
        raise Refused("no_domain", NO_DOMAIN)
    with request_context(request):
        is_new = why == "add"
        options = auth.begin_registration(user, passwordless=alone) if is_new else auth.begin_authentication(user)
        asked = {"why": why, "user": user.pk if user else None, "until": time.time() + LASTS}
        request.session[STATE] = {**asked, "library": auth.get_state()}
        auth.clear_state()
    found: dict[str, Any] = json.loads(json.dumps(options, default=dict))
    return found


def _asked(request: HttpRequest, why: For, user: User | None) -> dict[str, Any]:
    """The library's state, which is gone then, whatever comes of it. Raises Refused: passkey_expired."""
    state = request.session.pop(STATE, None)
    mine = state and state["why"] == why and state["user"] == (user.pk if user else None)
    if not mine or state["until"] < time.time():
        raise Refused("passkey_expired", EXPIRED)
    found: dict[str, Any] = state["library"]
    return found


def store_passkey(request: HttpRequest, *, user: User, name: str, typed: str) -> list[str]:
    """Returns recovery codes, which are never shown again, if there were none.

    Raises Refused: bad_passkey, passkey_expired, bad_name, too_many_passkeys."""
    auth = _library()
    state, name = _asked(request, "add", user), name.strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise Refused("bad_name", "a passkey's name has 1 to %(most)s visible characters", most=LONGEST_NAME)
    try:
        with request_context(request):
            answer = auth.parse_registration_response(_answer(typed))
            _check_origin(answer)
            auth.set_state(state)
            binding = auth.complete_registration(answer)
            _check_algorithm(binding)
    except UNREADABLE as error:
        raise Refused("bad_passkey", NO_ANSWER) from error
    finally:
        with request_context(request):
            auth.clear_state()
    return _keep(user, name, answer, binding.counter, alone=state["user_verification"] == "required")


@transaction.atomic
def _keep(user: User, name: str, answer: Any, counter: int, *, alone: bool) -> list[str]:
    counted_alone(user)
    credential = json.loads(json.dumps(answer, default=dict))
    credential["clientExtensionResults"] = {"credProps": {"rk": alone}}  # of all that a stranger may say there
    if len(passkeys_of(user)) >= MOST:
        raise Refused("too_many_passkeys", "you have %(most)s passkeys; remove one you no longer use", most=MOST)
    if Authenticator.objects.filter(type=KIND, data__credential__rawId=credential["rawId"]).exists():
        raise Refused("bad_passkey", "this passkey is set up here already")
    data = {"name": name, "credential": credential, "counter": counter, "answered": []}
    Authenticator.objects.create(user=user, type=KIND, data=data)
    return first_codes(user)


def user_of_passkey(request: HttpRequest, why: For, user: User | None, typed: str) -> User:
    """Return whose passkey has answered: the user's, or where there is none yet that of the person whom it names.

    Raises Refused: bad_passkey, passkey_expired, passkey_copied, second_factor_alone,
    account_closed."""
    auth = _library()
    state = _asked(request, why, user)
    try:
        with request_context(request):
            raw = _answer(typed)
            answer = auth.parse_authentication_response(raw)
            _check_origin(answer)
            owner = user or auth.extract_user_from_response(raw)
            auth.set_state(state)
            found = auth.complete_authentication(owner, answer)
    except UNREADABLE as error:
        raise Refused("bad_passkey", NO_ANSWER) from error
    finally:
        with request_context(request):
            auth.clear_state()
    if not owner.is_active:
        raise Refused("account_closed", "this account is closed")
    if why == "in" and not opens_alone(found):
        raise Refused(
            "second_factor_alone", "this passkey does not replace the password; sign in with the password first"
        )
    _count(found.pk, state["challenge"], answer.response.authenticator_data.counter)
    result: User = owner
    return result


def _count(number: int, challenge: str, counter: int) -> None:
    """Use the answer up, in the row of its passkey: two that come at once are one."""
    with transaction.atomic():
        held = Authenticator.objects.select_for_update().filter(pk=number).first()
        if held is None:
            raise Refused("bad_passkey", NO_ANSWER)
        now, kept = time.time(), held.data
        answered = [each for each in kept["answered"] if each[1] > now]
        if challenge in (each[0] for each in answered):
            raise Refused("passkey_expired", EXPIRED)
        kept["answered"] = [*answered, [challenge, now + LASTS]]
        is_copy = max(counter, kept["counter"]) > 0 and counter <= kept["counter"]
        if is_copy:
            kept["copied_at"] = timezone.now().isoformat()
        else:
            kept["counter"], held.last_used_at = counter, timezone.now()
        held.save(update_fields=["data", "last_used_at"])
    if is_copy:
        log.warning("Passkey %s of account %s counts backwards: there may be a copy.", number, held.user_id)
        raise Copied(held)


def _answer(typed: str) -> dict[str, Any]:
    found = json.loads(typed) if len(typed) <= LONGEST_ANSWER else None
    if not isinstance(found, dict) or not isinstance(found.get("response"), dict):
        raise TypeError("no answer")
    return found


def _check_algorithm(binding: Any) -> None:
    """Some authenticators make a key that nobody asked for."""
    from fido2.cose import CoseKey

    if binding.credential_data.public_key.get(3) not in CoseKey.supported_algorithms():
        raise ValueError("a key of another kind")


def _check_origin(answer: Any) -> None:
    """The site's own: not one of its subdomains, and in no frame of another site."""
    said = answer.response.client_data
    if said.origin != _origin() or said.cross_origin:
        raise ValueError("another origin")


def _origin() -> str:
    """Return the site's origin as browsers write it: without the port that goes without saying."""
    parts = urlsplit(settings.SITE_URL)
    usual = {"https": 443, "http": 80}.get(parts.scheme)
    return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port not in (None, usual) else "")
