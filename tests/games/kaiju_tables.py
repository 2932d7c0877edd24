"""Kaiju Incorporated in the middle of things, for tests: positions spelt out, and matches answered in short."""

from collections.abc import Sequence
from typing import Any

from engine.core import Event, Match
from engine.dice import Dice
from engine.games.kaiju import BUILDING, COMPANY, KAIJU, PRODUCT, THREAT, Options, Player, Position
from engine.games.kaiju.pieces import DECK
from engine.games.kaiju.rules import PHASES
from engine.records import Record

CHOICES = ("special_case", "city_majority", "kaiju_backwards", "reshuffle", "max_turns")
TAKE_GOES, PAY_SIXTH = PHASES.index("goes"), PHASES.index("sixth")


def player(*tableau: str, city: str = "TYO", bank: int = 5, **fields: Any) -> Player:
    """A player with these Buildings; the home is that of a Start card among them, else `city`."""
    home = next((BUILDING[card].city for card in tableau if card[0] == "H"), city)
    company = next(company.id for company in COMPANY.values() if company.city == home)
    return Player(company, bank, tableau=list(tableau), **fields)


def table(*players: Player, row: Sequence[str] = (), **fields: Any) -> Position:
    """Seat 0 is the first of this turn to take a card of `row`; cards named nowhere are in the decks, by number."""
    options = Options(len(players), 0, **{name: fields.pop(name) for name in CHOICES if name in fields})
    at = KAIJU.new(options, Dice.of("table"))
    at.turn, at.phase, at.heard, at.players, at.row = 1, TAKE_GOES, [], list(players), list(row)
    at.goes = list(range(len(players))) * (2 if len(players) == 2 else 1)
    at.threat, at.display = "K07", ["N01", "N02", "N03"]
    for name, value in fields.items():
        setattr(at, name, value)
    if "deck" not in fields:
        at.deck = left(DECK, at.row, [at.sixth], at.discard, *(player.tableau for player in players))
    if "product_deck" not in fields:
        at.product_deck = left(PRODUCT, at.display, *(player.products for player in players))
    if "kaiju_deck" not in fields:
        at.kaiju_deck = left(THREAT, [at.threat], at.kaiju_discard)
    return at


def left(cards: Sequence[str] | dict[str, Any], *used: Sequence[str]) -> list[str]:
    return [card for card in cards if not any(card in somewhere for somewhere in used)]


def begin(*players: Player, row: Sequence[str] = (), **fields: Any) -> Match[Position]:
    return Match(KAIJU.rules, table(*players, row=row, **fields))


def carmen_and_david() -> Match[Position]:
    """The rulebook's example: Carmen is seat 2, David seat 3 and last."""
    carmen = player("H07", "B03", "H08", "B23", "B09", bank=4, research=2, kaiju=5)
    david = player("H10", "B25", "B24", "H12", bank=3, research=4, kaiju=5)
    others = player("H01"), player("H04")
    return begin(*others, carmen, david, row=["B22", "B20", "B31"], goes=[2, 3], threat="K02")


def seat_to_answer(match: Match[Position]) -> int:
    """The one seat asked now."""
    (seat,) = match.questions
    return seat


def answer(match: Match[Position], *answers: Record) -> list[Event]:
    """Whoever is asked gives these answers; what happened."""
    for given in answers:
        match.apply({seat_to_answer(match): given})
    return match.hear()


def refusal(match: Match[Position], given: Record) -> str:
    """Why the asked seat may not answer this."""
    reason = match.questions[seat_to_answer(match)].error(given)
    assert reason, f"{given} is legal"
    return reason


def state(match: Match[Position], seat: int) -> tuple[int, int, int]:
    """Bank Account, Research wheel, Kaiju wheel."""
    me = match.at.players[seat]
    return me.bank, me.research, me.kaiju


def heard(events: Sequence[Event], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
