"""Sets for the ladders: `wave` chooses who plays whom, here it is written down."""

import logging
import math
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone

from engine.dice import Dice
from engine.games import GAMES
from engine.records import RecordError
from tournaments.crew import of_release
from tournaments.dealing import deal
from tournaments.dispatching import not_begun, workers_known
from tournaments.models import Entry, Ladder, MatchSet, Rating, Seat, Version
from tournaments.queueing import SETS_A_WORKER
from tournaments.ratings.fitting import PRIOR_SD, START
from tournaments.standings import active_versions, rating_of, ratings_by_bot
from tournaments.wave import Candidate, wave

PAIRED = (Ladder.Status.OPEN, Ladder.Status.FROZEN)
FEWEST_AHEAD = 4  # sets that may wait, however few the workers

log = logging.getLogger(__name__)


def pair() -> int:
    """Create sets for the open ladders while few of them wait for workers. Returns how many."""
    ladders = [ladder for ladder in Ladder.objects.filter(status__in=PAIRED) if _is_playable(ladder)]
    waiting = not_begun().filter(of_release(), checks=None, trial=None, rechecks=None).count()
    room = max(FEWEST_AHEAD, SETS_A_WORKER * workers_known()) - waiting
    if not ladders or room <= 0:
        return 0
    return sum(_pair(ladder, math.ceil(room / len(ladders))) for ladder in ladders)


def _is_playable(ladder: Ladder) -> bool:
    """Whether this site plays its rules with its options: one ladder that it cannot play must not stop the others."""
    if ladder.game not in GAMES or GAMES[ladder.game].version != ladder.rules:
        return False
    try:
        GAMES[ladder.game].read_options(ladder.options)
    except RecordError as error:
        log.error("ladder %s is not paired: %s", ladder.slug, error)
        return False
    return True


def _pair(ladder: Ladder, room: int) -> int:
    """Waves until `room` sets are made or nobody needs one."""
    made = 0
    while made < room and (tables := next_wave(ladder, room - made)):
        for table in tables:
            create_set(ladder=ladder, versions=table)
        made += len(tables)
    return made


def next_wave(ladder: Ladder, most: int) -> list[list[int]]:
    """The ladder's next tables. While some have played little, as many as they are; after that one at a time."""
    candidates = list(_candidates(ladder))
    needing = sum(candidate.sets < ladder.sets_wanted for candidate in candidates)
    tables = min(most, needing) or int(_pace_allows(ladder))
    dice = Dice.of(f"wave {ladder.pk} {_next_number(ladder)}")
    sizes = list(ladder.sizes)
    dice.shuffle(sizes)
    waves = (wave(candidates, seats, tables, dice, owners_apart=ladder.owners_apart) for seats in sizes)
    return next(filter(None, waves), [])  # some sizes may be too large for those who are here


def _candidates(ladder: Ladder) -> list[Candidate]:
    entries = ladder.entries.filter(status=Entry.Status.PLAYING).select_related("bot").order_by("pk")
    active = {version.bot_id: version for version in active_versions(ladder)}
    ratings = ratings_by_bot(ladder)
    under_way = _sets_under_way(ladder)
    return [
        _candidate(entry, version, rating_of(version, ratings.get(entry.bot_id, [])), under_way.get(version.pk, 0))
        for entry in entries
        if (version := active.get(entry.bot_id))
    ]


def _candidate(entry: Entry, version: Version, rating: Rating, under_way: int) -> Candidate:
    since = entry.paired_at.timestamp() if entry.paired_at else 0.0
    elo, sd = (START, PRIOR_SD) if rating.elo is None or rating.sd is None else (rating.elo, rating.sd)
    unsure = sd / math.sqrt(1 + under_way)  # what is under way will tell something
    return Candidate(version.pk, entry.bot.owner_id, elo, unsure, rating.sets + under_way, since)


def _sets_under_way(ladder: Ladder) -> dict[int, int]:
    sets = ladder.sets.filter(status=MatchSet.Status.OPEN, number__isnull=False)
    seats = Seat.objects.filter(match__set__in=sets)
    return dict(seats.values_list("version").annotate(Count("match__set", distinct=True)))


def _pace_allows(ladder: Ladder) -> bool:
    """By its latest set alone: a ladder may have a million."""
    latest = ladder.sets.filter(number__isnull=False).order_by("-number").values_list("created_at", flat=True).first()
    return latest is None or latest < timezone.now() - timedelta(seconds=ladder.pace_seconds)


def _next_number(ladder: Ladder) -> int:
    return 1 + (ladder.sets.aggregate(last=Max("number"))["last"] or 0)


@transaction.atomic
def create_set(*, ladder: Ladder, versions: Sequence[int]) -> MatchSet:
    """The ladder's next set, of these versions."""
    Ladder.objects.select_for_update().get(pk=ladder.pk)  # numbers are given out one at a time
    number = _next_number(ladder)
    created = deal(ladder=ladder, versions=versions, lot=f"seats of ladder {ladder.pk} set {number}", number=number)
    bots = Version.objects.filter(pk__in=versions).values("bot")
    Entry.objects.filter(ladder=ladder, bot__in=bots).update(paired_at=timezone.now())
    return created
