"""One table that decides who advances, over one set or several."""

from collections.abc import Iterator, Mapping, Sequence

from bots.formats.crosstable import Crosstable
from bots.formats.runner import Draw, EventRun, Heat


def result_of(event: EventRun, heat: Heat) -> Crosstable:
    """Return all sets of the table in the round that is being played."""
    crosstable, rep = Crosstable(), 1
    while result := event.played.get(f"{heat.stage}/{event.round}/{heat.table}/{rep}"):
        crosstable.add(result)
        rep += 1
    return crosstable


def sort_key(result: Crosstable, entrant: int) -> tuple[int, int, int, int]:
    """The order of a table, smallest first: points, games won, few crashes, margin."""
    return -result.score(entrant), -result.wins[entrant], result.crashes[entrant], -result.margin[entrant]


def order_of(event: EventRun, heat: Heat, seed: Mapping[int, int]) -> list[int]:
    """Return its entrants, best first; where all else is level, those who stay before those who have left, by seed."""
    result, staying = result_of(event, heat), event.staying(heat.entrants)
    return sorted(
        heat.entrants, key=lambda entrant: (*sort_key(result, entrant), entrant not in staying, seed[entrant])
    )


def extra_sets(event: EventRun, heats: Sequence[Heat], going_on: Sequence[int], extra: int) -> Iterator[Draw]:
    """One more set, at most `extra` times, where the last who advances is level with the first who does not."""
    for attempt in range(1, extra + 1):
        undecided = [heat for heat, on in zip(heats, going_on, strict=True) if wants_extra(event, heat, on, attempt)]
        if not undecided:
            return
        yield Draw([Heat(h.stage, h.table, h.entrants, 1, h.sets + attempt) for h in undecided], again=True)


def extra_played(event: EventRun, heat: Heat) -> int:
    """Return how many extra sets the table has played."""
    number = 0
    while f"{heat.stage}/{event.round}/{heat.table}/{heat.sets + number + 1}" in event.played:
        number += 1
    return number


def wants_extra(event: EventRun, heat: Heat, on: int, attempt: int) -> bool:
    """Return whether the table is level where it counts, and all who sit at it are there for one more set."""
    result = result_of(event, heat)
    keys = sorted(sort_key(result, entrant) for entrant in heat.entrants)
    rep = heat.sets + attempt
    return keys[on - 1] == keys[on] and all(event.plays_extra(entrant, rep) for entrant in heat.entrants)
