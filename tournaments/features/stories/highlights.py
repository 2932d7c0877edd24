"""What is remarkable about a match, for the galleries."""

from collections.abc import Iterator

from django.db.models import OuterRef, Subquery

from bots.viewer.stories import Kept
from tournaments.ledger.statistics.upsets import GAP
from tournaments.models import Highlight, Match, MatchSet, RatingStep

CLOSE = 0.1  # of the winner's score, at most
BEHIND = 0.5  # of an even chance, at most
Kind = Highlight.Kind


def highlights_of(match: Match, kept: Kept) -> Iterator[Highlight]:
    """Yield what is remarkable about a match of a ladder, as it stands when its story is told."""
    if not kept.fair or match.set.number is None:
        return
    seats = list(match.seats.annotate(elo=_rating_before(match.set)))
    (winner,) = (vars(seat)["elo"] for seat in seats if seat.place == 1)
    rivals = [elo for seat in seats if seat.place != 1 and (elo := vars(seat)["elo"]) is not None]
    facts: dict[str, float] = {}
    if kept.margin is not None and kept.margin <= CLOSE:
        facts[Kind.CLOSEST] = kept.margin
    if kept.lowest is not None and kept.lowest * len(seats) <= BEHIND:
        facts[Kind.COMEBACK] = kept.lowest
    if winner is not None and rivals and max(rivals) - winner >= 1000 * GAP:
        facts[Kind.UPSET] = (max(rivals) - winner) / 1000
    month = f"{match.result.recorded_at:%Y-%m}"
    for kind, value in facts.items():
        yield Highlight(match=match, kind=kind, game=match.set.game, month=month, value=value)


def _rating_before(played: MatchSet) -> Subquery:
    """Return the classic rating, in thousandths, that a seat's version had in the ladder before the set."""
    before = RatingStep.objects.filter(version=OuterRef("version"), set__lt=played.pk, set__ladder=played.ladder_id)
    return Subquery(before.order_by("-set").values("milli_elo")[:1])
