"""A conglomerate: mines to the left, manufacturers to the right, and lines along which resources go.

A line that ends in a dot is a resource that nobody uses yet, one that begins with a ring a need that nobody fills: so
there are lines from the first company on.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from bots.games.zaibatsu.board.companies import HIGH, LETTER, TOKEN, title, tokens
from bots.viewer.language import cached_by_language, say
from bots.viewer.svg import Markup, clip, element, group, rect, text, tooltip
from engine.games.zaibatsu import CARDS, best

LEVELS: Final = "MPAF"
SHARES: Final = {"M": 0.25, "P": 0.25, "A": 0.29, "F": 0.21}  # of the width
BARE: Final = {"M": 46, "P": 54, "A": 70, "F": 74}  # how wide a company is without its name
PITCH: Final = HIGH + 3
EDGE: Final = 13  # beside a company, for its lines


class Room(NamedTuple):
    width: float
    height: float
    named: bool


class Spot(NamedTuple):
    """Where lines come in, at the left of a company, and go out, at its right."""

    x: float
    y: float
    out: float


def _columns(width: float, level: str, count: int, *, named: bool) -> int:
    """How many stand side by side: one below the other while there are few of them and their names find room."""
    most = max(1, int(width * SHARES[level] / (BARE[level] + EDGE)))
    return 1 if named and count <= 4 else min(most, max(1, count))


def high(owned: Sequence[str], width: float, *, named: bool) -> float:
    """How much room it wants."""
    counts = Counter(card[0] for card in owned)
    rows = [-(-count // _columns(width, level, count, named=named)) for level, count in counts.items()]
    return PITCH * max([1, *rows]) + 4


@cached_by_language(256)
def draw_chain(owned: tuple[str, ...], room: Room) -> Markup:
    if not owned:
        return text(say("No companies yet"), 4, 16, "faint")
    operation, spots, bars = best(owned), dict[str, Spot](), []
    left = 0.0
    for level in LEVELS:
        cards = sorted(card for card in owned if card[0] == level)
        for card, spot in _placed(cards, level, left, room).items():
            spots[card] = spot
            bars.append(_bar(card, operation.splits.get(card, ""), spot, runs=card in operation.operating))
        left += room.width * SHARES[level]
    return _lines(owned, operation.operating, operation.splits, spots) + "".join(bars)


def _placed(cards: Sequence[str], level: str, left: float, room: Room) -> dict[str, Spot]:
    columns = _columns(room.width, level, len(cards), named=room.named)
    rows = -(-len(cards) // columns)
    pitch = min(PITCH * 1.4, (room.height - HIGH - 2) / (rows - 1)) if rows > 1 else PITCH
    cell = room.width * SHARES[level] / columns
    edge = EDGE * 1.6 if room.named and columns == 1 else EDGE
    across = cell - edge if room.named or columns > 1 else min(cell - edge, BARE[level] + 14)
    spots: dict[str, Spot] = {}
    for number, card in enumerate(cards):
        row, column = divmod(number, columns)
        x = left + column * cell + edge / 2
        spots[card] = Spot(round(x, 1), round(row * pitch + HIGH / 2 + 1, 1), round(x + across, 1))
    return spots


def _bar(card: str, split: str, spot: Spot, *, runs: bool) -> Markup:
    """Draw the company: what it needs on the left, what it makes on the right, its name between if there is room."""
    company, width = CARDS[card], spot.out - spot.x
    outputs = split or company.outputs
    middle = TOKEN * len(company.inputs) + 6
    letters = int((width - middle - TOKEN * len(outputs) - 4) / LETTER)
    name = text(clip(company.name, letters), middle, 14.5, "small" if runs else "small faint") if letters > 4 else ""
    made = tokens(outputs, round(width - 3 - TOKEN * len(outputs), 1), 3)
    frame = rect(0, 0, round(width, 1), HIGH, "plate" if runs else "plate idle", rx=4)
    return group(title(card), frame, tokens(company.inputs, 4, 3), name, made, at=(spot.x, spot.y - HIGH / 2))


def _lines(owned: Sequence[str], operating: Sequence[str], splits: dict[str, str], spots: dict[str, Spot]) -> Markup:
    """One way in which what runs is supplied; then what is left over, and what is needed."""
    made: dict[str, list[str]] = {}
    for card in operating:
        for symbol in splits.get(card, CARDS[card].outputs):
            made.setdefault(symbol, []).append(card)
    routes = [(symbol, made[symbol].pop(), card) for card in operating for symbol in CARDS[card].inputs]
    flows = [_flow(symbol, spots[source], spots[target]) for symbol, source, target in dict.fromkeys(routes)]
    over = [_over(symbol, spots[card]) for symbol, cards in made.items() for card in dict.fromkeys(cards)]
    needs = [_need(CARDS[card].inputs, spots[card]) for card in owned if card not in operating]
    flow, unused, missing = say("goes to who needs it"), say("nobody uses it yet"), say("needed, and nobody makes it")
    kinds = [(flow, flows), (unused, over), (missing, needs)]
    return "".join(group(tooltip(words), *lines) for words, lines in kinds if any(lines))


def _flow(symbol: str, source: Spot, target: Spot) -> Markup:
    bend = max(8.0, (target.x - source.out) / 2)
    path = (
        f"M{source.out:g} {source.y:g}C{source.out + bend:g} {source.y:g}"
        f" {target.x - bend:g} {target.y:g} {target.x:g} {target.y:g}"
    )
    return element("path", d=path, class_=f"flow res-{symbol}")


def _over(symbol: str, spot: Spot) -> Markup:
    line = element("path", d=f"M{spot.out:g} {spot.y:g}h6", class_=f"flow res-{symbol}")
    return line + element("circle", cx=spot.out + 7, cy=spot.y, r=2.5, class_=f"res-{symbol}")


def _need(inputs: str, spot: Spot) -> Markup:
    if not inputs:
        return ""
    return element("circle", cx=spot.x - 3.5, cy=spot.y, r=2.8, class_=f"flow res-{inputs[0]}")
