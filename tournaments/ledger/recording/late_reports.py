"""Reports that come after the result. A repeated one is ignored; other answers to the same questions raise an alarm,
because a worker with the order reports another match. Times differ in every play and do not count.
"""

import logging

from django.db import transaction

from engine.replay import ReplayError, read_replay
from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.ledger.matchmaking.spot_checks import all_are_there, play_match_again
from tournaments.ledger.recording.play_comparison import Play, first_difference
from tournaments.models import Act, Match, Result
from workers.orders import Report

CONTRADICTED = "result_contradicted"  # the kind of its act

log = logging.getLogger(__name__)


def compare_late(report: Report) -> None:
    """Once for each match: append to the audit log, and have others play the match again."""
    result = Result.objects.select_related("match__set").filter(match=report.match).first()
    if result is None or not result.replay:  # or its space keeps it no more
        return None
    try:
        late = Play(report.match, report.worker.partition("/")[0], read_replay(report.replay))
    except ReplayError as error:
        return log.warning("a late report on match %s cannot be read: %s", report.match, error.detail)
    recorded = Play.of(result)
    if recorded.replay.digest != late.replay.digest:
        _compare(result.match, recorded, late)
    return None


@transaction.atomic
def _compare(match: Match, recorded: Play, late: Play) -> None:
    answer = first_difference(recorded.replay, late.replay)
    Match.objects.select_for_update().get(pk=match.pk)
    subject = f"match {match.pk}"
    if answer is None or Act.objects.filter(kind=CONTRADICTED, subject=subject).exists():
        return
    checked = match.set.ladder_id is not None and not match.set.rechecks_id
    if checked and all_are_there(match) and not match.rechecks.exists():
        play_match_again(match)
    reason = Sentence(
        "%(late)s reported later what differs from what %(recorded)s reported, from answer %(at)s on",
        late=late.worker,
        recorded=recorded.worker,
        at=answer,
    )
    detail = {"recorded": recorded.worker, "late": late.worker, "answer": answer, "played_again": checked}
    append(kind=CONTRADICTED, by=PLATFORM, subject=subject, reason=reason, detail=detail, space=match.set.space_id)
