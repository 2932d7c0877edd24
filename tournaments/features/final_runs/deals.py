"""The sets of a final run, as many at once as the workers can take: to every bot until it has a place in the final
table, then to those near a border."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Count, Exists, OuterRef, Q

from engine.dice import Dice
from engine.sentences import Sentence
from tournaments.core.broker.available_workers import workers_known
from tournaments.features.final_runs.borders import Borders
from tournaments.features.final_runs.tables import choose_new_table, choose_table
from tournaments.ledger.dispatch.fair_share import SETS_A_WORKER
from tournaments.ledger.ladders.final_fits import FinalLine
from tournaments.ledger.ladders.table_options import options_at
from tournaments.ledger.matchmaking.candidates import candidates_of, sets_under_way
from tournaments.ledger.matchmaking.ladder_sets import create_set, most_a_side, plays_rules_of, tables_by_lot
from tournaments.ledger.matchmaking.pairing import Candidate
from tournaments.ledger.matchmaking.wait_inputs import line_of, owners_in
from tournaments.models import FinalRun, Ladder, Match, MatchSet, Seat
from tournaments.ratings.final_table import LEAST

Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What can be dealt. `waits`: why nothing can be dealt now, but later; `stuck`: nothing can, now or later."""

    candidates: Sequence[Candidate] = ()
    wanted: Mapping[int, int] = field(default_factory=dict)  # sets for a place, by version that lacks some
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
    """Return who can be dealt to: bots that lack sets, and pairs not told apart in which both play."""
    wanted = {line.who.version_id for line in borders.lacking}
    playing = [pair for pair in borders.unsure if all(line.plays for line in pair)]
    pairs = [(above.who.version_id, below.who.version_id) for above, below in playing]
    if not (pairs or wanted) or _no_table(ladder):
        return Outlook(stuck=True)
    if not plays_rules_of(ladder):
        return Outlook(
            waits=Sentence("its rules have version %(rules)s, which this release does not play.", rules=ladder.rules)
        )
    under_way = sets_under_way(ladder)
    by_final = {line.who.version_id: line for line in borders.lines}
    candidates = [
        _rated_anew(candidate, by_final.get(candidate.version), under_way.get(candidate.version, 0))
        for candidate in candidates_of(ladder, under_way)
    ]
    here = {candidate.version for candidate in candidates}
    pairs = [pair for pair in pairs if here.issuperset(pair)]
    if not (pairs or here & wanted):
        return Outlook(waits=Sentence("no worker that is here can run the bots that are near its borders."))
    dealt = _dealt_since(ladder)
    more = {version: LEAST - dealt.get(version, 0) for version in wanted if version in here}
    return Outlook(candidates, {version: sets for version, sets in more.items() if sets > 0}, pairs)


def _dealt_since(ladder: Ladder) -> dict[int, int]:
    """Count by version the sets since the freeze that count, or will; the last fit may not have all of them."""
    to_play = Match.objects.filter(set=OuterRef("pk"), status__in=(Match.Status.WAITING, Match.Status.LEASED))
    counting = Q(status=MatchSet.Status.COMPLETE, counts=True) | Q(Exists(to_play), status=MatchSet.Status.OPEN)
    seats = Seat.objects.filter(match__set__in=ladder.sets.filter(counting, number__gt=ladder.final_after))
    return dict(seats.values_list("version").annotate(Count("match__set", distinct=True)))


def _rated_anew(candidate: Candidate, line: FinalLine | None, under_way: int) -> Candidate:
    """Return the candidate with what the sets since the freeze say of it, and those that are played now will."""
    if line is None:
        return candidate
    return replace(candidate, elo=line.row.elo, unsure=line.row.sd / math.sqrt(1 + under_way))


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
    seated, by_lot = Counter[int](), tables_by_lot(run.ladder)
    for number in range(run.sets + 1, run.sets + room + 1):
        candidates = [_expected(candidate, seated[candidate.version]) for candidate in outlook.candidates]
        wanted = {version: more for version, sets in outlook.wanted.items() if (more := sets - seated[version]) > 0}
        asked = replace(outlook, candidates=candidates, wanted=wanted)
        chosen = _table(run, asked, Dice.of(f"final run {run.pk} set {number}"), by_lot)
        if not chosen:
            return
        seated.update(chosen)
        yield chosen


def _table(run: FinalRun, asked: Outlook, dice: Dice, by_lot: int) -> list[int]:
    """Choose a table of a size drawn from the ladder's; some may be too large for those who are here."""
    sizes, candidates = list(run.ladder.sizes), asked.candidates
    dice.shuffle(sizes)
    for seats in sizes:
        most = most_a_side(run.ladder, candidates, seats)
        chosen = (
            choose_new_table(candidates, asked.wanted, seats, dice, most=most)
            if asked.wanted
            else choose_table(candidates, asked.pairs, seats, dice, most=most, by_lot=by_lot)
        )
        if chosen:
            return chosen
    return []


def _expected(candidate: Candidate, seated: int) -> Candidate:
    """Return the candidate with the error it will have once the sets in which it was just seated are over."""
    return replace(candidate, unsure=candidate.unsure / math.sqrt(1 + seated))
