"""The recorder's task: a report came in on a turn of a suggestion. It is taken if of the current turn, and possible.

A worker may lie about chances, as about times: it can spoil what those see who asked, and nothing else.
"""

import logging

from django.db import transaction

from engine.core import IllegalAction
from engine.records import RecordError, canonical, to_plain
from engine.replay import ReplayError
from engine.sentences import Sentence
from tournaments.core.broker.celery_app import app
from tournaments.core.broker.turn_reports import believed
from tournaments.core.config.tracing import span
from tournaments.core.errors import Refused
from tournaments.features.suggestions import rules
from tournaments.features.suggestions.words import question_at
from tournaments.ledger.recording.tasks import process
from tournaments.models import Suggestion
from workers.suggestion_orders import PLAYOUTS, SUGGESTED, SuggestionReport
from workers.suggestions import TOLD

MOST_FUTURES = 2 * PLAYOUTS
NOTHING = Sentence("no other answer was legal there, or there was too little time to try one")

log = logging.getLogger(__name__)


@app.task(name=SUGGESTED)
def record_suggestion(report: object, *_: object) -> str:
    with span(SUGGESTED):
        return process("suggestion", report, receive_suggestion)


def receive_suggestion(data: object) -> str:
    """Process a report as it was received, in any shape. Returns the outcome."""
    try:
        return _take(believed(SuggestionReport, data, rules.knows_suggestion_secret))
    except (Refused, RecordError) as error:
        log.warning("refused: %s", error)
        return f"refused: {error}"


@transaction.atomic
def _take(report: SuggestionReport) -> str:
    """Raises Refused: not_current."""
    current = Suggestion.objects.filter(pk=report.suggestion, turn=report.turn, status=rules.Status.ASKED)
    row = current.select_for_update(of=("self",)).first()
    if row is None:
        raise Refused("not_current", "turn %(turn)s of this suggestion is over", turn=report.turn)
    if report.outcome == "begun":
        if Suggestion.objects.filter(pk=row.pk, begun=False).update(begun=True):  # said again it gains no time
            rules.extend_suggestion(row, rules.TRYING)
        return "noted"
    if report.outcome == "nothing":
        rules.end_suggestion(row, rules.Status.FAILED, NOTHING)
        return "taken"
    if report.outcome != "tried" or (trouble := _trouble(row, report)):
        rules.wait_again(row)
        return "noted" if report.outcome != "tried" else f"refused: {trouble}"
    row.tried, row.playouts = [to_plain(one) for one in report.tried], report.playouts
    rules.end_suggestion(row, rules.Status.DONE)
    return "taken"


def _trouble(row: Suggestion, report: SuggestionReport) -> str:
    """Return why no worker could have found this, or ""."""
    replay = rules.replay_of_suggestion(row)
    if replay is None or not 2 <= len(report.tried) <= 1 + TOLD or not 0 < report.playouts <= MOST_FUTURES:
        return f"{len(report.tried)} answers in {report.playouts} play-outs"
    if not all(0 <= one.chance <= 1 and 0 <= one.margin <= 2 for one in report.tried):
        return "no such chances"
    try:
        run, line = question_at(replay, row.at)
        answers = [canonical(run.match.read(row.seat, one.answer)) for one in report.tried]
        given = canonical(run.match.read(row.seat, line[1]))
    except (IllegalAction, ReplayError) as error:
        return str(error)
    return (
        "" if answers[0] == given and len({*answers}) == len(answers) else "not the answer that was given, and others"
    )
