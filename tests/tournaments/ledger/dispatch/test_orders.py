"""Orders go out, and whatever does not come home is played again."""

import base64
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from redis import ConnectionError as NoBroker

from engine.records import canonical, from_plain
from tests.factories import a_bot, a_ladder, a_user, a_version, an_upload, reports
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import outdated, workers_known
from tournaments.ledger.dispatch import orders
from tournaments.ledger.dispatch.leases import claim, renew_in_hand
from tournaments.ledger.dispatch.orders import dispatch
from tournaments.ledger.dispatch.sweep import sweep_leases
from tournaments.ledger.dispatch.waiting_sets import QUEUES
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Attempt, Ladder, Match, MatchSet, Worker
from tournaments.ops.dispatcher import recover_forgotten
from workers.orders import (
    ORDERS,
    PLAY,
    REPORTS,
    TAG,
    TAKEN_KEY,
    Held,
    InHand,
    Order,
    Report,
    proof_of,
    queue_for,
    rules_of,
)
from workers.process_heartbeats import RECORDERS, RESTING, WORKERS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]


def take_order(queue: str = ORDERS) -> Order:
    """The next order in the queue, as a worker would get it."""
    message = queues.broker().rpop(queue)
    assert isinstance(message, bytes)
    plain = json.loads(message)
    assert plain["headers"]["task"] == PLAY
    (data,), *_ = json.loads(base64.b64decode(plain["body"]))
    order: Order = from_plain(Order, data)
    return order


def a_set(ladder: Ladder | None = None) -> MatchSet:
    return create_set(ladder=ladder or a_ladder(players=2), versions=[a_version().pk, a_version().pk])


def sent() -> tuple[MatchSet, Order]:
    played = a_set()
    assert dispatch() == 1
    return played, take_order()


def later(**time: float) -> None:
    """Let time pass for every lease and failure."""
    Match.objects.filter(lease_until__isnull=False).update(lease_until=timezone.now() - timedelta(**time))


def signs(order: Order, worker: str = "w") -> None:
    for match in order.matches:
        assert record_report(Report(match.match, match.lease, worker, "playing", secret=match.secret)) == "noted"


def test_an_order_holds_all_that_a_worker_needs() -> None:
    ladder = a_ladder(players=2, strikes=5, answer_ms=200, memory_mb=256)
    played = a_set(ladder)
    assert dispatch() == 1
    order = take_order()
    assert (order.game, order.seed, order.options["players"], order.strikes) == ("zaibatsu", played.seed, 2, 5)
    assert (order.clock.answer_ms, order.limits.memory_mb) == (200, 256)
    assert [competitor.version for competitor in order.competitors] == [1, 1]
    assert [match.seats for match in order.matches] == [[0, 1], [1, 0]]
    assert {match.lease for match in order.matches} == {1}
    assert [record_report(report) for report in reports(order)] == ["recorded", "recorded"]


def test_a_match_is_leased_before_its_order_is_sent_and_the_broker_knows_the_lease() -> None:
    played, _ = sent()
    for match in played.matches.all():
        assert (match.status, match.lease, match.attempts.get().outcome) == ("leased", 1, "sent")
        assert queues.broker().get(f"boardroom:lease:{match.pk}") == b"1"
    assert dispatch() == 0


def test_checks_go_out_before_sets_of_ladders() -> None:
    played, version = a_set(), an_upload(a_bot())
    assert dispatch() == 2
    assert take_order().matches[0].match == version.check_set.matches.get().pk
    assert take_order().seed == played.seed


def test_the_checks_of_one_owner_go_out_a_few_at_a_time_and_hold_nobody_up() -> None:
    hasty, played = a_user(), a_set()
    first, second, _ = (an_upload(a_bot(hasty)) for _ in range(3))
    other = an_upload(a_bot())
    assert dispatch() == 2  # as there is room for: with one worker one check of an owner, and the other's
    assert [take_order().matches[0].match for _ in range(2)] == [
        version.check_set.matches.get().pk for version in (first, other)
    ]
    play_set_under_way(first.check_set)
    play_set_under_way(other.check_set)
    assert dispatch() == 2
    assert take_order().matches[0].match == second.check_set.matches.get().pk
    assert take_order().matches[0].match in played.matches.values_list("pk", flat=True)


def play_set_under_way(played: MatchSet) -> None:
    """Play and record what was sent."""
    for report in reports(orders.order_of_set(played, list(played.matches.all()))):
        assert record_report(report) == "recorded"


def test_only_so_many_sets_are_in_the_queue_as_the_workers_soon_need() -> None:
    ladder, versions = a_ladder(players=2), [a_version().pk, a_version().pk]
    for _ in range(8):
        create_set(ladder=ladder, versions=versions)
    assert (workers_known(), dispatch(), dispatch()) == (1, 2, 0)
    signs(take_order(), "tester/1")
    assert (workers_known(), dispatch()) == (1, 1)
    signs(take_order(), "another")
    assert (workers_known(), dispatch()) == (2, 3)


