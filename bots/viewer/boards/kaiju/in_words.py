"""The table in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Sequence

from bots.viewer.boards.kaiju.words import EFFECT, SPECIALLY, SUITS, actor, in_full, task
from bots.viewer.commentary.story import listed
from bots.viewer.language import kept, say, say_number
from engine.core import Seat
from engine.games.kaiju import BUILDING, COMPANY, NAMES, PRODUCT, SUIT, Position, product_vp, vp


def in_words(at: Position, names: Sequence[str]) -> dict[str, str]:
    """Nothing is secret."""
    sixth = {say("Beside the row"): building(at.sixth) if at.sixth else say("nothing")} if len(names) == 2 else {}
    return {
        say("Turn"): _turn(at, names),
        say("Threat"): _threat(at),
        say("New Products"): _all([in_full(card) for card in at.display]),
        say("Row"): _all([building(card) for card in at.row]),
        **sixth,
        say("Turned up"): _all([building(card) for card in at.revealed]),
        say("Decks"): _decks(at),
        **{what: told for seat, name in enumerate(names) for what, told in _seat(at, name, seat).items()},
    }


def _all(cards: Sequence[str]) -> str:
    return f"{'; '.join(cards) or say('nothing')}."


def _threat(at: Position) -> str:
    effect = say("If it comes: %(effect)s.", effect=say(EFFECT[at.threat]))
    return f"{NAMES[at.threat]}. {effect}{say(' It has struck.') if at.struck else ''}"


def _decks(at: Position) -> str:
    return say(
        "%(cards)s cards, %(products)s New Products, %(kaiju)s Kaiju.",
        cards=len(at.deck),
        products=len(at.product_deck),
        kaiju=len(at.kaiju_deck),
    )


def _turn(at: Position, names: Sequence[str]) -> str:
    if (seat := actor(at)) is None:
        return f"{at.turn}. {say('The game is over')}."
    then = listed([names[other] for other in at.goes if other != seat])
    special = f" {NAMES[at.special]}: {say(SPECIALLY[at.special][1])}." if at.special else ""
    last = say(" It is the last turn.") if at.triggered else ""
    after = say(" Still to take a card: %(names)s.", names=then) if then else ""
    return f"{at.turn}. {names[seat]} {task(at)}.{special}{after}{last}"


def _seat(at: Position, name: str, seat: Seat) -> dict[str, str]:
    me = at.players[seat]
    company, points = COMPANY[me.company], vp(at.players, seat, at.options.city_majority)
    products = [f"{NAMES[card]}, {_points(product_vp(card, me.tableau))}" for card in me.products]
    told = say(
        "%(name)s, %(company)s of %(city)s: %(points)s victory points; %(bank)s¥, research at %(research)s,"
        " Kaiju at %(kaiju)s. New Products: %(products)s",
        name=name,
        company=company.name,
        city=company.city,
        points=points,
        bank=me.bank,
        research=me.research,
        kaiju=me.kaiju,
        products=_all(products),
    )
    return {
        say("Seat %(seat)s", seat=seat): told,
        say("Buildings of seat %(seat)s", seat=seat): _all([_built(card) for card in me.tableau]),
    }


def _points(number: int) -> str:
    return say_number("%(number)s point", "%(number)s points", number)


@kept()
def building(card: str) -> str:
    """A card of the row: what it brings, when, and what it costs."""
    if card not in BUILDING:
        return f"{in_full(card)} ({SUITS[SUIT[card]]})" if card in SUIT and card not in PRODUCT else in_full(card)
    cost = say("costs %(cost)s¥", cost=BUILDING[card].cost)
    return f"{BUILDING[card].name} ({_facts(card)}; {cost})"


@kept()
def _built(card: str) -> str:
    return f"{BUILDING[card].name} ({_facts(card)})"


def _facts(card: str) -> str:
    it = BUILDING[card]
    brings = [f"{it.money}¥"] * bool(it.money)
    brings += [say("%(number)s research", number=it.research)] * bool(it.research)
    brings += [f"{it.kaiju:+} Kaiju"] * bool(it.kaiju)
    own, rivals = "%(suit)s in %(city)s; in own turns %(brings)s", "%(suit)s in %(city)s; in rivals’ turns %(brings)s"
    return say(own if it.timing == "Y" else rivals, suit=SUITS[it.suit], city=it.city, brings=listed(brings))
