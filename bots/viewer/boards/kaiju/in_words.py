"""The table in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Sequence
from functools import cache

from bots.viewer.boards.kaiju.words import EFFECT, SPECIALLY, SUITS, actor, in_full, task
from bots.viewer.commentary.story import listed
from engine.core import Seat
from engine.games.kaiju import BUILDING, COMPANY, NAMES, PRODUCT, SUIT, Position, product_vp, vp


def in_words(at: Position, names: Sequence[str]) -> dict[str, str]:
    """Nothing is secret."""
    sixth = {"Beside the row": building(at.sixth) if at.sixth else "nothing"} if len(names) == 2 else {}
    return {
        "Turn": _turn(at, names),
        "Threat": f"{NAMES[at.threat]}. If it comes: {EFFECT[at.threat]}.{' It has struck.' * at.struck}",
        "New Products": _all([in_full(card) for card in at.display]),
        "Row": _all([building(card) for card in at.row]),
        **sixth,
        "Turned up": _all([building(card) for card in at.revealed]),
        "Decks": f"{len(at.deck)} cards, {len(at.product_deck)} New Products, {len(at.kaiju_deck)} Kaiju.",
        **{what: told for seat, name in enumerate(names) for what, told in _seat(at, name, seat).items()},
    }


def _all(cards: Sequence[str]) -> str:
    return f"{'; '.join(cards) or 'nothing'}."


def _turn(at: Position, names: Sequence[str]) -> str:
    if (seat := actor(at)) is None:
        return f"{at.turn}. The game is over."
    then = listed([names[other] for other in at.goes if other != seat])
    special = f" {NAMES[at.special]}: {SPECIALLY[at.special][1]}." if at.special else ""
    last = " It is the last turn." if at.triggered else ""
    after = f" Still to take a card: {then}." if then else ""
    return f"{at.turn}. {names[seat]} {task(at)}.{special}{after}{last}"


def _seat(at: Position, name: str, seat: Seat) -> dict[str, str]:
    me = at.players[seat]
    company, points = COMPANY[me.company], vp(at.players, seat, at.options.city_majority)
    products = [f"{NAMES[card]}, {product_vp(card, me.tableau)} points" for card in me.products]
    stands = f"{points} victory points; {me.bank}¥, research at {me.research}, Kaiju at {me.kaiju}"
    return {
        f"Seat {seat}": f"{name}, {company.name} of {company.city}: {stands}. New Products: {_all(products)}",
        f"Buildings of seat {seat}": _all([_built(card) for card in me.tableau]),
    }


@cache
def building(card: str) -> str:
    """A card of the row: what it brings, when, and what it costs."""
    if card not in BUILDING:
        return f"{in_full(card)} ({SUITS[SUIT[card]]})" if card in SUIT and card not in PRODUCT else in_full(card)
    return f"{_built(card)[:-1]}; costs {BUILDING[card].cost}¥)"


@cache
def _built(card: str) -> str:
    it = BUILDING[card]
    brings = [f"{it.money}¥"] * bool(it.money) + [f"{it.research} research"] * bool(it.research)
    brings += [f"{it.kaiju:+} Kaiju"] * bool(it.kaiju)
    when = "own" if it.timing == "Y" else "rivals’"
    return f"{it.name} ({SUITS[it.suit]} in {it.city}; in {when} turns {listed(brings)})"
