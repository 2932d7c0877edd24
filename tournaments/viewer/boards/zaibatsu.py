"""Zaibatsu as it lies on the table: the piles, the auction, and before each player purse, hand and conglomerate."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.core import Seat
from engine.games.zaibatsu import CARDS, Company, Pile, Position, best
from engine.games.zaibatsu.pieces import ROUNDS
from engine.games.zaibatsu.rules import scores
from tournaments.viewer.svg import Markup, Picture, badge, clip, element, fit, group, rect, text

UNIT: Final = "points"
WIDTH: Final = 720
PILES_Y, PILES_HEIGHT, SEATS_Y, SEAT_HEIGHT = 34, 152, 218, 206
CARD: Final = (112, 36)  # of a company in a hand or on a pile
BAR: Final = (156, 21)  # of one in a conglomerate
CHAIN_Y: Final = 68
COLUMN: Final = WIDTH / 4
LEVELS: Final = "MPAF"
TOKEN: Final = 13
NAMES_END: Final = 18

# --- the whole ------------------------------------------------------------------------------------------------------


def draw(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:
    parts = {"table": _table(at, names)}
    parts |= {f"pile-{n}": _pile(at, n, shown) for n in range(1, len(at.piles) + 1)}
    parts["auction"] = _auction(at, names)
    for seat in range(len(names)):
        top = SEATS_Y + seat * SEAT_HEIGHT
        parts[f"seat-{seat}"] = group(_seat(at, names, seat, shown), at=(0, top))
        parts[f"chain-{seat}"] = group(_chain(tuple(at.owned[seat])), at=(0, top + CHAIN_Y))
    foot = SEATS_Y + len(names) * SEAT_HEIGHT
    parts["discards"] = _discards(at, foot + 14)
    return Picture(WIDTH, foot + 24, parts, _says(at, names))


def worth(at: Position) -> list[float]:
    return [float(score) for score in scores(at)]


def _says(at: Position, names: Sequence[str]) -> str:
    stands = ", ".join(f"{name} {score}" for name, score in zip(names, scores(at), strict=True))
    piles = ", ".join(f"{len(pile.cards) + len(pile.hidden)}" for pile in at.piles)
    return f"Zaibatsu, {_when(at)}. Cards on the piles: {piles}. Points so far: {stands}."


def _when(at: Position) -> str:
    return f"round {at.round} of {ROUNDS}" if at.round <= ROUNDS else "after the last round"


def _table(at: Position, names: Sequence[str]) -> Markup:
    head = text(_when(at).capitalize(), 0, 20, "title")
    commissioner = f"Commissioner: {clip(names[at.commissioner], NAMES_END)}; {len(at.deck)} cards in the deck"
    return head + text(commissioner, WIDTH, 20, "faint end")


# --- piles and auction ----------------------------------------------------------------------------------------------


def _pile(at: Position, number: int, shown: frozenset[Seat]) -> Markup:
    width = WIDTH / len(at.piles)
    pile = at.piles[number - 1]
    up = at.auction is not None and at.auction.lot == number
    frame = rect(2, 0, width - 4, PILES_HEIGHT, "felt chosen" if up else "felt", rx=6)
    state = "up for auction" if up else "called" if pile.called else ""
    head = text(f"Pile {number}", 10, 18, "strong") + text(state, width - 10, 18, "faint end")
    cards = [*map(_card, pile.cards), *_face_down(pile, shown)]
    inner = _spread(cards, width - 12, PILES_HEIGHT - 30, (CARD[0] + 4, CARD[1] + 3))
    return group(frame, head, group(inner, at=(8, 26)), at=((number - 1) * width, PILES_Y))


def _face_down(pile: Pile, shown: frozenset[Seat]) -> Iterator[Markup]:
    for down in pile.hidden:
        yield group(_card(down.card), class_="hidden") if down.seat in shown else _back() + badge(down.seat, 18, 17)


def _spread(things: Sequence[Markup], width: float, height: float, cell: tuple[float, float]) -> Markup:
    """In rows, made smaller where there are many."""
    columns, scale = fit(len(things), width, height, cell)
    laid = "".join(
        group(thing, at=(number % columns * cell[0], number // columns * cell[1]))
        for number, thing in enumerate(things)
    )
    return element("g", laid, transform=f"scale({scale:.3g})") if laid and scale < 1 else laid


def _auction(at: Position, names: Sequence[str]) -> Markup:
    if not (auction := at.auction):
        return ""
    high = (
        f"{clip(names[auction.leader], NAMES_END)} bids T¥ {auction.high}" if auction.leader is not None else "no bid"
    )
    waiting = "".join(badge(seat, 96 + 24 * turn, 0, 9) for turn, seat in enumerate(auction.to_bid))
    high_bid = text(f"Pile {auction.lot}: {high}", WIDTH, 5, "strong end")
    return group(text("Still to bid", 4, 5, "faint"), waiting, high_bid, at=(0, PILES_Y + PILES_HEIGHT + 15))


# --- companies ------------------------------------------------------------------------------------------------------


@lru_cache
def _card(card: str) -> Markup:
    company = CARDS[card]
    frame = rect(0, 0, *CARD, "plate", rx=4)
    return group(frame, text(clip(company.name, 16), 5, 13, "small"), _recipe(company, 5, 18))


def _back() -> Markup:
    return rect(0, 0, *CARD, "back", rx=4)


def _recipe(company: Company, x: float, y: float) -> Markup:
    """Inputs, an arrow, outputs."""
    tokens = _tokens(company.inputs, x, y)
    x += TOKEN * len(company.inputs) + 2
    arrow = text("▸", x, y + 11, "small faint")
    return tokens + arrow + _tokens(company.outputs, x + 9, y) + text(company.score, CARD[0] - 5, y + 12, "small end")


def _tokens(symbols: str, x: float, y: float) -> Markup:
    return "".join(_token(symbol, x + TOKEN * place, y) for place, symbol in enumerate(symbols))


@lru_cache(maxsize=1 << 10)
def _token(symbol: str, x: float, y: float) -> Markup:
    box = rect(x, y, TOKEN - 1, TOKEN, f"res-{symbol}", rx=2)
    return box + text(symbol, x + (TOKEN - 1) / 2, y + 10.5, f"on-res-{symbol}")


# --- players --------------------------------------------------------------------------------------------------------


def _seat(at: Position, names: Sequence[str], seat: Seat, shown: frozenset[Seat]) -> Markup:
    frame = rect(0, 0, WIDTH, SEAT_HEIGHT - 8, "felt", rx=6)
    marks = " · Commissioner" if at.commissioner == seat and at.round <= ROUNDS else ""
    head = badge(seat, 16, 15) + text(clip(names[seat], 30) + marks, 32, 20, "strong")
    run = best(at.owned[seat])
    total = f"T¥ {at.cash[seat]} + companies {run.score} = {at.cash[seat] + run.score}"
    return frame + head + text(total, WIDTH - 10, 20, "strong end") + _hand(at.hands[seat], seat in shown)


def _hand(hand: Sequence[str], open_: bool) -> Markup:
    cards = [_card(card) if open_ else _back() for card in hand]
    return group(_spread(cards, WIDTH - 16, CARD[1], (CARD[0] + 5, CARD[1])), at=(8, 28))


# --- conglomerates --------------------------------------------------------------------------------------------------


class Spot(NamedTuple):
    """Where lines come in, at the left of a company, and go out, at its right."""

    x: float
    y: float
    out: float


@lru_cache(maxsize=64)
def _chain(owned: tuple[str, ...]) -> Markup:
    """Mines to the left, manufacturers to the right, and lines along which resources go from one to another."""
    if not owned:
        return text("No companies yet", 10, 20, "small faint")
    operation, spots, bars = best(owned), dict[str, Spot](), []
    for column, level in enumerate(LEVELS):
        cards = sorted(card for card in owned if card[0] == level)
        columns, scale = fit(len(cards), BAR[0], SEAT_HEIGHT - CHAIN_Y - 12, BAR)
        for place, card in enumerate(cards):
            x = column * COLUMN + 8 + place % columns * BAR[0] * scale
            y = place // columns * BAR[1] * scale
            spots[card] = Spot(x, y + BAR[1] * scale / 2, x + (BAR[0] - 3) * scale)
            runs = card in operation.operating
            bars.append(_bar(card, operation.splits.get(card, ""), runs, (x, y), scale))
    lines = _flows(operation.operating, operation.splits, spots)
    return lines + "".join(bars)


def _bar(card: str, split: str, runs: bool, at: tuple[float, float], scale: float) -> Markup:
    company = CARDS[card]
    width, height = BAR[0] - 3, BAR[1] - 3
    outputs = split or company.outputs
    middle = TOKEN * len(company.inputs) + 5
    room = int((width - middle - TOKEN * len(outputs) - 4) / 6.4)
    inner = (
        rect(0, 0, width, height, "plate" if runs else "plate idle", rx=4)
        + _tokens(company.inputs, 3, 3)
        + text(clip(company.name, room), middle, 13.5, "small" if runs else "small faint")
        + _tokens(outputs, width - 3 - TOKEN * len(outputs), 3)
    )
    place = f"translate({at[0]:g} {at[1]:g})" + (f" scale({scale:.3g})" if scale < 1 else "")
    return element("g", inner, transform=place)


def _flows(operating: Sequence[str], splits: dict[str, str], spots: dict[str, Spot]) -> Markup:
    """One way in which what runs is supplied; each resource goes to whoever is next in need of it."""
    made: dict[str, list[str]] = {}
    for card in operating:
        for symbol in splits.get(card, CARDS[card].outputs):
            made.setdefault(symbol, []).append(card)
    routes = [(symbol, made[symbol].pop(), card) for card in operating for symbol in CARDS[card].inputs]
    return "".join(_flow(symbol, spots[source], spots[target]) for symbol, source, target in dict.fromkeys(routes))


def _flow(symbol: str, source: Spot, target: Spot) -> Markup:
    bend = (target.x - source.out) / 2
    path = (
        f"M{source.out:g} {source.y:g}C{source.out + bend:g} {source.y:g}"
        f" {target.x - bend:g} {target.y:g} {target.x:g} {target.y:g}"
    )
    return element("path", d=path, class_=f"flow res-{symbol}")


def _discards(at: Position, y: float) -> Markup:
    if not at.discarded:
        return ""
    return text(f"Out of the game: {', '.join(CARDS[card].name for card in at.discarded)}", 4, y, "small faint")
