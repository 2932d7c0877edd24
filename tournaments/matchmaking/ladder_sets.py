"""Creating sets for the ladders; `pairing` chooses who plays whom."""

import math
import time
from collections.abc import Collection, Sequence
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils import timezone

from engine.dice import Dice
from engine.games import GAMES
from tournaments.accounts.sides import Sides
from tournaments.broker.available_workers import nobody_plays, of_release, workers_known
from tournaments.broker.failing_items import FAILING_ITEMS, name_of
from tournaments.dispatch.fair_share import HALF, share
from tournaments.dispatch.open_sets import not_begun
from tournaments.dispatch.queue import LOOK, PACES, SETS_A_WORKER
from tournaments.ladders.paired import paired_by_pace
from tournaments.ladders.standings import active_versions, rating_of, ratings_by_bot
from tournaments.ladders.table_options import options_at
from tournaments.matchmaking.deal import deal
from tournaments.matchmaking.pairing import Candidate, fewest_together, seatable, wave
from tournaments.models import Entry, Ladder, Match, MatchSet, Rating, Seat, Version
from tournaments.ratings.scale import START
from workers.isolation import apart, each
from workers.sandbox.wasm import TIER

FEWEST_AHEAD = 4  # sets that may wait, however few the workers
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
        if apart("ladders", name_of(ladder), partial(_wants, ladder), FAILING_ITEMS)
    ]
    wanting.sort(key=lambda ladder: LONG_DEALT.get(ladder.pk, 0.0))
    ahead = max(FEWEST_AHEAD, SETS_A_WORKER * workers_known())
    sound = sum(
        not FAILING_ITEMS.knows("pairing", name_of(ladder)) for ladder in wanting
    )  # others take no share of the room
    return each(
        "pairing", wanting, lambda ladder: _pair(ladder, math.ceil(ahead / max(1, sound))), FAILING_ITEMS, name_of
    )


def _wants(ladder: Ladder) -> bool:
    """Whether this release plays its rules, and a set is due or a version has played little."""
    if not plays_rules_of(ladder):
        return False
    known = ladder.ratings.filter(sets__gte=ladder.sets_wanted).values("version")
    playing = Version.objects.filter(bot__entries__ladder=ladder, bot__entries__status=Entry.Status.PLAYING)
    return _pace_allows(ladder) or playing.filter(status=Version.Status.ACTIVE).exclude(pk__in=known).exists()


def plays_rules_of(ladder: Ladder) -> bool:
    return ladder.game in GAMES and GAMES[ladder.game].version == ladder.rules


def _pair(ladder: Ladder, ahead: int) -> int:
    """Waves until `ahead` sets wait or nobody needs one. Raises RecordError where a table of it could not be dealt."""
    for size in set(ladder.sizes):
        options_at(ladder, size)
    made, room = 0, ahead - _waiting(ladder, ahead)
    while made < room and (tables := next_wave(ladder, room - made)):
        for table in tables:
            create_set(ladder=ladder, versions=table)
        made += len(tables)
    return made


def _waiting(ladder: Ladder, most: int) -> int:
    """Its rated sets that nobody plays yet, counted up to `most` or so, but for those that wait behind a slow bot."""
    sets = not_begun().filter(of_release(), line=f"ladder {ladder.pk}", number__isnull=False)
    looked_at = list(sets.values_list("pk", flat=True)[: most + LOOK])
    seats = Seat.objects.filter(match__set__in=looked_at, match__turn=0).values_list("match__set", "version")
    seated = set(seats) if looked_at else set()
    slow = _slow(ladder, {version for _, version in seated})
    return len({one for one, _ in seated} - {one for one, version in seated if version in slow})


def _slow(ladder: Ladder, versions: Collection[int]) -> frozenset[int]:
    PACES.learn(versions)
    return PACES.slow(versions, min(ladder.sizes))


def next_wave(ladder: Ladder, most: int) -> list[list[int]]:
    """The ladder's next tables. While some have played little, as many as they are; after that one at a time."""
    candidates = here = candidates_of(ladder)
    needing = sum(candidate.sets < ladder.sets_wanted for candidate in candidates)
    tables = min(most, needing) or int(_pace_allows(ladder))
    slow = _slow(ladder, [candidate.version for candidate in candidates])
    if slow:
        candidates, tables = seatable(candidates, slow, min(ladder.sizes), tables, _long_room(min(ladder.sizes)))
    dice = Dice.of(f"wave {ladder.pk} {_next_number(ladder)}")
    sizes = list(ladder.sizes)
    dice.shuffle(sizes)
    waves = (
        wave(candidates, seats, tables, dice, most=together(ladder, here, seats), by_lot=ladder.by_lot)
        for seats in sizes
    )
    chosen = next(filter(None, waves), [])  # some sizes may be too large for those who are here
    if any(not slow.isdisjoint(table) for table in chosen):
        LONG_DEALT[ladder.pk] = time.monotonic()
    return chosen


