"""The piles and the auction of one of them."""

from collections.abc import Sequence
from typing import Final

from bots.games.zaibatsu.board.companies import CARD_HIGH, HIGH, bare, card_back, full, grid
from bots.viewer.language import say
from bots.viewer.lettering import squeeze
from bots.viewer.svg import Markup, badge, clip, group, numbered, rect, text, tooltip
from engine.core import Seat
from engine.games.zaibatsu import Pile, Position

TOP: Final = 82  # where the piles begin, below the auction
HEAD: Final = 24
FEWEST, MOST = 2, 6  # cards on a pile for which a phone has room


def auction(position: Position, names: Sequence[str], width: float) -> Markup:
    """The price in the middle of it, and who is still in; without one, who calls first."""
    frame = rect(1, 28, width - 2, 46, "felt chosen" if position.auction else "felt", rx=6)
    if not (bids := position.auction):
        first = badge(position.commissioner, 20, 51, name=names[position.commissioner]) + squeeze(
            say("%(name)s is Commissioner", name=clip(names[position.commissioner], 18)),
            38,
            56,
            width - 46,
            "",
            8,
        )
        return frame + first
    bidden, leader = (
        "Pile %(pile)s, bid by %(name)s",
        "" if bids.leader is None else clip(names[bids.leader], 14),
    )
    words = say("Pile %(pile)s, no bid yet" if bids.leader is None else bidden, pile=bids.lot, name=leader)
    leader = "" if bids.leader is None else badge(bids.leader, width - 96, 51, 12, names[bids.leader])
    high = f"T¥ {bids.high}" if bids.leader is not None else "T¥ –"
    price = group(tooltip(say("the highest bid so far")), text(high, width - 10, 58, "zb-price end"))
    waiting = "".join(badge(seat, 76 + 22 * turn, 62, 9, names[seat]) for turn, seat in enumerate(bids.to_bid))
    still = squeeze(say("To bid"), 10, 67, 54, "faint", 7.2) + waiting
    return frame + squeeze(words, 10, 46, width - 124, "strong", 8.8) + still + leader + price


def _head(position: Position, number: int, width: float) -> tuple[str, Markup]:
    """The class of its frame, and its number with what has become of it."""
    pile = position.piles[number - 1]
    up = position.auction is not None and position.auction.lot == number
    state = say("up now") if up else say("called") if pile.called else ""
    head = text(say("Pile %(number)s", number=number), 8, 17, "strong") + (
        text(state, width - 8, 17, "faint end") if width > 120 else ""
    )
    return "felt chosen" if up else "felt faded" if pile.called else "felt", head


def pile_column(position: Position, shown: frozenset[Seat], width: float, bottom: float) -> dict[str, Markup]:
    """Draw the piles under each other, each as high as it has cards."""
    counts = [max(1, -(-len(cards_of(pile)) // 2)) for pile in position.piles]
    room = bottom - TOP - len(counts) * (HEAD + 12)
    row = min(CARD_HIGH + 4.0, room / sum(counts))
    parts: dict[str, Markup] = {}
    y = float(TOP)
    for number, (pile, count) in enumerate(zip(position.piles, counts, strict=True), 1):
        high = HEAD + row * count + 4
        drawn = _wide(position, number, pile, shown, (width, high, row))
        parts[f"pile-{number}"] = group(drawn, at=(0, round(y, 1)), data_place=f"pile:{number}")
        y += high + 8
    return parts


def _wide(
    position: Position, number: int, pile: Pile, shown: frozenset[Seat], size: tuple[float, float, float]
) -> Markup:
    width, high, row = size
    frame, head = _head(position, number, width)
    cell = ((width - 12) / 2, min(row, CARD_HIGH + 4))
    named = row >= CARD_HIGH
    cards = [_face(card, seat, shown, cell[0] - 4, named=named) for card, seat in cards_of(pile)]
    inner = group(grid(cards, 2, cell, high - HEAD), at=(8, HEAD))
    return rect(1, 0, width - 2, round(high, 1), frame, rx=6) + head + inner


def slim_bottom(position: Position) -> float:
    """Return where the piles end on a phone."""
    return TOP + _slim_high(position) + 6


def _slim_high(position: Position) -> float:
    most = max(len(cards_of(pile)) for pile in position.piles)
    return HEAD + 6 + (HIGH + 2) * min(MOST, max(FEWEST, most))


def pile_row(position: Position, shown: frozenset[Seat], width: float) -> dict[str, Markup]:
    """Draw the piles beside each other, with cards without their names."""
    column, high = width / len(position.piles), _slim_high(position)
    parts: dict[str, Markup] = {}
    for number, pile in enumerate(position.piles, 1):
        frame, head = _head(position, number, column)
        cards = [_face(card, seat, shown, column - 8, named=False) for card, seat in cards_of(pile)]
        inner = group(grid(cards, 1, (column, HIGH + 2), high - HEAD - 4), at=(4, HEAD))
        plate = rect(1, 0, column - 3, high, frame, rx=6)
        parts[f"slim-pile-{number}"] = group(
            plate, head, inner, at=((number - 1) * column, TOP), data_place=f"pile:{number}"
        )
    return parts


def cards_of(pile: Pile) -> list[tuple[str, Seat | None]]:
    """Return the cards of a pile, each with the seat that laid it if it lies face down."""
    return [*((card, None) for card in pile.cards), *((down.card, down.seat) for down in pile.hidden)]


def _face(card: str, seat: Seat | None, shown: frozenset[Seat], width: float, *, named: bool) -> Markup:
    high = CARD_HIGH if named else HIGH
    if seat is not None and seat not in shown:
        down = tooltip(say("laid face down by seat %(seat)s", seat=seat))
        return group(down, card_back(width, high), numbered(seat, 16, high / 2, 8))
    face = full(card, width) if named else bare(card, width)
    return group(face, class_="hidden") if seat is not None else face
