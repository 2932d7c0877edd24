"""Conclusions of spot checks: a worker that differs from two others who agree diverges. If all differ, none does.

A bot can also answer at random, which makes honest workers differ. So a worker is blocked only if it diverged with bots
of several owners with which no other worker ever did; where bots run by fuel, and cannot differ, once is enough. Where
time ran out at one of three workers, its answers before that are compared, and `lone_time_outs` says how often that may
happen. The audit log has an entry for each time, and an organiser may block earlier. The results of a blocked worker
since the last that others confirmed, or the first that they contradicted, are voided and dealt again: most workers that
diverge have broken down, and an organiser can void more (the act `void_worked`).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, QuerySet

from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Effect
from tournaments.ledger.acts.workers import Block
from tournaments.ledger.matchmaking.spot_checks import play_match_again
from tournaments.ledger.recording.lone_time_outs import (
    TIMED_OUT_ALONE,
    append_unexplained,
    are_too_many,
    lone_time_out,
    time_outs,
    void_contradicted,
)
from tournaments.ledger.recording.play_comparison import Play, first_difference, odd_one, ran_out_at, seat_of_answer
from tournaments.models import Act, Bot, Ladder, Match, MatchSet, Result, Worker
from workers.identity import space_of
from workers.isolation import handle_each

CONFIRMED, DIFFERENT = "confirmed", "different"  # how a set of one match played again ends, in its `reason`
DIVERGED = "worker_diverged"  # the kind of its act
OWNERS = 2  # with whose bots a worker must have diverged


def conclude_spot_checks() -> int:
    """Compare the matches that were played again since. Returns how many sets there were."""
    over = MatchSet.objects.filter(rechecks__isnull=False, status=MatchSet.Status.COMPLETE, reason="")
    finished = list(over.select_related("rechecks__set").order_by("pk"))
    matches = [
        match for match in {match_set.rechecks_id: match_set.rechecks for match_set in finished}.values() if match
    ]
    handle_each("spot checks", matches, _conclude, FAILING_ITEMS, item_name)
    return len(finished)


@transaction.atomic
def _conclude(match: Match) -> None:
    Match.objects.select_for_update(no_key=True).get(pk=match.pk)
    over = Result.objects.filter(match__set__rechecks=match).order_by("-match__set")
    results = list(over.select_related("match__set"))
    if all(result.match.set.reason for result in results):
        return  # another dispatcher has concluded
    reason = _conclusion(match, results)
    seen = [result.match.set_id for result in results if not result.match.set.reason]
    MatchSet.objects.filter(pk__in=seen).update(reason=reason)


def _conclusion(match: Match, results: list[Result]) -> str:
    """Return what follows from all plays so far: the `reason` of their sets."""
    # The first of each worker: a worker that takes an order meant for another confirms nothing.
    plays = list({play.worker: play for play in map(Play.of, (*results, match.result))}.values())[::-1]
    if len(plays) == 1:
        play_match_again(match)
        return "played by the same worker, which says nothing"
    alone, odd = lone_time_out(plays), odd_one(plays)
    accused = odd or (alone.play if alone else None)
    if accused is None:
        return _go_on(match, plays)
    other_plays = [play for play in plays if play is not accused]
    if not space_of(accused.worker) and any(space_of(play.worker) for play in other_plays):
        return "different; workers of its space alone contradict one of the site's, which says nothing"
    if odd and not _in_time_alone(match, odd, other_plays[0]):
        _diverged(match, odd, other_plays)
        return DIFFERENT
    if alone:
        append_unexplained(match, alone)
    return "time ran out at some of three workers alone"


def _in_time_alone(match: Match, play: Play, other: Play) -> bool:
    """Whether they differ in that time ran out in one of them, which no two hosts are equally quick to say."""
    ladder, answer = match.set.ladder, first_difference(play.replay, other.replay)
    by_fuel = ladder is not None and ladder.division == Ladder.Division.FUEL
    return answer is not None and not by_fuel and (ran_out_at(play, other, answer) or ran_out_at(other, play, answer))


def _go_on(match: Match, plays: list[Play]) -> str:
    """No worker diverges: all agree, or a third has to play, or no two agree."""
    if first_difference(plays[0].replay, plays[1].replay) is None:
        return CONFIRMED
    if len(plays) == 2:
        play_match_again(match)
        return "different; a third worker plays it"
    return "no two plays agree: a bot is not repeatable"


def _diverged(match: Match, odd: Play, other_plays: list[Play]) -> None:
    """Append the difference to the audit log, with all that anybody needs to check it."""
    answer = first_difference(odd.replay, other_plays[0].replay)
    assert answer is not None
    seat = seat_of_answer(odd.replay, other_plays[0].replay, answer)
    version = match.seats.select_related("version__bot").get(number=seat).version
    worker = Worker.objects.get(name=odd.worker)
    detail = {"plays": [odd.match, *(play.match for play in other_plays)], "answer": answer, "bot": version.bot_id}
    reason = Sentence(
        "its answers in match %(match)s differ from those of two other workers, from answer %(at)s on",
        match=odd.match,
        at=answer,
    )
    subject = f"worker {worker.name}"
    append(kind=DIVERGED, by=PLATFORM, subject=subject, reason=reason, detail=detail, space=worker.space_id)


@dataclass(frozen=True, slots=True)
class BlockDiverging(Block):
    """Block, with the acts that it follows from, which name the plays."""

    because_of: tuple[int, ...] = ()

    def preview(self) -> Effect:
        effect = super(BlockDiverging, self).preview()
        return replace(effect, more={**effect.more, "because_of_acts": list(self.because_of)})


def block_diverging() -> int:
    """Block those that diverged, or timed out alone, often enough. Returns how many."""
    void_contradicted()
    welcome = Worker.objects.exclude(status=Worker.Status.BLOCKED)
    return handle_each("diverging workers", welcome.filter(name__in=_named()), _block, FAILING_ITEMS, item_name)


def _named() -> list[str]:
    acts = Act.objects.filter(kind__in=(DIVERGED, TIMED_OUT_ALONE))
    subjects = acts.order_by().values_list("subject", flat=True).distinct()
    return [subject.removeprefix("worker ") for subject in subjects]


def _block(worker: Worker) -> bool:
    acts = _evidence_against(worker, Act.objects.filter(kind=DIVERGED))
    reason = Sentence("it disagreed with two other workers more often than its bots can explain")
    if not _is_enough(acts):
        acts = _evidence_against(worker, time_outs())
        reason = Sentence("time ran out in its matches and not at two other workers, more often than chance explains")
        if not are_too_many(worker, acts):
            return False
    action = BlockDiverging(worker, since(worker, acts), because_of=tuple(act.number for act in acts))
    try:
        action.do(by=PLATFORM, reason=reason)
    except Refused:
        return False
    return True


def _is_enough(acts: list[Act]) -> bool:
    bots = Bot.objects.filter(pk__in=[act.detail["bot"] for act in acts])
    by_fuel = MatchSet.objects.filter(
        matches__in=[act.detail["plays"][0] for act in acts], ladder__division=Ladder.Division.FUEL
    )
    return bots.values("owner").distinct().count() >= OWNERS or by_fuel.exists()


def _evidence_against(worker: Worker, acts: QuerySet[Act]) -> list[Act]:
    """Return the acts about the worker since it was last welcomed, without bots that other workers have acts about."""
    subject = f"worker {worker.name}"
    welcomed = Act.objects.filter(kind="welcome_worker", subject=subject).aggregate(last=Max("number"))["last"] or 0
    shared = set(acts.exclude(subject=subject).values_list("detail__bot", flat=True))
    about_worker = acts.filter(subject=subject, number__gt=welcomed).order_by("number")
    return [act for act in about_worker if act.detail["bot"] not in shared]


def since(worker: Worker, acts: list[Act]) -> datetime:
    """Return when the last of its confirmed matches was recorded, or the first that these acts are about; earlier
    results are trusted."""
    checks = MatchSet.objects.filter(reason=CONFIRMED, rechecks__result__worker__startswith=f"{worker.name}/")
    last: datetime | None = checks.aggregate(last=Max("rechecks__result__recorded_at"))["last"]
    confirmed = last + timedelta(microseconds=1) if last else worker.created_at
    contradicted = Result.objects.filter(match__in=[act.detail["plays"][0] for act in acts])
    return min([confirmed, *contradicted.values_list("recorded_at", flat=True)])
