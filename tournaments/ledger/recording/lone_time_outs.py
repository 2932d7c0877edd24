"""Time-outs that one worker reports of a match, and two others that played it again do not see.

One says nothing: machines are not equally quick, and a bot may time out at random. Counted are those of bots that timed
out at no other worker on that day, and used at most a quarter of their time at both others: so nothing is held against
a machine that is up to four times slower. The set is void and dealt again: no bot pays for it. A worker is blocked if
they come more often than chance explains, by two tests:

- An honest worker has one in at most so many of its sets (HONEST). The sum of log-likelihood ratios against LYING,
  never below 0 (CUSUM, Page 1954), passes LIMIT once in 10^10 sets of such a worker on average, or less often (Lorden
  1971): one that plays 10,000 sets a day is blocked by mistake with a probability of 1 in 1,000,000 a day.
- The other workers have fewer: if all were alike, so many would be its own with a probability of LUCK at most. So bots
  that time out at random get hardly anybody blocked.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import comb, log
from typing import cast

from django.db.models import Count, Max, QuerySet
from django.db.models.functions import Now

from engine.referee import Verdict
from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.errors import Refused
from tournaments.ledger.acts.void_sets import VoidSet
from tournaments.ledger.recording.play_comparison import Play
from tournaments.models import Act, Bot, Ladder, Match, MatchSet, Result, Seat, Worker
from workers.isolation import handle_each

TIMED_OUT_ALONE = "worker_timed_out_alone"  # the kind of its act
SLOWER = 4
HONEST, LYING = 1 / 1000, 1 / 10  # of a worker's sets
LIMIT, LUCK = log(10**10), 1 / 1000
OWNERS = 3  # of the bots: two people are not enough to frame a worker
MOST_OF_BOT = 3  # acts in a period, about one worker
PERIOD = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class LoneTimeOut:
    """The play in which time ran out for the bot at a seat, and those in which it did not."""

    play: Play
    other_plays: Sequence[Play]
    seat: int


def lone_time_out(plays: Sequence[Play]) -> LoneTimeOut | None:
    """Return the first time-out that is in one of three plays alone."""
    for seat in range(len(plays[0].replay.players) if len(plays) == 3 else 0):
        late = [play for play in plays if ran_out(play, seat)]
        if len(late) == 1:
            return LoneTimeOut(late[0], [play for play in plays if play is not late[0]], seat)
    return None


def ran_out(play: Play, seat: int) -> bool:
    """Return whether time ran out for the bot at that seat, before its first answer or later."""
    answers = cast("list[list[object]]", play.replay.answers)
    late = any(answer[0] == seat and answer[3:] == [Verdict.TIMED_OUT] for answer in answers)
    return late or play.replay.absent.get(str(seat)) == Verdict.TIMED_OUT


def append_unexplained(match: Match, alone: LoneTimeOut) -> None:
    """Append to the audit log a time-out that a slow machine does not explain."""
    if not all(_had_time(play, alone, match.set.ladder) for play in alone.other_plays):
        return
    version = match.seats.select_related("version__bot").get(number=alone.seat).version
    worker = Worker.objects.get(name=alone.play.worker)
    subject = f"worker {worker.name}"
    if _lately().filter(subject=subject, detail__bot=version.bot_id).count() >= MOST_OF_BOT:
        return
    reason = Sentence(
        "time ran out in match %(match)s, and not where two other workers played it again", match=alone.play.match
    )
    plays = [alone.play.match, *(play.match for play in alone.other_plays)]
    detail = {"plays": plays, "seat": alone.seat, "bot": version.bot_id}
    append(kind=TIMED_OUT_ALONE, by=PLATFORM, subject=subject, reason=reason, detail=detail, space=worker.space_id)


def _had_time(play: Play, alone: LoneTimeOut, ladder: Ladder | None) -> bool:
    """Return whether a machine so many times slower than in that play had been quick enough."""
    clock = (ladder or Ladder()).clock
    answers = cast("list[list[float]]", play.replay.answers)
    used = [answer[2] for answer in answers if answer[0] == alone.seat]
    if str(alone.seat) in alone.play.replay.absent:
        cpu_ms = Seat.objects.get(match=play.match, number=alone.seat).cpu_ms or 0.0
        return SLOWER * (cpu_ms - sum(used)) <= clock.start_ms
    return SLOWER * max(used, default=0.0) <= clock.answer_ms and SLOWER * sum(used) <= clock.bank_ms


def void_contradicted() -> int:
    """Void the sets in which time ran out at one worker alone, and deal them again. Returns how many."""
    plays = [act.detail["plays"][0] for act in time_outs()]
    standing = (MatchSet.Status.OPEN, MatchSet.Status.COMPLETE)
    sets = MatchSet.objects.filter(matches__in=plays, status__in=standing, rechecks=None, replacement=None)
    return handle_each("diverging workers", sets.order_by("pk"), _void, FAILING_ITEMS, item_name)


def _void(late: MatchSet) -> bool:
    try:
        VoidSet(late).do(by=PLATFORM, reason=Sentence("time ran out in it at one worker, and not at two others"))
    except Refused:  # later rounds of its event were paired by it
        return False
    return True


def are_too_many(worker: Worker, acts: Collection[Act]) -> bool:
    """Return whether these acts about a worker are more than chance explains."""
    owners = Bot.objects.filter(pk__in=[act.detail["bot"] for act in acts]).values("owner").distinct().count()
    return owners >= OWNERS and _passes_limit(worker, acts) and _is_more_than_others(worker, acts)


def _passes_limit(worker: Worker, acts: Collection[Act]) -> bool:
    plays = [act.detail["plays"][0] for act in acts]
    late = set(Match.objects.filter(pk__in=plays).values_list("set", flat=True))
    score = 0.0
    for number in _sets_of(worker):
        chances = (LYING, HONEST) if number in late else (1 - LYING, 1 - HONEST)
        score = max(0.0, score + log(chances[0] / chances[1]))
        if score >= LIMIT:
            return True
    return False


def _sets_of(worker: Worker) -> list[int]:
    """Return the sets that a worker played in the last period, oldest first."""
    played = Result.objects.filter(recorded_at__gt=Now() - PERIOD, worker__startswith=f"{worker.name}/")
    sets = played.values("match__set").annotate(last=Max("recorded_at")).order_by("last", "match__set")
    return list(sets.values_list("match__set", flat=True))


def _is_more_than_others(worker: Worker, acts: Collection[Act]) -> bool:
    sets = Result.objects.filter(recorded_at__gt=Now() - PERIOD).aggregate(sets=Count("match__set", distinct=True))
    share, time_outs_here, total = len(_sets_of(worker)) / sets["sets"], len(acts), time_outs().count()
    chance: float = sum(
        comb(total, hits) * (1 - share) ** hits * share ** (total - hits) for hits in range(total - time_outs_here + 1)
    )
    return chance <= LUCK


def time_outs() -> QuerySet[Act]:
    """Return the acts of the last period, of all workers, about bots that timed out at one worker alone."""
    acts = _lately()
    seats = Seat.objects.filter(match__result__recorded_at__gt=Now() - PERIOD, verdict=Verdict.TIMED_OUT)
    seats = seats.filter(version__bot__in=list(acts.order_by().values_list("detail__bot", flat=True).distinct()))
    workers: dict[int, set[str]] = {}
    for bot, worker in seats.values_list("version__bot", "match__result__worker").distinct():
        workers.setdefault(bot, set()).add(worker.partition("/")[0])
    return acts.filter(detail__bot__in=[bot for bot, names in workers.items() if len(names) == 1])


def _lately() -> QuerySet[Act]:
    return Act.objects.filter(kind=TIMED_OUT_ALONE, at__gt=Now() - PERIOD)
