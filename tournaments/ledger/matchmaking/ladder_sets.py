"""Creating sets for the ladders; `pairing` chooses who plays whom."""

import math
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Self

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from engine.dice import Dice
from engine.games import GAMES
from tournaments.core.broker.available_workers import heard_by_space, workers_known
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.feature import Tables, features
from tournaments.ledger.dispatch.fair_share import HALF, SETS_A_WORKER, part_of_workers
from tournaments.ledger.dispatch.open_sets import not_begun
from tournaments.ledger.dispatch.waiting_sets import PACES
from tournaments.ledger.ladders.paired import paired_by_pace
from tournaments.ledger.ladders.table_options import options_at
from tournaments.ledger.matchmaking.candidates import candidates_of, sets_under_way
from tournaments.ledger.matchmaking.deal import Table, deal_sealed_sets
from tournaments.ledger.matchmaking.pairing import Candidate, fewest_together, seatable, wave
from tournaments.models import Entry, Fit, Ladder, Match, MatchSet, Seat, Space, Version
from workers.isolation import apart, handle_each

BATCH = 500  # sets that are dealt in one transaction
CLASHING, HALF_BY_LOT = 50.0, 50  # Elo; of 100 tables
FEWEST_AHEAD = 4  # sets that may wait, however few the workers
QUICK_S, QUICK_AHEAD = 2.0, 40  # of short sets as many as last for so many seconds, and at most so many
LEARNED: dict[int, float] = {}  # by ladder, for how long its waiting bots are known to be slow or not
LONG_DEALT: dict[int, float] = {}  # by ladder, when it last got a long set: the next goes to another


def pair() -> int:
    """Create sets for the ladders that are due, while few of their sets wait for workers. Returns how many.

    A ladder in a final run is dealt to by the run.

    Rated sets alone are counted as waiting, each in its own ladder: what waits of events, trials or requests, or for a
    language that nobody here has, or behind a slow bot, keeps no other from being paired.
    """
    wanting = [
        ladder
        for ladder in paired_by_pace()
        if apart("ladders", item_name(ladder), partial(_wants, ladder), FAILING_ITEMS)
    ]
    wanting.sort(key=lambda ladder: LONG_DEALT.get(ladder.pk, 0.0))
    ahead = sets_ahead(workers_known())
    # Those that fail take no share of the room.
    sharing = sum(not FAILING_ITEMS.knows("pairing", item_name(ladder)) for ladder in wanting)
    site, own_room = math.ceil(ahead / max(1, sharing)), _own_room(wanting)
    return handle_each(
        "pairing",
        wanting,
        lambda ladder: _pair(ladder, site + own_room.get(ladder.space_id, 0)),
        FAILING_ITEMS,
        item_name,
    )


def sets_ahead(workers: int) -> int:
    """Return how many sets may wait in all: what the queues hold, or more where workers are done with it at once."""
    quick = QUICK_S * workers / (2 * PACES.usual) if PACES.usual else 0  # a set has two matches at least
    return max(FEWEST_AHEAD, SETS_A_WORKER * workers, min(QUICK_AHEAD, math.ceil(quick)))


def _own_room(wanting: Collection[Ladder]) -> dict[int | None, int]:
    """Return, by space, how many more sets of each of its ladders may wait: its own workers play them."""
    sharing = Counter(ladder.space_id for ladder in wanting)
    heard = heard_by_space() if sharing.keys() - {None} else {}
    spaces = Space.objects.filter(slug__in=heard.keys() - {""}) if heard.keys() - {""} else ()
    return {space.pk: math.ceil(SETS_A_WORKER * heard[space.slug] / max(1, sharing[space.pk])) for space in spaces}


def _wants(ladder: Ladder) -> bool:
    """Whether this release plays its rules, and a set is due or a version has played little."""
    if not plays_rules_of(ladder):
        return False
    settled = ladder.ratings.filter(sets__gte=ladder.sets_wanted).values("version")
    playing = Version.objects.filter(bot__entries__ladder=ladder, bot__entries__status=Entry.Status.PLAYING)
    if _pace_allows(ladder) or playing.filter(status=Version.Status.ACTIVE).exclude(pk__in=settled).exists():
        return True
    return bool(tables_wanted(ladder))


def plays_rules_of(ladder: Ladder) -> bool:
    return ladder.game in GAMES and GAMES[ladder.game].version == ladder.rules


