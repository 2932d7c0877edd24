"""Kaiju Incorporated: the threat, the New Products on display, the row, and each player's tableau, wheels and bank."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core import Seat
from engine.games.kaiju import NAMES, Gain, Owed, Position, vp
from tournaments.viewer.boards.kaiju import panels
from tournaments.viewer.boards.kaiju.cards import CARD_HIGH, PRODUCT_HIGH, card, pip, product
from tournaments.viewer.boards.kaiju.cards import WIDE as CARD
from tournaments.viewer.boards.kaiju.wheels import markers
from tournaments.viewer.boards.kaiju.words import EFFECT, SPECIALLY, actor, says, task
from tournaments.viewer.boards.lettering import squeeze
from tournaments.viewer.svg import Markup, Picture, badge, clip, element, group, rect, text

UNIT = "victory points"
WIDE, EDGE, GAP = 420, 8, 7
MONSTER: Final = (
    "M3 28C2 20 4 14 8 11L4 9 9 7 8 3 12 4.5 14 0 17 4C21 3 26 5 28 9V12H22L24 14.5 20 14 22 17.5 26 17"
    "C25 21 22 22 19.5 21 19 23 20 26 21 28Z"
)
SHOP, ROW, NOW, PANELS = 80, 140, 268, 312  # where they begin


def draw(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:  # noqa: ARG001 - nothing is secret
    high = PANELS + panels.HIGH * len(names) + 22
    parts = {**_table(at, names), **_players(at, names), "key": _key(high - 9)}
    return Picture(WIDE, high, parts, says(at, names))


def worth(at: Position) -> list[float]:
    return [float(vp(at.players, seat, at.options.city_majority)) for seat in range(at.options.players)]


# --- what lies in the middle ---------------------------------------------------------------------------------------


def _table(at: Position, names: Sequence[str]) -> Mapping[str, Markup]:
    places = 5 if len(names) == 2 else len(names) + 1
    return {
        "turn": _turn(at, names),
        "threat": _threat(at),
        **{f"shop-{place}": _put(product, at.display, place, SHOP, PRODUCT_HIGH) for place in range(3)},
        **{f"row-{place}": _put(card, at.row, place, ROW, CARD_HIGH) for place in range(places)},
        "sixth": _sixth(at) if len(names) == 2 else "",
        "revealed": _revealed(at),
        "now": _now(at, names),
        "left": _left(at),
    }


def _turn(at: Position, names: Sequence[str]) -> Markup:
    """The turn, and who is to do what."""
    seat = actor(at)
    first = f"seat {at.start_player} begins"
    last = at.triggered and not at.ended
    turn = text(f"Turn {at.turn}", EDGE, 20, "title")
    turn += text("the last one" if last else first, EDGE, 35, "small kj-alarm" if last else "small faint")
    if seat is None:
        return turn + text("The game is over", 96, 20, "strong")
    who = squeeze(clip(names[seat], 40), 122, 15, WIDE - 130, "strong", 8)
    return turn + badge(seat, 108, 18) + who + squeeze(task(at), 122, 31, WIDE - 130, "small")


def _threat(at: Position) -> Markup:
    """The current Kaiju Attack card."""
    struck = text("has struck", WIDE - 16, 56, "small kj-alarm end") if at.struck else ""
    return group(
        rect(EDGE + 0.5, 41, WIDE - 2 * EDGE - 1, 34, f"kj-threat{' kj-struck' * at.struck}", rx=6),
        group(
            element("path", d=MONSTER),
            element("circle", cx=20.5, cy=8.5, r=1.6, class_="kj-eye"),
            at=(EDGE + 6, 44),
            class_="kj-monster",
        ),
        text(NAMES[at.threat], 48, 55, "strong"),
        squeeze(f"If it comes: {EFFECT[at.threat]}", 48, 69, WIDE - 60, "small"),
        struck,
    )


def _spot(place: int, top: int, high: int) -> tuple[int, int]:
    """Where a card lies: three side by side."""
    return EDGE + (CARD + GAP) * (place % 3), top + (high + 6) * (place // 3)


def _put(face: Callable[[str], Markup], cards: Sequence[str], place: int, top: int, high: int) -> Markup:
    x, y = _spot(place, top, high)
    if place < len(cards):
        return group(face(cards[place]), at=(x, y))
    return rect(x + 0.5, y + 0.5, CARD - 1, high - 1, "kj-gap", rx=6)


def _sixth(at: Position) -> Markup:
    """With two players: the card whose suit pays both at the end of the turn."""
    x, y = _spot(5, ROW, CARD_HIGH)
    face = group(card(at.sixth), at=(x, y)) if at.sixth else ""
    return rect(x - 3, y - 3, CARD + 6, CARD_HIGH + 6, "kj-sixth", rx=8) + face


def _revealed(at: Position) -> Markup:
    """The cards that the Prefab Contract has turned up, over the display."""
    if not at.revealed:
        return ""
    cards = "".join(_put(card, at.revealed, place, SHOP - 1, CARD_HIGH) for place in range(len(at.revealed)))
    return rect(2, SHOP - 5, WIDE - 4, CARD_HIGH + 8, "kj-cover", rx=8) + cards


def _now(at: Position, names: Sequence[str]) -> Markup:
    """What is being carried out, and who is still to get something; else who is still to take a card."""
    if at.special:
        return squeeze(f"{NAMES[at.special]}: {SPECIALLY[at.special][1]}", EDGE, NOW + 14, WIDE - 2 * EDGE, "small")
    if at.owed or at.gains:
        return _gains(at, names)
    goes = "".join(badge(seat, 102 + 24 * place, NOW + 10) for place, seat in enumerate(at.goes))
    return text("Still to take:", EDGE, NOW + 14, "small faint") + goes if goes else ""


def _gains(at: Position, names: Sequence[str]) -> Markup:
    gains = [f"{clip(names[at.owed.seat], 14)} {_owed(at.owed)}"] if at.owed else []
    gains += [f"{clip(names[gain.seat], 14)} {_gain(gain)}" for gain in at.gains]
    return squeeze(f"Income: {'; then '.join(gains)}", EDGE, NOW + 14, WIDE - 2 * EDGE, "small")


def _owed(owed: Owed) -> str:
    due = [(owed.products, "New Product"), (owed.attacks, "attack")]
    return " and ".join(f"{number} {what}{'s' * (number > 1)}" for number, what in due if number)


def _gain(gain: Gain) -> str:
    got = [f"{gain.money}¥"] * bool(gain.money) + [f"{gain.research} research"] * bool(gain.research)
    return " ".join(got + [f"{gain.kaiju:+} Kaiju"] * bool(gain.kaiju))


def _left(at: Position) -> Markup:
    """How many cards the face-down decks have, and what was discarded last."""
    decks = f"Decks: {len(at.deck)} · New Products {len(at.product_deck)} · Kaiju {len(at.kaiju_deck)}"
    last = f"last discard: {NAMES[at.discard[-1]]}" if at.discard else ""
    return squeeze(decks, EDGE, NOW + 34, 190, "small faint") + text(
        clip(last, 28), WIDE - EDGE, NOW + 34, "small faint end"
    )


# --- the players ---------------------------------------------------------------------------------------------------


def _players(at: Position, names: Sequence[str]) -> Mapping[str, Markup]:
    parts: dict[str, Markup] = {}
    for seat, name in enumerate(names):
        x, y = EDGE, PANELS + panels.HIGH * seat
        parts[f"plate-{seat}"] = group(panels.plate(at, seat), at=(x, y))
        parts[f"player-{seat}"] = group(panels.player(at, seat, name), at=(x, y))
        parts[f"tracks-{seat}"] = group(markers(at.players[seat]), at=(x, y))
        parts[f"points-{seat}"] = group(panels.points(at, seat), at=(x, y))
        parts[f"tableau-{seat}"] = group(panels.tableau(at, seat), at=(x, y + 44))
        parts[f"products-{seat}"] = group(panels.products(at, seat), at=(x, y + 81))
    return parts


def _key(y: int) -> Markup:
    """What the marks mean."""
    return group(
        pip("money", 1, 14, 0), text("money", 24, 4, "small faint"),
        pip("research", 1, 76, 0), text("research", 86, 4, "small faint"),
        pip("kaiju", 1, 151, 0), text("Kaiju", 162, 4, "small faint"),
        rect(216, -6, 16, 12, "kj-I", rx=3),
        text("your turn", 236, 4, "small faint"),
        rect(314.5, -5.5, 15, 11, "kj-I kj-hollow", rx=3),
        text("rivals’ turns", 333, 4, "small faint"),
        at=(0, y),
    )  # fmt: skip
