"""Examinations: after its check a version is asked thousands of questions, as `boardroom check` does at home.

It is work that nobody waits for: a few seconds at a time, by half of the workers at most and after all matches
(`workers.queue_order`). While people hand in, only those have a turn that have waited for long, and a thirtieth of the
time. It stops no version from playing, and decides nothing.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import cache, partial
from itertools import chain
from math import ceil
from random import shuffle

from django.db import transaction
from django.db.models import DateTimeField, DurationField, ExpressionWrapper, F, Q, QuerySet, Value
from django.db.models.functions import Floor, Now
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from bots.doctor.examination import SEED, Budget
from engine.games import GAMES
from engine.sentences import Sentence
from tournaments.core.accounts.spending import charge, holders_out_of_budget
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.broker.retry import AWAY
from tournaments.core.config.budgets import Budget as Taken
from tournaments.core.config.budgets import declare
from tournaments.core.config.plain_text import storable
from tournaments.models import Examination, Ladder, Version
from workers.examination_orders import MOST_S, ExaminationOrder
from workers.identity import space_of
from workers.isolation import handle_each
from workers.orders import Competitor, Order
from workers.queue_order import EVERY_S, ONE_IN

EXAMINATION_MS = declare(
    Taken(
        name="wall time of examinations that come first",
        resource="Checks and builds",
        most=600_000,
        unit="ms",
        seconds=86_400,
        holder="owner of the bots",
        where="tournaments.features.examinations.rules._heads",
        sentence="examinations of one owner come first for %(most)s ms a day; after that they wait for those of others",
        setting="EXAMINATION_MS_A_DAY",
    )
)
BUDGET = Budget(wall_s=600.0)  # a busy machine takes its time
QUEUED, BEGUN = 120, 240  # seconds until a turn is ordered again: not begun, and begun
TRIES, MOST_TURNS = 3, 200  # failures in a row; and turns of one examination
LOOK = 200  # that wait are looked at
AT_A_STRETCH = 20.0  # seconds at workers; then others have theirs, so that slow bots hold up nobody for long
CALM, CHECKED = timedelta(seconds=5), timedelta(minutes=1)  # after the latest upload, and while one is checked
PATIENCE = timedelta(minutes=10)  # who has waited for longer comes first every other time, and while people hand in
LONG = 2 * MOST_S  # seconds of a turn: a match, and the same again
RESTS = "boardroom:examinations-rest:{}"  # by pool, after a turn: none is sent while people hand in
SUPERSEDED = Sentence("a newer version was uploaded before it was done")
UNHEARD = Sentence("the worker that began it was not heard from again")
Status = Examination.Status

log = logging.getLogger(__name__)


def begin_examination(version: Version) -> None:
    """Begin: the version passed its check. Older ones of the bot that still wait are not examined any more."""
    older = Examination.objects.filter(version__bot=version.bot_id, status__in=(Status.WAITING, Status.ASKED))
    older = older.exclude(version=version)
    for number, turn in older.values_list("pk", "turn"):
        queues.note_examination_over(number, turn)
    older.update(status=Status.FAILED, reason=SUPERSEDED, seen={}, ended_at=timezone.now())
    Examination.objects.get_or_create(version=version, defaults={"rules": GAMES[version.bot.game].version})


def continue_examinations() -> int:
    """Order those again that were lost, and the next. Returns how much there was to do."""
    late = Examination.objects.filter(status=Status.ASKED, until__lt=Now()).defer("seen", "findings")
    again = handle_each("examinations", list(late), _again, FAILING_ITEMS, item_name)
    chosen = dict(_next(rush=is_rush()))
    return again + handle_each("examinations", chosen, lambda row: _ask(row, chosen[row]), FAILING_ITEMS, item_name)


def resend_examinations() -> int:
    """The broker has lost every order: mark those as overdue that no worker has begun."""
    return Examination.objects.filter(status=Status.ASKED, begun=False).update(until=Now())


def is_rush() -> bool:
    """Return whether people hand in just now: their checks have the workers for themselves."""
    latest = Version.objects.order_by("-pk").values("pk")[:1]
    just_now = Version.objects.filter(pk=latest, created_at__gt=Now() - CALM)
    checked = Version.objects.filter(status=Version.Status.CHECKING, created_at__gt=Now() - CHECKED)
    return just_now.exists() or checked.exists()


def _next(*, rush: bool) -> Iterator[tuple[Examination, str]]:
    """Yield those to send now, each with the space whose own workers are to have it."""
    waiting = Examination.objects.filter(status=Status.WAITING)
    if not waiting.exists():
        return
    online, rests = AvailableWorkers.here(), cache(_rests)
    asked = Examination.objects.filter(status=Status.ASKED)
    held = Counter(asked.values_list("pool", flat=True))
    for examination in _heads(waiting, online, rush=rush):
        version, game = examination.version, GAMES[examination.version.bot.game]
        pool, workers = online.pool_of(game.name, game.version, [version.need], version.bot.space)
        most = 1 if rush else max(1, workers // 2)
        if workers and held[pool] < most and not (rush and rests(pool)):
            held[pool] += 1
            yield examination, pool


def _heads(waiting: QuerySet[Examination], online: AvailableWorkers, *, rush: bool) -> Iterable[Examination]:
    """Return those that somebody online can ask, the newest first: people look at what they have just uploaded.

    As often who has waited longest for a thirtieth of the time: whatever others upload, everyone has a turn.
    """
    offers = {language for worker in online.workers for language in worker.offers}
    spaces = {worker.space for worker in online.workers if worker.space}
    ways = Q(version__bot__space=None) | Q(version__bot__space__slug__in=spaces)
    ways |= Q(version__bot__space__own_workers_alone=False)
    sound = Q(version__need__in=offers, version__bundle__size__gt=0, version__bot__game__in=list(GAMES))
    since = F("created_at") + F("seconds") * Value(timedelta(seconds=ONE_IN), DurationField())
    rows = waiting.filter(ways, sound).select_related("version__bot__space").defer("seen", "findings")
    rows = rows.annotate(since=ExpressionWrapper(since, DateTimeField()))
    late = rows.filter(since__lt=Now() - PATIENCE).order_by("since")[:LOOK]
    if rush:
        return late
    newest = rows.order_by(Floor(F("seconds") / AT_A_STRETCH), "-pk")
    heads = [late, newest.exclude(version__bot__owner__in=holders_out_of_budget(EXAMINATION_MS))[:LOOK]]
    shuffle(heads)
    return dict.fromkeys(chain(*heads, newest[:LOOK]))


def _rests(pool: str) -> bool:
    return bool(queues.broker().exists(RESTS.format(pool)))


def charge_turn(examination: Examination, seconds: float, worker: str) -> None:
    """Charge the bot's owner with a turn. What a space's own workers say of their time counts for nobody."""
    if not space_of(worker):
        charge(EXAMINATION_MS, examination.version.bot.owner_id, round(1000 * min(max(seconds, 0.0), LONG)))


def rest_examinations(pool: str, seconds: float) -> None:
    """Rest after a turn, until its seconds are a thirtieth of the time. Whatever a worker says is bounded."""
    took = seconds if 0 <= seconds <= LONG else LONG
    with suppress(*AWAY):
        queues.broker().set(RESTS.format(pool), 1, ex=ceil(max(EVERY_S, (ONE_IN - 1) * took)))


@transaction.atomic
def _ask(examination: Examination, pool: str) -> int:
    waiting = Examination.objects.select_for_update(skip_locked=True, of=("self",)).filter(status=Status.WAITING)
    chosen = waiting.select_related("version__bot__space").filter(pk=examination.pk).first()
    if chosen is None:
        return 0
    rules = GAMES[chosen.version.bot.game].version
    if chosen.rules != rules:  # asked by another release, in part
        chosen.rules, chosen.seen, chosen.questions, chosen.matches = rules, {}, 0, 0
    chosen.turn, chosen.status, chosen.pool, chosen.begun = chosen.turn + 1, Status.ASKED, pool, False
    chosen.save()
    extend_examination(chosen, QUEUED)
    transaction.on_commit(partial(_send, chosen))
    return 1


def _send(examination: Examination) -> None:
    with suppress(*AWAY):
        return queues.send_examination(order_of_examination(examination), [examination.version.need], examination.pool)
    log.warning("%s waits: the broker is away", examination)
    return extend_examination(examination, 1)


def order_of_examination(examination: Examination) -> ExaminationOrder:
    """Return the order for a worker, under the settings of a check: those of a ladder that says nothing else."""
    version, ladder = examination.version, Ladder()
    terms = Order(
        game=version.bot.game,
        rules=examination.rules,
        options={},
        seed=SEED,
        competitors=[Competitor(version.bot.name, version.number, version.bundle_id, version.filename)],
        matches=[],
        clock=ladder.clock,
        limits=ladder.limits,
        output=ladder.output,
        strikes=ladder.strikes,
    )
    return ExaminationOrder(
        examination.pk,
        examination.turn,
        terms,
        first=examination.matches,
        questions=max(1, BUDGET.questions - examination.questions),
        gone=examination.seen.get("gone", 0),
        repeats="repetition" not in examination.seen,
        secret=examination_secret(examination.pk, examination.turn),
    )


def extend_examination(examination: Examination, seconds: float) -> None:
    """Let the worker have so many seconds, by the database's clock."""
    Examination.objects.filter(pk=examination.pk).update(until=Now() + timedelta(seconds=seconds))


