"""Corporate Gigabucks: money, corporations, and what they cost others."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from bots.viewer.chances import Outlook
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


def outlook(position: Position, worth: Sequence[float]) -> Outlook:
    out = {left.seat for left in position.exits}
    royalty = [max(0.0, value - cash) for value, cash in zip(worth, position.cash, strict=True)]
    owned, lines = _held(position)
    rivals = max(1, position.options.players - 2)
    time = min(1.0, (sum(owned) / len(position.owner) + len(out) / rivals) / 2)
    rows = [_row(position, seat, royalty, owned[seat], lines[seat]) for seat in range(len(worth))]
    return Outlook(time, rows, out)


def _held(position: Position) -> tuple[list[int], list[int]]:
    """Spaces and lines, by seat."""
    owned, lines = [0] * len(position.cash), [0] * len(position.cash)
    for owner, count in zip(position.owner, position.lines, strict=True):
        if owner is not None:
            owned[owner] += 1
            lines[owner] += count
    return owned, lines


def _row(position: Position, seat: Seat, royalty: Sequence[float], owned: int, lines: int) -> list[float]:
    in_all, cash = position.options.players * position.options.currency, position.cash[seat]
    owing = position.due.amount if position.due and position.current == seat else 0
    claim = position.due.amount if position.due and position.due.to == seat else 0
    rivals = sum(royalty) - royalty[seat]
    return [
        cash / in_all,
        sqrt(cash / in_all),
        owned / len(position.owner),
        min(4.0, royalty[seat] / in_all),
        min(4.0, rivals / len(position.owner) / (cash + 10)),
        min(2.0, owing / (cash + 1)),
        min(1.0, claim / in_all),
        min(2.0, lines / len(position.owner)),
    ]
