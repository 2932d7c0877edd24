"""Trying a draft in the sandbox before it is submitted: one game against a sample, outside all ladders."""

from django.db import transaction
from redis import RedisError

from engine.games import GAMES
from tournaments.core.accounts.spaces import open_to
from tournaments.core.broker import queues
from tournaments.core.errors import Refused
from tournaments.features.practice.seats import Sample
from tournaments.features.practice.slow_play import leave_practice
from tournaments.features.practice.start import begin_practice
from tournaments.models import Draft, Ladder, Practice, User


def clock_ladder(game: str, by: User) -> Ladder:
    """Return the ladder whose clock and limits hold for a draft: the first active one of the game that its owner sees.

    Raises Refused: no_ladder.
    """
    ladders = Ladder.objects.filter(open_to(by), game=game).exclude(division=Ladder.Division.FUEL)
    ladder = ladders.filter(status__in=Ladder.PAIRED).order_by("pk").first() or ladders.order_by("pk").first()
    if ladder is None:
        raise Refused(
            "no_ladder", "there is no ladder of %(title)s whose clock and limits could apply", title=GAMES[game].title
        )
    return ladder


@transaction.atomic
def try_out(*, draft: Draft, against: str = "random") -> Practice:
    """Begin a practice with the draft at seat 0 and the sample at all others. An earlier one still open is abandoned.

    Raises Refused as `practice.start.begin_practice` does, and no_ladder.
    """
    ladder = clock_ladder(draft.game, draft.owner)
    if draft.tried:
        leave_practice(practice=draft.tried, by=draft.owner)
    shown = Draft(
        owner_id=draft.owner_id, name=draft.name or "your draft", filename=draft.filename, source=draft.source
    )
    practice = begin_practice(by=draft.owner, ladder=ladder, seats=[shown, *[Sample(against)] * (ladder.seats - 1)])
    Draft.objects.filter(pk=draft.pk).update(tried=practice)  # and saved_at stays
    return practice


def nobody_tries(need: str) -> bool:
    """Return whether no practice worker has this language. False while the broker is away."""
    try:
        return not any(need in worker.offers for worker in queues.practice_workers_here())
    except RedisError:
        return False
