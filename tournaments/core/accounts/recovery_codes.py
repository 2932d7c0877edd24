"""Ten codes that stand in for a lost factor, each once.

allauth's can be read by whoever reads its tables. Of these, hashes alone are kept, in a row of its kind.
"""

import secrets
from hashlib import sha256

from allauth.mfa.models import Authenticator
from django.db import transaction

from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.errors import Refused
from tournaments.models import User

KIND = Authenticator.Type.RECOVERY_CODES
CODES = 10
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none looks like another
GROUPS, GROUP = 4, 4  # of letters: 79 bits, so that a code cannot be found from its hash


def first_codes(user: User) -> list[str]:
    """Make the codes that come with the first factor."""
    return [] if Authenticator.objects.filter(user=user, type=KIND).exists() else new_codes(user)


@transaction.atomic
def renew_codes(*, user: User) -> list[str]:
    """Replace the codes; the earlier ones open nothing any more. Raises Refused: no_second_factor."""
    counted_alone(user)
    if not Authenticator.objects.filter(user=user).exclude(type=KIND).exists():
        raise Refused("no_second_factor", "recovery codes stand in for a second factor; set one up first")
    return new_codes(user)


def new_codes(user: User) -> list[str]:
    codes = [_code() for _ in range(CODES)]
    data = {"hashes": [_digest(normalized_code(code)) for code in codes]}
    Authenticator.objects.update_or_create(user=user, type=KIND, defaults={"data": data})
    return codes


def accepts_recovery_code(kept: Authenticator, code: str) -> bool:
    """Whether this is one of them, which is used up by that: their row is locked."""
    digest = _digest(code)
    if digest not in kept.data["hashes"]:
        return False
    kept.data["hashes"].remove(digest)
    return True


def codes_left(user: User) -> int:
    kept = Authenticator.objects.filter(user=user, type=KIND).first()
    return len(kept.data["hashes"]) if kept else 0


def normalized_code(code: str) -> str:
    """A code as stored, from one typed with spaces, dashes or capitals."""
    return "".join(sign for sign in code.lower() if sign.isascii() and sign.isalnum())


def _code() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()
