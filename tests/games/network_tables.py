"""Positions of Network for tests."""

from collections.abc import Mapping
from typing import Any

from engine.auctions import Bid
from engine.core import Event, Match
from engine.dice import Dice
from engine.games.network import NETWORK, Act, Hex, Options, Position
from engine.records import Record
from tests.games.answering import seat_to_answer

Built = Mapping[Hex, tuple[int, int]]  # company and value, by hex


def table(players: int = 3, built: Built | None = None, **fields: Any) -> Position:
    """Return a table set up, seat 0 to act in its first turn; `built` says what is on the map, `fields` all else."""
    names = ("map", "bank_buys_unsold", "max_turns")
    options = Options(players, first=0, **{name: fields.pop(name) for name in names if name in fields})
    position = NETWORK.new(options, Dice.of("table"))
    position.turn, position.heard = 1, []
    for where, (company, value) in (built or {}).items():
        number = position.board.number[where]
        position.owner[number], position.value[number] = company, value
        position.share_value[company] += value
    for name, value in fields.items():
        setattr(position, name, value)
    return position


def begin(players: int = 3, built: Built | None = None, **fields: Any) -> Match[Position]:
    return Match(NETWORK.rules, table(players, built, **fields))


def shares(players: int, **held: tuple[int, ...]) -> list[list[int]]:
    """Auctioned shares: nobody's, but of seat 0 as `p0` says by company, and so on."""
    return [list(held.get(f"p{seat}", (0,) * players)) for seat in range(players)]


def answer(match: Match[Position], *answers: Record | int) -> list[Event]:
    """Have whoever is asked give these answers, a number being a bid; return what happened."""
    for given in answers:
        match.apply({seat_to_answer(match): Bid(given) if isinstance(given, int) else given})
    return match.hear()


def act(company: int, q: int, r: int, value: int = 1, route: int = 0) -> Act:
    return Act(company, (q, r), value, route)
