"""The format of an event: read from its row, and checked against the game of its ladder."""

from typing import Any

from bots.formats.settings import Gauntlet, Spec, read_spec, read_stored, write_spec
from bots.formats.small_tables import with_small_tables
from bots.formats.validation import check_known, check_spec, sizes_of
from engine.games import GAMES
from engine.records import RecordError
from tournaments.core.errors import Refused
from tournaments.ledger.ladders.table_options import options_at
from tournaments.models import Bot, Event, Ladder


def format_of(event: Event) -> Spec:
    spec: Spec = read_stored(event.spec)
    return spec


def playable_format(ladder: Ladder, spec: object) -> dict[str, Any]:
    """The format, complete, as plain data. Raises Refused where the ladder's game cannot be played by it."""
    players = GAMES[ladder.game].players
    read = with_small_tables(read_spec(spec), lambda size: size in players and _is_played(ladder, size))
    check_format(ladder, read)
    return write_spec(read)


def check_format(ladder: Ladder, spec: Spec) -> None:
    """Raises Refused where no bots of the ladder could play by it."""
    check_spec(spec, GAMES[ladder.game].players)
    for size in sizes_of(spec):
        _check_size(ladder, size)
    if isinstance(spec, Gauntlet):
        bots = Bot.objects.filter(pk__in=spec.panel, game=ladder.game, space=ladder.space_id)
        check_known(spec, set(bots.values_list("pk", flat=True)))


def same_format(stored: object, given: object) -> bool:
    """Whether an event that is changed keeps its format, of whatever edition it is. Raises Refused: bad_format."""
    return read_stored(stored) == read_stored(given)


def _is_played(ladder: Ladder, size: int) -> bool:
    try:
        options_at(ladder, size)
    except RecordError:
        return False
    return True


def _check_size(ladder: Ladder, size: int) -> None:
    try:
        options_at(ladder, size)
    except RecordError as error:
        raise Refused(
            "bad_table_size",
            "%(ladder)s cannot be played at every table of this format: %(error)s.",
            ladder=ladder,
            error=error.reason,
        ) from None
