"""The second factor besides the password: codes of an authenticator program, passkeys, and recovery codes for both.

Where there is one it is asked for at every sign-in. Setting one up and removing it end all earlier sessions.
"""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth.backends import ModelBackend
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from tournaments.audit.log import append
from tournaments.core.accounts import recovery_codes, time_codes
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.sessions import user_of
from tournaments.core.errors import Refused
from tournaments.models import User

TAKES = {time_codes.KIND: time_codes.accepts_time_code, recovery_codes.KIND: recovery_codes.accepts_recovery_code}


class Passwords(ModelBackend):
    """Django's own, which also loads the second factor: every session's fingerprint depends on it."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **known: Any
    ) -> User | None:
        """Return the user of this name, or of this former name, whose password is right; else None."""
        found = super().authenticate(request, username, password, **known)
        renamed = None if found or not username else User.objects.filter(former_name=username).first()
        return super().authenticate(request, renamed.username, password) if renamed else found

    def get_user(self, user_id: int) -> User | None:
        user = user_of(user_id)
        return user if user and self.user_can_authenticate(user) else None


def factors_of(user: User) -> list[Authenticator]:
    """Return a user's second factors, without the recovery codes, which are no factor by themselves."""
    return list(Authenticator.objects.filter(user=user).exclude(type=recovery_codes.KIND).order_by("pk"))


@transaction.atomic
def check_factor_code(*, user: User, code: str) -> None:
    """Accept a code, which is then used up. Raises Refused: bad_code, factor_unreadable."""
    typed, unreadable = recovery_codes.normalized_code(code), None
    held = Authenticator.objects.select_for_update().filter(user=user, type__in=TAKES)
    for each in held.order_by("pk"):
        try:
            if TAKES[each.type](each, typed):
                each.last_used_at = timezone.now()
                each.save(update_fields=["data", "last_used_at"])
                return
        except Refused as refused:
            unreadable = refused
    raise unreadable or Refused("bad_code", "this code is wrong, out of date or used already; take the next one")


@transaction.atomic
def remove_second_factor(*, user: User, number: int) -> None:
    """Remove a second factor, and the recovery codes with the last one. Raises Refused: no_second_factor."""
    counted_alone(user)
    if not Authenticator.objects.filter(user=user, pk=number).exclude(type=recovery_codes.KIND).delete()[0]:
        raise Refused("no_second_factor", "this account no longer has this second factor")
    if not factors_of(user):
        Authenticator.objects.filter(user=user).delete()


@transaction.atomic
def take_away(*, user: User, by: User | str, reason: str) -> None:
    """Remove all second factors of somebody who has lost them and the recovery codes, with an entry in the public log.

    Raises Refused: no_second_factor, no_reason."""
    if not reason.strip():
        raise Refused("no_reason", "say how you know that it is really this person; everybody can read it")
    if not Authenticator.objects.filter(user=user).delete()[0]:
        raise Refused("no_second_factor", "%(user)s has no second factor", user=user)
    append(kind="second_factor_removed", by=by, subject=user, reason=reason.strip())
