"""Work for workers that come in by the door. For the broker the site stands in for them: it takes orders out of their
queues, says that they are here, and hands their reports to the recorders.

Who takes an order is noted in the attempts of its matches before the order leaves the site. So a token reports only on
leases that it took, and what is lost on the way is missed: the lease ends unless its worker confirms it, or earlier,
when the worker asks for work again.
"""

import json
from base64 import b64decode
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, cast

from django.db.models.functions import Now

from engine.games import GAMES
from engine.records import RecordError, canonical, from_plain
from engine.sentences import Sentence
from tournaments.core.broker.celery_app import app
from tournaments.core.broker.queues import broker
from tournaments.core.broker.worker_identity import heard_of
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.features.worker_door import turns
from tournaments.ledger.dispatch.leases import knows_lease_secret, lease_secret, leases_over, renew_in_hand
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Attempt, Match, Worker, WorkerToken
from tournaments.web.server.request_rates import Rate, TooOften, give_back_try, take_try
from workers.capacity import is_capacity
from workers.door_words import MOST, Answer, Word
from workers.envelopes import BadMessage, read_envelope
from workers.examination_orders import EXAMINATIONS, is_of_examinations
from workers.heartbeat import SILENT_AFTER
from workers.identity import OUTSIDE, space_of
from workers.orders import (
    ORDERS,
    RECORD_SET,
    SET_REPORTS,
    USED,
    Held,
    Order,
    Report,
    Sized,
    key_of,
    own_queue,
    queues_for,
)
from workers.practice_orders import PRACTICES
from workers.process_heartbeats import PRACTISERS, WORKERS, OnlineProcess, present, queues_in_use
from workers.report_sizes import LONGEST, messages
from workers.transport import ASIDE, KEPT, note_of
from workers.turn_orders import Turn, turn_kind

# In the broker, by process: the leases that it took and has not reported on, and whether an examination or a suggestion
# came before its matches lately.
HAND: Final = "boardroom:door:{}"
REPORTED: Final = "boardroom:door:reported:{}:{}"  # by match and lease: its report was handed on
EXAMINED_LATELY: Final = "boardroom:door:examined:{}"
EXAMINED_EVERY: Final = 60  # seconds: so often one comes first, so that they come to an end where matches wait all day
SOMEBODY_PLAYS: Final = 120  # seconds after a turn of a practice in which the next may come soon
VERY_SOON: Final = 0.4  # seconds after which it is asked for then
PLAYS: Final = 22  # seconds for which a worker counts as here that plays; it says so every ten
SOONEST, A_SECOND = 2.0, 10  # seconds after which a worker asks again, where there are few; and how many may in one
GONE: Final = 60  # seconds for which it is known that one is gone; its leases end sooner
RESTS: Final = 60.0  # seconds after which one asks again that takes no orders
MOST_MATCHES: Final = max(max(game.players) for game in GAMES.values())  # of a set
UNPLAYED = Rate("door-unplayed", 2000, 3600)  # of a worker: matches that it took, and has not played
LONGEST_HELD: Final = MOST_MATCHES * SILENT_AFTER  # seconds for which leases are renewed
PROCESSES = declare(
    Budget(
        "processes of a worker that comes by the door",
        resource="Workers and broker",
        most=64,
        unit="processes",
        holder="worker",
        where="tournaments.features.worker_door.work.Caller.check_room",
        sentence=Sentence("at most %(most)s processes of one worker are here at once; make another token"),
    )
)


@dataclass(frozen=True, slots=True)
class Caller:
    """A process of a worker that came in with this token."""

    token: WorkerToken
    word: Word

    @property
    def worker(self) -> Worker:
        return self.token.worker

    @property
    def space(self) -> str:
        return space_of(self.worker.name)

    @property
    def process(self) -> str:
        return f"{self.worker.name}/{self.word.process}"

    @property
    def offers(self) -> set[str]:
        """What it may be sent: of what it has, that which its token names."""
        named = {"python", *self.token.offers.split(",")}
        return {offer for offer in self.word.offers if not self.token.offers or offer in named or is_capacity(offer)}

    @property
    def kind(self) -> str:
        """Return the key under which it is said to be here."""
        return PRACTISERS if self.word.practices else WORKERS

    @property
    def stem(self) -> str:
        """Return how the names of its queues begin."""
        return key_of(self.space, PRACTICES if self.word.practices else ORDERS)

    def check_room(self, here: Iterable[OnlineProcess]) -> None:
        """Raises Refused. One that offers something else is another."""
        mine = {str(process) for process in here if process.proven == self.worker.name}
        PROCESSES.check(len(mine | {_member(self)}), "too_many_processes")


def acquire(caller: Caller) -> Answer:
    """Answer a worker that has nothing in hand: what it had, its last answer or its last process lost."""
    _take_back(caller, "its worker asked for other work")
    return _next(caller)


