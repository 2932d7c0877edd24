"""Opening and describing a space."""

import re

from django.conf import settings
from django.db import IntegrityError, transaction

from engine.sentences import Sentence
from tournaments.audit.log import append
from tournaments.core.accounts.admission import check_blind
from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spaces import check_runs_space
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.models import Space, SpaceMember, User

SLUG = re.compile(r"[a-z][a-z0-9]{2,29}")
LONGEST_ABOUT = 10_000
OPENED = declare(
    Budget(
        "spaces that are opened",
        resource="Actions and notices",
        most=50,
        unit="spaces",
        holder="person",
        where="tournaments.features.spaces.opening.open_space",
        sentence=Sentence("one person opens at most %(most)s spaces a day; go on tomorrow"),
        seconds=86_400,
    )
)
WORDS = "3 to 30 small letters and digits, beginning with a letter"


def may_open(user: User) -> bool:
    return organises(user) or settings.SPACES == "anybody"


@transaction.atomic
def open_space(
    *,
    by: User,
    slug: str,
    title: str,
    about: str = "",
    access: str = Space.Access.PRIVATE,
    pseudonyms: bool = False,
    blind: bool = False,
) -> Space:
    """Open a space, with whoever opens it as its organiser. `pseudonyms` stay as they are: nobody comes in under
    another name later. Raises Refused: spaces_closed, too_many_spaces, over_budget, bad_slug, slug_taken, not_drawn,
    no_mail."""
    _check_quota(by)
    spend_budget(OPENED, by.pk)
    if blind:
        check_blind(drawn=pseudonyms)
    if not SLUG.fullmatch(slug):
        raise Refused(
            "bad_slug", "%(slug)s cannot be a space's address: %(words)s", slug=f"{slug:.40}", words=Sentence(WORDS)
        )
    try:
        with transaction.atomic():
            texts = {"title": title, "about": about, "access": access}
            names = {"pseudonyms": pseudonyms, "blind": blind}
            space = Space.objects.create(slug=slug, opened_by=by, **texts, **names)
    except IntegrityError:
        raise Refused("slug_taken", "a space cannot be opened at %(slug)s; choose another address", slug=slug) from None
    SpaceMember.objects.create(space=space, user=by, role=SpaceMember.Role.ORGANISER)
    append(kind="open_space", by=by, subject=f"space {slug}", space=space.pk)
    return space


def _check_quota(by: User) -> None:
    if not may_open(by):
        raise Refused("spaces_closed", "on this site only organisers open spaces; ask one of them")
    counted_alone(by)
    opened = Space.objects.filter(opened_by=by, closed_at=None).count()
    if opened >= settings.SPACES_A_PERSON and not organises(by):
        most = settings.SPACES_A_PERSON
        raise Refused(
            "too_many_spaces",
            "you have opened %(opened)s spaces, and one person may open %(most)s; close one first",
            opened=opened,
            most=most,
        )


def describe_space(*, space: Space, by: User, title: str, about: str) -> None:
    """Raises Refused: not_organiser."""
    check_runs_space(by, space.pk)
    Space.objects.filter(pk=space.pk).update(title=title, about=about)
