"""Links with which a person chooses the password of an account made for them; each works until one is set.

They are short enough to be typed from paper: the account's number and 80 bits that only the site can work out.
"""

import re
from base64 import b32encode

from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.timezone import now

from tournaments.models import User

DAYS = 30  # at least for so long; at most for twice that
TOKEN = re.compile(r"(\d{1,18})-([A-Z2-7]{4}(-[A-Z2-7]{4}){3})")


def waits(user: User) -> bool:
    """Whether nobody has ever come in: it has no password, and was never signed in to in another way either."""
    return user.is_active and not user.has_usable_password() and user.last_login is None


def invitation_token(user: User, *, mailed: bool) -> str:
    """`mailed`: it goes to the account's address, so whoever has it reads what is sent there."""
    return _token(user, _month(), mailed=mailed)


def user_of_invitation(token: str) -> tuple[User, bool] | None:
    """Return whose link it is, and whether it proves their address; None if it is used, too old or not ours."""
    matched = TOKEN.fullmatch(token.upper())
    user = User.objects.select_related("home").filter(pk=int(matched[1])).first() if matched else None
    if user is None or not waits(user):
        return None
    for mailed in (True, False):
        for month in (_month(), _month() - 1):
            if constant_time_compare(token.upper(), _token(user, month, mailed=mailed)):
                return user, mailed
    return None


def _month() -> int:
    return int(now().timestamp()) // (DAYS * 86_400)


def _token(user: User, month: int, *, mailed: bool) -> str:
    """Return a token that changes with the address and the password; one that cannot be used is drawn too."""
    content = f"{user.pk} {user.password} {user.email} {month} {mailed}"
    letters = b32encode(salted_hmac("choose the first password", content, algorithm="sha256").digest()).decode()[:16]
    return "-".join([str(user.pk), *(letters[start : start + 4] for start in range(0, 16, 4))])
