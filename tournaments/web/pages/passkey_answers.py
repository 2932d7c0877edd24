"""What a passkey has answered, on whatever page; its owner is told of a copy."""

from django.http import HttpRequest

from tournaments.core.accounts import passkey_answers, passkeys
from tournaments.core.notices import triggers
from tournaments.models import User


def user_of_passkey_answer(request: HttpRequest, why: passkeys.For, user: User | None, answer: str) -> User:
    """Raises Refused: as `accounts.passkey_answers.user_of_passkey`."""
    try:
        return passkey_answers.user_of_passkey(request, why, user, answer)
    except passkeys.Copied as refused:
        copy = refused.passkey
        triggers.notify_of_copied_passkey(copy.user, copy.data["name"], copy.pk)
        raise
