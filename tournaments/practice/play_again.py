"""Playing a practice table again, with another deal and everyone one seat on; other people are invited again."""

from collections.abc import Mapping

from tournaments.errors import Refused
from tournaments.models import Practice, User, Version
from tournaments.practice.seats import INVITED, PERSON, Plain, Sample, SeatedPlayer, seat_of, versions_in
from tournaments.practice.start import begin


def play_again(*, practice: Practice, by: User) -> Practice:
    """Raises Refused: draft_played, and as `begin` does."""
    if any("draft" in seat for seat in practice.seats):
        raise Refused("draft_played", "a draft played there and may have changed since: choose again who sits where")
    versions, own_seat = versions_in(practice), seat_of(practice, by)
    players = [PERSON if at == own_seat else _player_again(seat, versions) for at, seat in enumerate(practice.seats)]
    return begin(
        by=by,
        ladder=practice.ladder,
        seats=[players[-1], *players[:-1]],
        options=practice.options,
        hours=practice.hours,
    )


def _player_again(seat: Plain, versions: Mapping[int, Version]) -> SeatedPlayer:
    if "version" in seat:
        return versions[seat["version"]]
    return Sample(str(seat["name"]).removeprefix("sample ")) if "sample" in seat else INVITED
