"""Playing one turn of a practice, an examination or a suggestion."""

import logging
from contextlib import suppress

from workers.bundles import LeaseOver
from workers.examination import examine
from workers.examination_orders import ExaminationOrder
from workers.match import Kit
from workers.practice import report_turn
from workers.practice_orders import PracticeOrder
from workers.suggestions import report_suggestion
from workers.turn_orders import TurnOrder, TurnReport

log = logging.getLogger(__name__)


def play_turn(order: TurnOrder, kit: Kit) -> TurnReport | None:
    """Return the report, or None where nobody waits for one any more."""
    report = None
    with suppress(LeaseOver):
        report = _report(order, kit)
    if report is None or kit.is_over():
        log.info("dropped: its turn is over")
        return None
    log.info("%s%s", report.outcome, report.reason and f": {report.reason}")
    return report


def _report(order: TurnOrder, kit: Kit) -> TurnReport:
    """Raises LeaseOver."""
    if isinstance(order, PracticeOrder):
        return report_turn(order, kit)
    return examine(order, kit) if isinstance(order, ExaminationOrder) else report_suggestion(order, kit)
