"""Surveys: a ladder's bots answer the questions of recorded matches; how much their answers agree is stored.

A worker plays a match's script as it does a practice's, with one bot at every seat, and reports what that bot would
have answered. One is asked at a time, and none while a person waits for a worker: it is work that nobody waits for.
"""

import re
import secrets
from collections.abc import Iterable
from dataclasses import asdict
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from engine.games import GAMES
from engine.referee import Verdict
from engine.replay import read
from tournaments.core.accounts.sides import Sides
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import practice_pool
from tournaments.core.broker.failing_items import FAILING_ITEMS, name_of
from tournaments.core.broker.worker_identity import check_plays_for
from tournaments.core.errors import Refused
from tournaments.features.likeness.answers import FEWEST_SIDES, compare
from tournaments.features.practice.turns import PLAYING, QUEUED, TRIES, secret_of, terms_of
from tournaments.models import Entry, Ladder, Match, Practice, Seat, Space, Survey, SurveyAnswers, Version
from workers.isolation import each
from workers.orders import Competitor
from workers.practice_orders import PracticeOrder, PracticeReport

MATCHES = 6  # that every bot is asked about
LATEST = 50  # of which they are drawn, one of a set
MOST = 400  # versions, the newest
DIGEST = re.compile(r"(?:[0-9a-f]{12})?")
Status, State = Survey.Status, SurveyAnswers.Status
TO_COME = (State.WAITING, State.ASKED)


def versions_in(ladder: Ladder) -> "QuerySet[Version]":
    """Return the versions that play in the ladder now, and whose bytes are kept."""
    playing = Version.objects.filter(
        status=Version.Status.ACTIVE, bot__entries__ladder=ladder, bot__entries__status=Entry.Status.PLAYING
    )
    return playing.exclude(bundle__size=0).order_by("-pk")


def draw_matches(ladder: Ladder) -> list[int]:
    """Return matches without a fault, drawn from the latest: nobody knows them before.

    Raises Refused: few_matches, too_few_bots, other_rules, survey_runs.
    """
    if ladder.surveys.filter(status=Status.RUNNING).exists():
        raise Refused("survey_runs", "the bots of %(ladder)s are being asked; wait for the end of it", ladder=ladder)
    if ladder.game not in GAMES or GAMES[ladder.game].version != ladder.rules:
        raise Refused("other_rules", "%(ladder)s is played by rules that this release does not have", ladder=ladder)
    _check_field(ladder)
    played = Match.objects.filter(set__ladder=ladder, set__rated=True, set__rules=ladder.rules, turn=0, status="done")
    played = played.exclude(result__replay=b"")
    latest = (
        played.exclude(seats__in=Seat.objects.exclude(verdict=Verdict.OK))
        .order_by("-pk")
        .values_list("pk", flat=True)[:LATEST]
    )
    if len(candidates := list(latest)) < MATCHES:
        raise Refused(
            "few_matches",
            "%(ladder)s has 1 set without a fault; %(matches)s are needed"
            if len(candidates) == 1
            else "%(ladder)s has %(found)s sets without a fault; %(matches)s are needed",
            ladder=ladder,
            found=len(candidates),
            matches=MATCHES,
        )
    return sorted(secrets.SystemRandom().sample(candidates, MATCHES))


def _check_field(ladder: Ladder) -> None:
    sides = Sides()
    count = len({sides.of(owner) for owner in versions_in(ladder).values_list("bot__owner", flat=True)[:MOST]})
    if count < FEWEST_SIDES:
        raise Refused(
            "too_few_bots",
            "bots of %(known)s owners or teams play in %(ladder)s; %(fewest_sides)s are needed to tell what is usual",
            known=count,
            ladder=ladder,
            fewest_sides=FEWEST_SIDES,
        )


def begin(ladder: Ladder) -> Survey:
    """Begin a survey. Raises Refused as `draw_matches` does."""
    survey = Survey.objects.create(ladder=ladder, matches=draw_matches(ladder))
    asked = [(version, match) for version in versions_in(ladder)[:MOST] for match in survey.matches]
    rows = [SurveyAnswers(survey=survey, version=version, match_id=match) for version, match in asked]
    SurveyAnswers.objects.bulk_create(rows)
    return survey


# --- asking ------------------------------------------------------------------------------------------------------


def go_on() -> int:
    """Ask the next bot, and conclude surveys that are complete. Return how much there was to do."""
    late = SurveyAnswers.objects.filter(status=State.ASKED, until__lt=Now()).select_related("survey")
    again = each("surveys", late, _again, FAILING_ITEMS, name_of)
    return again + each("surveys", Survey.objects.filter(status=Status.RUNNING), _step, FAILING_ITEMS, name_of)


