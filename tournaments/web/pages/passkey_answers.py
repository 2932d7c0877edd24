"""What a passkey has answered, on whatever page; its owner is told of a copy."""

from django.http import HttpRequest

from tournaments.core.accounts import passkey_answers, passkeys
from tournaments.core.notices import triggers
from tournaments.models import User


def passed(request: HttpRequest, why: passkeys.For, user: User | None, answer: str) -> User:
    """Raises Refused: as `accounts.passkey_answers.passed`."""
    try:
        return passkey_answers.passed(request, why, user, answer)
    except passkeys.Copied as refused:
        copy = refused.passkey
        triggers.passkey_copied(copy.user, copy.data["name"], copy.pk)
        raise