def examination_secret(examination: int, turn: int) -> str:
    """Return the secret of a turn, like that of a lease."""
    return salted_hmac("boardroom.examination", f"{examination} {turn}", algorithm="sha256").hexdigest()


def knows_examination_secret(examination: int, turn: int, secret: str) -> bool:
    return constant_time_compare(examination_secret(examination, turn), secret)


@transaction.atomic
def _again(overdue: Examination) -> int:
    """Take back an overdue turn. One that no worker has begun waited behind matches, or was lost: no failure."""
    same = Examination.objects.select_for_update(of=("self",)).filter(pk=overdue.pk, turn=overdue.turn)
    examination = same.filter(status=Status.ASKED, until__lt=Now()).first()
    if examination is None:
        return 0
    if examination.begun:
        fail_examination(examination, UNHEARD)
    else:
        let_wait(examination)
    return 1


def let_wait(examination: Examination) -> None:
    """Let it wait for its next turn. The row is locked."""
    examination.status, examination.until = Status.WAITING, None
    examination.save()


def fail_examination(examination: Examination, reason: str) -> None:
    """Let it wait for another try, or end it after the last. The row is locked."""
    examination.failures += 1
    examination.reason = storable(reason)[:2000]
    if examination.failures < TRIES:
        return let_wait(examination)
    return end_examination(examination, Status.FAILED)


def end_examination(examination: Examination, status: Examination.Status) -> None:
    examination.status, examination.until, examination.seen = status, None, {}
    examination.ended_at = timezone.now()
    examination.save()
