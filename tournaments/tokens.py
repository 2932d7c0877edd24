"""Keys to the API: made, looked up, revoked."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.db.models import Q
from django.utils import timezone

from tournaments.errors import Refused
from tournaments.models import ApiToken, User

PREFIX = "brd_"  # so that a leaked key is known for what it is
LONGEST_NAME = 60
MOST = 20  # of one user
FRESH = timedelta(minutes=1)  # how exactly the last use is known; spares a write at every request


def make_token(*, user: User, name: str) -> str:
    """A new key and the only sight of its secret."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise Refused("bad_name", f"a key's name has 1 to {LONGEST_NAME} visible characters, not {len(name)}")
    if user.tokens.count() >= MOST:
        raise Refused("too_many_tokens", f"you have {MOST} keys already; revoke one you no longer use")
    secret = PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(user=user, name=name, digest=_digest(secret))
    return secret


def user_of(secret: str) -> User | None:
    """Whose key it is, or None if it is nobody's or its owner may not sign in."""
    token = ApiToken.objects.select_related("user").filter(digest=_digest(secret), user__is_active=True).first()
    if token is None:
        return None
    now = timezone.now()
    stale = Q(used_at=None) | Q(used_at__lt=now - FRESH)
    ApiToken.objects.filter(stale, pk=token.pk).update(used_at=now)
    return token.user


def revoke(*, token: ApiToken, by: User) -> None:
    if token.user_id != by.pk:
        raise Refused("not_yours", "only its owner may revoke a key")
    token.delete()


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()
