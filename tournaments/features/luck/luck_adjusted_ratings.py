"""Fits ratings without luck, a shadow beside the official ones: the same fit from shares without luck.

It is only shown, and affects no rating, rank, pairing or wait. The official fit comes first and never waits for it.
"""

import time
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.broker.queues import announce_change
from tournaments.features.luck.match_luck import without_luck_yet
from tournaments.ledger.ladders.rating_ledger import rated_versions, scale_of, sets_in_order
from tournaments.models import Fit, Ladder, LadderLuck, MatchLuck, MatchSet, Rating, ShadowFit
from tournaments.ratings import fit as ratings_fit
from tournaments.ratings.intervals import elo_interval
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.played_again import fresh_by
from tournaments.ratings.table import anchors, parted
from workers.isolation import handle_each

PAUSE = 5.0  # seconds from one shadow of a ladder to the next, at least
SHARE = 40  # it waits so many times as long as the last one took
BATCH = 2000  # sets read at once


@dataclass(slots=True)
class Memory:
    """The pair sums of the sets whose luck is computed, so that only new ones are read."""

    named: int  # the LadderLuck: naming a value again makes another, and repeats what failed
    pairs: Pairs

    @property
    def numbers(self) -> AbstractSet[int]:
        """The numbers of the sets in the sums."""
        return self.pairs.cells.keys()


memories: dict[int, Memory] = {}


def fit_due() -> int:
    """Fit the shadows of ladders with a newer fit, or with luck computed since. Returns how many."""
    newer = ShadowFit.objects.filter(
        ladder=OuterRef("ladder"), hash=OuterRef("hash"), made_at__gte=OuterRef("looked_at")
    )
    fitted = LadderLuck.objects.filter(looked_at__gte=F("ladder__fit__made_at"))
    due = fitted.filter(~Exists(newer)).select_related("ladder")
    return handle_each(
        "shadow ratings", due, _fit_unless_early, FAILING_ITEMS, lambda named: f"ladder {named.ladder.slug}"
    )


def _fit_unless_early(named: LadderLuck) -> bool:
    last = ShadowFit.objects.filter(ladder=named.ladder_id, hash=named.hash).first()
    if last and timezone.now() - last.made_at < timedelta(seconds=max(PAUSE, SHARE * last.seconds)):
        return False
    fit_shadow(named)
    return True


def fit_shadow(named: LadderLuck) -> None:
    """Fit a ladder's shadow, beginning at the official ratings."""
    began, ladder = time.monotonic(), named.ladder
    pairs, versions = _pairs(named), rated_versions(ladder)
    official = Fit.objects.only("zero").get(ladder=ladder)
    ratings = Rating.objects.filter(ladder=ladder).values_list("version", "fitted")
    start = ratings_fit.Fit(elo={key: elo for key, elo in ratings if elo is not None}, zero=official.zero)
    pairs.scale, since = scale_of(ladder), parted(pairs, versions, fresh_by(ladder.fit_rules))
    fit = since.fit(anchors(versions), prior_sd=ladder.prior_sd, start=start, rules=ladder.fit_rules)
    rows = {
        version: [round(elo, 1), round(elo_interval(fit.sd[version]), 1)]
        for version, elo in fit.elo.items()
        if version > 0  # others are former players
    }
    result = {"hash": named.hash, "sets": len(pairs.cells), "phi": fit.phi, "rows": rows}
    ShadowFit.objects.update_or_create(ladder=ladder, defaults={**result, "seconds": time.monotonic() - began})
    announce_change(f"ladder {ladder.slug}")


def _pairs(named: LadderLuck) -> Pairs:
    """Return the pair sums of all rated sets whose luck is computed in every match."""
    ladder, waiting = named.ladder, without_luck_yet(named).values_list("set__number", flat=True)
    computed = set(ladder.sets.filter(rated=True).values_list("number", flat=True)) - set(waiting)
    memory = memories.get(ladder.pk)
    if not memory or memory.named != named.pk or memory.pairs.margin != ladder.margin or not memory.numbers <= computed:
        memory = memories[ladder.pk] = Memory(named.pk, Pairs(margin=ladder.margin))
    fresh = sorted(number for number in computed - memory.numbers if number is not None)
    for start in range(0, len(fresh), BATCH):
        for rated_set in without_luck(ladder, fresh[start : start + BATCH]):
            memory.pairs.add(rated_set)
    return memory.pairs


def without_luck(ladder: Ladder, numbers: Iterable[int]) -> Iterator[RatedSet]:
    """Yield these sets, with what is taken out of each share; a match whose luck cannot be computed counts as it is."""
    rated = ladder.sets.filter(number__in=numbers, rated=True)
    sets = MatchSet.objects.filter(pk__in=list(rated.values_list("pk", flat=True)))  # the same for both queries
    luck_by_set: dict[int, list[list[int]]] = {}
    lucks = MatchLuck.objects.filter(match__set__in=sets).order_by("match__set__number", "match")
    for number, millionths in lucks.values_list("match__set__number", "millionths"):
        luck_by_set.setdefault(number or 0, []).append(millionths)
    for played in sets_in_order(sets):
        games = zip(played.games, luck_by_set[played.number], strict=True)
        yield RatedSet(played.number, [replace(game, luck=luck) for game, luck in games])