def test_an_order_that_a_worker_has_taken_leaves_room_for_another_though_it_has_not_told_of_it() -> None:
    ladder, versions = a_ladder(players=2), [a_version().pk, a_version().pk]
    for _ in range(8):
        create_set(ladder=ladder, versions=versions)
    assert (dispatch(), QUEUES.ran_dry) == (2, True)
    take_order()
    assert (dispatch(), QUEUES.ran_dry) == (1, False)
    assert dispatch() == 0
    take_order()
    take_order()  # the one worker has one of them: no more are sent for those that got lost than it can have taken
    assert dispatch() == 0


def test_what_is_no_queue_is_not_counted() -> None:
    queues.broker().hset("odd", "stands", "here")
    a_set()
    assert dispatch() == 1
    assert queues.orders_in(["odd", ORDERS]) == {ORDERS: 1}


def test_a_lease_that_runs_out_while_nobody_works_is_sent_again_and_counts_against_nobody() -> None:
    played, first = sent()
    later(seconds=1)
    assert sweep_leases() == 2
    assert set(Attempt.objects.filter(match__set=played).values_list("outcome", "failed", "reason")) == {
        ("expired", False, "no worker took it")
    }
    assert dispatch() == 1
    second = take_order()
    assert [match.lease for match in second.matches] == [2, 2]
    assert record_report(reports(first)[0]).startswith("refused")
    assert record_report(reports(second)[0]) == "recorded"


def test_a_worker_that_falls_silent_loses_its_lease_and_it_counts() -> None:
    played, order = sent()
    signs(order)
    assert sweep_leases() == 0
    later(seconds=1)
    assert sweep_leases() == 2
    assert set(Attempt.objects.filter(match__set=played).values_list("outcome", "failed", "reason")) == {
        ("expired", True, "w began it and was not heard from again")
    }


def test_an_order_that_vanishes_while_later_ones_are_begun_counts_as_failed() -> None:
    vanished, _ = sent()
    _, order = sent()
    signs(order)
    Match.objects.filter(set=vanished).update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep_leases()
    assert set(Attempt.objects.filter(match__set=vanished).values_list("failed", "reason")) == {
        (True, "it was not begun, though orders sent later were")
    }