def take_reports(caller: Caller) -> Answer:
    """Hand its reports to the recorders, and renew what it holds; once that is nothing, give it the next order."""
    word = caller.word
    taken, refused = _sorted_out(caller)
    _hand_on(caller, taken)
    turn_over = turns.hand_on_turns(caller.process, word.reports[:MOST], refused)
    over = _renew(caller, word.held[:MOST])
    answer = acquire(caller) if word.more and not word.held else _playing(caller)
    answer.over, answer.refused, answer.turn_over = over, refused, turn_over
    return answer


def abort(caller: Caller) -> Answer:
    """Take back what it has in hand, at once: it leaves, or cannot go on."""
    _take_back(caller, f"given back: {caller.word.reason:.200}")
    with broker().pipeline() as pipe:
        pipe.zrem(key_of(caller.space, caller.kind), _member(caller))
        pipe.delete(HAND.format(caller.process))
        pipe.execute()
    return Answer()


def _playing(caller: Caller) -> Answer:
    """Raises Refused."""
    _check_here(caller)
    _note_here(caller, PLAYS)
    return Answer()


def _check_here(caller: Caller) -> list[OnlineProcess]:
    """Return the processes of its space that are here. Raises Refused if it is one too many."""
    here = [process for process in present(broker(), caller.kind, [caller.space]) if process.space == caller.space]
    caller.check_room(here)
    return here


def _next(caller: Caller) -> Answer:
    """Raises Refused."""
    if caller.word.practices and caller.space == OUTSIDE:
        raise Refused("no_practices", "only workers of a space are asked for practices")
    here = _check_here(caller)
    if caller.worker.status != Worker.Status.WELCOME:
        return Answer(ask_again=RESTS, why=caller.worker.rests_because)
    try:
        take_try(UNPLAYED, caller.worker.name, "look", MOST_MATCHES)
    except TooOften as empty:
        return Answer(ask_again=empty.wait, why="of the matches that it took it has played too few")
    heard_of(caller.worker.name)
    used = queues_in_use(broker(), caller.space)
    while popped := _pop(caller, used):
        if order := _taken(caller, *popped):
            _note_here(caller, PLAYS)
            return Answer(order=order)
    pause = max(VERY_SOON if caller.word.practices and _somebody_plays(caller) else SOONEST, len(here) / A_SECOND)
    _note_here(caller, round(2 * pause))
    return Answer(ask_again=pause)


def _pop(caller: Caller, used: Iterable[str]) -> tuple[str, bytes] | None:
    """Take the oldest order of the first queue that has one."""
    queues, first = queues_for(caller.offers, used, caller.stem), ""
    if not caller.word.practices:
        examinations = queues_for(caller.offers, used, key_of(caller.space, EXAMINATIONS))
        matches, first = [own_queue(caller.process), *queues], EXAMINED_LATELY.format(caller.process)
        queues = [*matches, *examinations] if broker().exists(first) else [*examinations, *matches]
    popped = cast("list[Any] | None", broker().lmpop(len(queues), *queues, direction="RIGHT"))
    if first and popped and is_of_examinations(popped[0].decode()):
        broker().set(first, 1, ex=EXAMINED_EVERY)
    return (popped[0].decode(), popped[1][0]) if popped else None


def _somebody_plays(caller: Caller) -> bool:
    """Whether a turn of a practice was sent lately that it could play."""
    queues = queues_for(caller.offers, (), caller.stem)
    now, _ = broker().time()
    times = broker().zmscore(key_of(caller.space, USED), queues)
    return any(sent and sent > now - SOMEBODY_PLAYS for sent in times)


def _taken(caller: Caller, queue: str, data: bytes) -> dict[str, Any] | None:
    """Return the order, now noted as this worker's; None if nobody waits for it any more."""
    try:
        plain: dict[str, Any] = json.loads(b64decode(read_envelope(data, queue)["body"]))[0][0]
        if turn := Turn.named(plain):
            return plain if turns.take(caller.process, turn) else None
        order: Order = from_plain(Order, plain, "order")
    except (BadMessage, RecordError, ValueError, LookupError, TypeError) as error:
        broker().lpush(ASIDE, note_of(queue, data, str(error)))
        broker().ltrim(ASIDE, 0, KEPT - 1)
        return None
    mine = _took_matches(caller, order)
    return plain | {"matches": [match for match in plain["matches"] if match["match"] in mine]} if mine else None


def _took_matches(caller: Caller, order: Order) -> set[int]:
    """Return those of its matches that still waited for it."""
    if caller.space == OUTSIDE and not _are_allowed(order):
        return set()  # sent while its ladder changed: the leases end by themselves
    mine = renew_in_hand(held=[(match.match, match.lease) for match in order.matches], worker=caller.process)
    if mine:
        hand = HAND.format(caller.process)
        broker().hset(hand, mapping={str(match.match): match.lease for match in order.matches if match.match in mine})
        broker().expire(hand, turns.KEPT)
        with suppress(TooOften):
            take_try(UNPLAYED, caller.worker.name, number=len(mine))
    return mine


