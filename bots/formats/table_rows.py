"""A ranking as rows of a table."""

from collections.abc import Mapping, Sequence

from bots.formats.crosstable import Crosstable, Marks
from bots.formats.model import POINT, Row
from bots.formats.runner import EventRun
from bots.formats.settings import Criterion
from engine.sentences import Sentence


def rows_of(
    event: EventRun,
    ranking: Sequence[int],
    played: Crosstable,
    measured: Mapping[Criterion, Marks] | None = None,
    needs: Mapping[int, str] | None = None,
) -> tuple[Row, ...]:
    """`measured`: the values of the tie-breaks. No-shows and the disqualified stand at the end; the others move up."""
    rows = []
    for rank, entrant in enumerate(placed(event, ranking, played), 1):
        marks: dict[str, float] = {criterion: float(values[entrant]) for criterion, values in (measured or {}).items()}
        note = _note(event, entrant) or (needs or {}).get(entrant, "")
        score, spared = played.score(entrant) / POINT, played.spared[entrant]
        rows.append(Row(rank, entrant, score, played.sets[entrant], marks, note, spared))
    return tuple(rows)


def _note(event: EventRun, entrant: int) -> str:
    """Return what is said of who needs nothing any more, in any format."""
    if event.entrants[entrant].disqualified:
        return Sentence("is disqualified")
    if not event.now or event.staying([entrant]):
        return ""
    sits = any(entrant in pairing.entrants for pairing in event.now)
    return Sentence("has left; plays the sets that were dealt") if sits else Sentence("has left")


def placed(event: EventRun, ranking: Sequence[int], *played: Crosstable) -> list[int]:
    """Return the ranking with those who left before their first set in `played` at the end, the disqualified last."""
    gone = no_shows(event, ranking, *played)
    return sorted(ranking, key=lambda entrant: (event.entrants[entrant].disqualified, entrant in gone))


def no_shows(event: EventRun, field: Sequence[int], *played: Crosstable) -> set[int]:
    """Return those who left without a set that counted: byes, walkovers and cancelled sets are not played."""
    seen = {*event.staying(field)}.union(*(table.sets for table in played))
    return set(field) - seen
