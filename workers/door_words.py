"""What workers that come in by the door and the site say to each other, over HTTPS: the worker asks, the site answers.

A worker POSTs JSON to `/door/acquire`, `/door/report` and `/door/abort` with `Authorization: Worker TOKEN`, and knows
nothing of the broker. Orders, reports and leases are those of all workers (`workers.orders`). `acquire` is said by a
worker with nothing in hand, and is answered with an order, or with the seconds after which to ask again. `report`
carries reports, and names what is still in hand, which renews those leases; once nothing is, it is answered as
`acquire` is. `abort` gives back what is in hand.

An order is a set of matches or, for a space's worker, a turn (`workers.turn_orders`): while it is played, the report
that says so comes every ten seconds. Turns of practices go to processes of their own: people wait for their answers.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from engine.records import Record
from workers.orders import Held

VERSION: Final = 1  # of this contract
PATH: Final = "/door/"
AUTHORISATION: Final = "Worker"
LONGEST: Final = 9 << 20  # bytes of what a worker says at once; the longest report has less
MOST: Final = 100  # reports, and matches in hand, at once
MOST_OFFERS = 60

# Answers after which a worker stops, for they will be the same again.
STOPS: Final = {400: "bad_request", 401: "bad_token", 403: "blocked", 406: "old_version", 410: "no_practices"}


@dataclass(slots=True)
class Word(Record):
    """What a worker says. `process` is the number that it gave itself when it started."""

    process: str
    release: str  # its tag, as `workers.orders.TAG`
    offers: list[str]
    reports: list[dict[str, Any]] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    reason: str = ""  # why it gives back what it holds
    more: bool = False  # whether it takes the next order
    practices: bool = False  # whether it plays turns of practices, and nothing else
    version: int = VERSION


@dataclass(slots=True)
class Answer(Record):
    """What the site answers: an order, or when to ask again; and of what was named, which leases are over."""

    order: dict[str, Any] | None = None
    ask_again: float = 0.0  # seconds
    why: str = ""  # the worker is to rest
    over: list[int] = field(default_factory=list)  # matches for which nobody waits any more
    turn_over: bool = False  # nobody waits any more for the turn in hand
    refused: dict[str, str] = field(default_factory=dict)  # why a report is not taken, by match or turn
