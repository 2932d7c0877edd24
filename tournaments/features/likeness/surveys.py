"""Surveys: a ladder's bots answer the questions of recorded matches. How much their answers agree is stored for
organisers, and a bot that answers as an earlier one of its side does is a double (`features.likeness.doubles`).

A survey begins where versions have come since the last one, while no other is under way, or when an organiser asks for
it. A worker plays a match's script as it does a practice's, with one bot at every seat, and reports what that bot would
have answered. One is asked at a time, and none while a person waits for a worker, or, in the first hour, has answered
just now and will wait soon: it is work that nobody waits for.
"""

import re
import secrets
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from itertools import chain, zip_longest

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from engine.games import GAMES
from engine.referee import Verdict
from engine.replay import read_replay
from tournaments.core.accounts.sides import Sides
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import practice_pool
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.errors import Refused
from tournaments.features.likeness.answers import FEWEST_SIDES, compare_answers
from tournaments.features.likeness.doubles import bots_of_sides, earlier_versions, judge
from tournaments.features.practice.turns import PLAYING, QUEUED, TRIES, order_terms, turn_secret
from tournaments.ledger.ladders.fielded import fielded
from tournaments.models import Entry, Ladder, Match, Practice, Seat, Space, Survey, SurveyAnswers, Version
from workers.isolation import apart, handle_each
from workers.orders import Competitor
from workers.practice_orders import PracticeOrder, PracticeReport

PAUSE = timedelta(hours=6)  # of a ladder without a survey, from its own beginning or from that of the last
LONGEST = 12  # hours of a survey, which then is concluded by the answers that there are
STUCK = LONGEST + 1  # of one that could not be concluded, which is stopped
POLITE, JUST_NOW = timedelta(hours=1), timedelta(minutes=1)
LOOKS = 20  # ladders in which a turn of the step looks for new versions
MATCHES = 6  # that every bot is asked about
LATEST = 50  # of which they are drawn, one of a set
MOST, BY_ITSELF = 400, 100  # versions that are asked: if an organiser wants it, and in a survey that begins by itself
DIGEST = re.compile(r"(?:[0-9a-f]{12})?")
Status, State = Survey.Status, SurveyAnswers.Status
TO_COME = (State.WAITING, State.ASKED)


def versions_to_survey(ladder: Ladder) -> "QuerySet[Version]":
    """Return the versions that play in the ladder now, and whose bytes are kept."""
    playing = Entry.objects.filter(ladder=ladder, bot=OuterRef("bot"), status=Entry.Status.PLAYING)
    return fielded(ladder).filter(Exists(playing)).exclude(bundle__size=0)


def versions_to_ask(ladder: Ladder, most: int = MOST) -> list[int]:
    """Return versions that play, and earlier ones of sides that have several bots, in random order.

    Sides take turns, so that nobody keeps others out by many bots.
    """
    owners = {**earlier_versions(ladder), **dict(versions_to_survey(ladder).values_list("pk", "bot__owner"))}
    sides, by_side = Sides(), defaultdict[int, list[int]](list)
    for version in secrets.SystemRandom().sample([*owners], len(owners)):
        by_side[sides.of(owners[version])].append(version)
    turns = zip_longest(*by_side.values())
    return [version for version in chain.from_iterable(turns) if version is not None][:most]


def draw_matches(ladder: Ladder) -> list[int]:
    """Return matches without a fault, drawn from the latest: nobody knows them before.

    Raises Refused: few_matches, too_few_bots, other_rules, survey_runs.
    """
    if ladder.surveys.filter(status=Status.RUNNING).exists():
        raise Refused("survey_runs", "the bots of %(ladder)s are being asked; wait until that is over", ladder=ladder)
    if ladder.game not in GAMES or GAMES[ladder.game].version != ladder.rules:
        raise Refused("other_rules", "%(ladder)s has rules that this release does not have", ladder=ladder)
    _check_field(ladder)
    played = Match.objects.filter(set__ladder=ladder, set__rated=True, set__rules=ladder.rules, turn=0, status="done")
    faults = Seat.objects.filter(match=OuterRef("pk")).exclude(verdict=Verdict.OK)
    sound = played.exclude(result__replay=b"").filter(~Exists(faults))
    candidates = list(sound.order_by("-pk").values_list("pk", flat=True)[:LATEST])
    if len(candidates) < MATCHES:
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
    count = len({sides.of(owner) for owner in versions_to_survey(ladder).values_list("bot__owner", flat=True)})
    if count < FEWEST_SIDES and not bots_of_sides(ladder):
        raise Refused(
            "too_few_bots",
            "bots of %(known)s owners or teams play in %(ladder)s; %(fewest_sides)s are needed to tell what is usual",
            known=count,
            ladder=ladder,
            fewest_sides=FEWEST_SIDES,
        )


def begin_survey(ladder: Ladder, most: int = MOST) -> Survey:
    """Begin a survey. Raises Refused as `draw_matches` does."""
    survey = Survey.objects.create(ladder=ladder, matches=draw_matches(ladder))
    asked = [(version, match) for version in versions_to_ask(ladder, most) for match in survey.matches]
    rows = [SurveyAnswers(survey=survey, version_id=version, match_id=match) for version, match in asked]
    SurveyAnswers.objects.bulk_create(rows)
    return survey


def begin_due() -> int:
    """Begin a survey in a ladder where versions have come since the last one, if none is under way. Return how many.

    Few ladders are looked at, drawn by lot: the dispatcher has other things to do.
    """
    _stop_stuck()
    if Survey.objects.filter(status=Status.RUNNING).exists():
        return 0
    old = timezone.now() - PAUSE
    due = Ladder.objects.filter(status=Ladder.Status.OPEN, created_at__lt=old).exclude(surveys__created_at__gt=old)
    drawn = due.order_by("?")[:LOOKS]
    return int(any(apart("surveys", item_name(ladder), partial(_begin, ladder), FAILING_ITEMS) for ladder in drawn))


