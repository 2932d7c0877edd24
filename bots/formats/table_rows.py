"""A ranking as rows of a table."""

from collections.abc import Mapping, Sequence

from bots.formats.crosstable import Crosstable, Marks
from bots.formats.model import POINT, Row
from bots.formats.runner import EventRun
from bots.formats.settings import Criterion


def rows_of(
    event: EventRun,
    ranking: Sequence[int],
    played: Crosstable,
    measured: Mapping[Criterion, Marks] | None = None,
    needs: Mapping[int, str] | None = None,
) -> tuple[Row, ...]:
    """`measured`: the values of the tie-breaks. The disqualified stand at the end, and the others move up."""
    rows = []
    for rank, entrant in enumerate(disqualified_last(event, ranking), 1):
        marks: dict[str, float] = {criterion: float(values[entrant]) for criterion, values in (measured or {}).items()}
        note = "is disqualified" if event.entrants[entrant].disqualified else (needs or {}).get(entrant, "")
        rows.append(Row(rank, entrant, played.score(entrant) / POINT, played.sets[entrant], marks, note))
    return tuple(rows)


def disqualified_last(event: EventRun, ranking: Sequence[int]) -> list[int]:
    return sorted(ranking, key=lambda entrant: event.entrants[entrant].disqualified)
