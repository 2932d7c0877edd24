"""Reports of practice workers: accepted if for the current turn, and valid when replayed."""

import logging
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from django.db import transaction

from engine.records import RecordError, to_plain
from engine.replay import ReplayError, advance
from engine.sentences import Sentence
from tournaments.core.broker.queues import note_practice_over
from tournaments.core.broker.turn_reports import believed
from tournaments.core.config.plain_text import storable
from tournaments.core.config.sentence_data import checked_data
from tournaments.core.errors import Refused
from tournaments.core.feature import questions
from tournaments.features.practice.seats import own_seats, person_seats
from tournaments.features.practice.turns import (
    PLAYING,
    PracticeState,
    knows_turn_secret,
    lock_practice,
    proceed,
    set_deadline,
    try_again,
)
from tournaments.models import Practice
from workers.heartbeat import SILENT_AFTER
from workers.identity import space_of
from workers.practice_orders import PracticeReport

TAKEN, NOTED = "taken", "noted"
LONGEST_STDERR = 66_000
LONGEST_TURN = 2 * SILENT_AFTER  # seconds; a worker sends no heartbeat for as long

log = logging.getLogger(__name__)


def receive_practice_report(data: object) -> str:
    """Process a report as it was received, in any shape. Returns the outcome."""
    try:
        report = _possible(believed(PracticeReport, data, knows_turn_secret))
        return _of_turn(report)
    except (Refused, RecordError) as error:
        log.warning("refused: %s", error)
        return f"refused: {error}"


def _of_turn(report: PracticeReport) -> str:
    """Take in a report of a turn; the worker ends what it plays in vain. Raises Refused."""
    try:
        return questions().take(report) if report.practice < 0 else _take(report)
    except Refused as refusal:
        if refusal.code in ("not_current", "not_found"):
            note_practice_over(report.practice, report.turn)
        raise


def _possible(report: PracticeReport) -> PracticeReport:
    """Return the report if its times are possible. Raises Refused: impossible."""
    if 0 <= report.seconds <= LONGEST_TURN and all(0 <= ms <= LONGEST_TURN * 1000 for ms in report.cpu_ms):
        return report
    raise Refused(
        "impossible",
        "it took %(seconds)s s of wall time and %(cpu_ms)s ms of CPU time",
        seconds=report.seconds,
        cpu_ms=f"{report.cpu_ms!s:.200}",
    )


@transaction.atomic
def _take(report: PracticeReport) -> str:
    practice = lock_practice(report.practice)
    if practice.status != Practice.Status.WAITING or practice.turn != report.turn:
        raise Refused("not_current", "turn %(turn)s of practice %(pk)s is over", turn=report.turn, pk=practice.pk)
    if report.outcome == "playing":
        set_deadline(practice, PLAYING)
        return NOTED
    if not space_of(report.worker):  # what a space's own workers say of their time counts for nobody
        practice.seconds += report.seconds
    if report.outcome == "void":
        try_again(practice, report.reason or Sentence("the worker gave no reason"))
        return NOTED
    return _played(practice, report)


def _played(practice: Practice, report: PracticeReport) -> str:
    try:
        practice.script = _script(practice, report.answers)
        practice.report, practice.faults_data = _report_of(practice, report), _faults_data(practice, report)
    except ReplayError as error:
        try_again(Practice.objects.select_related("ladder", "owner").get(pk=practice.pk), error.detail)
        return f"refused: {error.detail}"
    practice.tries = 0
    proceed(practice)
    return TAKEN


def _script(practice: Practice, answers: Sequence[Any]) -> list[Any]:
    """Return the script and the bots' answers: whole steps, up to one that asks a person or to the end. Raises
    ReplayError."""
    state = PracticeState.of(practice)
    seats, given = set(person_seats(practice)), state.given
    if [line for line in answers if isinstance(line, list) and line and line[0] in seats] != given:
        raise ReplayError("differs", "the report has other answers of a person than the person gave")
    run, replay = state.run, state.replay
    replay.answers = [*replay.answers[: run.step], *answers]
    while run.step < len(replay.answers):
        advance(replay, run)
    if not run.match.over and not seats & run.match.questions.keys():
        raise ReplayError("differs", "the report ends before a person is asked")
    return replay.answers


def _report_of(practice: Practice, report: PracticeReport) -> dict[str, Any]:
    """Return what the owner alone sees: faults and stderr of their bots. Raises ReplayError."""
    mine, before = own_seats(practice), practice.report
    try:
        faults = [to_plain(fault) for fault in report.faults if fault.seat in mine]
    except RecordError as error:
        raise ReplayError("bad_report", "the report has a fault that is none: %(error)s", error=error) from None
    parts = {
        "faults": [*before.get("faults", []), *faults],
        "stderr": {str(part.seat): part.text[-LONGEST_STDERR:] for part in report.stderr if part.seat in mine},
        "cpu_ms": {str(seat): ms for seat, ms in enumerate(report.cpu_ms) if seat in mine},
    }
    return {name: _storable(part) for name, part in parts.items()}


def _faults_data(practice: Practice, report: PracticeReport) -> list[Any]:
    """Return what the details of all its faults were made of."""
    faults, data = practice.report.get("faults", []), practice.faults_data or []
    new = zip_longest(report.faults, report.faults_data[: len(report.faults)])
    mine = [checked_data(storable(fault.detail), part) for fault, part in new if fault.seat in own_seats(practice)]
    return [*data, *[None] * (len(faults) - len(data)), *mine]


def _storable(value: Any) -> Any:
    """Plain data that PostgreSQL can store."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    return value
