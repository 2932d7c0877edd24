"""Tables at which a student meets the panel of the course, until the probability of beating it is known well enough.
Only bots of the panel sit at such a table, so classmates do not affect marks.
"""

import time
from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import Count

from tournaments.features.courses.marks import more_sets
from tournaments.features.courses.panel import against_panel, course_of, panel_of, records_of, versions_marked
from tournaments.models import Course, Ladder, MatchSet, Seat

REST = 20  # a look holds so many times as long as it took
Wanted = dict[int, Counter[int]]  # by version: how many sets more against each version of the panel


@dataclass(slots=True)
class Look:
    """What was wanted at some time, less what was dealt since."""

    wanted: Wanted = field(default_factory=dict)
    good_until: float = 0.0


LOOKS: dict[int, Look] = {}  # by course


def wants_panel(ladder: Ladder) -> bool:
    """Whether somebody's chance is not known well enough yet."""
    course = course_of(ladder)
    return course is not None and any(map(_lacks, _look(course).wanted.values()))


def panel_tables(ladder: Ladder, most: int, here: Collection[int]) -> list[list[int]]:
    """Return at most `most` tables, lists of versions that are here; those who lack most come first."""
    course = course_of(ladder)
    if course is None or not (wanted := _look(course).wanted):
        return []
    seats, panel = min(ladder.sizes), [version for version in panel_of(course) if version in here]
    lacking = [version for version, lacks in wanted.items() if version in here and _lacks(lacks)]
    line = deque(sorted(lacking, key=lambda version: (-wanted[version].total(), version)))
    tables: list[list[int]] = []
    while line and len(tables) < most and len(panel) >= seats - 1:
        version = line.popleft()
        lacks = Counter({rival: wanted[version][rival] for rival in panel})
        met = [rival for rival, _ in lacks.most_common(seats - 1)]
        if not lacks[met[0]]:
            continue
        wanted[version].update(dict.fromkeys(met, -1))
        tables.append([version, *met])
        line.append(version)
    return tables


def _lacks(lacks: Counter[int]) -> bool:
    return any(more > 0 for more in lacks.values())


def _look(course: Course) -> Look:
    look, began = LOOKS.setdefault(course.pk, Look()), time.monotonic()
    if look.good_until < began:
        look.wanted = wanted_of(course)
        ended = time.monotonic()
        look.good_until = ended + REST * (ended - began)
    return look


def wanted_of(course: Course) -> Wanted:
    """Nothing once the final marks are there."""
    if not course.rules or course.final_until is not None:
        return {}
    versions = set(versions_marked(course).values())
    records, under_way = records_of(course, versions), _under_way(course, versions)
    return {
        version: Counter(
            {
                rival: max(0, more_sets(record, under_way[version, rival], course.within))
                for rival, record in against_panel(course, records, version)
            }
        )
        for version in versions
    }


def _under_way(course: Course, versions: Collection[int]) -> Counter[tuple[int, int]]:
    """Sets that are dealt and not over; before the final marks began they say nothing of them."""
    after = course.final_after or 0
    sets = MatchSet.objects.filter(ladder=course.ladder_id, status=MatchSet.Status.OPEN, number__gt=after)
    mine = Seat.objects.filter(match__set__in=sets, version__in=versions, match__turn=0)
    pairs = mine.filter(match__seats__version__in=panel_of(course)).values_list("version", "match__seats__version")
    return Counter({(one, other): sets for one, other, sets in pairs.annotate(Count("match__set", distinct=True))})
