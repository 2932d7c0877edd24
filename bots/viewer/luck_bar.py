"""The luck of the dice as bars: one for each roll, where it fell in the match, up for good luck and down for bad."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bots.viewer.language import decimal, say
from engine.luck import MatchLuck, shares_beaten

WIDTH: Final = 1000  # thousandths of the match
HALF: Final = 20  # from the middle to the edge
NARROW: Final = 1.5  # a bar that is thinner cannot be seen
LISTED: Final = 12  # rolls that moved a seat most


@dataclass(frozen=True, slots=True)
class SeatLuckLine:
    """A seat's luck over all rolls, and its share with and without, in percent of a share."""

    seat: int
    name: str
    share: float
    luck: float
    adjusted: float
    good: str  # the bars of an SVG path: those of good luck,
    bad: str  # and those of bad luck
    says: str


@dataclass(frozen=True, slots=True)
class ListedRoll:
    """A roll that moved the seat which rolled."""

    at: int
    seat: int
    name: str
    dice: str
    luck: float


@dataclass(frozen=True, slots=True)
class LuckOfDice:
    value: str
    hash: str
    lines: list[SeatLuckLine]
    listed: list[ListedRoll]


def luck_bars(luck: MatchLuck, names: Sequence[str], last: int, value: tuple[str, str]) -> LuckOfDice:
    """`last`: answers in the match. `value`: its name and hash."""
    most = max((abs(part) for roll in luck.rolls for part in roll.luck), default=0) or 1
    lines = [_line(luck, seat, name, last, most) for seat, name in enumerate(names)]
    by_size = sorted(luck.rolls, key=lambda roll: -abs(roll.luck[roll.seat]))[:LISTED]
    listed = [
        ListedRoll(
            roll.at,
            roll.seat,
            names[roll.seat],
            say(" and ").join(map(str, roll.dice)),
            percent_of(luck, roll.luck[roll.seat]),
        )
        for roll in sorted(by_size, key=lambda roll: roll.at)
    ]
    return LuckOfDice(*value, lines, listed)


def _line(luck: MatchLuck, seat: int, name: str, last: int, most: int) -> SeatLuckLine:
    taken = 100 * float(luck.taken_out[seat])
    mine = [percent_of(luck, roll.luck[seat]) for roll in luck.rolls]
    best, worst = max(mine, default=0.0), min(mine, default=0.0)
    return SeatLuckLine(
        seat,
        name,
        100 * float(shares_beaten(luck.places)[seat]),
        taken,
        100 * float(luck.adjusted[seat]),
        "".join(_bar(roll.at, roll.luck[seat], last, most) for roll in luck.rolls if roll.luck[seat] > 0),
        "".join(_bar(roll.at, roll.luck[seat], last, most) for roll in luck.rolls if roll.luck[seat] < 0),
        say(
            "%(name)s: luck %(taken)s %% in %(mine)s rolls; the best %(best)s %%, the worst %(worst)s %%",
            name=name,
            taken=decimal(f"{taken:+.1f}"),
            mine=len(mine),
            best=decimal(f"{best:+.1f}"),
            worst=decimal(f"{worst:+.1f}"),
        ),
    )


def percent_of(luck: MatchLuck, units: int) -> float:
    """Return the percent of a share that a roll takes out of it."""
    return 100 * units * luck.coefficient / (luck.unit * 1000)


def _bar(step: int, units: int, last: int, most: int) -> str:
    """A box from the middle, up for good luck. All are one path, for each element costs the browser time."""
    height = round(HALF * units / most, 2)
    width = max(NARROW, 0.4 * WIDTH / max(1, last))
    x = round(min(WIDTH - width, WIDTH * step / max(1, last)), 1)
    return f"M{x} {HALF}v{-height}h{round(width, 1)}v{height}z"
