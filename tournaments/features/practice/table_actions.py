"""Actions of the host and the players of a shared table, by name: pages and API offer the same."""

from collections.abc import Callable, Mapping
from typing import Any

from tournaments.features.practice.gathering import fill, invite, start, take_invitation_back
from tournaments.features.practice.seat_keys import seated_player
from tournaments.features.practice.slow_play import come_back, end
from tournaments.models import Practice, User

TableAction = Callable[[Practice, User, Mapping[str, Any]], object]


def _fill(practice: Practice, by: User, given: Mapping[str, Any]) -> None:
    fill(practice=practice, by=by, seat=given["seat"], player=seated_player(given["player"], by))


# With who does it, and for `fill` the `seat` and its `player`.
TABLE_ACTIONS: dict[str, TableAction] = {
    "invite": lambda practice, by, _: invite(practice=practice, by=by),
    "uninvite": lambda practice, by, _: take_invitation_back(practice=practice, by=by),
    "fill": _fill,
    "start": lambda practice, by, _: start(practice=practice, by=by),
    "end": lambda practice, by, _: end(practice=practice, by=by),
    "return": lambda practice, by, _: come_back(practice=practice, by=by),
}