def test_an_order_that_kills_every_worker_is_quarantined(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ATTEMPTS_BEFORE_QUARANTINE = 3
    monkeypatch.setattr(orders, "PAUSE", timedelta())
    played = a_set()
    for attempt in range(3):
        assert dispatch() == 1
        signs(take_order(), f"worker {attempt}")
        later(seconds=1)
        sweep_leases()
    played.refresh_from_db()
    assert (played.status, dispatch()) == ("open", 0)
    assert set(played.matches.values_list("status", flat=True)) == {"quarantined"}


def test_a_match_that_failed_is_not_tried_again_at_once() -> None:
    _, order = sent()
    void = replace(reports(order)[0], outcome="void", reason="the host stalled", replay=b"")
    record_report(void)
    assert dispatch() == 0
    Attempt.objects.filter(failed=True).update(ended_at=timezone.now() - orders.PAUSE)
    assert dispatch() == 1
    assert [match.match for match in take_order().matches] == [void.match]


def test_unread_reports_give_leases_more_time() -> None:
    _, order = sent()
    signs(order)
    queues.broker().lpush(REPORTS, "unread")
    later(seconds=60)
    assert sweep_leases() == 0
    later(seconds=121)
    assert sweep_leases() == 2


def test_when_the_broker_forgets_what_is_not_begun_is_sent_again_at_once() -> None:
    lost, _ = sent()
    _, playing = sent()
    signs(playing, "tester/1")
    queues.broker().flushdb()
    assert recover_forgotten() == 2
    assert set(Attempt.objects.filter(match__set=lost).values_list("outcome", "failed", "reason")) == {
        ("expired", False, "the queue was lost")
    }
    assert (sweep_leases(), dispatch()) == (0, 1)
    assert take_order().seed == lost.seed
    assert [record_report(report) for report in reports(playing)] == ["recorded", "recorded"]


def test_a_crash_between_claim_and_send_heals_by_itself() -> None:
    played = a_set()
    claim(match_set=played)  # and nothing is sent
    assert (dispatch(), sweep_leases()) == (0, 0)
    later(seconds=1)
    assert (sweep_leases(), dispatch()) == (2, 1)


def test_when_the_broker_is_away_the_leases_are_given_back_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise NoBroker("connection refused")

    played = a_set()
    with monkeypatch.context() as patch:
        patch.setattr(queues, "send_order", away)
        with pytest.raises(NoBroker):
            dispatch()
    assert set(played.matches.values_list("status", "attempts__reason")) == {
        ("waiting", "the queue could not be reached")
    }
    assert dispatch() == 1


OLDER = ",".join(f"{game}-{98 if game == 'zaibatsu' else rules}" for game, rules in rules_of(TAG).items()) + ",orders-3"


def put_online(*workers: str, tag: str = TAG, recorded: bool = True) -> None:
    """Let these processes say that they are here, for as long as the test takes."""
    seconds, _ = queues.broker().time()
    for worker in workers:
        queues.broker().zadd(WORKERS, {f"{worker} {tag} python": int(seconds) + 600})
    if recorded:
        queues.broker().zadd(RECORDERS, {f"r/1 {tag} ": int(seconds) + 600})


def test_a_set_of_older_rules_waits_for_a_worker_and_a_recorder_that_have_them_and_holds_nobody_up() -> None:
    played = a_set()
    MatchSet.objects.filter(status="open").update(rules=98)
    new = a_set()
    put_online("new/1")
    assert (dispatch(), take_order().seed) == (1, new.seed)
    put_online("old/1", tag=OLDER, recorded=False)
    assert dispatch() == 0
    put_online(tag=OLDER)
    assert dispatch() == 1
    assert (take_order(queue_for((), OLDER)).rules, queues.broker().llen(ORDERS)) == (98, 0)
    played.refresh_from_db()
    assert (played.status, list(outdated())) == ("open", [played])


def test_a_worker_that_rests_is_sent_nothing() -> None:
    a_set()
    put_online("ada/1", "ada/2")
    Worker.objects.create(name="ada", status=Worker.Status.DRAINED)
    assert dispatch() == 0
    put_online("bob/1")
    assert dispatch() == 1


def test_what_a_worker_was_at_is_sent_again_when_it_is_gone_and_the_rest_of_its_set_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, order = sent()
    _, other = sent()
    for begun, worker in ((order, "dead/1"), (other, "alive/1")):
        record_report(Report(begun.matches[0].match, 1, worker, "playing", secret=begun.matches[0].secret))
    put_online("alive/1")
    assert sweep_leases() == 0
    monkeypatch.setattr(queues, "workers_gone", lambda _spaces: {"dead/1"})
    assert (sweep_leases(), sweep_leases()) == (2, 0)
    assert list(
        Attempt.objects.filter(match__in=[match.match for match in order.matches]).values_list("reason", "failed")
    ) == [
        ("dead/1 began it and is gone", True),
        ("dead/1, which had its set, is gone", False),
    ]


def takes(order: Order, worker: str, **changes: Any) -> None:
    """Note in the broker what is taken, as a worker does."""
    held = [Held(match.match, match.lease, proof_of(match.secret)) for match in order.matches]
    note = canonical(replace(InHand(worker, held), **changes))
    queues.broker().set(TAKEN_KEY.format(worker), note)


def ended(order: Order) -> list[tuple[str, bool]]:
    attempts = Attempt.objects.filter(match__in=[match.match for match in order.matches], outcome="expired")
    return list(attempts.order_by("match__turn").values_list("reason", "failed"))


def test_an_order_that_ended_a_worker_before_it_said_a_word_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _, order = sent()
    _, other = sent()
    takes(order, "dead/1")
    takes(other, "alive/1")
    monkeypatch.setattr(queues, "workers_gone", lambda _spaces: {"dead/1", "dead/2"})
    assert (sweep_leases(), sweep_leases()) == (2, 0)
    assert ended(order) == [("the worker that took it is gone", True), ("the worker that took its set is gone", False)]
    assert ended(other) == []


@pytest.mark.parametrize("note", [b"", b"{", b"[[", b"7", b"\xff", b"[" * 100_000, b'{"worker":"dead/1","held":[{}]}'])
def test_whatever_else_is_noted_there_ends_nothing(note: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    _, order = sent()
    monkeypatch.setattr(queues, "workers_gone", lambda _spaces: {"dead/1"})
    queues.broker().set(TAKEN_KEY.format("dead/1"), note)
    assert sweep_leases() == 0
    takes(order, "dead/1", held=[Held(match.match, match.lease, match.secret) for match in order.matches])
    assert (sweep_leases(), ended(order)) == (0, [])  # that is no proof


def test_what_a_worker_had_not_begun_when_it_fell_silent_is_not_charged() -> None:
    _, order = sent()
    first, second = order.matches
    renew_in_hand(held=[(first.match, 1), (second.match, 1)], worker="tester/1")
    later(seconds=1)
    assert sweep_leases() == 2
    assert ended(order) == [
        ("tester/1 began it and was not heard from again", True),
        ("tester/1, which had its set, was not heard from again", False),
    ]


def test_what_the_broker_forgot_of_those_that_rest_it_is_told_again() -> None:
    Worker.objects.create(name="ada", status=Worker.Status.DRAINED)
    Worker.objects.create(name="bob")
    queues.broker().flushdb()
    sweep_leases()
    assert queues.broker().hgetall(RESTING) == {b"ada": b"the worker ada is drained"}