@transaction.atomic
def _begin(ladder: Ladder) -> int:
    last = ladder.surveys.filter(status=Status.DONE).order_by("-pk").first()
    asked = {*last.findings["compared"], *last.findings["untold"]} if last and last.findings["compared"] else set()
    if {*versions_to_survey(ladder).values_list("pk", flat=True)} <= asked:
        return 0
    try:
        begin_survey(ladder, BY_ITSELF)
    except Refused:  # there is too little to compare, or to compare it by
        return 0
    return 1


@transaction.atomic
def _stop_stuck() -> None:
    """Stop surveys that should have been concluded long ago, so that others can begin."""
    stuck = Survey.objects.filter(status=Status.RUNNING, created_at__lt=timezone.now() - timedelta(hours=STUCK))
    if stuck.exists():  # a round that finds nothing writes nothing
        SurveyAnswers.objects.filter(survey__in=stuck).delete()
        stuck.update(status=Status.STOPPED, ended_at=timezone.now())


# --- asking ------------------------------------------------------------------------------------------------------


def ask_next() -> int:
    """Ask the next bot, and conclude surveys that are complete. Return how much there was to do."""
    late = SurveyAnswers.objects.filter(status=State.ASKED, until__lt=Now()).select_related("survey")
    again = handle_each("surveys", late, _again, FAILING_ITEMS, item_name)
    running = Survey.objects.filter(status=Status.RUNNING).order_by("?")  # they take turns
    return again + handle_each("surveys", running, _step, FAILING_ITEMS, item_name)


def _step(survey: Survey) -> int:
    is_late = survey.created_at < timezone.now() - timedelta(hours=LONGEST)
    if is_late or not survey.answers.filter(status__in=TO_COME).exists():
        return _conclude(survey)
    if SurveyAnswers.objects.filter(status=State.ASKED).exists() or _people_wait(survey):
        return 0
    return _ask(survey)


def _people_wait(survey: Survey) -> bool:
    now, people = timezone.now(), Q(status=Practice.Status.WAITING)
    if survey.created_at > now - POLITE:
        people |= Q(status=Practice.Status.ASKING, moved_at__gt=now - JUST_NOW)
    return Practice.objects.filter(people).exists()


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
    order = order_of_survey(chosen)
    needs = {chosen.version.need, order.terms.tier or "python"}
    transaction.on_commit(partial(_send, order, needs, chosen.survey.ladder.space))
    return 1


def _send(order: PracticeOrder, needs: set[str], space: Space | None) -> None:
    queues.send_practice_order(order, needs, practice_pool(space, needs))


def order_of_survey(asked: SurveyAnswers) -> PracticeOrder:
    version, of, ladder = asked.version, asked.match.set, asked.survey.ladder
    bot = Competitor(version.bot.name, version.number, version.bundle_id, version.filename)
    terms = order_terms(ladder, [bot], rules=of.rules, options=of.options, seed=of.seed)
    players = GAMES[of.game].read_options(of.options).players
    script = read_replay(bytes(asked.match.result.replay)).answers
    return PracticeOrder(-asked.pk, asked.turn, terms, [0] * players, script, turn_secret(-asked.pk, asked.turn))


def awaits_survey(number: int, turn: int, bundle: str) -> bool:
    """Whether a worker is to ask this bundle now."""
    return SurveyAnswers.objects.filter(pk=number, turn=turn, status=State.ASKED, version__bundle=bundle).exists()


def _wait(asked: SurveyAnswers, seconds: float) -> None:
    """Set the time until which the answers are awaited, by the database's clock."""
    SurveyAnswers.objects.filter(pk=asked.pk).update(until=Now() + timedelta(seconds=seconds))


# --- answers -----------------------------------------------------------------------------------------------------


@transaction.atomic
def take_survey_report(report: PracticeReport) -> str:
    """A report of a turn that was sent. Raises Refused: not_current."""
    current = SurveyAnswers.objects.filter(pk=-report.practice, turn=report.turn, status=State.ASKED)
    asked = current.select_for_update(of=("self",)).select_related("match__result").first()
    if asked is None:
        raise Refused(
            "not_current", "turn %(turn)s of survey answers %(part)s is over", turn=report.turn, part=-report.practice
        )
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
    asked = len(read_replay(bytes(match.result.replay)).answers)
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
    """Store what the answers say, without versions that could not be asked in time: they are new to the next survey."""
    to_come = survey.answers.filter(status__in=TO_COME).values("version")
    rows = survey.answers.exclude(version__in=to_come)
    sides, owners = Sides(), dict(rows.values_list("version", "version__bot__owner"))
    given = {(row.version_id, row.match_id): row.said for row in rows.filter(status=State.GIVEN)}
    asked = dict.fromkeys(survey.matches, 0) | {match: len(answers) for (_, match), answers in given.items()}
    answers_of = {
        version: [given.get((version, match), [""] * views) for match, views in asked.items()] for version in owners
    }
    playing = set(versions_to_survey(survey.ladder).filter(pk__in=owners).values_list("pk", flat=True))
    compared = {version: answers for version, answers in answers_of.items() if version in playing}
    comparison = compare_answers(compared, {version: sides.of(owners[version]) for version in compared})
    if survey.ladder.status != Ladder.Status.CLOSED:  # its standings are final
        judge(survey.ladder, answers_of, playing)
    survey.findings, survey.status, survey.ended_at = asdict(comparison), Status.DONE, timezone.now()
    survey.save()
    survey.answers.all().delete()
    return 1
