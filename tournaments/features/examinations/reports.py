"""Reports of examinations: taken if of the current turn, and possible.

A worker may lie about what a bot did, as about its time in a match. It can spoil the card that the bot's owner sees,
and nothing else.
"""

import logging
from functools import partial
from typing import Any

from django.db import transaction

from bots.doctor.examination import SEED, Repetition, asked_in, examination_is_over, gone_in, planned
from bots.doctor.findings import findings
from bots.doctor.imported import MOST, Imported
from bots.doctor.serialisation import MOST_ASKED, Written, read_sitting, record_sitting, storable
from bots.doctor.session import Sitting
from bots.languages import LANGUAGES
from engine.games import GAMES
from engine.records import RecordError, from_plain, to_plain
from engine.sentences import Sentence
from tournaments.core.broker.turn_reports import believed
from tournaments.core.errors import Refused
from tournaments.features.examinations.rules import (
    BEGUN,
    BUDGET,
    MOST_TURNS,
    Status,
    charge_turn,
    end_examination,
    extend_examination,
    fail_examination,
    knows_examination_secret,
    let_wait,
    rest_examinations,
)
from tournaments.models import Examination, Ladder
from workers.examination_orders import MOST_S, ExaminationReport

TAKEN, NOTED = "taken", "noted"
MOST_MATCHES = 500  # in one turn
LONGEST_NAME = 100  # characters
LONGEST_TURN = 20 * MOST_S  # seconds, of a machine that stands still now and then

log = logging.getLogger(__name__)


def receive_examination_report(data: object) -> str:
    """Process a report as it was received, in any shape. Returns the outcome."""
    try:
        return _take(believed(ExaminationReport, data, knows_examination_secret))
    except (Refused, RecordError) as error:
        log.warning("refused: %s", error)
        return f"refused: {error}"


@transaction.atomic
def _take(report: ExaminationReport) -> str:
    """Raises Refused: not_current."""
    current = Examination.objects.filter(pk=report.examination, turn=report.turn, status=Status.ASKED)
    examination = current.select_for_update(of=("self",)).select_related("version__bot__space").first()
    if examination is None:
        raise Refused(
            "not_current",
            "turn %(turn)s of examination %(examination)s is over",
            turn=report.turn,
            examination=report.examination,
        )
    if report.outcome != "begun":
        charge_turn(examination, report.seconds, report.worker)
        transaction.on_commit(partial(rest_examinations, examination.pool, report.seconds))
    if report.outcome == "begun":
        if Examination.objects.filter(pk=examination.pk, begun=False).update(begun=True):  # said again it gains no time
            extend_examination(examination, BEGUN)
    elif report.outcome == "returned":
        let_wait(examination)
    elif report.outcome == "void":
        fail_examination(examination, report.reason or Sentence("the worker gave no reason"))
    else:
        return _enter(examination, report)
    return NOTED


def _enter(examination: Examination, report: ExaminationReport) -> str:
    try:
        sittings = _read(examination, report)
    except RecordError as error:
        fail_examination(examination, Sentence("a worker reported something impossible: %(text)s", text=error))
        return f"refused: {error}"
    examination.failures, examination.reason = 0, ""
    examination.seconds += report.seconds
    examination.questions, examination.matches = asked_in(sittings), len(sittings)
    if examination_is_over(sittings, BUDGET, examination.seconds) or examination.turn >= MOST_TURNS:
        _conclude(examination, sittings)
    else:
        let_wait(examination)
    return TAKEN


def _conclude(examination: Examination, sittings: list[Sitting]) -> None:
    seen = examination.seen
    imported = from_plain(Imported, seen["imported"])
    repetition = from_plain(Repetition, seen["repetition"]) if "repetition" in seen else None
    examination.findings = to_plain(findings(sittings, Ladder().clock, BUDGET, imported, repetition))
    end_examination(examination, Status.DONE)


def _read(examination: Examination, report: ExaminationReport) -> list[Sitting]:
    """Return all its matches so far, and keep those of the report among them. Raises RecordError."""
    if not 0 < len(report.sittings) <= MOST_MATCHES or not 0 <= report.seconds <= LONGEST_TURN:
        raise RecordError(f"{len(report.sittings)} matches in {report.seconds!s:.40} s")
    if (asked := sum(len(sitting.asked) for sitting in report.sittings)) > BUDGET.questions + MOST_ASKED:
        raise RecordError(f"{asked:,} questions in one turn")
    seen = examination.seen or {"sittings": []}
    earlier = [from_plain(Written, sitting) for sitting in seen["sittings"]]
    sittings = _sittings(examination, [*earlier, *report.sittings])
    seen["sittings"] += [to_plain(record_sitting(sitting)) for sitting in sittings[len(earlier) :]]
    seen["gone"] = gone_in(sittings)
    if "imported" not in seen:
        seen["imported"] = to_plain(_imported(report.imported))
    if "repetition" not in seen and report.repetition:
        seen["repetition"] = to_plain(_repetition(report.repetition))
    examination.seen = seen
    return sittings


def _sittings(examination: Examination, records: list[Written]) -> list[Sitting]:
    game: Any = GAMES[examination.version.bot.game]
    kinds = {question.tag for question in game.questions}
    return [read_sitting(record, match, kinds) for record, match in zip(records, planned(game, SEED), strict=False)]


def _imported(claim: Imported | None) -> Imported:
    """Return what the bot imports, as it can be stored. Raises RecordError."""
    if claim is None or claim.language not in LANGUAGES or len(claim.missing) > MOST:
        raise RecordError("it does not say what the bot imports")
    if not all(name.isidentifier() and len(name) <= LONGEST_NAME for name in claim.missing):
        raise RecordError("what it says that the bot imports are no names")
    return Imported(claim.language, claim.missing, storable(claim.unread), storable(claim.broken))


def _repetition(claim: Repetition) -> Repetition:
    """Return the claim if it is possible. Raises RecordError."""
    if not 0 <= claim.again <= claim.questions <= MOST_ASKED or not 0 <= claim.others <= claim.again + 1:
        raise RecordError("so many questions cannot have been told again")
    if not 0 <= claim.first <= claim.questions:
        raise RecordError("no such question was told again")
    return claim
