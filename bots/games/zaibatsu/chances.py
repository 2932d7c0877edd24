"""Zaibatsu: what each has and could still make of the piles."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.chances import Outlook, clamp
from engine.core import Seat
from engine.games.zaibatsu import Position
from engine.games.zaibatsu.pieces import ROUNDS, SCORES
from engine.games.zaibatsu.rules import PHASES
from engine.games.zaibatsu.scoring import best

FEATURES: Final = (
    "points",
    "money",
    "idle",  # points of companies that do not run yet
    "hope",  # what the best open pile that is not sold would add
)
TEN: Final = 10.0


def outlook(position: Position, worth: Sequence[float]) -> Outlook:
    return Outlook(_time(position), [_row(position, seat, points) for seat, points in enumerate(worth)])


def _time(position: Position) -> float:
    called = sum(pile.called for pile in position.piles) / len(position.piles)
    now = 0.5 + called / 2 if PHASES[position.phase] == "auctions" else 0.0
    return clamp((position.round - 1 + now) / ROUNDS)


def _row(position: Position, seat: Seat, points: float) -> list[float]:
    owned, cash = position.owned[seat], position.cash[seat]
    idle = sum(SCORES[card[0]] for card in owned) + cash - points
    lot = position.auction.lot if position.auction else 0
    open_ = [pile.cards for number, pile in enumerate(position.piles, 1) if number == lot or not pile.called]
    gains = [_gain(position, seat, cards, points) for cards in open_ if cards]
    return [points / TEN, cash / TEN, idle / TEN, max(gains, default=0.0) / TEN]


def _gain(position: Position, seat: Seat, cards: Sequence[str], points: float) -> float:
    return best([*position.owned[seat], *cards]).score + position.cash[seat] - points
