"""A finished game, shown to anyone with its link who can see its ladder, until a player takes the link back.

A game that goes on from a match is shown only while that match is public: it begins with the match's own answers.
"""

import secrets

from django.db import transaction

from tournaments.core.accounts.spaces import Viewer, open_to
from tournaments.core.accounts.visibility import released_to
from tournaments.core.errors import Refused
from tournaments.features.practice.turns import at_table
from tournaments.models import Match, Practice, User


@transaction.atomic
def make_share_link(*, practice: Practice, by: User) -> str:
    """Return the key of its link; the same as before if it has one. Raises Refused: not_found, not_over, not_public."""
    practice = at_table(practice, by)
    if practice.status != Practice.Status.OVER or not practice.replay:
        raise Refused("not_over", "a game can be shared when it is over")
    if not begins_in_public(practice, by):
        raise Refused("not_public", "it continues a match that is not public; share it once that match is")
    if not practice.share_key:
        practice.share_key = secrets.token_urlsafe(32)
        practice.save(update_fields=["share_key"])
    return practice.share_key


@transaction.atomic
def end_share_link(*, practice: Practice, by: User) -> None:
    """End the link: it leads nowhere any more, and a new one would be another. Raises Refused: not_found."""
    practice = at_table(practice, by)
    practice.share_key = ""
    practice.save(update_fields=["share_key"])


def practice_of_link(key: str, viewer: Viewer) -> Practice | None:
    """Return the game that the key opens, if it opens one."""
    if not key:
        return None
    rows = Practice.objects.filter(share_key=key, status=Practice.Status.OVER, owner__is_active=True)
    seen = rows.filter(open_to(viewer, "ladder__space"))
    game = seen.select_related("ladder", "owner").defer("script", "report", "faults_data").first()
    return game if game and begins_in_public(game, viewer) else None


def begins_in_public(practice: Practice, viewer: Viewer) -> bool:
    """Whether the match that it goes on from is there for all who see its space, and the viewer does."""
    public = Match.objects.filter(released_to(None, "set__"), open_to(viewer, "set__space"), set__checks=None)
    return practice.match_id is None or public.filter(pk=practice.match_id).exists()
