"""Zaibatsu in the middle of things, for tests: positions spelt out, and matches answered in short."""

from collections.abc import Sequence
from typing import Any

from engine.core import Event, Match
from engine.dice import Dice
from engine.games.zaibatsu import ZAIBATSU, Bid, Call, Options, Pile, Place, Position, ToCall, ToPlace
from engine.games.zaibatsu.rules import PHASES
from engine.records import Record

PLACING, AUCTIONS = PHASES.index("place"), PHASES.index("auctions")


def table(players: int = 3, *, listen: bool = True, round: int = 1, **fields: Any) -> Position:  # noqa: A002
    """A position with nothing on the table but what `fields` say; seat 0 is the Commissioner."""
    names = ("unsold", "piles")
    options = Options(players, 0, **{name: fields.pop(name) for name in names if isinstance(fields.get(name), str)})
    position = ZAIBATSU.new(options, Dice.of("table"))
    position.round, position.heard = round, [] if listen else None
    for name, value in fields.items():
        setattr(position, name, value)
    return position


def placing(hands: list[list[str]], to_place: list[int], players: int = 3, **fields: Any) -> Match[Position]:
    """Return a match in the Deal: `to_place` place their cards, the first of them now."""
    return Match(ZAIBATSU.rules, table(players, phase=PLACING, hands=hands, to_place=to_place, **fields))


def auctions(
    *piles: Sequence[str], to_call: Sequence[int] = (0, 1, 2, 0), cash: Sequence[int] = (9, 9, 9), **fields: Any
) -> Match[Position]:
    """Return a match in the Auction: `to_call` call `piles`, the first of them now."""
    position = table(len(cash), phase=AUCTIONS, to_call=list(to_call), cash=list(cash), **fields)
    position.piles = [Pile(list(cards)) for cards in piles]
    return Match(ZAIBATSU.rules, position)


def answer(match: Match[Position], *numbers: int) -> list[Event]:
    """Answer what is asked with calls and bids in turn; returns what was heard."""
    for number in numbers:
        ((seat, question),) = match.questions.items()
        action: Record = Call(number) if isinstance(question, ToCall) else Bid(number)
        match.apply({seat: action})
    return match.hear()


def place(match: Match[Position], card: str, pile: int) -> list[Event]:
    ((seat, question),) = match.questions.items()
    assert isinstance(question, ToPlace)
    match.apply({seat: Place(card, pile)})
    return match.hear()
