"""The purpose of a sign-on: to sign in, to link an identity to an account, or to confirm one's identity again. All
session data about it is handled here.
"""

import time
from typing import Any

from django.http import HttpRequest

from tournaments.features.sign_on.claimed_identity import Known
from tournaments.models import User

LINK, NEW = "may_link", "new_identity"  # in the session
LASTS = 600  # seconds
EXPIRED = "this sign-in was begun more than ten minutes ago or in another browser, or is used up; begin again"


def may_link(request: HttpRequest, user: User, key: str) -> None:
    """Note that the person has just proved that the account is theirs."""
    request.session[LINK] = {"user": user.pk, "key": key, "until": time.time() + LASTS}


def purpose_of(request: HttpRequest, key: str) -> str | None:
    """Return "in", "link" or "again"; None for somebody who is in already and wants neither."""
    if not isinstance(request.user, User):
        return "in"
    if request.GET.get("again"):
        return "again"
    allowed = request.session.get(LINK)
    if allowed and allowed["user"] == request.user.pk and allowed["key"] == key and allowed["until"] > time.time():
        return "link"
    return None


def keep_newcomer(request: HttpRequest, known: Known, state: dict[str, Any]) -> None:
    """Remember somebody who has no account yet, until they have chosen a name."""
    request.session[NEW] = {
        "known": [known.provider, known.subject, known.name, known.email],
        "next": state["next"],
        "until": time.time() + LASTS,
    }


def kept_newcomer(request: HttpRequest) -> tuple[Known, str] | None:
    """Return who has no account yet, and where they were going."""
    newcomer = request.session.get(NEW)
    if not newcomer or newcomer["until"] < time.time():
        return None
    return Known(*newcomer["known"]), newcomer["next"]