def _step(survey: Survey) -> int:
    if not survey.answers.filter(status__in=TO_COME).exists():
        return _conclude(survey)
    others_wait = Practice.objects.filter(status=Practice.Status.WAITING).exists()
    if others_wait or SurveyAnswers.objects.filter(status=State.ASKED).exists():
        return 0
    return _ask(survey)


@transaction.atomic
def _ask(survey: Survey) -> int:
    waiting = survey.answers.select_for_update(skip_locked=True, of=("self",)).filter(status=State.WAITING)
    chosen = (
        waiting.select_related("survey__ladder", "match__set", "match__result", "version__bot").order_by("pk").first()
    )
    if chosen is None:
        return 0
    chosen.turn, chosen.status = chosen.turn + 1, State.ASKED
    chosen.save(update_fields=["turn", "status"])
    _wait(chosen, QUEUED)
    order = order_for(chosen)
    needs = {chosen.version.need, order.terms.tier or "python"}
    transaction.on_commit(partial(_send, order, needs, chosen.survey.ladder.space))
    return 1


def _send(order: PracticeOrder, needs: set[str], space: Space | None) -> None:
    queues.send_practice_order(order, needs, practice_pool(space, needs))


def order_for(asked: SurveyAnswers) -> PracticeOrder:
    version, of, ladder = asked.version, asked.match.set, asked.survey.ladder
    bot = Competitor(version.bot.name, version.number, version.bundle_id, version.filename)
    terms = terms_of(ladder, [bot], rules=of.rules, options=of.options, seed=of.seed)
    players = GAMES[of.game].read_options(of.options).players
    script = read(bytes(asked.match.result.replay)).answers
    return PracticeOrder(-asked.pk, asked.turn, terms, [0] * players, script, secret_of(-asked.pk, asked.turn))


def awaits(number: int, turn: int, bundle: str) -> bool:
    """Whether a worker is to ask this bundle now."""
    return SurveyAnswers.objects.filter(pk=number, turn=turn, status=State.ASKED, version__bundle=bundle).exists()


def _wait(asked: SurveyAnswers, seconds: float) -> None:
    """Set the time until which the answers are awaited, by the database's clock."""
    SurveyAnswers.objects.filter(pk=asked.pk).update(until=Now() + timedelta(seconds=seconds))


# --- answers -----------------------------------------------------------------------------------------------------


@transaction.atomic
def take(report: PracticeReport) -> str:
    """A report that is signed, of a turn that was sent. Raises Refused: not_current, other_space."""
    current = SurveyAnswers.objects.filter(pk=-report.practice, turn=report.turn, status=State.ASKED)
    asked = current.select_for_update(of=("self",)).select_related("match__result").first()
    if asked is None:
        raise Refused(
            "not_current", "turn %(turn)s of survey answers %(part)s is over", turn=report.turn, part=-report.practice
        )
    check_plays_for(report.worker, asked.survey.ladder.space)
    if report.outcome == "playing":
        _wait(asked, PLAYING)
        return "noted"
    if report.outcome == "void" or not _are_digests(report.answers, asked.match):
        _again(asked)
        return "noted"
    asked.status, asked.said = State.GIVEN, report.answers
    asked.save(update_fields=["status", "said"])
    return "taken"


def _are_digests(answers: Iterable[object], match: Match) -> bool:
    given = list(answers)
    asked = len(read(bytes(match.result.replay)).answers)
    return len(given) == asked and all(isinstance(answer, str) and DIGEST.fullmatch(answer) for answer in given)


def _again(asked: SurveyAnswers) -> int:
    """Once more; or nothing more of a version that no worker here can ask."""
    if asked.turn < TRIES:
        current = SurveyAnswers.objects.filter(pk=asked.pk, turn=asked.turn, status=State.ASKED)
        return current.update(status=State.WAITING, until=None)
    of_it = SurveyAnswers.objects.filter(survey=asked.survey_id, version=asked.version_id, status__in=TO_COME)
    return of_it.update(status=State.FAILED, until=None)


@transaction.atomic
def _conclude(survey: Survey) -> int:
    sides, owners = Sides(), dict(survey.answers.values_list("version", "version__bot__owner"))
    given = {(row.version_id, row.match_id): row.said for row in survey.answers.filter(status=State.GIVEN)}
    asked = dict.fromkeys(survey.matches, 0) | {match: len(answers) for (_, match), answers in given.items()}
    answers_of = {
        version: [given.get((version, match), [""] * views) for match, views in asked.items()] for version in owners
    }
    comparison = compare(answers_of, {version: sides.of(owner) for version, owner in owners.items()})
    survey.findings, survey.status, survey.ended_at = asdict(comparison), Status.DONE, timezone.now()
    survey.save()
    survey.answers.all().delete()
    return 1
