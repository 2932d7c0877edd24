"""Messages of practices, unrated games in which people may play: an order goes out whenever bots must answer, and a
report with their answers comes back.

No process waits for a person: a worker gets the whole script, and ends where a person has to answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from engine.games import GAMES
from engine.records import Record, RecordError, from_plain, show
from engine.referee import Fault
from workers.orders import TAG, Order, Stderr, branch, check_order, key_of
from workers.sandbox.errors import SandboxError

VERSION = 2  # 2: each turn has a secret
PRACTISE, PRACTISED = "workers.practise", "tournaments.practised"  # the tasks of a worker and of a recorder
TURN_KEY = "boardroom:practice:{}"  # by practice: its present turn, so that a worker can drop one that is out of date
PRACTICES = f"practices:{TAG}"  # the queue of those for Python alone, of this release
PERSON: Final = -1  # at a seat, in place of a competitor's number


def practice_queue(needs: Iterable[str] = (), space: str = "") -> str:
    """The queue of orders whose bots need these languages. Every worker has Python."""
    return branch(key_of(space, PRACTICES), needs)


@dataclass(slots=True)
class PracticeOrder(Record):
    """How the practice goes on at its `turn`, the fencing number. A number below 0 is no practice: a survey asks bots
    what they say at each question of the script, and its turn ends there.

    `script` holds the answers so far, as in a replay: those of whole steps, and last perhaps what a person answers in
    the step that follows them, before the bots that are asked with it.
    """

    practice: int
    turn: int
    terms: Order  # without matches
    seats: list[int]  # by seat: which competitor, or PERSON
    script: list[Any]
    secret: str = ""  # of the turn: as that of a lease (`workers.orders`)
    version: int = VERSION

    @property
    def people(self) -> frozenset[int]:
        return frozenset(seat for seat, competitor in enumerate(self.seats) if competitor == PERSON)


@dataclass(slots=True)
class PracticeReport(Record):
    """What became of one turn. `answers` follow the script's whole steps: what a person had given is among them.

    Of a survey they are, by answer of the script, digests of what the bot at that seat said; "" where it said nothing.
    """

    practice: int
    turn: int
    worker: str
    outcome: Literal["played", "void", "playing"]
    reason: str = ""  # why, when void
    answers: list[Any] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)  # those of these answers, and of bots that did not start
    stderr: list[Stderr] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)  # by seat, since the first question
    seconds: float = 0.0  # wall time at the worker
    secret: str = ""  # the order's
    faults_data: list[Any] = field(default_factory=list)  # as in a report of a match
    version: int = VERSION


def read_practice(plain: object) -> PracticeOrder:
    """The order that `plain` spells, fit to be played by this engine. Raises RecordError with the reason."""
    try:
        order: PracticeOrder = from_plain(PracticeOrder, plain, "practice")
    except SandboxError as error:
        raise RecordError(f"practice.terms.limits: {error}") from None
    if order.version != VERSION:
        raise RecordError(f"the practice has version {order.version}; this worker reads version {VERSION}")
    check_order(order.terms)
    players = GAMES[order.terms.game].read_options(order.terms.options).players
    numbers = range(PERSON, len(order.terms.competitors))
    if len(order.seats) != players or any(number not in numbers for number in order.seats):
        raise RecordError(f"practice.seats is {show(order.seats)}; it needs {players} numbers of competitors, or -1")
    return order
