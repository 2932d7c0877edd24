"""Join codes: a link to send, and a short code to read from a board. Each has an end and a number of uses.

A link holds 192 random bits, which nobody can guess; a code of 60 may be tried only a few times: the caller counts
failures.
"""

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import check_runs_space
from tournaments.core.accounts.spending import spend_in
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.features.spaces.members import admit_member
from tournaments.models import JoinCode, Space, SpaceMember, User

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32, without those that look alike: 5 bits each
LENGTH = 12
MOST_CODES = 50  # of a space that still open it
MOST_USES, MOST_DAYS = 1000, 366
CODES = declare(
    Budget(
        "join codes",
        resource="Actions and notices",
        most=100,
        unit="codes",
        holder="organiser and space",
        where="tournaments.features.spaces.join_codes.make_code",
        sentence=Sentence("at most %(most)s codes a day are made by one organiser and in one space; go on tomorrow"),
        seconds=86_400,
    )
)


def open_codes(space: Space) -> QuerySet[JoinCode]:
    """Return the codes that still open it."""
    return space.join_codes.filter(_works()).order_by("-pk")


@transaction.atomic
def make_code(*, space: Space, by: User, days: int, uses: int) -> JoinCode:
    """Raises Refused: not_organiser, bad_code_terms, too_many_codes, over_budget."""
    check_runs_space(by, space.pk)
    if not (1 <= days <= MOST_DAYS and 1 <= uses <= MOST_USES):
        raise Refused(
            "bad_code_terms",
            "a code lasts 1 to %(most_days)s days and has 1 to %(most_uses)s uses",
            most_days=MOST_DAYS,
            most_uses=MOST_USES,
        )
    Space.objects.select_for_update(no_key=True).get(pk=space.pk)
    if open_codes(space).count() >= MOST_CODES:
        raise Refused(
            "too_many_codes",
            "%(space)s has %(most_codes)s codes that work; revoke one first",
            space=space,
            most_codes=MOST_CODES,
        )
    spend_in(space.pk, CODES, by)
    drawn = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    ends = timezone.now() + timedelta(days=days)
    key = secrets.token_urlsafe(24)
    return JoinCode.objects.create(space=space, key=key, code=drawn, made_by=by, ends_at=ends, left=uses)


def revoke_join_code(*, space: Space, number: int, by: User) -> None:
    """Revoke a code: nobody joins by it any more. Raises Refused: not_organiser, unknown_join_code."""
    check_runs_space(by, space.pk)
    if not space.join_codes.filter(pk=number, revoked_at=None).update(revoked_at=timezone.now()):
        raise Refused(
            "unknown_join_code", "%(space)s has no code %(number)s that could be revoked", space=space, number=number
        )


def is_short(text: str) -> bool:
    """Whether it can be a code that people type; else it is a link's key."""
    return len(code_as_typed(text)) == LENGTH


def code_as_typed(text: str) -> str:
    """Return the code as people type it: in any case, with or without what stands between the groups."""
    return "".join(letter for letter in text.upper() if letter.isalnum())


def find_code(text: str) -> JoinCode | None:
    """Return the code that opens a space now, by its key or by the short code."""
    by = Q(code=code_as_typed(text)) if is_short(text) else Q(key=text)
    return JoinCode.objects.select_related("space").filter(_works(), by).first()


def _works() -> Q:
    return Q(revoked_at=None, ends_at__gt=timezone.now(), left__gt=0, space__closed_at=None)


@transaction.atomic
def join_by(*, code: JoinCode, user: User) -> SpaceMember:
    """Join by the code, which takes one of its uses. Raises Refused: space_closed, already_member, space_full,
    code_over."""
    place = admit_member(space=code.space, user=user)
    if not JoinCode.objects.filter(_works(), pk=code.pk).update(left=F("left") - 1, used=F("used") + 1):
        raise Refused(
            "code_over", "this code of %(space)s has expired or is used up; ask for another one", space=code.space
        )
    return place
