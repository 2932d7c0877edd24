"""The luck of each rated match, computed once by the dispatcher with the value that its ladder names."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from engine.luck import luck_of
from engine.luck_value import MILLION, LuckError, LuckValue, read_value
from engine.replay import ReplayError, read_replay
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.ledger.ladders.classic_elo import lock
from tournaments.models import Fit, LadderLuck, Match, MatchLuck, Result
from workers.isolation import apart, handle_each

BATCH = 10  # matches of a ladder in one round: less than a second
OUTCOMES = 100_000  # positions after rolls in a match, about 8,000 rolls
FAILED = (
    "It could not be told; the desk lists why among the failing items. Name the value again to have it tried again."
)


def compute_luck() -> int:
    """Compute the luck of some matches of each ladder that has new ones. Returns of how many."""
    fitted = Exists(Fit.objects.filter(ladder=OuterRef("ladder"), made_at__gt=OuterRef("looked_at")))
    due = LadderLuck.objects.filter(Q(looked_at=None) | fitted).select_related("ladder")
    return handle_each("luck", due, _compute_some, FAILING_ITEMS, lambda named: f"ladder {named.ladder.slug}")


def without_luck_yet(named: LadderLuck) -> QuerySet[Match]:
    """Return rated matches whose luck has not been computed by this value."""
    rated = Match.objects.filter(set__ladder=named.ladder_id, set__rated=True, result__isnull=False)
    return rated.exclude(luck__hash=named.hash)


def _compute_some(named: LadderLuck) -> int:
    value = read_value(named.value)
    with transaction.atomic():
        lock(named.ladder)  # a fit that ends later is newer than this look, and what it has rated comes then
        now, matches = timezone.now(), list(without_luck_yet(named).order_by("pk").values_list("pk", flat=True)[:BATCH])
    for match in matches:
        _compute(match, value)
    if len(matches) < BATCH:
        LadderLuck.objects.filter(pk=named.pk).update(looked_at=now)
    return len(matches)


def _compute(match: int, value: LuckValue) -> None:
    """Compute a match's luck once, whatever its replay holds, so that the next ones get their turn."""
    luck = apart("luck", f"match {match}", lambda: _luck_in(match, value), FAILING_ITEMS)
    millionths, trouble = luck or ([], FAILED)
    defaults = {"hash": value.hash, "millionths": millionths, "trouble": trouble}
    MatchLuck.objects.update_or_create(match_id=match, defaults=defaults)


def _luck_in(match: int, value: LuckValue) -> tuple[list[int], str]:
    """Return the luck of each seat in millionths, or why it cannot be computed."""
    replay = bytes(Result.objects.values_list("replay", flat=True).get(match=match))
    try:
        luck = luck_of(read_replay(replay), value, OUTCOMES)
    except (ReplayError, LuckError) as error:
        return [], f"{error.code}: {error.detail}"
    return [round(MILLION * taken) for taken in luck.taken_out], ""