def _pair(ladder: Ladder, ahead: int) -> int:
    """Once half of `ahead` sets are gone, as many as there is room for, or as are needed: a few at a time would cost as
    much each time. Raises RecordError where a table of it could not be dealt."""
    for size in set(ladder.sizes):
        options_at(ladder, size)
    waiting = _waiting(ladder, ahead // 2 + 1)
    if 2 * waiting > ahead:
        return 0
    room = ahead - waiting
    tables = _tables_of_features(ladder, room)
    tables += next_tables(ladder, room - len(tables))
    return sum(_deal(ladder, tables[start : start + BATCH]) for start in range(0, len(tables), BATCH))


@transaction.atomic
def _deal(ladder: Ladder, tables: Sequence[Sequence[int]]) -> int:
    """Create the sets, and return how many: 0 if pairing by pace ended since the tables were chosen."""
    Ladder.objects.select_for_update().get(pk=ladder.pk)
    return len(create_sets(ladder, tables)) if paired_by_pace().filter(pk=ladder.pk).exists() else 0


def tables_wanted(ladder: Ladder) -> list[Tables]:
    """Return those of features that want tables there now."""
    of_features = [feature.tables for feature in features() if feature.tables]
    return [tables for tables in of_features if tables.wanted(ladder)]


def _tables_of_features(ladder: Ladder, room: int) -> list[list[int]]:
    """Return at most half of the room."""
    wanted, chosen, most = tables_wanted(ladder), list[list[int]](), math.ceil(room / 2)
    here = {candidate.version for candidate in candidates_of(ladder)} if wanted else set()
    for tables in wanted:
        chosen += tables.choose(ladder, most - len(chosen), here)
    return chosen


def _waiting(ladder: Ladder, most: int) -> int:
    """Count its rated sets that nobody plays yet, up to `most`, except those that wait behind a slow bot."""
    sets = not_begun().filter(line=f"ladder {ladder.pk}", game=ladder.game, rules=ladder.rules, number__isnull=False)
    _learn(ladder, sets)
    if slow := PACES.slow(PACES.took, min(ladder.sizes)):
        sets = sets.exclude(Exists(Seat.objects.filter(match__set=OuterRef("pk"), version__in=slow)))
    return sets.values("pk")[:most].count()


def _learn(ladder: Ladder, sets: QuerySet[MatchSet]) -> None:
    """How long their bots take, whenever some of what is known was forgotten."""
    if LEARNED.get(ladder.pk) != PACES.good_until:
        seats = Seat.objects.filter(match__set__in=sets, match__turn=0)
        PACES.learn(list(seats.order_by().values_list("version", flat=True).distinct()))
        LEARNED[ladder.pk] = PACES.good_until


def _slow(ladder: Ladder, versions: Collection[int]) -> frozenset[int]:
    PACES.learn(versions)
    return PACES.slow(versions, min(ladder.sizes))


def next_tables(ladder: Ladder, most: int) -> list[list[int]]:
    """The ladder's next tables: waves, for as long as some have played little. After that one at a time."""
    waves = Waves.of(ladder)
    tables: list[list[int]] = []
    while len(tables) < most and (chosen := waves.following(most - len(tables))):
        tables += chosen
    return tables


@dataclass(slots=True)
class Waves:
    """What the next wave of a ladder is chosen by; those that were chosen count as dealt."""

    ladder: Ladder
    candidates: list[Candidate]
    under_way: dict[int, int]  # by version, as far as `unsure` takes it in
    slow: frozenset[int]
    long_room: int  # of them, how many more may be seated; counted where there are any
    number: int  # of the next set
    paced: bool  # whether one more is due though nobody needs it
    by_lot: int  # of 100 tables

    @classmethod
    def of(cls, ladder: Ladder) -> Self:
        under_way = sets_under_way(ladder)
        candidates = candidates_of(ladder, under_way)
        slow = _slow(ladder, [candidate.version for candidate in candidates])
        long_room = _long_room(min(ladder.sizes)) if slow else 0
        return cls(ladder, candidates, under_way, slow, long_room, *_numbers_of(ladder))

    def following(self, most: int) -> list[list[int]]:
        needing = sum(candidate.sets < self.ladder.sets_wanted for candidate in self.candidates)
        candidates, tables = self.candidates, min(most, needing) or int(self.paced)
        if self.slow:
            candidates, tables = seatable(candidates, self.slow, min(self.ladder.sizes), tables, self.long_room)
        dice = Dice.of(f"wave {self.ladder.pk} {self.number}")
        sizes = list(self.ladder.sizes)
        dice.shuffle(sizes)
        waves = (
            wave(
                candidates,
                seats,
                tables,
                dice,
                most=most_a_side(self.ladder, self.candidates, seats),
                by_lot=self.by_lot,
            )
            for seats in sizes
        )
        chosen = next(filter(None, waves), [])  # some sizes may be too large for those who are here
        self._count(chosen)
        return chosen

    def _count(self, chosen: Sequence[Sequence[int]]) -> None:
        """Count these tables as dealt, for the choice of the next wave."""
        long = sum(not self.slow.isdisjoint(table) for table in chosen)
        if long:
            LONG_DEALT[self.ladder.pk] = time.monotonic()
        self.long_room -= long
        self.number += len(chosen)
        self.paced = self.paced and not chosen
        seated, now = {version for table in chosen for version in table}, time.time()
        self.candidates = [
            self._dealt(candidate, now) if candidate.version in seated else candidate for candidate in self.candidates
        ]

    def _dealt(self, candidate: Candidate, now: float) -> Candidate:
        before = self.under_way.get(candidate.version, 0)
        self.under_way[candidate.version] = before + 1
        unsure = candidate.unsure * math.sqrt((1 + before) / (2 + before))
        return replace(candidate, unsure=unsure, sets=candidate.sets + 1, waiting_since=now)


def most_a_side(ladder: Ladder, candidates: Sequence[Candidate], seats: int) -> int:
    """How many bots of one side may sit at a table. Where a smaller table can be filled without two, none has two."""
    if not ladder.owners_apart:
        return seats
    owners = len({candidate.owner for candidate in candidates})
    if owners >= min(ladder.sizes) or ladder.few_owners == Ladder.FewOwners.WAIT:
        return 1
    return fewest_together(candidates, seats)


def _long_room(seats: int) -> int:
    """How many more long sets could be played at once, if there were no others than rated ones."""
    slow = PACES.slow(PACES.took, seats)
    open_ones = Seat.objects.filter(version__in=slow, match__set__status=MatchSet.Status.OPEN, match__set__checks=None)
    rated = Q(match__set__number__isnull=False, match__status=Match.Status.WAITING)
    busy = rated | Q(match__status=Match.Status.LEASED)
    return part_of_workers(workers_known(), HALF) - open_ones.filter(busy).values("match__set").distinct().count()


def _pace_allows(ladder: Ladder) -> bool:
    """Looks at the latest set alone, because a ladder may have a million."""
    latest = ladder.sets.filter(number__isnull=False).order_by("-number").values_list("created_at", flat=True).first()
    return latest is None or latest < timezone.now() - timedelta(seconds=ladder.pace_seconds)


def _numbers_of(ladder: Ladder) -> tuple[int, bool, int]:
    """Return the next set's number, whether the pace allows one, and how many of 100 tables are drawn by lot."""
    return _next_number(ladder), _pace_allows(ladder), tables_by_lot(ladder)


def tables_by_lot(ladder: Ladder) -> int:
    """Return how many of 100 tables are drawn by lot: half, where styles clash, for near ratings then mislead."""
    clash = Fit.objects.filter(ladder=ladder).values_list("clash", flat=True).first() or 0.0
    return max(ladder.by_lot, HALF_BY_LOT) if ladder.by_lot and clash > CLASHING else ladder.by_lot


def _next_number(ladder: Ladder) -> int:
    return 1 + (ladder.sets.aggregate(last=Max("number"))["last"] or 0)


def create_set(*, ladder: Ladder, versions: Sequence[int]) -> MatchSet:
    """Create the ladder's next set, of these versions."""
    return create_sets(ladder, [versions])[0]


@transaction.atomic
def create_sets(ladder: Ladder, tables: Sequence[Sequence[int]]) -> list[MatchSet]:
    """The ladder's next sets: a whole wave costs as many statements as one."""
    ladder = Ladder.objects.select_for_update().get(pk=ladder.pk)  # numbers are given out one at a time
    first = _next_number(ladder)
    lots = [
        Table(versions, f"seats of ladder {ladder.pk} set {number}", {"number": number})
        for number, versions in enumerate(tables, first)
    ]
    created = deal_sealed_sets(ladder, lots)
    bots = Version.objects.filter(pk__in={version for versions in tables for version in versions}).values("bot")
    Entry.objects.filter(ladder=ladder, bot__in=bots).update(paired_at=timezone.now())
    return created
