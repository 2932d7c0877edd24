"""Doubles among the bots of one side: recorded matches are played again with another bot of that side in the seat.

Nobody can foresee which matches: they were played after the bot was uploaded, if there are any, and are chosen at
random. Bots of different sides are never compared, so that nobody loses a rank by another's bot.
`tournaments.features.likeness.identical_play` says what follows.
"""

import secrets
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations

from django.utils import timezone

from engine.games import GAMES
from engine.referee import Verdict
from tournaments.core.accounts.sides import Sides
from tournaments.core.broker.failing_items import FAILING_ITEMS, name_of
from tournaments.models import Entry, Ladder, Likeness, Match, MatchSet, Rating, Version
from tournaments.models.set_creation import create_match_set
from workers.isolation import each

EVERY = 30.0  # seconds from one look to the next; one match of a ladder at a time
ORIGINALS = 3  # versions of a bot that a later one is compared with: those that have played most
LATEST = 50  # matches of one, of which one is drawn
TRIES = 12  # matches until nothing can be told
AGAIN = timedelta(days=7)  # what was different is looked at again
Status = Likeness.Status


@dataclass(slots=True)
class Look:
    due: float = 0.0


LOOK = Look()


def compare_due() -> int:
    """Deal a match again in each ladder where two bots of a side are to be compared. Returns how many."""
    if time.monotonic() < LOOK.due:
        return 0
    LOOK.due = time.monotonic() + EVERY
    return each("doubles", Ladder.objects.filter(status__in=Ladder.PAIRED), compare_next, FAILING_ITEMS, name_of)


def compare_next(ladder: Ladder) -> int:
    under_way = MatchSet.objects.filter(ladder=ladder, stand_in__isnull=False, status=MatchSet.Status.OPEN)
    if ladder.game not in GAMES or GAMES[ladder.game].version != ladder.rules or under_way.exists():
        return 0
    return int(any(_dealt(pair) for pair in _wanting(ladder)))


def _wanting(ladder: Ladder) -> Iterator[Likeness]:
    """Yield pairs that are not decided, or were different long ago. A few queries, however many bots a side has."""
    pairs = list(_bots_of_a_side(ladder))
    bots = {bot for pair in pairs for bot in pair}
    active = dict(Version.objects.filter(bot__in=bots, status=Version.Status.ACTIVE).values_list("bot", "pk"))
    originals, results = _originals(ladder, bots), _Results(ladder)
    for earlier, later in pairs:
        if (version := active.get(later)) is not None and not results.settles(earlier, later, version):
            pairs_due = (results.likeness(original, version) for original in originals[earlier])
            yield from (likeness for likeness in pairs_due if likeness)


class _Results:
    """The results of a ladder's comparisons."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder, self.again = ladder, timezone.now() - AGAIN
        rows = Likeness.objects.filter(ladder=ladder)
        self.rows = {(row.original_id, row.version_id): row for row in rows}
        of_bots = rows.values_list("original__bot", "version__bot")
        self.cleared = set(of_bots.filter(status=Status.CLEARED))
        self.alike = set(rows.filter(status=Status.ALIKE).values_list("original__bot", "version"))

    def settles(self, earlier: int, later: int, version: int) -> bool:
        return (earlier, later) in self.cleared or (earlier, version) in self.alike

    def likeness(self, original: int, version: int) -> Likeness | None:
        """Return the pair's row, or nothing where it was decided lately."""
        row = self.rows.get((original, version))
        if row is None:
            row, _ = Likeness.objects.get_or_create(ladder=self.ladder, original_id=original, version_id=version)
        return row if row.status == Status.OPEN or row.looked_at < self.again else None


def _bots_of_a_side(ladder: Ladder) -> Iterator[tuple[int, int]]:
    """Yield who entered earlier, perhaps left, and who entered later and plays."""
    entries = Entry.objects.filter(ladder=ladder).exclude(status=Entry.Status.DISQUALIFIED).order_by("pk")
    sides, by_side = Sides(), defaultdict[int, list[tuple[int, str]]](list)
    for bot, owner, status in entries.values_list("bot", "bot__owner", "status"):
        by_side[sides.of(owner)].append((bot, status))
    for bots in by_side.values():
        for (earlier, _), (later, status) in combinations(bots, 2):
            if status == Entry.Status.PLAYING:
                yield earlier, later


def _originals(ladder: Ladder, bots: Iterable[int]) -> Mapping[int, list[int]]:
    """Return the versions of each bot that a later one is compared with."""
    rated = Rating.objects.filter(ladder=ladder, version__bot__in=bots, sets__gt=0).order_by("-sets", "-version")
    versions = defaultdict[int, list[int]](list)
    for bot, version in rated.values_list("version__bot", "version"):
        versions[bot] += [version] if len(versions[bot]) < ORIGINALS else []
    return versions


def _dealt(likeness: Likeness) -> bool:
    if likeness.status != Status.OPEN:
        likeness.status, likeness.tries, likeness.matches, likeness.answers = Status.OPEN, 0, 0, 0
    elif likeness.tries >= TRIES:
        likeness.status = Status.UNTOLD
        likeness.save()
        return False
    if (match := _drawn(likeness)) is None:
        return False
    likeness.tries += 1
    likeness.save()
    again_with(match, likeness)
    return True


def _drawn(likeness: Likeness) -> Match | None:
    """Return a match that the later version could not know when it was uploaded; of one that plays no more, any."""
    played = Match.objects.filter(set__ladder=likeness.ladder_id, set__rated=True, status=Match.Status.DONE)
    sound = played.filter(seats__version=likeness.original_id, seats__verdict=Verdict.OK)
    elsewhere = sound.exclude(seats__version=likeness.version_id).exclude(seats__version__bundle__size=0)
    fresh = elsewhere.exclude(result__replay=b"").exclude(rechecks__stand_in=likeness.version_id).order_by("-pk")
    after = list(fresh.filter(created_at__gt=likeness.version.created_at).values_list("pk", flat=True)[:LATEST])
    candidates = after or list(fresh.values_list("pk", flat=True)[:LATEST])
    return Match.objects.select_related("set").get(pk=secrets.choice(candidates)) if candidates else None


def again_with(match: Match, likeness: Likeness) -> MatchSet:
    """Deal the match again, with the later version where the earlier sat."""
    of, seats = match.set, match.seats.order_by("number").values_list("version", flat=True)
    later = {likeness.original_id: likeness.version_id}
    return create_match_set(
        rechecks=match,
        stand_in=likeness.version,
        ladder_id=of.ladder_id,
        game=of.game,
        rules=of.rules,
        options=of.options,
        seed=of.seed,
        tables={match.turn: [later.get(version, version) for version in seats]},
    )