def _are_allowed(order: Order) -> bool:
    matches = [match.match for match in order.matches]
    return Match.objects.filter(pk__in=matches, set__ladder__outside_workers=True).count() == len(matches)


def _sorted_out(caller: Caller) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the reports on leases that this worker took, one on each, and by match why others are refused."""
    of_matches = [plain for plain in caller.word.reports[:MOST] if not turn_kind(plain)]
    mine = _unreported(caller, [(plain.get("match"), plain.get("lease")) for plain in of_matches])
    taken, refused = [], {}
    for plain in of_matches:
        match, lease = plain.get("match"), plain.get("lease")
        if not _is_lease(match, lease) or (match, lease) not in mine:
            refused[f"{match!s:.20}"] = "not_yours: this worker does not have that lease, or has reported on it"
        elif len(canonical(plain)) > LONGEST:
            refused[f"{match!s:.20}"] = "too_long: the report is longer than a report may be"
        else:
            mine.remove((match, lease))
            taken.append(plain | {"worker": caller.process})
    return taken, refused


def _unreported(caller: Caller, named: Iterable[tuple[object, object]]) -> set[tuple[object, object]]:
    """Return those of these leases that the worker took, and of which no report was handed on: the recorders hear of
    each once, whatever is said again."""
    leases = [lease for lease in named if _is_lease(*lease)]
    under_way = (Attempt.Outcome.SENT, Attempt.Outcome.PLAYING, Attempt.Outcome.EXPIRED)
    of_worker = Attempt.objects.filter(worker__startswith=f"{caller.worker.name}/", outcome__in=under_way)
    mine = of_worker.filter(match__in=[match for match, _ in leases]).values_list("match", "lease")
    known = [lease for lease in mine if lease in leases]
    reported = broker().mget([REPORTED.format(*lease) for lease in known]) if known else []
    return {lease for lease, is_reported in zip(known, reported, strict=True) if not is_reported}


def _is_lease(match: object, lease: object) -> bool:
    return type(match) is int and 0 < match < 1 << 63 and type(lease) is int


def _hand_on(caller: Caller, reports: Sequence[dict[str, Any]]) -> None:
    """Put the reports into the recorders' queue. Raises ValueError where they are no plain data."""
    if not reports:
        return
    for message in messages(Sized(plain, len(canonical(plain))) for plain in reports):
        words = [word.plain for word in message]
        app.send_task(RECORD_SET, [words], queue=SET_REPORTS, retry=False, argsrepr="(reports)")
        with broker().pipeline() as pipe:
            for plain in words:
                pipe.set(REPORTED.format(plain["match"], plain["lease"]), 1, ex=turns.KEPT)
                pipe.hdel(HAND.format(caller.process), str(plain["match"]))
            pipe.execute()
    if played := sum(plain.get("outcome") == "played" for plain in reports):
        give_back_try(UNPLAYED, caller.worker.name, number=played)


def _renew(caller: Caller, held: Sequence[Held]) -> list[int]:
    """Renew the leases of what it holds. Returns the matches whose lease is over, or was never its own."""
    issued = [(each.match, each.lease) for each in held if knows_lease_secret(each.match, each.lease, each.secret)]
    renewed = renew_in_hand(held=_in_time(issued), worker=caller.process) if issued else set()
    lost = [each.match for each in held if each.match not in renewed]
    over = leases_over([lease for lease in issued if lease[0] in lost])
    return sorted({*(match for match, _ in over), *(match for match in lost if match not in dict(issued))})


def _in_time(leases: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those that may still be in play, so that no worker holds a match for ever."""
    since = Now() - timedelta(seconds=LONGEST_HELD)
    sent = Attempt.objects.filter(match__in=[match for match, _ in leases], sent_at__gt=since)
    lately = set(sent.values_list("match", "lease"))
    return [lease for lease in leases if lease in lately]


def _hand(caller: Caller) -> set[tuple[int, int]]:
    kept = cast("dict[bytes, bytes]", broker().hgetall(HAND.format(caller.process)))
    with suppress(ValueError):
        return {(int(match), int(lease)) for match, lease in kept.items()}
    return set()


def _take_back(caller: Caller, reason: str) -> None:
    for match, number in _hand(caller):
        record_report(Report(match, number, caller.process, "returned", reason, secret=lease_secret(match, number)))
        broker().hdel(HAND.format(caller.process), str(match))
    turns.return_turn(caller.process, reason)


def _note_here(caller: Caller, seconds: int) -> None:
    """Say, in the way of all workers, that it is here, and will be for so many seconds."""
    now, _ = broker().time()
    key = key_of(caller.space, caller.kind)
    broker().zadd(key, {_member(caller): int(now) + seconds})
    broker().zremrangebyscore(key, 0, int(now) - GONE)


def _member(caller: Caller) -> str:
    return str(OnlineProcess.of(caller.process, caller.word.release, caller.offers))
