"""The luck of the dice in one match, as its page shows it."""

from typing import Final

from bots.viewer.luck_bar import LuckOfDice, luck_bars
from engine.luck import luck_of, shipped
from engine.luck_value import LuckError, LuckValue, read_value
from engine.replay import Replay
from tournaments.models import Ladder, LadderLuck

OUTCOMES: Final = 12_000  # positions after rolls that a page looks at: of about a thousand rolls


def dice_of(replay: Replay, ladder: Ladder | None) -> LuckOfDice | None:
    """The luck of every roll by the value that the ladder names, or else by the one that comes with the game; of no
    match that is too long for a page."""
    try:
        value = value_of(replay.game, ladder)
        luck = luck_of(replay, value, OUTCOMES) if value else None
    except LuckError:
        return None
    if not value or not luck:
        return None
    names = [player.name for player in replay.players]
    return luck_bars(luck, names, len(replay.answers), (value.name, value.hash))


def value_of(game: str, ladder: Ladder | None) -> LuckValue | None:
    named = LadderLuck.objects.filter(ladder=ladder).first() if ladder and shipped(game) else None
    return read_value(named.value) if named else shipped(game)
