"""What follows a recorded result: the evidence of faults, and steps at the end of a set."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from engine.records import show
from engine.referee import Fault
from tournaments.core.config.plain_text import storable
from tournaments.core.config.sentence_data import checked_data
from tournaments.core.feature import features
from tournaments.core.notices import triggers
from tournaments.ledger.competitors.upload_check import conclude_check
from tournaments.ledger.dispatch.check_turns import count_check
from tournaments.ledger.matchmaking.activation import admit_version
from tournaments.ledger.matchmaking.spot_checks import draw_spot_checks
from tournaments.models import FaultEvidence, MatchSet, Seat
from workers.orders import Report

LONGEST_STDERR, LONGEST_TEXT = 66_000, 2000  # the first is more than any ladder has kept


def enter_faults(seats: Sequence[Seat], report: Report) -> None:
    pairs = zip_longest(report.faults, report.faults_data[: len(report.faults)])
    FaultEvidence.objects.bulk_create(_evidence(fault, data, seats[fault.seat]) for fault, data in pairs)


def _evidence(fault: Fault, data: object, seat: Seat) -> FaultEvidence:
    detail = storable(fault.detail)[:LONGEST_TEXT]
    given = "" if fault.given is None else fault.given if isinstance(fault.given, str) else show(fault.given, 400)
    return FaultEvidence(
        seat=seat,
        answer=fault.answer,
        verdict=storable(fault.verdict)[:20],
        detail=detail,
        detail_data=checked_data(detail, data, LONGEST_TEXT),
        asked=fault.asked,
        given=storable(given)[:LONGEST_TEXT],
    )


class OverSet(NamedTuple):
    """A set whose last match was recorded. `awaited`: something or somebody waits for its end."""

    number: int
    awaited: bool
    drawn_from: bool  # some of its matches may be played again, to compare
    matches: list[int]


def conclude_set(over: OverSet) -> None:
    if over.awaited:
        _conclude(MatchSet.objects.get(pk=over.number))
    if over.drawn_from:
        draw_spot_checks(over.matches)


def _conclude(over: MatchSet) -> None:
    if over.checks_id:
        match = over.matches.select_related("result").get()
        count_check(over.checks_id, match.result.seconds, match.result.worker)
        if passed := conclude_check(match=match):
            admit_version(version=passed)
        triggers.notify_of_check(over.checks_id)
    for feature in features():
        feature.set_completed(over)
    triggers.notify_of_friendly_set(over)
