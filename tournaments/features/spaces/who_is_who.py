"""Who is who in a space, as its organisers see it: nothing, if names are hidden from them too. Hidden data is in no
answer, and nothing is searched, ordered or counted by it.
"""

from collections.abc import Sequence
from dataclasses import replace

from tournaments.features.spaces.roster import BACK, IN, MEMBER, NEW, Planned
from tournaments.models import Space, SpaceMember


def known(place: SpaceMember) -> SpaceMember:
    """Return the place, to be shown: not to be saved."""
    if place.space.blind:
        place.identity, place.address = "", ""
        place.since = None  # type: ignore[assignment]  # whoever came alone would be known by it
    return place


def told(space: Space, planned: Sequence[Planned]) -> list[Planned]:
    """Return the lines of a roster. Who is there and who comes would tell by and by whose account is whose."""
    if not space.blind:
        return list(planned)
    return [replace(row, what=IN, user=None) if row.what in (NEW, BACK, MEMBER) else row for row in planned]
