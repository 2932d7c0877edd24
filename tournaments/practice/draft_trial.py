"""A draft is tried in the sandbox before anything is submitted: one game against a sample, off all ladders."""

from django.db import transaction
from redis import RedisError

from engine.games import GAMES
from tournaments.broker import queues
from tournaments.errors import Refused
from tournaments.models import Draft, Ladder, Practice
from tournaments.practice.seats import Sample
from tournaments.practice.start import begin
from tournaments.practice.turns import leave


def ladder_for(game: str) -> Ladder:
    """Whose clock and limits hold for a draft: the first ladder of its game that plays. Raises Refused: no_ladder."""
    ladders = Ladder.objects.filter(game=game).exclude(division=Ladder.Division.FUEL)
    found = ladders.filter(status__in=Ladder.PAIRED).order_by("pk").first() or ladders.order_by("pk").first()
    if found is None:
        raise Refused("no_ladder", f"there is no ladder of {GAMES[game].title} whose clock and limits could hold")
    return found


@transaction.atomic
def try_out(*, draft: Draft, against: str = "random") -> Practice:
    """The draft takes seat 0, the sample all others. What was tried before, and is not over, is left.

    Raises Refused as `practice.start.begin` does, and no_ladder.
    """
    ladder = ladder_for(draft.game)
    if draft.tried:
        leave(practice=draft.tried, by=draft.owner)
    shown = Draft(
        owner_id=draft.owner_id, name=draft.name or "your draft", filename=draft.filename, source=draft.source
    )
    practice = begin(by=draft.owner, ladder=ladder, seats=[shown, *[Sample(against)] * (ladder.seats - 1)])
    Draft.objects.filter(pk=draft.pk).update(tried=practice)  # and saved_at stays
    return practice


def nobody_tries(need: str) -> bool:
    """Whether no practice worker has this language. While the broker is away nobody knows."""
    try:
        return not any(need in worker.offers for worker in queues.practice_workers_here())
    except RedisError:
        return False
