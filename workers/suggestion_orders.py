"""Messages of suggestions: an order to try other answers to one recorded question, and a report of what they came to.

They share the queue of examinations, which match workers read when no match waits (`workers.queue_order`).
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from bots.games import has_module
from engine.games import GAMES
from engine.records import Record, RecordError, from_plain, show
from engine.replay import Replay

VERSION = 1
SUGGEST, SUGGESTED = "workers.suggest", "tournaments.suggested"  # the tasks of a worker and of a recorder
TURN_KEY = "boardroom:lease:suggestion-{}"  # its present turn
MOST_S, PLAYOUTS = 120, 100_000  # of one suggestion: seconds of processor time, and play-outs


@dataclass(slots=True)
class Tried(Record):
    """An answer as plain data, its chance of winning, and how far what it gains over the given one may be off, 95 %."""

    answer: Any
    chance: float
    margin: float = 0.0


@dataclass(slots=True)
class SuggestionOrder(Record):
    """Which question: that of answer `at`. The replay ends with it, and has no result. `turn` is the fencing number."""

    suggestion: int
    turn: int
    replay: Replay
    at: int
    seconds: int
    secret: str = ""  # of the turn, as that of a lease (`workers.orders`)
    version: int = VERSION


@dataclass(slots=True)
class SuggestionReport(Record):
    """What became of one turn. `begun` comes first, so that the site knows an order that waits from one that is lost.

    `tried` has the given answer first; `nothing` says why there is no other.
    """

    suggestion: int
    turn: int
    worker: str
    outcome: Literal["tried", "nothing", "void", "returned", "begun"]
    reason: str = ""  # why, unless tried or begun
    tried: list[Tried] = field(default_factory=list)
    playouts: int = 0
    secret: str = ""  # the order's
    version: int = VERSION


def has_field(game: str) -> bool:
    """Return whether there are bots that could play the game out, and a list of its answers."""
    return game in GAMES and has_module(game, "encoding") and has_module(game, "rungs")


def read_suggestion(plain: object) -> SuggestionOrder:
    """The order that `plain` spells, fit to be followed by this engine. Raises RecordError with the reason."""
    order: SuggestionOrder = from_plain(SuggestionOrder, plain, "suggestion")
    if order.version != VERSION:
        raise RecordError(f"the suggestion has version {order.version}; this worker reads version {VERSION}")
    if not has_field(order.replay.game):
        raise RecordError(f"no field of bots could play out {show(order.replay.game)}")
    if not 0 < order.seconds <= MOST_S:
        raise RecordError(f"suggestion.seconds is {order.seconds}; it must be from 1 to {MOST_S}")
    return order
