"""What the deals were worth to a bot: in a set it plays every seat of one deal, which separates luck from skill."""

from dataclasses import dataclass
from math import fsum, sqrt

from tournaments.ledger.ladders.rating_ledger import sets_in_order
from tournaments.models import Bot, Ladder, Match, MatchSet, Seat
from tournaments.ratings.luck import SeatLuck, luck_report

SETS = 40  # the latest ones that count
SHOWN = 5  # of the matches with the best and the worst deals


@dataclass(frozen=True, slots=True)
class Lucky:
    match: int
    beside: SeatLuck


@dataclass(frozen=True, slots=True)
class DealLuck:
    """`deal`: how many points a seat's deal moved a single match, typically; `skill`: how many points a game it scored
    above what others did in the same seats of the same deals."""

    sets: int
    games: int
    deal: float
    skill: float
    best: list[Lucky]
    worst: list[Lucky]


def luck_of_deals(ladder: Ladder, bot: Bot) -> DealLuck | None:
    """Return None if nothing can be compared yet. Five queries, of SETS sets at most."""
    seats = Seat.objects.filter(version__bot=bot, match__set__ladder=ladder, match__set__rated=True)
    latest = list(seats.order_by("-match__set").values_list("match__set", flat=True).distinct()[:SETS])
    versions = set(bot.versions.values_list("pk", flat=True))
    deals = [lucky for lucky in _besides(latest) if lucky.beside.version in versions]
    dealt = [lucky.beside.deal for lucky in deals if lucky.beside.deal is not None]
    above = [lucky.beside.score - lucky.beside.others_score for lucky in deals if lucky.beside.others_score is not None]
    if not dealt or not above:
        return None
    by_deal = sorted(deals, key=lambda lucky: -(lucky.beside.deal or 0.0))
    return DealLuck(
        sets=len(latest),
        games=len(deals),
        deal=sqrt(fsum(deal * deal for deal in dealt) / len(dealt)),
        skill=fsum(above) / len(above),
        best=by_deal[:SHOWN],
        worst=by_deal[SHOWN:][: -SHOWN - 1 : -1],
    )


def _besides(sets: list[int]) -> list[Lucky]:
    """Return all seats of all matches of these sets."""
    seats: list[Lucky] = []
    matches: dict[int, list[int]] = {}
    for number, match in Match.objects.filter(set__in=sets).order_by("pk").values_list("set__number", "pk"):
        matches.setdefault(number or 0, []).append(match)
    for played in sets_in_order(MatchSet.objects.filter(pk__in=sets)):
        turns = zip(matches[played.number], luck_report(played), strict=True)
        seats += [Lucky(match, beside) for match, besides in turns for beside in besides]
    return seats
