"""The bots of the field: a few families for each game, and numbers that make each of them stronger or weaker.

    from bots.rungs import rung
    from bots.sdk import play

    bot = rung("zaibatsu", "blend", noise=0.1)
    play(bot.choose, bot.hear)

is a whole bot. What it may think is counted in play-outs and never in seconds, and chance is drawn from what it sees:
it plays the same way twice, on every machine. Each game has its `FAMILIES` in `bots/games/GAME/rungs/families.py`.
"""

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType

from bots.games import PACKAGES
from bots.rungs.players import Noisy


def rung(game: str, family: str, noise: float = 0.0, **numbers: float) -> Noisy:
    """Return a player of that family; `noise` is how often it answers by lot, the other numbers are the family's own.

    Raises ValueError with what there is, for an unknown game or family.
    """
    if game not in PACKAGES:
        raise ValueError(f"there is no game {game!r}: write {listed(PACKAGES)}")
    families = families_of(game).FAMILIES
    if family not in families:
        raise ValueError(f"{game} has no family {family!r}: write {listed(families)}")
    by_lot = import_module(f"{PACKAGES[game]}.samples.random").choose
    return Noisy(families[family](**numbers), noise, by_lot)


def listed(words: Iterable[str]) -> str:
    return " or ".join(sorted(words))


def families_of(game: str) -> ModuleType:
    """Return the module with the game's `FAMILIES`, its `LADDER` of them, and what was learnt of them."""
    return import_module(f"{PACKAGES[game]}.rungs.families")
