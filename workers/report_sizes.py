"""How long reports may be, and how many of them go together."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.records import canonical, to_plain
from engine.sentences import as_data
from workers.envelopes import LARGEST
from workers.orders import InHand, Report, Sized
from workers.practice_orders import PracticeReport
from workers.turn_orders import TurnReport

LONGEST = LARGEST * 3 // 4 - 10_000  # characters of a report, which travels in base64
TOGETHER = 256_000  # characters of the reports in one message, but for one that is longer


def messages(words: Iterable[Sized]) -> list[list[Sized]]:
    """Together as long as they are short: a message has an upper bound, and is lost or repeated as a whole."""
    made: list[list[Sized]] = []
    for word in words:
        if not made or sum(other.size for other in made[-1]) + word.size > TOGETHER:
            made.append([])
        made[-1].append(word)
    return made


def fit_report(report: Report | PracticeReport) -> dict[str, Any]:
    """The report as plain data. If it is too long, it goes without what only the owners of its bots may see."""
    plain = _plain(replace(report, faults_data=[as_data(fault.detail) for fault in report.faults]))
    if len(canonical(plain)) <= LONGEST:
        return plain
    faults = [replace(fault, asked=None, given=None) for fault in report.faults]
    slim = replace(report, stderr=[], faults=faults)
    if isinstance(slim, Report):
        slim.notes = []
    return _plain(slim)


def _plain(report: Report | PracticeReport) -> dict[str, Any]:
    """Return the report as plain data; without faults, it is one that recorders of v0.1.0 read as well."""
    plain: dict[str, Any] = to_plain(report)
    if not report.faults_data:
        del plain["faults_data"]
    return plain


def sized(message: Report | TurnReport | InHand) -> Sized:
    """Raises ValueError if it is not plain data."""
    plain = fit_report(message) if isinstance(message, Report | PracticeReport) else to_plain(message)
    return Sized(plain, len(canonical(plain)))
