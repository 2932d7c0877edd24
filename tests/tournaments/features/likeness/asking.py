"""Answers to a survey's questions in this process, as a practice worker hands them in."""

from collections.abc import Callable
from typing import Any, TypeAlias

from engine.dice import Dice
from engine.records import to_plain
from tests.factories import AnyAnswers
from tests.practising import send
from tournaments.features.likeness import surveys
from tournaments.models import Survey, SurveyAnswers, Version
from workers.practice import Rehearsal, continue_match
from workers.practice_orders import PracticeReport

Forge: TypeAlias = Callable[[dict[str, Any]], object]  # changes a report before it is signed


def asked() -> SurveyAnswers:
    related = ("survey__ladder", "match__set", "match__result", "version__bot")
    return SurveyAnswers.objects.select_related(*related).get(status="asked")


def answers(source_of: Callable[[Version], str], forge: Forge | None = None) -> str:
    """Answer as a worker does. `source_of`: what a version's answers are drawn from."""
    order = surveys.order_of_survey(row := asked())
    report = PracticeReport(order.practice, order.turn, "tester/1", "played", seconds=0.1, secret=order.secret)
    rehearsal = Rehearsal(AnyAnswers(Dice.of(f"{row.match_id} {source_of(row.version)}"), {}), order.people, {})
    continue_match(order, rehearsal, report)
    plain = {**to_plain(report), "answers": rehearsal.digests}
    if forge:
        forge(plain)
    return send(plain)


def to_the_end(source_of: Callable[[Version], str], forge: Forge | None = None, forged: Version | None = None) -> None:
    """Answer all questions. `forge` changes the reports of one version."""
    while Survey.objects.filter(status="running").exists():
        surveys.ask_next()
        if SurveyAnswers.objects.filter(status="asked").exists():
            answers(source_of, forge if asked().version == forged else None)
