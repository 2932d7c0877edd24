"""Corporate Gigabucks: money, corporations, and what they cost others."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from bots.viewer.chances.outlook import Outlook
from engine.core import Seat
from engine.games.gigabucks import Position

FEATURES: Final = (
    "purse",  # its share of all money
    "root",  # the root of it: the less one has, the more a dollar counts
    "estate",  # its share of all spaces
    "royalty",  # what a landing on each of its spaces would bring, of all money
    "threat",  # what a landing on those of the others would cost, for each dollar that it has
    "owing",  # what it owes now, of its money
    "claim",  # what it is owed
    "lines",
)


def outlook(at: Position, worth: Sequence[float]) -> Outlook:
    out = {left.seat for left in at.exits}
    royalty = [max(0.0, value - cash) for value, cash in zip(worth, at.cash, strict=True)]
    owned, lines = _held(at)
    others = max(1, at.options.players - 2)
    time = min(1.0, (sum(owned) / len(at.owner) + len(out) / others) / 2)
    rows = [_row(at, seat, royalty, owned[seat], lines[seat]) for seat in range(len(worth))]
    return Outlook(time, rows, out)


def _held(at: Position) -> tuple[list[int], list[int]]:
    """Spaces and lines, by seat."""
    owned, lines = [0] * len(at.cash), [0] * len(at.cash)
    for owner, many in zip(at.owner, at.lines, strict=True):
        if owner is not None:
            owned[owner] += 1
            lines[owner] += many
    return owned, lines


def _row(at: Position, seat: Seat, royalty: Sequence[float], owned: int, lines: int) -> list[float]:
    whole, cash = at.options.players * at.options.currency, at.cash[seat]
    owing = at.due.amount if at.due and at.current == seat else 0
    claim = at.due.amount if at.due and at.due.to == seat else 0
    others = sum(royalty) - royalty[seat]
    return [
        cash / whole,
        sqrt(cash / whole),
        owned / len(at.owner),
        min(4.0, royalty[seat] / whole),
        min(4.0, others / len(at.owner) / (cash + 10)),
        min(2.0, owing / (cash + 1)),
        min(1.0, claim / whole),
        min(2.0, lines / len(at.owner)),
    ]
