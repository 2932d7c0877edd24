"""The sets of a final run: dealt to bots near a border, as many at once as the workers can take."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef

from engine.dice import Dice
from engine.sentences import Sentence
from tournaments.core.broker.available_workers import workers_known
from tournaments.features.final_runs.borders import Borders
from tournaments.features.final_runs.tables import choose_table
from tournaments.ledger.dispatch.fair_share import SETS_A_WORKER
from tournaments.ledger.ladders.table_options import options_at
from tournaments.ledger.matchmaking.candidates import candidates_of
from tournaments.ledger.matchmaking.ladder_sets import create_set, most_a_side, plays_rules_of
from tournaments.ledger.matchmaking.pairing import Candidate
from tournaments.ledger.matchmaking.wait_inputs import line_of, owners_in
from tournaments.models import Entry, FinalRun, Ladder, Match, MatchSet

Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What can be dealt. `waits`: why nothing can be dealt now, but later; `stuck`: nothing can, now or later."""

    candidates: Sequence[Candidate] = ()
    pairs: Pairs = ()
    waits: str = ""
    stuck: bool = False


def room_of(run: FinalRun) -> int:
    """Return how many more sets may be dealt now, so that workers have what they play and what they take next."""
    ahead = SETS_A_WORKER * workers_known(run.ladder.space) - sets_to_play(run.ladder)
    return max(0, min(ahead, run.sets_at_most - run.sets))


def sets_to_play(ladder: Ladder) -> int:
    """Count the rated sets that are not over; those in quarantine wait for an organiser, and hold up nobody."""
    to_play = Match.objects.filter(set=OuterRef("pk"), status__in=(Match.Status.WAITING, Match.Status.LEASED))
    return ladder.sets.filter(Exists(to_play), status=MatchSet.Status.OPEN, number__isnull=False).count()


def outlook_of_run(ladder: Ladder, borders: Borders) -> Outlook:
    """Return which pairs can be dealt to: those not told apart in which both play."""
    playing = [pair for pair in borders.unsure if all(line.status == Entry.Status.PLAYING for line in pair)]
    pairs = [(above.version_id, below.version_id) for above, below in playing]
    if not pairs or _no_table(ladder):
        return Outlook(stuck=True)
    if not plays_rules_of(ladder):
        return Outlook(
            waits=Sentence("its rules have version %(rules)s, which this release does not play.", rules=ladder.rules)
        )
    candidates = candidates_of(ladder)
    versions = {candidate.version for candidate in candidates}
    outlook = Outlook(candidates, [pair for pair in pairs if versions.issuperset(pair)])
    if not outlook.pairs:
        return Outlook(waits=Sentence("no worker that is here can run the bots that are near its borders."))
    return outlook


def _no_table(ladder: Ladder) -> bool:
    """Return whether those who play cannot fill a table, wherever workers are."""
    line, fewest = line_of(ladder), min(ladder.sizes)
    waits = ladder.owners_apart and ladder.few_owners == Ladder.FewOwners.WAIT
    return len(line) < fewest or (waits and owners_in(line) < fewest)


def deal_next(run: FinalRun, outlook: Outlook, room: int) -> int:
    """Deal up to `room` sets, as many as tables can be filled, and return how many.

    Raises RecordError where the ladder's options do not fit.
    """
    for size in set(run.ladder.sizes):
        options_at(run.ladder, size)
    dealt = 0
    for versions in _tables(run, outlook, room):
        create_set(ladder=run.ladder, versions=versions)
        dealt += 1
    run.sets += dealt
    run.save(update_fields=["sets"])
    return dealt


def _tables(run: FinalRun, outlook: Outlook, room: int) -> Iterator[list[int]]:
    """Yield the versions of each next table."""
    seated = Counter[int]()
    for number in range(run.sets + 1, run.sets + room + 1):
        candidates = [_expected(candidate, seated[candidate.version]) for candidate in outlook.candidates]
        chosen = _table(run, candidates, outlook.pairs, Dice.of(f"final run {run.pk} set {number}"))
        if not chosen:
            return
        seated.update(chosen)
        yield chosen


def _table(run: FinalRun, candidates: Sequence[Candidate], pairs: Pairs, dice: Dice) -> list[int]:
    """Choose a table of a size drawn from the ladder's; some may be too large for those who are here."""
    ladder, sizes = run.ladder, list(run.ladder.sizes)
    dice.shuffle(sizes)
    tables = (
        choose_table(candidates, pairs, seats, dice, most=most_a_side(ladder, candidates, seats), by_lot=ladder.by_lot)
        for seats in sizes
    )
    return next(filter(None, tables), [])


def _expected(candidate: Candidate, seated: int) -> Candidate:
    """Return the candidate with the error it will have once the sets in which it was just seated are over."""
    return replace(candidate, unsure=candidate.unsure / math.sqrt(1 + seated))
