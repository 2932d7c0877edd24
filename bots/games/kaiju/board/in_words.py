"""The table in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Sequence

from bots.games.kaiju.board.words import EFFECT, SPECIALLY, actor, building_words, built_words, in_full, task
from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import say, say_number
from engine.core import Seat
from engine.games.kaiju import COMPANY, NAMES, Position, product_vp, vp


def in_words(position: Position, names: Sequence[str]) -> dict[str, str]:
    """Nothing is secret."""
    sixth = (
        {say("Beside the row"): building_words(position.sixth) if position.sixth else say("nothing")}
        if len(names) == 2
        else {}
    )
    return {
        say("Turn"): _turn(position, names),
        say("Threat"): _threat(position),
        say("New Products"): _all([in_full(card) for card in position.display]),
        say("Row"): _all([building_words(card) for card in position.row]),
        **sixth,
        say("Turned up"): _all([building_words(card) for card in position.revealed]),
        say("Decks"): _decks(position),
        **{what: words for seat, name in enumerate(names) for what, words in _seat(position, name, seat).items()},
    }


def _all(cards: Sequence[str]) -> str:
    return f"{'; '.join(cards) or say('nothing')}."


def _threat(position: Position) -> str:
    effect = say("If it comes: %(effect)s.", effect=say(EFFECT[position.threat]))
    return f"{NAMES[position.threat]}. {effect}{say(' It has struck.') if position.struck else ''}"


def _decks(position: Position) -> str:
    return say(
        "Cards: %(cards)s. New Products: %(products)s. Kaiju: %(kaiju)s.",
        cards=len(position.deck),
        products=len(position.product_deck),
        kaiju=len(position.kaiju_deck),
    )


def _turn(position: Position, names: Sequence[str]) -> str:
    if (seat := actor(position)) is None:
        return f"{position.turn}. {say('The game is over')}."
    then = join_with_and([names[other] for other in position.goes if other != seat])
    special = f" {NAMES[position.special]}: {say(SPECIALLY[position.special][1])}." if position.special else ""
    last = say(" It is the last turn.") if position.triggered else ""
    after = say(" Still to take a card: %(names)s.", names=then) if then else ""
    return f"{position.turn}. {names[seat]} {task(position)}.{special}{after}{last}"


def _seat(position: Position, name: str, seat: Seat) -> dict[str, str]:
    me = position.players[seat]
    company, points = COMPANY[me.company], vp(position.players, seat, position.options.city_majority)
    products = [f"{NAMES[card]}, {_points(product_vp(card, me.tableau))}" for card in me.products]
    words = say(
        "%(name)s, %(company)s of %(city)s: victory points %(points)s; %(bank)s¥, research at %(research)s,"
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
        say("Seat %(seat)s", seat=seat): words,
        say("Buildings of seat %(seat)s", seat=seat): _all([built_words(card) for card in me.tableau]),
    }


def _points(number: int) -> str:
    return say_number("%(number)s point", "%(number)s points", number)