def together(ladder: Ladder, here: Sequence[Candidate], seats: int) -> int:
    """How many bots of one side may sit at a table. Where a smaller table can be filled without two, none has two."""
    if not ladder.owners_apart:
        return seats
    owners = len({candidate.owner for candidate in here})
    if owners >= min(ladder.sizes) or ladder.few_owners == Ladder.FewOwners.WAIT:
        return 1
    return fewest_together(here, seats)


def _long_room(seats: int) -> int:
    """How many more long sets could be played at once, if there were no others than rated ones."""
    known = PACES.slow(PACES.quickest, seats)
    open_ones = Seat.objects.filter(version__in=known, match__set__status=MatchSet.Status.OPEN, match__set__checks=None)
    rated = Q(match__set__number__isnull=False, match__status=Match.Status.WAITING)
    busy = rated | Q(match__status=Match.Status.LEASED)
    return share(workers_known(), HALF) - open_ones.filter(busy).values("match__set").distinct().count()


def candidates_of(ladder: Ladder) -> list[Candidate]:
    """Who plays there now, but for bots in a language that nobody here has."""
    entries = ladder.entries.filter(status=Entry.Status.PLAYING).select_related("bot").order_by("pk")
    versions = active_versions(ladder)
    missing = {need for need in {need_of(ladder, version) for version in versions} if nobody_plays([need])}
    active = {version.bot_id: version for version in versions if need_of(ladder, version) not in missing}
    ratings, sides = ratings_by_bot(ladder), Sides()
    under_way = sets_under_way(ladder)
    return [
        _candidate(
            entry,
            sides.of(entry.bot.owner_id),
            version,
            rating_of(version, ratings.get(entry.bot_id, []), START, ladder.prior_sd),
            under_way.get(version.pk, 0),
            ladder.prior_sd,
        )
        for entry in entries
        if (version := active.get(entry.bot_id))
    ]


def need_of(ladder: Ladder, version: Version) -> str:
    """What a worker must offer to play the version there."""
    return TIER if ladder.division == Ladder.Division.FUEL else version.need


def _candidate(entry: Entry, side: int, version: Version, rating: Rating, under_way: int, prior_sd: float) -> Candidate:
    """As unsure as more games can cure: not by how far the prior pulls, which meeting the same bots again does not."""
    since = (entry.paired_at or entry.entered_at).timestamp()  # later ones do not overtake
    known = rating.chance_sd or rating.sd  # a fit of before has one number for both
    elo, sd = (START, prior_sd) if rating.elo is None or known is None else (rating.elo, known)
    unsure = sd / math.sqrt(1 + under_way)  # what is under way will tell something
    return Candidate(version.pk, side, elo, unsure, rating.sets + under_way, since)


def sets_under_way(ladder: Ladder) -> dict[int, int]:
    sets = ladder.sets.filter(status=MatchSet.Status.OPEN, number__isnull=False)
    seats = Seat.objects.filter(match__set__in=sets)
    return dict(seats.values_list("version").annotate(Count("match__set", distinct=True)))


def _pace_allows(ladder: Ladder) -> bool:
    """Looks at the latest set alone, because a ladder may have a million."""
    latest = ladder.sets.filter(number__isnull=False).order_by("-number").values_list("created_at", flat=True).first()
    return latest is None or latest < timezone.now() - timedelta(seconds=ladder.pace_seconds)


def _next_number(ladder: Ladder) -> int:
    return 1 + (ladder.sets.aggregate(last=Max("number"))["last"] or 0)


@transaction.atomic
def create_set(*, ladder: Ladder, versions: Sequence[int]) -> MatchSet:
    """Create the ladder's next set, of these versions."""
    Ladder.objects.select_for_update().get(pk=ladder.pk)  # numbers are given out one at a time
    number = _next_number(ladder)
    created = deal(ladder=ladder, versions=versions, lot=f"seats of ladder {ladder.pk} set {number}", number=number)
    bots = Version.objects.filter(pk__in=versions).values("bot")
    Entry.objects.filter(ladder=ladder, bot__in=bots).update(paired_at=timezone.now())
    return created
