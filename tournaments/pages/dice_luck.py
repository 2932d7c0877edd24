"""The luck of the dice in one match, as its page shows it."""

from typing import Final

from engine.luck import luck_of, shipped
from engine.luck_value import LuckError
from engine.replay import Replay
from tournaments.viewer.luck_bar import LuckOfDice, luck_bars

OUTCOMES: Final = 12_000  # positions after rolls that a page looks at: of about a thousand rolls


def dice_of(replay: Replay) -> LuckOfDice | None:
    """The luck of every roll, where a value comes with the game and the match is not too long for a page."""
    value = shipped(replay.game)
    if not value:
        return None
    try:
        luck = luck_of(replay, value, OUTCOMES)
    except LuckError:
        return None
    names = [player.name for player in replay.players]
    return luck_bars(luck, names, len(replay.answers), (value.name, value.hash))
