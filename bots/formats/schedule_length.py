"""How many rounds and divisions a format has, and an upper bound of its sets."""

from math import ceil, log

from bots.formats.circle_schedule import Tables, designed, has_every_table, rounds_to_meet
from bots.formats.seating import even, sizes
from bots.formats.settings import (
    Gauntlet,
    Groups,
    KingOfTheHill,
    Knockout,
    League,
    RoundRobin,
    Spec,
    Swiss,
    fewest_at,
)


def most_sets(spec: Spec, count: int) -> int:
    """An upper bound of the sets that are ever issued to `count` entrants."""
    match spec:
        case RoundRobin():
            return (spec.rounds or rounds_by_itself(spec, count)) * ceil(count / spec.seats) * spec.sets
        case Swiss():
            return swiss_rounds(spec, count) * ceil(count / spec.seats) * spec.sets
        case Gauntlet():
            return (spec.rounds or len(spec.panel)) * max(0, count - len(spec.panel)) * spec.sets
        case Knockout():  # every table takes a life at least
            return spec.lives * count * (max(spec.sets) + spec.extra)
        case KingOfTheHill():
            return count * (spec.sets + spec.extra)
        case Groups():
            groups = sum(most_sets(spec.first, size) for size in even(count, spec.groups))
            return groups + most_sets(spec.then, min(count, spec.groups * spec.qualify))
        case League():
            return spec.seasons * sum(most_sets(spec.season, size) for size in divisions(count, spec))


def rounds_by_itself(spec: RoundRobin, count: int) -> int:
    """The rounds when the settings give none; 0 when the field is too small for a table."""
    cuts = sizes(count, spec.seats, fewest_at(spec))
    if not cuts:
        return 0
    design = design_of(spec, count)
    return len(design) if design and has_every_table(count, min(spec.seats, count)) else rounds_to_meet(count, cuts)


def design_of(spec: RoundRobin, count: int) -> list[Tables]:
    """Rounds fixed beforehand, where the numbers allow them and everybody sits who could.

    By the first edition a design stood though smaller tables would have left nobody idle, as with 7 at tables of four.
    """
    cuts = sizes(count, spec.seats, fewest_at(spec))
    design = designed(count, min(spec.seats, count)) if cuts else []
    idle = any(sum(map(len, tables)) < count for tables in design)
    return [] if idle and spec.seats > 2 and spec.edition > 1 and sum(cuts) == count else design


def swiss_rounds(spec: Swiss, count: int) -> int:
    """Return the number of rounds: as many as leave one undefeated, and two more; with two at a table no more than half
    of the field."""
    rounds = spec.rounds or ceil(log(max(2, count), spec.seats) - 1e-9) + 2
    return min(rounds, max(1, count // 2)) if spec.seats == 2 else rounds


def divisions(count: int, spec: League) -> list[int]:
    """The sizes of the divisions: about as large as wished, and none too small for a table."""
    number = max(1, (2 * count + spec.size) // (2 * spec.size))
    return even(count, number)
