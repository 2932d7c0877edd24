"""Network: net worth, and what shares and treasuries will make of it."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.chances.outlook import Outlook, within
from engine.core import Seat
from engine.games.network import Position
from engine.games.network.pieces import SHARES

FEATURES: Final = (
    "worth",
    "cash",
    "growth",  # what the treasuries can build, by its shares
    "share",  # what one of its own company's is worth
    "held",  # shares not auctioned yet, each of which costs a dollar a turn
    "shares",
    "mixed",  # companies that it has a share of
)
DOLLARS: Final = 20.0


def outlook(at: Position, worth: Sequence[float]) -> Outlook:
    sold = [at.auctioned(company) for company in range(len(worth))]
    time = 1.0 if at.trigger is not None or at.ending else within(0.9 * max(sold) / SHARES)
    return Outlook(time, [_row(at, seat, value) for seat, value in enumerate(worth)])


def _row(at: Position, seat: Seat, value: float) -> list[float]:
    owned = at.owned[seat]
    growth = sum(many * money / 5 for many, money in zip(owned, at.treasury, strict=True))
    held = at.unauctioned[seat]
    spread = [held / SHARES, sum(owned) / SHARES, sum(many > 0 for many in owned) / SHARES]
    amounts = [value, at.cash[seat], growth, at.share_value[seat]]
    return [*(amount / DOLLARS for amount in amounts), *spread]
