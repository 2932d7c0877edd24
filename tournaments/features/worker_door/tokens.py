"""Tokens of workers: made, hashed, found again."""

import re
import secrets
from hashlib import sha256
from typing import Final

from engine.sentences import Sentence
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.models import Space, WorkerToken
from workers.identity import NAME, OF, OUTSIDE

PREFIX = "bwt_"  # so that scanners recognise a leaked token
DIGEST: Final = re.compile("[0-9a-f]{64}")
OFFER: Final = re.compile(r"[a-z0-9][a-z0-9+#._-]{0,29}")
TOKENS = declare(
    Budget(
        "tokens of workers that come by the door",
        resource="Workers and broker",
        most=100,
        unit="tokens",
        holder="space, or the site",
        where="tournaments.features.worker_door.tokens.check_token_room",
        sentence=Sentence("at most %(most)s tokens of workers may be valid at once; revoke one first"),
    )
)


def new_worker_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def worker_token_with(secret: str) -> WorkerToken | None:
    """Return the token with its worker, or None if it is unknown or revoked."""
    return WorkerToken.objects.select_related("worker").filter(digest=digest_of(secret)).first()


def full_name(name: str, space: Space | None) -> str:
    """Return the name of such a worker with whom it plays for. Raises Refused(bad_name)."""
    found = f"{name}{OF}{space.slug if space else OUTSIDE}"
    if not NAME.fullmatch(found):
        raise Refused(
            "bad_name",
            "a worker’s name has letters, digits, dots, hyphens and underscores, and begins with a letter or a digit; "
            "with the space it has 60 at most",
        )
    return found


def checked_digest(digest: str) -> str:
    """Raises Refused(bad_digest)."""
    if not DIGEST.fullmatch(digest):
        raise Refused("bad_digest", "the SHA-256 of a token has 64 digits from 0 to f")
    if WorkerToken.objects.filter(digest=digest).exists():
        raise Refused("bad_digest", "this token is known already; make another one")
    return digest


def checked_offers(text: str) -> str:
    """Return the words, with commas between. Raises Refused(bad_offers)."""
    words = sorted({word for word in re.split(r"[,\s]+", text) if word})
    if not all(OFFER.fullmatch(word) for word in words) or len(",".join(words)) > 200:
        raise Refused("bad_offers", "write languages such as c, rust, and wasm, with commas between")
    return ",".join(words)


def check_token_room(space: Space | None) -> None:
    """Check that there may be another token of the space, or of the site. Raises Refused(over_budget)."""
    of_these = {"worker__space": space} if space else {"worker__name__endswith": f"{OF}{OUTSIDE}"}
    TOKENS.check(WorkerToken.objects.filter(**of_these).count() + 1)
