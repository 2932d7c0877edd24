"""The luck of each rated match, computed once by the dispatcher with the value that its ladder names."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from engine.luck import luck_of
from engine.luck_value import MILLION, LuckError, LuckValue, read_value
from engine.replay import ReplayError, read
from tournaments.broker.failing_items import FAILING_ITEMS
from tournaments.ladders.classic_elo import lock
from tournaments.models import Fit, LadderLuck, Match, MatchLuck, Result
from workers.isolation import apart, each

BATCH = 10  # matches of a ladder in one round: less than a second
OUTCOMES = 100_000  # positions after rolls in a match, about 8,000 rolls
FAILED = (
    "It could not be told; the desk lists why among the failing items. Name the value again to have it tried again."
)


def tell_luck() -> int:
    """Tell the luck of some matches of each ladder that has new ones. Returns how many were told."""
    fitted = Exists(Fit.objects.filter(ladder=OuterRef("ladder"), made_at__gt=OuterRef("looked_at")))
    due = LadderLuck.objects.filter(Q(looked_at=None) | fitted).select_related("ladder")
    return each("luck", due, _tell_some, FAILING_ITEMS, lambda named: f"ladder {named.ladder.slug}")


def untold(named: LadderLuck) -> QuerySet[Match]:
    """Its rated matches whose luck has not been told by this value."""
    rated = Match.objects.filter(set__ladder=named.ladder_id, set__rated=True, result__isnull=False)
    return rated.exclude(luck__hash=named.hash)


def _tell_some(named: LadderLuck) -> int:
    value = read_value(named.value)
    with transaction.atomic():
        lock(named.ladder)  # a fit that ends later is newer than this look, and what it has rated is told then
        now, matches = timezone.now(), list(untold(named).order_by("pk").values_list("pk", flat=True)[:BATCH])
    for match in matches:
        _tell(match, value)
    if len(matches) < BATCH:
        LadderLuck.objects.filter(pk=named.pk).update(looked_at=now)
    return len(matches)


def _tell(match: int, value: LuckValue) -> None:
    """Whatever a replay holds, it is told once, and the next is told after it."""
    told = apart("luck", f"match {match}", lambda: _told(match, value), FAILING_ITEMS)
    millionths, trouble = told or ([], FAILED)
    defaults = {"hash": value.hash, "millionths": millionths, "trouble": trouble}
    MatchLuck.objects.update_or_create(match_id=match, defaults=defaults)


def _told(match: int, value: LuckValue) -> tuple[list[int], str]:
    replay = bytes(Result.objects.values_list("replay", flat=True).get(match=match))
    try:
        luck = luck_of(read(replay), value, OUTCOMES)
    except (ReplayError, LuckError) as error:
        return [], f"{error.code}: {error.detail}"
    return [round(MILLION * taken) for taken in luck.taken_out], ""
