"""Kaiju Incorporated: the threat, the New Products on display, the row, and each player's tableau, wheels and bank."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bots.games.kaiju.board import panels
from bots.games.kaiju.board.cards import CARD_HIGH, PRODUCT_HIGH, card, pip, product_card
from bots.games.kaiju.board.cards import WIDE as CARD
from bots.games.kaiju.board.in_words import in_words
from bots.games.kaiju.board.scene import HIGH as SCENE_HIGH
from bots.games.kaiju.board.scene import WIDE as SCENE
from bots.games.kaiju.board.scene import monster, scene
from bots.games.kaiju.board.wheels import markers
from bots.games.kaiju.board.words import EFFECT, SPECIALLY, actor, says, task
from bots.viewer.language import decimal, say, say_number
from bots.viewer.lettering import squeeze, squeezed, wrap
from bots.viewer.screens import WIDE, rows, same_place
from bots.viewer.svg import Layout, Markup, Picture, Place, badge, clip, element, group, rect, text, tooltip
from engine.core import Seat
from engine.games.kaiju import NAMES, Gain, Owed, Position, vp

UNIT = "victory points"
BROAD, EDGE, GAP = 420, 8, 7
IN_THE_MIDDLE: Final = ("turn", "threat", "shop-", "row-", "sixth", "revealed", "now", "left")
QUIET: Final = ("turn", "now", "left", "key", "row-", "sixth", "plate-", "player-", "points-", "scene")
SHOP, ROW, NOW, PANELS = 80, 140, 268, 312  # where they begin


def draw(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:  # noqa: ARG001 - nothing is secret
    parts = {**_table(position, names), **_players(position, names), "wide-key": _key()}
    seats = len(names)
    return Picture(
        *WIDE, parts, says(position, names), _wide(seats, parts), _slim(seats), QUIET, in_words(position, names)
    )


def _wide(seats: int, parts: Mapping[str, Markup]) -> dict[str, Place]:
    """Place cities and the middle of the table on the left, the players on the right, as large as there is room."""
    scale = min(1.25, WIDE[1] / (panels.HIGH * seats))
    left = WIDE[0] - (panels.WIDE + 8) * scale
    middle = min((left - 4) / BROAD, (WIDE[1] - SCENE_HIGH) / (PANELS + 22))
    size = min(left / SCENE, (WIDE[1] - middle * (PANELS + 22)) / SCENE_HIGH)
    below = SCENE_HIGH * size + (WIDE[1] - SCENE_HIGH * size - middle * (PANELS + 22)) / 2
    table = same_place(parts, *IN_THE_MIDDLE, place=Place(0, below, middle))
    landscape = Place((left - SCENE * size) / 2, 0, size)
    placed = {**table, "wide-key": Place(0, below + middle * (PANELS + 8), middle), "wide-scene": landscape}
    for part, y in panels.WIDE_LINES.items():
        placed |= rows(part, seats, Place(left + 4 * scale, y * scale, scale), panels.HIGH * scale)
    return placed


def _slim(seats: int) -> Layout:
    """The players below, each on three close lines."""
    placed: dict[str, Place] = {}
    for part, y in panels.SLIM_LINES.items():
        slim = "" if part == "tableau" else "slim-"
        placed |= rows(f"{slim}{part}", seats, Place(EDGE, PANELS - 8 + y), panels.SLIM_HIGH)
    return Layout(BROAD, PANELS - 8 + panels.SLIM_HIGH * seats, placed)


def worth(position: Position) -> list[float]:
    return [
        float(vp(position.players, seat, position.options.city_majority)) for seat in range(position.options.players)
    ]


# --- what lies in the middle ---------------------------------------------------------------------------------------


def _table(position: Position, names: Sequence[str]) -> Mapping[str, Markup]:
    places = 5 if len(names) == 2 else len(names) + 1
    return {
        "turn": _turn(position, names),
        "threat": _threat(position),
        **{f"shop-{place}": _put(product_card, position.display, place, SHOP, PRODUCT_HIGH) for place in range(3)},
        **{f"row-{place}": _put(card, position.row, place, ROW, CARD_HIGH) for place in range(places)},
        "sixth": _sixth(position) if len(names) == 2 else "",
        "revealed": _revealed(position),
        "now": _now(position, names),
        "left": _left(position),
        "wide-scene": scene(position),
    }


def _turn(position: Position, names: Sequence[str]) -> Markup:
    """The turn, and who is to do what."""
    seat = actor(position)
    first = say("seat %(seat)s begins", seat=position.start_player)
    last = position.triggered and not position.ended
    turn = text(say("Turn %(turn)s", turn=position.turn), EDGE, 20, "title")
    turn += text(say("the last one") if last else first, EDGE, 35, "small kj-alarm" if last else "small faint")
    if seat is None:
        return turn + text(say("The game is over"), 96, 20, "strong")
    name = squeeze(clip(names[seat], 40), 122, 15, BROAD - 130, "strong", 8)
    return turn + badge(seat, 108, 18, name=names[seat]) + name + squeeze(task(position), 122, 31, BROAD - 130, "small")


def _threat(position: Position) -> Markup:
    """The current Kaiju Attack card."""
    struck = text(say("has struck"), BROAD - 16, 56, "small kj-alarm end") if position.struck else ""
    return group(
        rect(EDGE + 0.5, 41, BROAD - 2 * EDGE - 1, 34, f"kj-threat{' kj-struck' * position.struck}", rx=6),
        element("g", monster(position.threat), transform=f"translate({EDGE + 22} 73) scale(0.5)"),
        tooltip(say("%(kaiju)s attacks whoever’s Kaiju wheel comes round", kaiju=NAMES[position.threat])),
        text(NAMES[position.threat], 48, 55, "strong"),
        squeeze(
            say("Whose Kaiju wheel is round: %(threat)s", threat=say(EFFECT[position.threat])),
            48,
            69,
            BROAD - 60,
            "small",
        ),
        struck,
    )


def _spot(place: int, top: int, high: int) -> tuple[int, int]:
    """Return where a card lies: three side by side."""
    return EDGE + (CARD + GAP) * (place % 3), top + (high + 6) * (place // 3)


def _put(face: Callable[[str], Markup], cards: Sequence[str], place: int, top: int, high: int) -> Markup:
    x, y = _spot(place, top, high)
    if place < len(cards):
        return group(face(cards[place]), at=(x, y))
    return rect(x + 0.5, y + 0.5, CARD - 1, high - 1, "kj-gap", rx=6)


def _sixth(position: Position) -> Markup:
    """Draw, for two players, the card whose suit pays both at the end of the turn."""
    x, y = _spot(5, ROW, CARD_HIGH)
    face = group(card(position.sixth), at=(x, y)) if position.sixth else ""
    return rect(x - 3, y - 3, CARD + 6, CARD_HIGH + 6, "kj-sixth", rx=8) + face


def _revealed(position: Position) -> Markup:
    """The cards that the Prefab Contract has turned up, over the display."""
    if not position.revealed:
        return ""
    cards = "".join(
        _put(card, position.revealed, place, SHOP - 1, CARD_HIGH) for place in range(len(position.revealed))
    )
    return rect(2, SHOP - 5, BROAD - 4, CARD_HIGH + 8, "kj-cover", rx=8) + cards


def _now(position: Position, names: Sequence[str]) -> Markup:
    """Draw what is being carried out and who is still to get something, or else who is still to take a card."""
    if position.special:
        return _told(f"{NAMES[position.special]}: {say(SPECIALLY[position.special][1])}")
    if position.owed or position.gains:
        return _gains(position, names)
    seats = enumerate(position.goes)
    goes = "".join(badge(seat, 112 + 24 * place, NOW + 10, name=names[seat]) for place, seat in seats)
    return squeeze(say("Still to take:"), EDGE, NOW + 14, 84, "small faint", 7.2) + goes if goes else ""


def _gains(position: Position, names: Sequence[str]) -> Markup:
    gains = [f"{clip(names[position.owed.seat], 14)} {_owed(position.owed)}"] if position.owed else []
    gains += [f"{clip(names[gain.seat], 14)} {_gain(gain)}" for gain in position.gains]
    return _told(say("Income: %(gains)s", gains=say("; then ").join(gains)))


def _told(words: str) -> Markup:
    """Draw a sentence, in two lines if it needs them."""
    return squeezed(wrap(words, 58, 2), EDGE, NOW + 8, 14, BROAD - 2 * EDGE, "small")


def _owed(owed: Owed) -> str:
    due = [say_number("%(number)s New Product", "%(number)s New Products", owed.products)] * bool(owed.products)
    due += [say_number("%(number)s attack", "%(number)s attacks", owed.attacks)] * bool(owed.attacks)
    return say(" and ").join(due)


def _gain(gain: Gain) -> str:
    got = [f"{gain.money}¥"] * bool(gain.money) + [say("%(number)s research", number=gain.research)] * bool(
        gain.research
    )
    return " ".join(got + [f"{decimal(f'{gain.kaiju:+}')} Kaiju"] * bool(gain.kaiju))


def _left(position: Position) -> Markup:
    """How many cards the face-down decks have, and what was discarded last."""
    decks = say(
        "Decks: %(deck)s · New Products %(product_deck)s · Kaiju %(kaiju_deck)s",
        deck=len(position.deck),
        product_deck=len(position.product_deck),
        kaiju_deck=len(position.kaiju_deck),
    )
    last = say("last discard: %(discard)s", discard=NAMES[position.discard[-1]]) if position.discard else ""
    return squeeze(decks, EDGE, NOW + 31, 190, "small faint") + text(
        clip(last, 28), BROAD - EDGE, NOW + 31, "small faint end"
    )


# --- the players ---------------------------------------------------------------------------------------------------


def _players(position: Position, names: Sequence[str]) -> Mapping[str, Markup]:
    parts: dict[str, Markup] = {}
    for seat, name in enumerate(names):
        parts[f"plate-{seat}"] = panels.plate(position, seat, panels.HIGH)
        parts[f"slim-plate-{seat}"] = panels.plate(position, seat, panels.SLIM_HIGH)
        parts[f"player-{seat}"] = panels.player(position, seat, name)
        parts[f"slim-player-{seat}"] = panels.name_line(seat, name)
        parts[f"tracks-{seat}"] = markers(position.players[seat])
        parts[f"slim-tracks-{seat}"] = panels.wheel_amounts(position.players[seat])
        parts[f"points-{seat}"] = panels.points(position, seat)
        parts[f"slim-points-{seat}"] = panels.total(position, seat)
        parts[f"tableau-{seat}"] = panels.tableau(position, seat)
        parts[f"products-{seat}"] = panels.products(position, seat)
        parts[f"slim-products-{seat}"] = panels.products_in_line(position, seat)
        parts[f"place-{seat}"] = panels.place(seat, panels.HIGH)
        parts[f"slim-place-{seat}"] = panels.place(seat, panels.SLIM_HIGH)
    return parts


def _key() -> Markup:
    """Draw the key to the marks."""
    return group(
        tooltip(say("Signs on the cards")),
        pip("money", 1, 14, 0), text(say("money"), 24, 4, "small faint"),
        pip("research", 1, 76, 0), squeeze(say("research"), 86, 4, 54, "small faint", 6.4),
        pip("kaiju", 1, 151, 0), text("Kaiju", 162, 4, "small faint"),
        rect(216, -6, 16, 12, "kj-I", rx=3),
        text(say("your turn"), 236, 4, "small faint"),
        rect(314.5, -5.5, 15, 11, "kj-I kj-hollow", rx=3),
        squeeze(say("rivals’ turns"), 333, 4, 80, "small faint"),
    )  # fmt: skip
