"""The guided first game of Kaiju Incorporated: buildings that pay, the monster, and products that fit what you have."""

from typing import Final

from bots.viewer.first_games import Facts, read_lesson
from engine.core import Seat
from engine.games.kaiju import Position
from engine.games.kaiju.pieces import BUILDING, CITIES_VP
from engine.games.kaiju.scoring import all_vp, cities


def _facts(before: Position, after: Position, seat: Seat) -> Facts:
    """Return how the reader stood before the choice, and stands after it."""
    was, now = before.players[seat], after.players[seat]
    homes = len([card for card in was.tableau if BUILDING[card].city == BUILDING["H10"].city])
    return {
        "bank": was.bank,
        "bank_now": now.bank,
        "got": now.bank - was.bank,
        "vp": _points(before)[seat],
        "vp_now": _points(after)[seat],
        "cities": cities(tuple(was.tableau)),
        "cities_now": cities(tuple(now.tableau)),
        "cities_vp": CITIES_VP[cities(tuple(was.tableau))],
        "cities_vp_now": CITIES_VP[cities(tuple(now.tableau))],
        "earning_now": _earning(after),
        "homes": homes,
        "buildings": len(was.tableau),
    }


def _points(position: Position) -> list[int]:
    return all_vp(position.players, position.options.city_majority)


def _earning(position: Position) -> int:
    """Return what all buildings of the reader pay, each once."""
    return sum(BUILDING[card].money for card in position.players[0].tableau)


MEASURES: Final = {"earning": _earning}
LESSON: Final = read_lesson("kaiju", _facts, {}, MEASURES)
