"""Network: net worth, and what shares and treasuries will make of it."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.chances import Outlook, clamp
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


def outlook(position: Position, worth: Sequence[float]) -> Outlook:
    sold = [position.auctioned(company) for company in range(len(worth))]
    time = 1.0 if position.trigger is not None or position.ending else clamp(0.9 * max(sold) / SHARES)
    return Outlook(time, [_row(position, seat, value) for seat, value in enumerate(worth)])


def _row(position: Position, seat: Seat, value: float) -> list[float]:
    owned = position.owned[seat]
    growth = sum(count * money / 5 for count, money in zip(owned, position.treasury, strict=True))
    held = position.unauctioned[seat]
    spread = [held / SHARES, sum(owned) / SHARES, sum(count > 0 for count in owned) / SHARES]
    amounts = [value, position.cash[seat], growth, position.share_value[seat]]
    return [*(amount / DOLLARS for amount in amounts), *spread]
