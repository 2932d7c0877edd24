"""The faces of the cards, large in the row and the display, small before the players."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from bots.games.kaiju.board.words import SPECIALLY, in_full
from bots.viewer.language import cached_by_language, say
from bots.viewer.lettering import squeeze, squeezed, wrap
from bots.viewer.svg import Markup, element, group, rect, text, tooltip
from engine.games.kaiju import BUILDING, COST, NAMES, PRODUCT, SUIT
from engine.games.kaiju.pieces import PAYS_ON

WIDE, PRODUCT_HIGH, CARD_HIGH = 130, 54, 58
TILE, TILE_HIGH, HEAP, LABEL = 40, 34, 66, 56
MOST_TILES: Final = 10  # of a player side by side; more are heaps of a suit and timing
STAR: Final = (
    "M0.0 -7.6 1.9 -5.4 4.9 -5.8 4.9 -2.9 7.5 -1.3 5.6 1.0 6.6 3.8 3.7 4.4 2.6 7.1 "
    "0.0 5.7 -2.6 7.1 -3.7 4.4 -6.6 3.8 -5.6 1.0 -7.5 -1.3 -4.9 -2.8 -4.9 -5.8 -1.9 -5.4Z"
)
SHAPES: Final = {
    "money": element("circle", r=6.8),
    "research": rect(-6.2, -6.2, 12.4, 12.4, rx=2.5),
    "kaiju": element("path", d=STAR),
}


@cache
def pip(kind: str, number: int, x: float, y: float) -> Markup:
    """Draw an amount of money (a coin), research (a square) or Kaiju (a star)."""
    return group(SHAPES[kind], text(number, 0, 3.7, "kj-number"), at=(x, y), class_=f"kj-{kind}")


@cache
def pips(money: int, research: int, kaiju: int, x: float, y: float, pitch: float = 13.2) -> Markup:
    """Draw the amounts that are not 0, from `x` to the right."""
    given = [(kind, number) for kind, number in zip(SHAPES, (money, research, kaiju), strict=True) if number]
    return "".join(pip(kind, number, x + pitch * place, y) for place, (kind, number) in enumerate(given))


def card_place(id_: str, tableaus: Sequence[Sequence[str]] = ()) -> str:
    """Return the place of a card by itself, or of the heap of a player that it is in."""
    heaped = (seat for seat, cards in enumerate(tableaus) if id_ in cards and len(cards) > MOST_TILES)
    return next((f"heap:{seat}-{PAYS_ON[id_]}" for seat in heaped), f"card:{id_}")


def ground(key: str) -> str:
    """The colour of a suit: filled for what pays on one's own turn, hollow for a rival's."""
    return f"kj-{key[0]}{' kj-hollow' if key[1] == 'R' else ''}"


def words_on(key: str) -> str:
    """Classes of words upon it."""
    return "small" if key[1] == "R" else "small kj-on"


# --- in the row and on display -------------------------------------------------------------------------------------


@cached_by_language()
def card(id_: str) -> Markup:
    """A card of the row: a Building or a Special Action."""
    name = squeezed(wrap(NAMES[id_], 17, 2), 31, 15, 13, WIDE - 36, "small")
    cost = group(
        element("circle", r=11), squeeze(f"{COST[id_]}¥", 0, 4.2, 16, "strong middle"), at=(16, 18), class_="kj-cost"
    )
    foot = _building_foot(id_) if id_ in BUILDING else _special_foot(id_)
    plate = rect(0.5, 0.5, WIDE - 1, CARD_HIGH - 1, "plate", rx=6)
    return group(tooltip(in_full(id_)), plate, cost, name, foot, data_place=f"card:{id_}")


def _building_foot(id_: str) -> Markup:
    house = BUILDING[id_]
    key = house.suit + house.timing
    when = squeeze(say("rivals’") if house.timing == "R" else say("yours"), 49, 52, 33, words_on(key))
    income = pips(house.money, house.research, house.kaiju, WIDE - 37, 47.6)
    suit = squeeze(f"{house.suit} {house.city}", 7, 52, 36, f"{words_on(key)} strong", 9)
    return group(rect(1.4, 38.5, WIDE - 2.8, 18, ground(key), rx=5), suit, when, income)


def _special_foot(id_: str) -> Markup:
    foot = rect(1.4, 38.5, 19, 18, f"kj-{SUIT[id_]}", rx=5)
    does = squeeze(say(SPECIALLY[id_][0]), 25, 52, WIDE - 31, "small")
    return group(foot, text(SUIT[id_], 7, 52, "small strong kj-on"), does)


@cached_by_language()
def product_card(id_: str) -> Markup:
    """A New Product on display."""
    goods = PRODUCT[id_]
    name = squeezed(wrap(goods.name, 18, 2), 8, 15, 13, WIDE - 14, "small strong", 7.6)
    does = _shortly(id_, 8, 47)
    most = "" if goods.kind == "fixed" else text(say("max %(most)s", most=goods.most), WIDE - 8, 47, "small faint end")
    plate = rect(0.5, 0.5, WIDE - 1, PRODUCT_HIGH - 1, "kj-product", rx=12)
    return group(tooltip(in_full(id_)), plate, name, does, most, data_place=f"card:{id_}")


def _shortly(id_: str, x: float, y: float) -> Markup:
    """Draw what the New Product counts, in few words; Buildings of a suit and timing by their mark."""
    goods = PRODUCT[id_]
    if goods.kind == "paying":
        return text(say("2 per"), x, y, "small") + _mark(goods.of, x + 47, y)
    does = {
        "suit": say("1 per %(of)s", of=goods.of),
        "city": say("1½ per %(of)s", of=goods.of),
        "set": say("3 per C+I+T"),
        "cities": say("1 per city"),
        "dear": say("2 per 7¥+"),
        "fixed": say("2 VP"),
    }[goods.kind]
    return text(does, x, y, "small")


def _mark(key: str, x: float, y: float) -> Markup:
    return rect(x - 9, y - 10, 18, 13, ground(key), rx=3) + text(key[0], x, y, f"{words_on(key)} middle")


# --- before a player -----------------------------------------------------------------------------------------------


@cached_by_language()
def tile(id_: str) -> Markup:
    """A Building: its suit and city, and what it brings; filled if it pays on its owner's turn, else hollow."""
    house = BUILDING[id_]
    key = house.suit + house.timing
    head = rect(1.4, 1.4, TILE - 2.8, 13.6, ground(key), rx=3)
    head += squeeze(f"{house.suit} {house.city}", TILE / 2, 12, 32, f"{words_on(key)} middle", 8)
    given = sum(map(bool, (house.money, house.research, house.kaiju)))
    pitch = min(13.2, (TILE - 17) / max(1, given - 1))
    income = pips(house.money, house.research, house.kaiju, TILE / 2 - pitch * (given - 1) / 2, 24.3, pitch)
    plate = rect(0.5, 0.5, TILE - 1, TILE_HIGH - 1, "plate", rx=4)
    return group(tooltip(in_full(id_)), plate, head, income, data_place=f"card:{id_}")


