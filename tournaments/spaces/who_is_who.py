"""Who is who in a space, as its organisers see it: where names are hidden from them too, nothing of it.

What they must not learn stands in no answer, and nothing is found, ordered or counted by it.
"""

from collections.abc import Sequence
from dataclasses import replace

from tournaments.models import Space, SpaceMember
from tournaments.spaces.roster import BACK, IN, MEMBER, NEW, Planned


def known(place: SpaceMember) -> SpaceMember:
    """The place, to be shown: not to be saved."""
    if place.space.blind:
        place.identity, place.address = "", ""
        place.since = None  # type: ignore[assignment]  # whoever came alone would be known by it
    return place


def told(space: Space, planned: Sequence[Planned]) -> list[Planned]:
    """The lines of a roster. Who is there and who comes would tell by and by whose account is whose."""
    if not space.blind:
        return list(planned)
    return [replace(each, what=IN, user=None) if each.what in (NEW, BACK, MEMBER) else each for each in planned]
