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
    """Refuse options that the game cannot be played with: they would stop the pairing."""
    if ladder.game in GAMES:
        _complete_options(ladder, GAMES[ladder.game])
    if ladder.anchor and ladder.anchor.bot.game != ladder.game:
        refusal = Sentence("%(anchor)s plays another game; an anchor must play in this ladder.", anchor=ladder.anchor)
        raise ValidationError({"anchor": refusal})


def _complete_options(ladder: Ladder, game: AnyGame) -> None:
    try:
        ladder.options = to_plain(game.read_options(ladder.options))
    except RecordError as error:
        raise ValidationError({"options": error.reason}) from None
    _check_sizes(ladder, game)


def _check_sizes(ladder: Ladder, game: AnyGame) -> None:
    """Check that the options hold at each of the table's sizes, since tables of each are dealt."""
    low, high = game.players[0], game.players[-1]
    sizes = ladder.table_sizes
    if not isinstance(sizes, list) or not all(type(size) is int and low <= size <= high for size in sizes):
        sentence = "This must be a list of whole numbers from %(low)s to %(high)s, the numbers of players of %(game)s."
        raise ValidationError({"table_sizes": Sentence(sentence, low=low, high=high, game=game.title)})
    for size in sizes:
        try:
            options_at(ladder, size)
        except RecordError as error:
            raise ValidationError({"table_sizes": Sentence("%(error)s.", error=error.reason)}) from None


def options_at(ladder: Ladder, players: int) -> dict[str, Any]:
    """Return the game's options at a table of that size, as plain data. Raises RecordError, which names the size."""
    try:
        plain = to_plain(GAMES[ladder.game].read_options({**ladder.options, "players": players}))
    except RecordError as error:
        sentence = "at tables of %(players)s the options do not hold: %(error)s"
        raise RecordError(Sentence(sentence, players=players, error=error.reason)) from None
    return cast("dict[str, Any]", plain)
