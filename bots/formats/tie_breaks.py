"""The order of a table: points, and the tie-breaks under their usual names.

Definitions: FIDE Handbook, C.07 Play-Off and Tie-Break Regulations (from 1 March 2026), adapted to tables: a meeting is
one set at one table, and sums over opponents are means over meetings, because tables need not be of one size.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from bots.formats.crosstable import WIN, Crosstable, Mark, Marks
from bots.formats.model import POINT, Performances, unrated
from bots.formats.runner import EventRun, lots_of
from bots.formats.settings import Criterion
from bots.formats.unplayed_rounds import NONE, UnplayedRounds

UNKNOWN = float("-inf")  # comes last


def ranked(
    event: EventRun,
    field: Sequence[int],
    played: Crosstable,
    rank_by: Sequence[Criterion],
    unplayed: UnplayedRounds = NONE,
) -> list[int]:
    """The field, best first: the criteria in turn, each within what the former left level; the hash lot at the end."""
    lots = lots_of(event.name, field)
    measure = measures(played, unplayed, event.performances)

    def order(group: Sequence[int], criteria: Sequence[Criterion]) -> list[int]:
        if len(group) == 1 or not criteria:
            return sorted(group, key=lots.__getitem__)
        marks = measure[criteria[0]](group)
        best_first = sorted(group, key=lambda entrant: -marks[entrant])
        level = [list(run) for _, run in groupby(best_first, key=lambda entrant: marks[entrant])]
        return [entrant for run in level for entrant in order(run, criteria[1:])]

    return order(field, rank_by)


def measures(
    played: Crosstable, unplayed: UnplayedRounds = NONE, performances: Performances = unrated
) -> dict[Criterion, Callable[[Sequence[int]], Marks]]:
    """The value of each criterion for a group; more is better."""

    def each(mark: Callable[[int], Mark]) -> Callable[[Sequence[int]], Marks]:
        return lambda group: {entrant: mark(entrant) for entrant in group}

    return {
        "points": each(lambda entrant: Fraction(played.score(entrant), POINT)),
        "performance": lambda group: _performances(performances(tuple(played.results)), group),
        "direct_encounter": lambda group: direct_encounter(played, group),
        "buchholz": each(lambda entrant: buchholz(played, entrant, 0, unplayed)),
        "buchholz_cut_1": each(lambda entrant: buchholz(played, entrant, 1, unplayed)),
        "sonneborn_berger": each(lambda entrant: sonneborn_berger(played, entrant, unplayed)),
        "wins": each(lambda entrant: Fraction(played.wins[entrant], WIN)),
        "margin": each(lambda entrant: Fraction(played.margin[entrant], 1000)),
        "crashes": each(lambda entrant: Fraction(-played.crashes[entrant])),
    }


def _performances(ratings: Mapping[int, int], group: Sequence[int]) -> Marks:
    return {entrant: Fraction(ratings[entrant], 1000) if entrant in ratings else UNKNOWN for entrant in group}


def direct_encounter(played: Crosstable, group: Sequence[int]) -> Marks:
    """The mean score against the others of the group, if all of them have met; else 0 for all."""
    marks: Marks = {}
    for entrant in group:
        opponents = [other for other in group if other != entrant]
        if not all(played.met[entrant][other] for other in opponents):
            return dict.fromkeys(group, Fraction(0))
        means = (Fraction(played.scored[entrant][other], played.met[entrant][other]) for other in opponents)
        marks[entrant] = sum(means, Fraction(0)) / max(1, len(opponents)) / POINT
    return marks


def buchholz(played: Crosstable, entrant: int, cut: int = 0, unplayed: UnplayedRounds = NONE) -> Fraction:
    """The mean points of the opponents, met twice counted twice; without the `cut` lowest, absences before others."""
    dummy, absences = unplayed.dummy(played, entrant), unplayed.absences(entrant)
    met = [unplayed.seen(played, other) for other, times in played.met[entrant].items() for _ in range(times)]
    scores = sorted(met + [dummy] * unplayed.byes(played, entrant))[max(0, cut - absences) :]
    scores += [dummy] * max(0, absences - cut)
    return Fraction(sum(scores), POINT * max(1, len(scores)))


def sonneborn_berger(played: Crosstable, entrant: int, unplayed: UnplayedRounds = NONE) -> Fraction:
    """The opponents' points, each times the share of the games won from that opponent; the mean over meetings."""
    byes, absences = unplayed.byes(played, entrant), unplayed.absences(entrant)
    meetings = played.met[entrant].total() + byes + absences
    won = sum(scored * unplayed.seen(played, other) for other, scored in played.scored[entrant].items())
    won += byes * played.mean(entrant) * unplayed.dummy(played, entrant)
    return Fraction(won, POINT * POINT * max(1, meetings))
