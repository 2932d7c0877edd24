"""How a game is played and rated where results are compared: what new ladders have by default.

Without luck, the same bots play one game again and again. A margin is worth it where scores tell more than places.
"""

from collections.abc import Mapping

from bots.games import module_of


def rated_options(game: str) -> Mapping[str, object]:
    """Return the options of new ladders and of `series` that are not the game's own defaults."""
    options: Mapping[str, object] = getattr(module_of(game, "options"), "RATED", {})
    return options


def rated_margin(game: str) -> int:
    """Return the lead in score that counts as a full win in new ladders; 0 where places alone count."""
    return int(getattr(module_of(game, "options"), "MARGIN", 0))
