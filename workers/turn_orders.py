"""What goes on turn by turn: practices, examinations and suggestions. An order is one turn, and a report follows."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Self

from engine.records import RecordError
from workers.examination_orders import TURN_KEY as EXAMINATION_KEY
from workers.examination_orders import ExaminationOrder, ExaminationReport, read_examination
from workers.practice_orders import TURN_KEY as PRACTICE_KEY
from workers.practice_orders import PracticeOrder, PracticeReport, read_practice
from workers.suggestion_orders import TURN_KEY as SUGGESTION_KEY
from workers.suggestion_orders import SuggestionOrder, SuggestionReport, read_suggestion

TurnOrder = PracticeOrder | ExaminationOrder | SuggestionOrder
TurnReport = PracticeReport | ExaminationReport | SuggestionReport
READ: Mapping[str, Callable[[object], TurnOrder]] = {
    "practice": read_practice,
    "examination": read_examination,
    "suggestion": read_suggestion,
}
KEYS = {"practice": PRACTICE_KEY, "examination": EXAMINATION_KEY, "suggestion": SUGGESTION_KEY}


class Turn(NamedTuple):
    """Which turn an order or a report is about. The secret is that of its order."""

    kind: str
    number: int
    turn: int
    secret: str

    @classmethod
    def of(cls, order: TurnOrder) -> Self:
        kind = next(kind for kind in KEYS if hasattr(order, kind))
        return cls(kind, getattr(order, kind), order.turn, order.secret)

    @classmethod
    def named(cls, plain: Mapping[str, object]) -> Self | None:
        """Return the turn that an order or a report names, as plain data; None if it names none."""
        kind = turn_kind(plain)
        number, turn, secret = (plain.get(name) for name in (kind, "turn", "secret"))
        if kind and type(number) is int and type(turn) is int and isinstance(secret, str):
            return cls(kind, number, turn, secret)
        return None

    @property
    def key(self) -> str:
        """Return the broker's key with the present turn."""
        return KEYS[self.kind].format(self.number)

    def begun(self, worker: str) -> TurnReport:
        """Return the word that the worker is at it; said again, it still is."""
        if self.kind == "practice":
            return PracticeReport(self.number, self.turn, worker, "playing", secret=self.secret)
        if self.kind == "examination":
            return ExaminationReport(self.number, self.turn, worker, "begun", secret=self.secret)
        return SuggestionReport(self.number, self.turn, worker, "begun", secret=self.secret)

    def given_back(self, worker: str, reason: str) -> TurnReport:
        """Return the report that the worker does not play it."""
        report = self.begun(worker)
        report.reason = reason
        if isinstance(report, PracticeReport):
            report.outcome = "void"
        else:
            report.outcome = "returned"
        return report


def turn_kind(plain: object) -> str:
    """Return what a turn's order or report, as plain data, is about; "" for what is none."""
    return next((kind for kind in KEYS if isinstance(plain, dict) and kind in plain), "")


def read_turn(plain: object) -> TurnOrder:
    """Raises RecordError."""
    if not (kind := turn_kind(plain)):
        raise RecordError("it is no order of a practice, an examination or a suggestion")
    return READ[kind](plain)
