"""Phases of a turn: whose answer is due, and what for, from the position."""

from collections.abc import Callable, Sequence
from typing import Final

from bots.viewer.commentary.story import listed
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


def _everybody(at: Position) -> list[Seat]:
    return list(range(at.options.players))


def _with_clout(at: Position) -> list[Seat]:
    return [seat for seat, clout in enumerate(at.clout) if clout]


def _addressees(at: Position) -> list[Seat]:
    return sorted({offer.to for offer in at.offers})


def _overseer(at: Position) -> list[Seat]:
    return [] if at.overseer is None else [at.overseer]


def _next(at: Position) -> list[Seat]:
    return at.live[:1]


def _nobody(_at: Position) -> list[Seat]:
    return []


def _closing(at: Position) -> list[Seat]:
    return holders_of_tools(at, giving=at.options.trading != "off" and at.options.players > 2)


def _leaders(at: Position) -> list[Seat]:
    return sorted(possible_bans(at))


# By phase: its step in the rulebook, whose answer is due, and the task.
TASKS: Final[dict[Phase, tuple[int, Who, str]]] = {
    "opening": (0, holders_of_tools, "may use Hackers and Viruses"),
    "income": (0, _nobody, ""),
    "oversight": (1, _with_clout, "may bid for oversight, in secret"),
    "display": (2, _nobody, ""),
    "offers": (2, _everybody, "may make offers"),
    "answers": (2, _addressees, "may accept offers"),
    "order_bid": (3, _overseer, "is to name the order of bids"),
    "bid": (3, _next, "may bid for a tile"),
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


def phase(at: Position) -> Phase | None:
    """None before the first turn, and when it is over."""
    return PHASES[at.phase] if at.turn and not at.ending else None


def step(at: Position) -> int:
    """Which of the eight steps of a turn it is; -1 before the first and after the last."""
    now = phase(at)
    return TASKS[now][0] if now else -1


def to_answer(at: Position) -> list[Seat]:
    now = phase(at)
    return TASKS[now][1](at) if now else at.to_settle[:1]


def sentence(at: Position, names: Sequence[str]) -> str:
    """Who is to do what; at the end, who has won by what."""
    if at.ending:
        return _ending(at, names)
    now, seats = phase(at), to_answer(at)
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


def _ending(at: Position, names: Sequence[str]) -> str:
    if not at.winners:
        return say("Cut short after the last turn: nobody has won the area")
    won = listed([shorten(names, seat, 18) for seat in at.winners])
    one, more = "%(names)s wins with %(most)s", "%(names)s share the win with %(most)s"
    return say_number(one, more, len(at.winners), names=won, most=say(MOST[at.ending]))
