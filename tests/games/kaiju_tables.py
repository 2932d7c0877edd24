"""Kaiju Incorporated in the middle of things, for tests: positions spelt out, and matches answered in short."""

from collections.abc import Sequence
from typing import Any

from engine.core import Match
from engine.dice import Dice
from engine.games.kaiju import BUILDING, COMPANY, KAIJU, PRODUCT, THREAT, Options, Player, Position
from engine.games.kaiju.pieces import DECK
from engine.games.kaiju.rules import PHASES

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
    position = KAIJU.new(options, Dice.of("table"))
    position.turn, position.phase, position.heard = 1, TAKE_GOES, []
    position.players, position.row = list(players), list(row)
    position.goes = list(range(len(players))) * (2 if len(players) == 2 else 1)
    position.threat, position.display = "K07", ["N01", "N02", "N03"]
    for name, value in fields.items():
        setattr(position, name, value)
    if "deck" not in fields:
        position.deck = left(
            DECK, position.row, [position.sixth], position.discard, *(player.tableau for player in players)
        )
    if "product_deck" not in fields:
        position.product_deck = left(PRODUCT, position.display, *(player.products for player in players))
    if "kaiju_deck" not in fields:
        position.kaiju_deck = left(THREAT, [position.threat], position.kaiju_discard)
    return position


def left(cards: Sequence[str] | dict[str, Any], *used: Sequence[str]) -> list[str]:
    return [card for card in cards if not any(card in somewhere for somewhere in used)]


def begin(*players: Player, row: Sequence[str] = (), **fields: Any) -> Match[Position]:
    return Match(KAIJU.rules, table(*players, row=row, **fields))


def carmen_and_david() -> Match[Position]:
    """The rulebook's example: Carmen is seat 2, David seat 3 and last."""
    carmen = player("H07", "B03", "H08", "B23", "B09", bank=4, research=2, kaiju=5)
    david = player("H10", "B25", "B24", "H12", bank=3, research=4, kaiju=5)
    first_seats = player("H01"), player("H04")
    return begin(*first_seats, carmen, david, row=["B22", "B20", "B31"], goes=[2, 3], threat="K02")


def state(match: Match[Position], seat: int) -> tuple[int, int, int]:
    """Bank Account, Research wheel, Kaiju wheel."""
    me = match.at.players[seat]
    return me.bank, me.research, me.kaiju