@cached_by_language()
def tag(id_: str, points: int) -> Markup:
    """A New Product: what it counts, and the VP that it brings now."""
    goods = PRODUCT[id_]
    words = {"set": say("sets"), "cities": say("cities"), "dear": "7¥+", "fixed": say("bag")}.get(goods.kind, goods.of)
    what = _mark(goods.of, TILE / 2, 12) if goods.kind == "paying" else text(words, TILE / 2, 12, "small middle")
    face = rect(0.5, 0.5, TILE - 1, 27, "kj-product", rx=8)
    return group(tooltip(in_full(id_)), face, what, text(points, TILE / 2, 24.5, "small strong middle"))


@cached_by_language()
def heap(cards: tuple[str, ...]) -> Markup:
    """Buildings of one suit and timing: how many, and what they bring together."""
    houses = [BUILDING[card] for card in cards]
    key = houses[0].suit + houses[0].timing
    head = rect(1.4, 1.4, HEAP - 2.8, 13.6, ground(key), rx=3)
    head += text(f"{houses[0].suit} ×{len(houses)}", HEAP / 2, 12.4, f"{words_on(key)} middle")
    sums = [sum(getattr(house, kind) for house in houses) for kind in SHAPES]
    income = pips(*sums, HEAP / 2 - 6.6 * (sum(map(bool, sums)) - 1), 24.3)
    words = tooltip("; ".join(map(in_full, cards)))
    return group(words, rect(0.5, 0.5, HEAP - 1, TILE_HIGH - 1, "plate", rx=4), head, income)


@cached_by_language()
def label(id_: str, points: int) -> Markup:
    """A New Product in one line, for a phone."""
    goods = PRODUCT[id_]
    words = {"set": say("sets"), "cities": say("cities"), "dear": "7¥+", "fixed": say("bag")}.get(goods.kind, goods.of)
    what = _mark(goods.of, 14, 14) if goods.kind == "paying" else squeeze(words, 5, 14, 34, "small")
    face = rect(0.5, 1, LABEL - 1, 18, "kj-product", rx=7)
    return group(tooltip(in_full(id_)), face, what, text(points, LABEL - 6, 14, "strong end"))
