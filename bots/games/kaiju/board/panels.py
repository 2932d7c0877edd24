"""What lies before each player: bank, wheels, Buildings, New Products, and what they come to."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bots.games.kaiju.board.cards import HEAP, LABEL, MOST_TILES, TILE, TILE_HIGH, heap, label, pip, tag, tile
from bots.games.kaiju.board.wheels import bank_words, stands_at, tracks
from bots.games.kaiju.board.words import CITIES, actor
from bots.viewer.language import say, say_number
from bots.viewer.lettering import squeeze
from bots.viewer.svg import Markup, badge, clip, group, rect, text, tooltip
from engine.core import Seat
from engine.games.kaiju import COMPANY, SUITS, Player, Position, attackable, majority_vp, product_vp, vp
from engine.games.kaiju.pieces import CITIES_VP, PAYS_ON
from engine.games.kaiju.scoring import cities

WIDE, HIGH, SLIM_HIGH = 404, 116, 79
AT_TOP: Final = dict.fromkeys(("plate", "player", "tracks", "points", "place"), 0)
WIDE_LINES: Final = {**AT_TOP, "tableau": 44, "products": 81}  # from its top
SLIM_LINES: Final = {**AT_TOP, "tableau": 20, "products": 56}
AIM: Final = rect(0, 0, TILE, TILE_HIGH, "kj-aim", rx=5)
ORDER: Final = {suit + timing: place for place, (suit, timing) in enumerate((s, t) for s in SUITS for t in "YR")}


def plate(position: Position, seat: Seat, high: float) -> Markup:
    """The ground of all that lies before the player, in a frame if it is asked."""
    return rect(-4, 0, WIDE + 8, high - 3, f"felt{' chosen' if seat == actor(position) else ''}", rx=8)


def place(seat: Seat, high: float) -> Markup:
    """Draw the area that is clicked to choose the player, over the whole panel."""
    return rect(-4, 0, WIDE + 8, high - 3, "hit", rx=8, data_place=f"player:{seat}")


def player(position: Position, seat: Seat, name: str) -> Markup:
    """Draw the player's name and company, which stay the same all match."""
    company = COMPANY[position.players[seat].company]
    return group(
        rect(-4, 8, 3, HIGH - 20, f"seat-{seat}"),
        badge(seat, 14, 15, name=name),
        squeeze(clip(name, 20), 30, 20, 122, "strong", 8),
        group(tooltip(CITIES[company.city]), squeeze(f"{company.city} · {company.name}", 4, 38, 152, "small faint")),
        tracks(),
    )


def points(position: Position, seat: Seat) -> Markup:
    """Victory points as if the game ended now, and those that are not for New Products, which show their own."""
    majority = majority_vp(position.players, seat, position.options.city_majority)
    towns = cities(position.players[seat].tableau)
    besides = [
        say_number("%(number)s city +%(points)s", "%(number)s cities +%(points)s", towns, points=CITIES_VP[towns])
    ]
    besides += [say("majority +%(majority)s", majority=majority)] * bool(majority)
    total = vp(position.players, seat, position.options.city_majority)
    return group(
        tooltip(sum_of(position, seat)),
        text(total, WIDE - 22, 17, "title end"),
        text(say("VP"), WIDE, 17, "small faint end"),
        *(text(words, WIDE, 29 + 12 * line, "small faint end") for line, words in enumerate(besides)),
    )  # fmt: skip


def sum_of(position: Position, seat: Seat) -> str:
    """Return what the victory points are made of."""
    majority = majority_vp(position.players, seat, position.options.city_majority)
    different = CITIES_VP[cities(position.players[seat].tableau)]
    total = vp(position.players, seat, position.options.city_majority)
    return say(
        "%(total)s victory points: New Products %(products)s, different cities %(cities)s, majority %(majority)s",
        total=total,
        products=total - different - majority,
        cities=different,
        majority=majority,
    )


def name_line(seat: Seat, name: str) -> Markup:
    """Draw the player's name for a phone."""
    return badge(seat, 8, 10, 8, name) + squeeze(clip(name, 20), 22, 15, 150, "strong", 8)


def wheel_amounts(me: Player) -> Markup:
    """Bank, research and Kaiju as numbers, where there is no room for wheels."""
    bank = group(tooltip(bank_words(me)), text(f"{me.bank}¥", 222, 15, "strong end"))
    research = group(tooltip(stands_at("research", me.research)), pip("research", me.research, 244, 11))
    return bank + research + group(tooltip(stands_at("kaiju", me.kaiju)), pip("kaiju", me.kaiju, 272, 11))


def total(position: Position, seat: Seat) -> Markup:
    points = vp(position.players, seat, position.options.city_majority)
    words = text(points, WIDE - 22, 16, "title end") + text(say("VP"), WIDE, 16, "small faint end")
    return group(tooltip(sum_of(position, seat)), words)


def products_in_line(position: Position, seat: Seat) -> Markup:
    me = position.players[seat]
    return _in_line([label(card, product_vp(card, me.tableau)) for card in me.products], LABEL)


def tableau(position: Position, seat: Seat) -> Markup:
    """The Buildings by suit and timing; those that an attack may take stand out."""
    cards = sorted(position.players[seat].tableau, key=lambda card: ORDER[PAYS_ON[card]])
    hunted = position.owed and position.owed.seat == seat and not position.owed.products and position.owed.attacks
    marked = attackable(position.threat, position.players[seat]) if hunted else []
    if len(cards) > MOST_TILES:
        kinds = groupby(cards, PAYS_ON.__getitem__)
        return _in_line([_heap(seat, kind, tuple(heap), marked) for kind, heap in kinds], HEAP)
    return _in_line([tile(card) + (AIM if card in marked else "") for card in cards], TILE)


def _heap(seat: Seat, kind: str, cards: tuple[str, ...], marked: Sequence[str]) -> Markup:
    """Buildings of a suit and timing as one, where there are too many to lie side by side."""
    aim = rect(0, 0, HEAP, TILE_HIGH, "kj-aim", rx=5) if set(cards) & set(marked) else ""
    return group(heap(cards), aim, data_place=f"heap:{seat}-{kind}")


def products(position: Position, seat: Seat) -> Markup:
    me = position.players[seat]
    return _in_line([tag(card, product_vp(card, me.tableau)) for card in me.products], TILE)


def _in_line(tiles: Sequence[Markup], wide: float) -> Markup:
    """Side by side, drawn over each other where there are more than find room."""
    pitch = min(wide + 0.4, (WIDE - wide) / max(1, len(tiles) - 1))
    return "".join(group(drawn, at=(round(pitch * place, 1), 0)) for place, drawn in enumerate(tiles))
