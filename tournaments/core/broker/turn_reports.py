"""Reports of what workers do turn by turn, such as a practice or an examination: which of them are believed."""

from collections.abc import Callable
from typing import TypeVar

from engine.records import from_plain
from tournaments.core.broker.worker_identity import author, heard_of
from tournaments.core.errors import Refused
from workers import examination_orders, practice_orders, suggestion_orders
from workers.examination_orders import ExaminationReport
from workers.practice_orders import PracticeReport
from workers.suggestion_orders import SuggestionReport

READ = {  # which of its fields says of what it is, and the version that this site reads
    PracticeReport: ("practice", practice_orders.VERSION),
    ExaminationReport: ("examination", examination_orders.VERSION),
    SuggestionReport: ("suggestion", suggestion_orders.VERSION),
}
TurnReport = TypeVar("TurnReport", PracticeReport, ExaminationReport, SuggestionReport)


def believed(kind: type[TurnReport], data: object, knows: Callable[[int, int, str], bool]) -> TurnReport:
    """The report as it was received, if it has the secret of its turn, and its worker is not blocked. Raises
    RecordError, and Refused: unnamed, version, not_sent, blocked."""
    if not (name := author(data)):
        raise Refused("unnamed", "the report names no worker")
    report: TurnReport = from_plain(kind, data, "report")
    about, version = READ[kind]
    if report.version != version:
        raise Refused(
            "version",
            "a report of version %(version)s; this site reads version %(version2)s",
            version=report.version,
            version2=version,
        )
    number = getattr(report, about)
    if not knows(number, report.turn, report.secret):
        raise Refused(
            "not_sent",
            "%(name)s was not sent turn %(turn)s of %(about)s %(number)s",
            name=name,
            turn=report.turn,
            about=about,
            number=number,
        )
    worker = heard_of(name)
    if worker.blocked:
        raise Refused("blocked", "%(rests_because)s, and its reports are refused", rests_because=worker.rests_because)
    return report
