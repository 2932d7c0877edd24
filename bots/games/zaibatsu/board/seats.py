"""What lies before the players: purse, hand and conglomerate. Each has as much of the room as it needs."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bots.games.zaibatsu.board import chain
from bots.games.zaibatsu.board.companies import CARD_HIGH, bare, card_back, full, grid, title
from bots.viewer.language import say
from bots.viewer.lettering import squeeze
from bots.viewer.svg import Markup, badge, clip, group, rect, text, tooltip
from engine.core import Seat
from engine.games.zaibatsu import Position, best
from engine.games.zaibatsu.pieces import ROUNDS

HEAD: Final = 30
NARROW: Final = 500  # units: what is narrower shows companies without their names
GAP: Final = 5
FINGER: Final = 28  # how high cards without names lie apart: 24 pixels and more of a phone, to be pointed at


class Room(NamedTuple):
    x: float
    y: float
    width: float
    height: float


class Card(NamedTuple):
    """How cards in a hand lie."""

    columns: int
    cell: tuple[float, float]
    named: bool


def draw_panels(
    position: Position, names: Sequence[str], shown: frozenset[Seat], room: Room, begins: str
) -> dict[str, Markup]:
    """Parts for each: its frame and purse, its hand, its conglomerate."""
    parts: dict[str, Markup] = {}
    y = room.y
    for seat, high in enumerate(panel_heights(position, room)):
        lies = (room.x, round(y, 1))
        hand = _hand_high(len(position.hands[seat]), room.width)
        below = chain.Room(room.width - 12, high - HEAD - hand - 8, named=room.width > NARROW)
        parts[f"{begins}seat-{seat}"] = group(_seat(position, names, seat, (room.width, high)), at=lies)
        parts[f"{begins}hand-{seat}"] = group(_hand(position.hands[seat], room.width, open_=seat in shown), at=lies)
        owned = chain.draw_chain(tuple(position.owned[seat]), below)
        parts[f"{begins}chain-{seat}"] = group(owned, at=(room.x + 6, round(y + HEAD + hand, 1)))
        y += high + GAP
    return parts


def panel_heights(position: Position, room: Room) -> list[float]:
    """Return the height of each seat's panel, by seat: together that of the room, and alike where each has enough.
    Where there is too little, the largest conglomerates are drawn closer."""
    named = room.width > NARROW
    fixed = [HEAD + _hand_high(len(hand), room.width) + 8 for hand in position.hands]
    wants = [chain.high(tuple(owned), room.width - 12, named=named) for owned in position.owned]
    left = room.height - sum(fixed) - GAP * (len(fixed) - 1)
    share = min(1.25, left / sum(wants))
    return _fill([base + want * share for base, want in zip(fixed, wants, strict=True)], sum(fixed) + left)


def _fill(heights: Sequence[float], room: float) -> list[float]:
    """Return them with the lowest raised to one level, so that together they fill the room."""
    lower = sorted(heights)
    while len(lower) > 1 and lower[-1] > room / len(lower):
        room -= lower.pop()
    return [round(max(high, room / len(lower)), 1) for high in heights]


def _seat(position: Position, names: Sequence[str], seat: Seat, size: tuple[float, float]) -> Markup:
    width, high = size
    frame = rect(1, 0, width - 2, high, "felt", rx=6)
    run = best(position.owned[seat])
    marks = say(" · Commissioner") if position.commissioner == seat and position.round <= ROUNDS else ""
    points = text(position.cash[seat] + run.score, width - 10, 20, "title end")
    narrow = width <= NARROW
    sums = "T¥ %(cash)s + %(score)s =" if narrow else "T¥ %(cash)s + companies %(score)s ="
    sum_ = say(sums, cash=position.cash[seat], score=run.score)
    name = squeeze(clip(names[seat], 24) + marks, 34, 20, width - (220 if narrow else 300), "strong", 8)
    now = tooltip(say("points now: money and companies that run"))
    total = group(now, text(sum_, width - 46, 20, "end"), points)
    return frame + badge(seat, 18, 15, name=names[seat]) + name + total


def _layout(width: float) -> Card:
    named = width > NARROW
    columns = 4
    return Card(columns, ((width - 12) / columns, CARD_HIGH + 4 if named else FINGER), named)


def _hand_high(cards: int, width: float) -> float:
    layout = _layout(width)
    return layout.cell[1] * -(-cards // layout.columns)


def _hand(hand: Sequence[str], width: float, *, open_: bool) -> Markup:
    layout = _layout(width)
    across = round(layout.cell[0] - 4, 1)
    face = full if layout.named else bare
    hit = rect(-2, -2, layout.cell[0], layout.cell[1], "hit")
    cards = [
        group(title(card), face(card, across), hit, data_place=f"card:{card}")
        if open_
        else group(tooltip(say("a card in hand, seen by its player alone")), card_back(across, layout.cell[1] - 4))
        for card in hand
    ]
    return group(grid(cards, layout.columns, layout.cell, _hand_high(len(hand), width)), at=(6, HEAD))
