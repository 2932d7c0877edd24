"""What a second factor keeps in the database is sealed with a key that comes from SECRET_KEY.

Whoever sees the database or a backup alone reads no secret of an authenticator app.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from tournaments.core.errors import Refused

UNREADABLE = (
    "this site can no longer read the secret of your authenticator app, because its SECRET_KEY has changed; use a "
    "recovery code or a passkey, and set the app up again"
)


def seal_secret(text: str) -> str:
    """Raises Refused: no_secret_key."""
    if not settings.SECRET_KEY_IS_KEPT:
        raise Refused("no_secret_key", "this site has no SECRET_KEY yet, and could not read the secret tomorrow")
    return _keys().encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """Raises Refused: factor_unreadable."""
    try:
        return _keys().decrypt(sealed).decode()
    except InvalidToken:
        raise Refused("factor_unreadable", UNREADABLE) from None


def _keys() -> MultiFernet:
    """The first seals; those of before still open."""
    return MultiFernet([Fernet(_derived(key)) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _derived(key: str) -> bytes:
    function = HKDF(SHA256(), length=32, salt=None, info=b"second factors")
    return base64.urlsafe_b64encode(function.derive(key.encode()))
