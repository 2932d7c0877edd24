"""The format of an event: read from its row, and checked against the game of its ladder."""

from typing import Any

from engine.games import GAMES
from engine.records import RecordError
from tournaments.errors import Refused
from tournaments.formats.settings import Spec, read_spec, write_spec
from tournaments.formats.validation import check_spec, sizes_of
from tournaments.ladders.table_options import options_at
from tournaments.models import Event, Ladder


def format_of(event: Event) -> Spec:
    spec: Spec = read_spec(event.spec)
    return spec


def playable(ladder: Ladder, spec: object) -> dict[str, Any]:
    """The format, complete, as plain data. Raises Refused where the ladder's game cannot be played by it."""
    read = read_spec(spec)
    check_spec(read, GAMES[ladder.game].players)
    for size in sizes_of(read):
        _check_size(ladder, size)
    return write_spec(read)


def _check_size(ladder: Ladder, size: int) -> None:
    try:
        options_at(ladder, size)
    except RecordError as error:
        raise Refused("bad_table_size", f"{ladder} cannot be played at every table of this format: {error}.") from None
