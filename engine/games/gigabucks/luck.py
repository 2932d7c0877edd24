"""Luck of the dice: what the position right after a roll is worth, in a dozen whole numbers for each seat.

Money is in thousandths of all money, corporations in thousandths of the track. What is owed counts as paid, as far as
there is enough: nobody has a say in that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt, prod
from typing import Final

from engine.core import Flow
from engine.game import Features, Luck, Throw
from engine.games.gigabucks.position import Options, Position, players_in
from engine.games.gigabucks.royalties import RULES
from engine.games.gigabucks.rules import STEPS, move_token, roll, rules, throw
from engine.luck_value import LuckValue

FEATURES: Final = (
    "purse",  # the root of its money: the less it has, the more it needs each dollar
    "short",  # what it owes beyond its money, and so has to sell for
    "claim",  # the same, of the one to whom it is owed
    "estate",  # the corporations of one who has to sell
    "prey",  # the same, of the one to whom it is owed
    "joined",  # a charter is auctioned: its conglomerates to both sides
    "bidder",  # a charter is auctioned: its money
    "danger",  # what the one who rolled is to expect to owe after its next roll
    "income",  # what it is to expect from the next roll of the one who rolled
    "strain",  # what it has paid, of the money that it had
    "ruin",  # the chance that its next landing costs more than it has
    "poor",  # it has rolled, and has less left than an eighth of an even part of all money
)
PURSE, SHORT, CLAIM, ESTATE, PREY, JOINED, BIDDER, DANGER, INCOME, STRAIN, RUIN, POOR = range(len(FEATURES))
THOUSAND: Final = 1000
HIGHEST: Final = 4000  # of a danger


@dataclass(frozen=True, slots=True)
class Board:
    """What follows from owners and lines: by space what landing costs, and the size of its conglomerate; by seat how
    many corporations it owns."""

    dues: list[int]
    runs: list[int]
    owned: list[int]


@lru_cache(maxsize=64)
def steps_of(dice: tuple[int, ...], spaces: int) -> list[tuple[int, int]]:
    """Return how far a roll leads round the track, and in how many ways."""
    counts = [1] + [0] * (spaces - 1)
    for sides in dice:
        counts = [sum(counts[(far - eyes) % spaces] for eyes in range(1, sides + 1)) for far in range(spaces)]
    return [(far, number) for far, number in enumerate(counts) if number]


def royalty_board(position: Position) -> Board:
    rule, unit = RULES[position.options.royalty], position.options.royalty_unit
    parts = [
        {} if owner is None else rule(position.owner, position.lines, space)
        for space, owner in enumerate(position.owner)
    ]
    return Board(
        [sum(part.values()) * unit for part in parts],
        [len(part) for part in parts],
        [position.owner.count(seat) for seat in range(position.options.players)],
    )


def features(position: Position, board: Board) -> Features:
    """Return the features of a position in which the current player has just landed, by seat."""
    rows = [[0] * len(FEATURES) for _ in position.cash]
    all_money = position.options.players * position.options.currency
    cash = _settled(position, rows, all_money, board)
    for row, money in zip(rows, cash, strict=True):
        row[PURSE] = isqrt(THOUSAND * THOUSAND * money // all_money)
    if position.to_do[1] in ("charter", "reactivate"):
        _charter(position, rows, all_money, board)
    _outlook(position, rows, cash, board)
    return rows


def _settled(position: Position, rows: Features, all_money: int, board: Board) -> list[int]:
    """Everybody's money after what is owed is paid."""
    cash = position.cash.copy()
    if not position.due:
        return cash
    seat, to, had = position.current, position.due.to, position.cash[position.current]
    paid = min(position.due.amount, had)
    cash[seat], cash[to] = had - paid, cash[to] + paid
    if position.due.amount > had:
        rows[seat][SHORT] = rows[to][CLAIM] = min(THOUSAND, THOUSAND * (position.due.amount - had) // all_money)
        rows[seat][ESTATE] = rows[to][PREY] = THOUSAND * board.owned[seat] // len(board.dues)
    elif paid:
        rows[seat][STRAIN] = THOUSAND * paid // had
    return cash


def _charter(position: Position, rows: Features, all_money: int, board: Board) -> None:
    space = position.tokens[position.current]
    assert space is not None
    for neighbour in {(space - 1) % len(position.owner), (space + 1) % len(position.owner)}:
        if (owner := position.owner[neighbour]) is not None:
            rows[owner][JOINED] += THOUSAND * board.runs[neighbour] // len(position.owner)
    for row, money in zip(rows, position.cash, strict=True):
        row[BIDDER] = THOUSAND * money // all_money


def _outlook(position: Position, rows: Features, cash: Sequence[int], board: Board) -> None:
    """The next roll of the one who has just landed."""
    seat, space, chosen = position.current, position.tokens[position.current], position.options
    assert space is not None
    income, danger, ruin = [0] * len(rows), 0, 0
    for far, rolls in steps_of(tuple(chosen.dice), chosen.spaces):
        landing = (space + far) % chosen.spaces
        owner, due = position.owner[landing], board.dues[landing]
        if owner is not None and owner != seat:
            income[owner] += rolls * min(due, cash[seat])
            danger += rolls * due
            ruin += rolls * (due > cash[seat])
    total = roll_outcomes(chosen) * chosen.players * chosen.currency
    for row, expected in zip(rows, income, strict=True):
        row[INCOME] = THOUSAND * expected // total
    rows[seat][DANGER] = min(HIGHEST, THOUSAND * danger // total)
    rows[seat][RUIN] = THOUSAND * ruin // roll_outcomes(chosen)
    rows[seat][POOR] = THOUSAND * (8 * cash[seat] < chosen.currency)


def roll_outcomes(options: Options) -> int:
    return prod(options.dice)


def watched_rules(position: Position, look: Callable[[Position], None]) -> Flow[None]:
    """The rules, with a look at the position before each roll."""

    def looked_at(now: Position) -> None:
        look(now)
        roll(now)

    yield from rules(position, {**STEPS, "roll": looked_at})


def thrown(position: Position) -> Throw:
    """Return a roll from this position, and the features after each landing, by the rules themselves, on a copy."""
    dice, board = throw(position.copy()), royalty_board(position)
    came = features(_after(position, sum(dice)), board)
    could = [
        (rolls, features(_after(position, far), board))
        for far, rolls in steps_of(tuple(position.options.dice), position.options.spaces)
    ]
    return Throw(position.current, dice, players_in(position), came, could)


def _after(position: Position, far: int) -> Position:
    after = position.copy()
    move_token(after, [far])
    return after


# Each is named in a season by its hash, and never changes. `python3 -m tests.games.luck fit --sets 90 --players 2 3 4 5
# --name gigabucks-house-1` prints the first.
HOUSE_1: Final = LuckValue(
    name="gigabucks-house-1",
    game="gigabucks",
    features=[
        "purse",
        "short",
        "claim",
        "estate",
        "prey",
        "joined",
        "bidder",
        "danger",
        "income",
        "strain",
        "ruin",
        "poor",
    ],
    weights=[312, -580, -603, -654, -99, 356, 22, -145, 355, -50, -84, 12],
    hash="585dc1d3a5cde5658c809924fd34d4ef246f3245730a387a2063b5eeff6feff6",
)
VALUES: Final = (HOUSE_1,)
LUCK: Final = Luck(FEATURES, roll_outcomes, watched_rules, thrown, VALUES)
