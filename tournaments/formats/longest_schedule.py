"""How long a format can get, whatever happens in it."""

from math import ceil

from tournaments.formats.round_robin import rounds_by_itself
from tournaments.formats.seating import even
from tournaments.formats.settings import Gauntlet, Groups, KingOfTheHill, Knockout, League, RoundRobin, Spec, Swiss
from tournaments.formats.stages import divisions
from tournaments.formats.swiss import rounds_of


def most_sets(spec: Spec, count: int) -> int:
    """An upper bound of the sets that are ever issued to `count` entrants."""
    match spec:
        case RoundRobin():
            return (spec.rounds or rounds_by_itself(spec, count)) * ceil(count / spec.seats) * spec.sets
        case Swiss():
            return rounds_of(spec, count) * ceil(count / spec.seats) * spec.sets
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
