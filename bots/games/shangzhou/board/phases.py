"""Phases of a turn: whose answer is due, and what for, from the position."""

from collections.abc import Callable, Sequence
from typing import Final

from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import say, say_number
from bots.viewer.svg import shorten
from engine.core import Seat
from engine.games.shangzhou import Position
from engine.games.shangzhou.position import Phase
from engine.games.shangzhou.rules import PHASES, holders_of_tools
from engine.games.shangzhou.storage import possible_bans

Who = Callable[[Position], list[Seat]]
MOST: Final = {"critical": "all four Critical Nodes", "sectors": "the most sectors", "clout": "the most Clout"}
STEPS: Final = ("Income", "Oversight", "Display", "Bids", "Apply", "Expand", "Check", "Relinquish")


def _everybody(position: Position) -> list[Seat]:
    return list(range(position.options.players))


def _with_clout(position: Position) -> list[Seat]:
    return [seat for seat, clout in enumerate(position.clout) if clout]


def _addressees(position: Position) -> list[Seat]:
    return sorted({offer.to for offer in position.offers})


def _overseer(position: Position) -> list[Seat]:
    return [] if position.overseer is None else [position.overseer]


def _next(position: Position) -> list[Seat]:
    return position.live[:1]


def _nobody(_position: Position) -> list[Seat]:
    return []


def _closing(position: Position) -> list[Seat]:
    return holders_of_tools(position, giving=position.options.trading != "off" and position.options.players > 2)


def _leaders(position: Position) -> list[Seat]:
    return sorted(possible_bans(position))


# By phase: its step in the rulebook, whose answer is due, and the task.
TASKS: Final[dict[Phase, tuple[int, Who, str]]] = {
    "opening": (0, holders_of_tools, "may use Hackers and Viruses"),
    "income": (0, _nobody, ""),
    "oversight": (1, _with_clout, "may bid for oversight, in secret"),
    "display": (2, _nobody, ""),
    "offers": (2, _everybody, "may make offers"),
    "answers": (2, _addressees, "may accept offers"),
    "order_bid": (3, _overseer, "is to name the order of bids"),
    "bid": (3, _next, "may bid Clout for a tile"),
    "order_apply": (4, _overseer, "is to name the order of placing"),
    "apply": (4, _next, "is to place a template"),
    "offers_2": (5, _everybody, "may make offers"),
    "answers_2": (5, _addressees, "may accept offers"),
    "order_expand": (5, _overseer, "is to name the order of expanding"),
    "expand": (5, _next, "may place agents or engage"),
    "closing": (6, _closing, "may use tiles and give gifts"),
    "check": (6, _nobody, ""),
    "relinquish": (7, _leaders, "may forbid to bank Clout"),
}
assert tuple(TASKS) == PHASES
# By step of a turn: what happens in it.
HAPPENS: Final = (
    "Income: all get Clout, and more from sectors with their agents",
    "Oversight: secret bids; who bids most names the order of turns",
    "Display: four tiles are turned up",
    "Bids: Clout for the tiles; the highest bid on a tile gets it",
    "Apply: the tiles are put on the board",
    "Expand: Clout becomes agents, up to three at a time; or agents fight",
    "Check: has somebody won?",
    "Relinquish: Clout that is left is lost, but for what Storage keeps",
)


def phase(position: Position) -> Phase | None:
    """Return the phase; None before the first turn, and when the game is over."""
    return PHASES[position.phase] if position.turn and not position.ending else None


def turn_step(position: Position) -> int:
    """Return which of the eight steps of a turn it is; -1 before the first turn and after the last."""
    now = phase(position)
    return TASKS[now][0] if now else -1


def to_answer(position: Position) -> list[Seat]:
    now = phase(position)
    return TASKS[now][1](position) if now else position.to_settle[:1]


def phase_sentence(position: Position, names: Sequence[str]) -> str:
    """Return who is to do what; at the end, who has won by what."""
    if position.ending:
        return _ending(position, names)
    now, seats = phase(position), to_answer(position)
    if not seats:
        return ""
    task = TASKS[now][2] if now else "is to choose a Home Node"
    return f"{_called(seats, names)} {say_number(task, task, len(seats))}"


def _called(seats: Sequence[Seat], names: Sequence[str]) -> str:
    if len(seats) == len(names):
        return say("All")
    return (
        shorten(names, seats[0], 18)
        if len(seats) == 1
        else say("%(number)s of %(all)s players", number=len(seats), all=len(names))
    )


def _ending(position: Position, names: Sequence[str]) -> str:
    if not position.winners:
        return say("Cut short after the last turn: nobody has won the area")
    won = join_with_and([shorten(names, seat, 18) for seat in position.winners])
    single, more = "%(names)s wins with %(most)s", "%(names)s share the win with %(most)s"
    return say_number(single, more, len(position.winners), names=won, most=say(MOST[position.ending]))
