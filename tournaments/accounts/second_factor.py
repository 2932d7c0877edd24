"""The second factor in addition to the password: time-based codes from an authenticator app, and recovery codes.

A confirmed factor is asked for at every sign-in. Confirming it and removing it end all earlier sessions.
"""

import secrets
import time
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from tournaments.accounts import totp
from tournaments.accounts.sessions import user_of
from tournaments.audit.log import append
from tournaments.errors import Refused
from tournaments.models import SecondFactor, User

RECOVERY_CODES = 10
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none looks like another
GROUPS, GROUP = 4, 4  # of letters: 79 bits, so that a code cannot be found from its hash


class Passwords(ModelBackend):
    """Django's own, which also loads the second factor: every session's fingerprint depends on it."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **known: Any
    ) -> User | None:
        """By the name, or by the former name of a user whom an upgrade renamed."""
        found = super().authenticate(request, username, password, **known)
        renamed = None if found or not username else User.objects.filter(former_name=username).first()
        return super().authenticate(request, renamed.username, password) if renamed else found

    def get_user(self, user_id: int) -> User | None:
        user = user_of(user_id)
        return user if user and self.user_can_authenticate(user) else None


def begin(*, user: User) -> SecondFactor:
    """The factor to be confirmed, with the same secret until it is. Raises Refused: second_factor_on."""
    factor, _ = SecondFactor.objects.get_or_create(user=user, defaults={"secret": totp.new_secret()})
    if factor.confirmed_at:
        raise Refused("second_factor_on", "a second factor is set up already; turn it off to set up another")
    return factor


def address(factor: SecondFactor) -> str:
    return totp.address(factor.secret, factor.user.username, f"Boardroom {urlsplit(settings.SITE_URL).hostname}")


@transaction.atomic
def confirm(*, user: User, code: str) -> list[str]:
    """Turn the factor on. Returns the recovery codes, which are never shown again.

    Raises Refused: bad_code, second_factor_on."""
    factor = SecondFactor.objects.select_for_update().get(pk=begin(user=user).pk)
    if not _is_time_code(factor, _plain(code)):
        raise Refused("bad_code", "this is not the code of this minute; look at the program again")
    codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
    factor.papers, factor.confirmed_at = [_digest(_plain(code)) for code in codes], timezone.now()
    factor.save()
    return codes


@transaction.atomic
def check(*, user: User, code: str) -> None:
    """Accept a code, which is then used up. Raises Refused: bad_code."""
    factor = SecondFactor.objects.select_for_update().filter(user=user, confirmed_at__isnull=False).first()
    if not factor or not (_is_time_code(factor, _plain(code)) or _use_recovery_code(factor, _plain(code))):
        raise Refused("bad_code", "this code is wrong, out of date or used already; take the next one")
    factor.save()


@transaction.atomic
def turn_off(*, user: User, code: str) -> None:
    """Raises Refused: bad_code."""
    check(user=user, code=code)
    SecondFactor.objects.filter(user=user).delete()


@transaction.atomic
def take_away(*, user: User, by: User | str, reason: str) -> None:
    """For somebody who has lost authenticator and recovery codes, with an entry in the public log.

    Raises Refused: no_second_factor, no_reason."""
    if not reason.strip():
        raise Refused("no_reason", "say how you know that it is really this person; everybody can read it")
    if not SecondFactor.objects.filter(user=user).delete()[0]:
        raise Refused("no_second_factor", "%(user)s has no second factor", user=user)
    append(kind="second_factor_removed", by=by, subject=user, reason=reason.strip())


def _is_time_code(factor: SecondFactor, code: str) -> bool:
    step = totp.step_of(factor.secret, code, time.time())
    if step is None or step <= factor.last_step:
        return False
    factor.last_step = step
    return True


def _use_recovery_code(factor: SecondFactor, code: str) -> bool:
    digest = _digest(code)
    if digest not in factor.papers:
        return False
    factor.papers.remove(digest)
    return True


def _recovery_code() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


def _plain(code: str) -> str:
    """The code as stored, from one typed with spaces, dashes or capitals."""
    return "".join(sign for sign in code.lower() if sign.isascii() and sign.isalnum())


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()
