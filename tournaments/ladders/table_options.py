"""The options of a ladder's game, at each size of its tables."""

from functools import partial
from typing import Any, cast

from django.core.exceptions import ValidationError

from engine.game import AnyGame
from engine.games import GAMES
from engine.records import RecordError, to_plain
from engine.sentences import Sentence
from tournaments.models import Ladder


def check_ladder(ladder: Ladder) -> None:
    """Complete the options and check all settings. Raises ValidationError with all errors by field."""
    errors: dict[str, list[ValidationError]] = {}
    for check in (partial(_check_game, ladder), ladder.full_clean):
        try:
            check()
        except ValidationError as error:
            errors = error.update_error_dict(errors)
    if errors:
        raise ValidationError(errors)


def _check_game(ladder: Ladder) -> None:
    """Options that the game cannot be played with would stop the pairing."""
    if ladder.game in GAMES:
        _complete_options(ladder, GAMES[ladder.game])
    if ladder.anchor and ladder.anchor.bot.game != ladder.game:
        said = Sentence("%(anchor)s plays another game; an anchor must play in this ladder.", anchor=ladder.anchor)
        raise ValidationError({"anchor": said})


def _complete_options(ladder: Ladder, game: AnyGame) -> None:
    try:
        ladder.options = to_plain(game.read_options(ladder.options))
    except RecordError as error:
        raise ValidationError({"options": error.reason}) from None
    _check_sizes(ladder, game)


def _check_sizes(ladder: Ladder, game: AnyGame) -> None:
    """A table is dealt at each of these sizes, so the options must hold at each."""
    low, high = game.players[0], game.players[-1]
    sizes = ladder.table_sizes
    if not isinstance(sizes, list) or not all(type(size) is int and low <= size <= high for size in sizes):
        wanted = "A list of whole numbers from %(low)s to %(high)s is wanted: %(game)s has so many players."
        raise ValidationError({"table_sizes": Sentence(wanted, low=low, high=high, game=game.title)})
    for size in sizes:
        try:
            options_at(ladder, size)
        except RecordError as error:
            raise ValidationError({"table_sizes": Sentence("%(error)s.", error=error.reason)}) from None


def options_at(ladder: Ladder, players: int) -> dict[str, Any]:
    """The game's options at a table of so many, as plain data. Raises RecordError, which names the size."""
    try:
        plain = to_plain(GAMES[ladder.game].read_options({**ladder.options, "players": players}))
    except RecordError as error:
        told = "at tables of %(players)s the options do not hold: %(error)s"
        raise RecordError(Sentence(told, players=players, error=error.reason)) from None
    return cast("dict[str, Any]", plain)
