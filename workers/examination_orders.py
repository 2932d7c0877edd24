"""Messages of examinations: an order to ask a bot some hundred questions, and a report of what it did.

A worker asks for some seconds, and the site sends the next order: so an examination holds no worker for long, what was
asked is kept, and a worker that dies loses little.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from bots.doctor.examination import Repetition
from bots.doctor.imported import Imported
from bots.doctor.serialisation import Written
from engine.records import Record, RecordError, from_plain, show
from workers.orders import TAG, Order, branch, check_order, key_of, space_of_queue
from workers.sandbox.errors import SandboxError

VERSION = 1
EXAMINE, EXAMINED = "workers.examine", "tournaments.examined"  # the tasks of a worker and of a recorder
TURN_KEY = "boardroom:lease:examination-{}"  # its present turn
EXAMINATIONS: Final = f"matches:examinations:{TAG}"  # a queue of match workers, of this release
FIRST_WORDS: Final = "matches:examinations:"
SLICE_S = 2.0  # of wall time: no further match is begun then
MOST_S = 30.0  # one match is left in the middle then; and so is one that is told again


def examination_queue(needs: Iterable[str] = (), space: str = "") -> str:
    """The queue of orders whose bot needs these languages."""
    return branch(key_of(space, EXAMINATIONS), needs)


def is_of_examinations(queue: str) -> bool:
    return queue.removeprefix(key_of(space_of_queue(queue), "")).startswith(FIRST_WORDS)


@dataclass(slots=True)
class ExaminationOrder(Record):
    """How an examination goes on at its `turn`, the fencing number: with the match of this number, for at most so many
    questions. `gone`: in how many matches the bot ended early so far."""

    examination: int
    turn: int
    terms: Order  # the bot alone, and no matches; its seed is that of the examination
    first: int
    questions: int
    gone: int
    repeats: bool  # whether the first whole match is still to be told again
    secret: str = ""  # of the turn, as that of a lease (`workers.orders`)
    version: int = VERSION


@dataclass(slots=True)
class ExaminationReport(Record):
    """What became of one turn. `begun` comes first, so that the site knows an order that waits from one that is lost.

    `imported` is told once, with the first match.
    """

    examination: int
    turn: int
    worker: str
    outcome: Literal["asked", "void", "returned", "begun"]
    reason: str = ""  # why, when void or returned
    sittings: list[Written] = field(default_factory=list)
    repetition: Repetition | None = None
    imported: Imported | None = None
    seconds: float = 0.0  # wall time of its matches at the worker
    secret: str = ""  # the order's
    version: int = VERSION


def read_examination(plain: object) -> ExaminationOrder:
    """The order that `plain` spells, fit to be followed by this engine. Raises RecordError with the reason."""
    try:
        order: ExaminationOrder = from_plain(ExaminationOrder, plain, "examination")
    except SandboxError as error:
        raise RecordError(f"examination.terms.limits: {error}") from None
    if order.version != VERSION:
        raise RecordError(f"the examination has version {order.version}; this worker reads version {VERSION}")
    check_order(order.terms)
    if len(order.terms.competitors) != 1 or order.terms.matches:
        raise RecordError("examination.terms is of one bot and of no matches")
    if order.first < 0 or order.questions < 1:
        raise RecordError(f"{show(order.questions)} questions from match {show(order.first)} on cannot be asked")
    return order
