"""Codes by the clock (TOTP, RFC 6238) of an authenticator app, by allauth: six digits every 30 seconds.

allauth remembers in the cache alone which code was taken. Here the last one's step is kept with the secret.
"""

import hmac

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.db import transaction

from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.recovery_codes import first_codes
from tournaments.core.errors import Refused
from tournaments.models import User

KIND = Authenticator.Type.TOTP


def new_secret() -> str:
    """160 bits, as long as the hash it keys, in the letters that people can copy by hand."""
    return str(auth.generate_totp_secret())


def authenticator_address(user: User, secret: str) -> str:
    """Return what an authenticator app reads from the QR code."""
    return str(get_adapter().build_totp_url(user, secret))


def qr_code(user: User, secret: str) -> str:
    return str(get_adapter().build_totp_svg(authenticator_address(user, secret)))


def check_none(user: User) -> None:
    """Raises Refused: second_factor_on."""
    if Authenticator.objects.filter(user=user, type=KIND).exists():
        raise Refused("second_factor_on", "an authenticator app is set up already; remove it to set up another")


@transaction.atomic
def confirm(*, user: User, secret: str, code: str) -> list[str]:
    """Set the program up. Returns recovery codes, which are never shown again, if there were none.

    Raises Refused: bad_code, second_factor_on, no_secret_key."""
    counted_alone(user)
    check_none(user)
    step = step_of(secret, code)
    if step is None:
        raise Refused("bad_code", "this is not the code of this minute; look at the app again")
    data = {"secret": get_adapter().encrypt(secret), "last_step": step}
    Authenticator.objects.create(user=user, type=KIND, data=data)
    return first_codes(user)


def accepts_time_code(program: Authenticator, code: str) -> bool:
    """Whether this is a code of now and none of before: its row is locked. Raises Refused: factor_unreadable."""
    secret = get_adapter().decrypt(program.data["secret"])
    step = step_of(secret, code)
    if step is None or step <= program.data["last_step"]:
        return False
    program.data |= {"secret": get_adapter().encrypt(secret), "last_step": step}  # by the key of now
    return True


def step_of(secret: str, code: str) -> int | None:
    """The step of this code, if it is one of those around now."""
    near = [step for step in auth.yield_hotp_counters_from_time() if step >= 0]
    return max((step for step in near if hmac.compare_digest(code_at(secret, step), code)), default=None)


def code_at(secret: str, step: int) -> str:
    return str(auth.format_hotp_value(auth.hotp_value(secret, step)))
