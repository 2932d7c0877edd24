"""API tokens: create, look up, revoke."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.errors import Refused
from tournaments.models import ApiToken, User

PREFIX = "brd_"  # so that scanners recognise a leaked token
LONGEST_NAME = 60
MOST = 20  # of one user
FRESH = timedelta(minutes=1)  # precision of `used_at`; saves a write at every request
DAYS, MOST_DAYS = 365, 3660  # a token's life: default and maximum


@transaction.atomic
def make_token(*, user: User, name: str, days: int = DAYS, reads_only: bool = False) -> str:
    """A new token: its secret, never shown again. Raises Refused: bad_name, bad_days, too_many_tokens."""
    name, now = name.strip(), timezone.now()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise Refused(
            "bad_name",
            "a key's name has 1 to %(longest_name)s visible characters, not %(name)s",
            longest_name=LONGEST_NAME,
            name=len(name),
        )
    if not 1 <= days <= MOST_DAYS:
        raise Refused(
            "bad_days", "a key lives for 1 to %(most_days)s days, not %(days)s", most_days=MOST_DAYS, days=days
        )
    counted_alone(user)
    user.tokens.filter(expires_at__lte=now).delete()
    if user.tokens.count() >= MOST:
        raise Refused("too_many_tokens", "you have %(most)s keys already; revoke one you no longer use", most=MOST)
    secret, end = PREFIX + secrets.token_urlsafe(32), now + timedelta(days=days)
    ApiToken.objects.create(user=user, name=name, digest=_digest(secret), expires_at=end, reads_only=reads_only)
    return secret


def token_with_secret(secret: str) -> ApiToken | None:
    """Return the token with its user, or None if it is unknown or expired, or its owner may not sign in."""
    now = timezone.now()
    alive = Q(expires_at=None) | Q(expires_at__gt=now)
    tokens = ApiToken.objects.filter(alive, digest=_digest(secret), user__is_active=True)
    if token := tokens.select_related("user").first():
        stale = Q(used_at=None) | Q(used_at__lt=now - FRESH)
        ApiToken.objects.filter(stale, pk=token.pk).update(used_at=now)
        token.user.token = token
    return token


def revoke_key(*, token: ApiToken, by: User) -> None:
    if token.user_id != by.pk:
        raise Refused("not_yours", "only its owner may revoke a key")
    token.delete()


def revoke_all(*, by: User) -> int:
    """Revoke all tokens of a user. Returns how many there were."""
    return by.tokens.all().delete()[0]


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()
