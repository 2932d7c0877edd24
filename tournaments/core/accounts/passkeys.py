"""Passkeys (WebAuthn): whose they are, and where there can be some. `passkey_answers` takes what they sign."""

from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from allauth.mfa.models import Authenticator
from django.conf import settings

from tournaments.core.errors import Refused
from tournaments.models import User

KIND = Authenticator.Type.WEBAUTHN
MOST, LONGEST_NAME, LONGEST_ANSWER = 20, 40, 20_000
For = Literal["in", "factor", "add"]
COPIED = (
    "this passkey counts backwards, so there may be a copy of it; it opened nothing. Come in another way, and remove it"
)


class Copied(Refused):
    """A passkey that counts backwards: there are two of it."""

    def __init__(self, passkey: Authenticator) -> None:
        super().__init__("passkey_copied", COPIED)
        self.passkey = passkey


def usable() -> bool:
    """Browsers know passkeys of domains alone, and over https alone; their own machine they believe by its name."""
    parts = urlsplit(settings.SITE_URL)
    host = parts.hostname or ""
    return host == "localhost" or host.endswith(".localhost") or (parts.scheme == "https" and not _is_number(host))


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def passkeys_of(user: User) -> list[Authenticator]:
    return list(Authenticator.objects.filter(user=user, type=KIND).order_by("pk"))


def opens_alone(passkey: Authenticator) -> bool:
    """Whether it was made to open the account without a password."""
    return bool(passkey.wrap().is_passwordless)
