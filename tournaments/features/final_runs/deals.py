"""The sets of a final run: dealt to bots near a border, as many at once as the workers can take."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef

from engine.dice import Dice
from engine.sentences import Sentence
from tournaments.broker.available_workers import workers_known
from tournaments.dispatch.waiting_sets import SETS_A_WORKER
from tournaments.features.final_runs.borders import Borders
from tournaments.features.final_runs.tables import table
from tournaments.ladders.table_options import options_at
from tournaments.matchmaking.candidates import candidates_of
from tournaments.matchmaking.ladder_sets import create_set, plays_rules_of, together
from tournaments.matchmaking.pairing import Candidate
from tournaments.matchmaking.wait_inputs import line_of, owners_in
from tournaments.models import Entry, FinalRun, Ladder, Match, MatchSet

Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What can be dealt. `waits`: why nothing now, though something may be later; `stuck`: nor later."""

    candidates: Sequence[Candidate] = ()
    pairs: Pairs = ()
    waits: str = ""
    stuck: bool = False


def room_of(run: FinalRun) -> int:
    """How many more sets may be dealt now: as many are under way at once as the workers have or can take next."""
    ahead = SETS_A_WORKER * workers_known(run.ladder.space) - sets_to_play(run.ladder)
    return max(0, min(ahead, run.sets_at_most - run.sets))


def sets_to_play(ladder: Ladder) -> int:
    """Rated sets that are not over; those in quarantine wait for an organiser, and hold up nobody."""
    to_play = Match.objects.filter(set=OuterRef("pk"), status__in=(Match.Status.WAITING, Match.Status.LEASED))
    return ladder.sets.filter(Exists(to_play), status=MatchSet.Status.OPEN, number__isnull=False).count()


def outlook(ladder: Ladder, known: Borders) -> Outlook:
    """Of pairs that are not told apart those are dealt to in which both play."""
    playing = [pair for pair in known.unsure if all(line.status == Entry.Status.PLAYING for line in pair)]
    pairs = [(one.version_id, other.version_id) for one, other in playing]
    if not pairs or _no_table(ladder):
        return Outlook(stuck=True)
    if not plays_rules_of(ladder):
        return Outlook(
            waits=Sentence("its rules have version %(rules)s, which this release does not play.", rules=ladder.rules)
        )
    candidates = candidates_of(ladder)
    here = {candidate.version for candidate in candidates}
    found = Outlook(candidates, [pair for pair in pairs if here.issuperset(pair)])
    if not found.pairs:
        return Outlook(waits=Sentence("no worker that is here can run the bots that are near its borders."))
    return found


def _no_table(ladder: Ladder) -> bool:
    """Whether those who play cannot fill one, wherever workers are."""
    line, fewest = line_of(ladder), min(ladder.sizes)
    waits = ladder.owners_apart and ladder.few_owners == Ladder.FewOwners.WAIT
    return len(line) < fewest or (waits and owners_in(line) < fewest)


def deal_next(run: FinalRun, found: Outlook, room: int) -> int:
    """So many sets, or as many as tables can be filled. Returns how many. Raises RecordError where the options do not
    fit."""
    for size in set(run.ladder.sizes):
        options_at(run.ladder, size)
    dealt = 0
    for versions in _tables(run, found, room):
        create_set(ladder=run.ladder, versions=versions)
        dealt += 1
    run.sets += dealt
    run.save(update_fields=["sets"])
    return dealt


def _tables(run: FinalRun, found: Outlook, room: int) -> Iterator[list[int]]:
    seated = Counter[int]()
    for number in range(run.sets + 1, run.sets + room + 1):
        now = [_seen(candidate, seated[candidate.version]) for candidate in found.candidates]
        chosen = _table(run, now, found.pairs, Dice.of(f"final run {run.pk} set {number}"))
        if not chosen:
            return
        seated.update(chosen)
        yield chosen


def _table(run: FinalRun, candidates: Sequence[Candidate], pairs: Pairs, dice: Dice) -> list[int]:
    """Of one of the ladder's sizes, drawn; some may be too large for those who are here."""
    ladder, sizes = run.ladder, list(run.ladder.sizes)
    dice.shuffle(sizes)
    tables = (
        table(candidates, pairs, seats, dice, most=together(ladder, candidates, seats), by_lot=ladder.by_lot)
        for seats in sizes
    )
    return next(filter(None, tables), [])


def _seen(candidate: Candidate, seated: int) -> Candidate:
    """As it counts when it has been seated so often just now: what is under way will tell something."""
    return replace(candidate, unsure=candidate.unsure / math.sqrt(1 + seated))
