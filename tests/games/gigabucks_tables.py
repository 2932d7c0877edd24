"""Corporate Gigabucks in the middle of things, for tests: positions spelt out, and matches answered in short."""

from collections.abc import Mapping
from typing import Any

from engine.core import Event, Match
from engine.dice import Dice
from engine.games.gigabucks import GIGABUCKS, Action, Bid, Position, ToBid
from tests.games.answering import seat_to_answer

SEED_BOARD = {24: 4, 25: 0, 26: 2, 27: 3, 28: 4, 29: 5, 30: 1, 31: 6}  # the rulebook's example of royalties


def table(
    players: int = 4,
    *,
    owner: Mapping[int, int | None] | None = None,
    lines: Mapping[int, int] | None = None,
    options: Mapping[str, object] | None = None,
    **fields: Any,
) -> Position:
    """A position after the first turns, in which only what is told is so. Seat 0 is the current player.

    Spaces in `owner` are chartered; inactive if their owner is None.
    """
    chosen = GIGABUCKS.read_options({"players": players, "seating": "fixed", **(options or {})})
    position = GIGABUCKS.new(chosen, Dice.of("table"))
    position.to_do, position.turn, position.turns, position.heard = ["end"], 9, [3] * players, []
    position.tokens = [40 - seat if chosen.spaces == 42 else seat for seat in range(players)]
    for space, seat in (owner or {}).items():
        position.owner[space], position.chartered[space] = seat, True
    for space, number in (lines or {}).items():
        position.lines[space] = number
    for name, value in fields.items():
        assert hasattr(position, name)
        setattr(position, name, value)
    return position


def seed_board(players: int = 4, owner: int = 1, **fields: Any) -> Position:
    """The rulebook's example: spaces 24 to 31 belong to one player."""
    return table(players, owner=dict.fromkeys(SEED_BOARD, owner), lines=SEED_BOARD, **fields)


def going(position: Position, *steps: str) -> Match[Position]:
    """The match from these steps of the turn on."""
    position.to_do = [*steps]  # type: ignore[list-item]
    return Match(GIGABUCKS.rules, position)


def landing(position: Position, space: int) -> Match[Position]:
    """The current player rolls 1 and 2, and comes to `space`."""
    position.dice = dice_that_roll(1, 2)
    position.tokens[position.current] = (space - 3) % position.options.spaces
    return going(position, "roll")


def dice_that_roll(*rolled: int) -> Dice:
    """Ordinary dice whose next rolls are these."""
    for seed in range(10_000):
        dice = Dice.of(str(seed))
        if all(dice.below(6) + 1 == number for number in rolled):
            return Dice.of(str(seed))
    raise AssertionError(f"no dice found that roll {rolled}")


def bids(match: Match[Position], *amounts: int) -> list[Event]:
    """Bid in turn; returns what was heard."""
    for amount in amounts:
        ((seat, question),) = match.questions.items()
        assert isinstance(question, ToBid), question
        match.apply({seat: Bid(amount)})
    return match.hear()


def answer(match: Match[Position], action: Action) -> list[Event]:
    """The one seat asked answers; returns what was heard."""
    match.apply({seat_to_answer(match): action})
    return match.hear()


def question(match: Match[Position]) -> Any:
    """The one question asked now."""
    (asked_for,) = match.questions.values()
    return asked_for
