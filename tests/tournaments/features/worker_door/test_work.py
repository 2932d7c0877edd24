"""Workers that come by the door are given orders, bring reports, and are believed in nothing else."""

import time
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.utils import timezone

from tests.factories import a_bot, a_checked, a_ladder, an_upload, reports
from tests.tournaments.features.worker_door.conftest import (
    OPERATOR,
    Outsider,
    dealt,
    held,
    leased,
    plain,
    recorded,
    the_order,
)
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.features.worker_door.actions import AllowOutsideWorkers
from tournaments.features.worker_door.work import GONE, HAND, LONGEST_HELD, MOST_MATCHES, PROCESSES, UNPLAYED
from tournaments.ledger.acts.workers import Drain
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.dispatch.orders import dispatch
from tournaments.ledger.dispatch.sweep import sweep_leases
from tournaments.models import Attempt, Ladder, Match, Result, Space, User, Version, Worker
from workers.bundles import ticket
from workers.identity import OUTSIDE
from workers.orders import key_of, queue_for
from workers.process_heartbeats import WORKERS, queues_in_use

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]
REPORTED = "not_yours: this worker does not have that lease, or has reported on it"


def test_a_worker_is_given_a_set_reports_on_it_and_is_given_the_next(lab: Outsider) -> None:
    first = lab.order()
    attempts = Attempt.objects.filter(match__in=[match.match for match in first.matches]).order_by("match__turn")
    process = f"{lab.name}/p1"
    assert list(attempts.values_list("worker", "outcome")) == [(process, "playing"), (process, "sent")]
    answer = lab.says("report", reports=plain(reports(first)), more=True)
    assert answer.refused == {}
    second = the_order(answer)
    assert {match.match for match in second.matches}.isdisjoint(match.match for match in first.matches)
    assert recorded() == ["recorded", "recorded"]
    assert lab.says("report", reports=plain(reports(second)), more=True).order is None
    assert recorded() == ["recorded", "recorded"]
    assert set(Result.objects.filter(match__set__ladder__isnull=False).values_list("worker")) == {(process,)}


def test_what_is_in_hand_is_renewed_and_what_nobody_waits_for_is_named(lab: Outsider) -> None:
    order = lab.order()
    before = Match.objects.get(pk=order.matches[0].match).lease_until
    assert lab.says("report", held=held(order)).over == []
    after = Match.objects.get(pk=order.matches[0].match).lease_until
    assert before
    assert after
    assert after > before
    Match.objects.filter(pk=order.matches[1].match).update(lease=9)
    assert lab.says("report", held=held(order)).over == [order.matches[1].match]


def test_a_worker_that_asks_anew_has_lost_what_it_had_and_it_is_sent_again(lab: Outsider) -> None:
    first = lab.order()
    lab.says("acquire")
    waiting = Match.objects.filter(pk__in=[match.match for match in first.matches], status="waiting")
    assert waiting.count() == 2
    assert not Attempt.objects.filter(failed=True).exists()


def test_a_report_that_waits_for_the_recorder_is_not_given_back(lab: Outsider) -> None:
    first = lab.order()
    lab.says("report", reports=plain(reports(first)))
    lab.says("acquire")
    assert recorded() == ["recorded", "recorded"]


def test_a_worker_that_leaves_gives_back_what_it_has_and_is_gone(lab: Outsider) -> None:
    order = lab.order()
    lab.says("abort", held=held(order), reason="its machine is switched off")
    assert Match.objects.filter(pk__in=[match.match for match in order.matches], status="waiting").count() == 2
    assert AvailableWorkers.here().workers == ()


def test_a_worker_that_falls_silent_is_missed(lab: Outsider) -> None:
    order = lab.order()
    Match.objects.filter(pk__in=[match.match for match in order.matches]).update(lease_until="2020-01-01T00:00Z")
    assert sweep_leases() == 2
    refused = lab.says("report", reports=plain(reports(order))).refused
    assert refused == {}  # it took the lease: the recorder decides
    assert {outcome.split(";")[0][:8] for outcome in recorded()} == {"refused:"}
    assert not Result.objects.filter(match__set__ladder__isnull=False).exists()


def test_it_is_listed_with_the_others_and_asked_no_questions_about_bots(lab: Outsider, ladder: Ladder) -> None:
    (worker,) = AvailableWorkers.here().workers
    assert (worker.name, sorted(worker.offers)) == (f"{lab.name}/p1", ["c", "python"])
    assert AvailableWorkers.here().pool_of(ladder.game, ladder.rules, [], None) == ("", 0)


def test_no_ladder_of_the_site_is_played_from_outside_unless_it_says_so(ladder: Ladder) -> None:
    AllowOutsideWorkers(ladder, "no").do(by=OPERATOR, reason="too odd")
    outsider = Outsider()
    outsider.says("acquire")
    dealt(ladder, 2)
    assert dispatch() == 0
    assert outsider.says("acquire").order is None


def test_checks_of_uploads_are_never_played_from_outside(ladder: Ladder) -> None:
    outsider = Outsider()
    outsider.says("acquire")
    an_upload(a_bot())
    assert dispatch() == 0


def test_what_was_sent_before_a_ladder_said_no_goes_to_others_and_counts_against_nobody(
    lab: Outsider, ladder: Ladder
) -> None:
    order = lab.order()
    AllowOutsideWorkers(ladder, "no").do(by=OPERATOR, reason="too odd")
    assert set(Match.objects.filter(set__ladder=ladder).values_list("status")) == {("waiting",)}
    assert set(Attempt.objects.filter(match__set__ladder=ladder).values_list("outcome", "failed")) == {
        ("returned", False)
    }
    assert lab.says("report", held=held(order)).over == sorted(match.match for match in order.matches)
    assert set(lab.says("report", reports=plain(reports(order))).refused.values()) == {REPORTED}
    assert recorded() == []
    assert lab.says("acquire").order is None
    assert not Result.objects.filter(match__set__ladder=ladder).exists()


def test_what_is_sent_while_a_ladder_says_no_is_not_given(lab: Outsider, ladder: Ladder) -> None:
    Ladder.objects.filter(pk=ladder.pk).update(outside_workers=False)
    assert lab.says("acquire").order is None


def test_a_spaces_worker_plays_for_its_space_alone(space: Space, ladder: Ladder) -> None:
    own_ladder = a_ladder("bio1-main", players=2, space=space, status=Ladder.Status.PAUSED)
    for name in ("ann", "bob"):
        owner = User.objects.get(username=name)
        own_ladder.entries.create(bot=a_checked(create_bot(owner=owner, game="zaibatsu", name=name, space=space)).bot)
    lab = Outsider("lab", space)
    lab.says("acquire")
    dealt(ladder, 2)
    dealt(own_ladder, 2)
    assert dispatch() == 2
    order = lab.order()
    assert Match.objects.get(pk=order.matches[0].match).set.space == space
    lab.says("report", reports=plain(reports(order)))
    assert recorded() == ["recorded", "recorded"]


def test_a_token_names_the_languages_that_its_worker_is_sent(ladder: Ladder) -> None:
    Version.objects.filter(bot__entries__ladder=ladder).update(need="c")
    outsider = Outsider(offers="rust")
    outsider.says("acquire")
    dealt(ladder)
    assert dispatch() == 0
    other = Outsider("pc", offers="c, wasm")
    other.says("acquire")
    assert dispatch() == 1
    assert other.says("acquire").order


def test_a_worker_reports_on_no_lease_that_another_took(lab: Outsider) -> None:
    order = lab.order()
    liar = Outsider("liar")
    answer = liar.says("report", reports=plain(reports(order)), held=held(order))
    assert {reason.split(":")[0] for reason in answer.refused.values()} == {"not_yours"}
    assert recorded() == []
    assert liar.bundle(order.competitors[0].bundle, ticket("match", *leased(order))) == HTTPStatus.NOT_FOUND
    assert lab.bundle(order.competitors[0].bundle, ticket("match", *leased(order))) == HTTPStatus.OK
    liar.says("abort", held=held(order))
    assert lab.says("report", reports=plain(reports(order))).refused == {}
    assert recorded() == ["recorded", "recorded"]


def test_a_report_that_comes_twice_counts_once(lab: Outsider) -> None:
    order = lab.order()
    answers = [lab.says("report", reports=plain(reports(order)) * 2) for _ in range(2)]
    assert [set(answer.refused.values()) for answer in answers] == [{REPORTED}, {REPORTED}]
    assert recorded() == ["recorded", "recorded"]
    queues.broker().flushdb()
    assert set(lab.says("report", reports=plain(reports(order))).refused.values()) == {REPORTED}
    assert recorded() == []


def test_false_results_are_refused_and_their_worker_rests(lab: Outsider) -> None:
    order = lab.order()
    report, other = reports(order)
    lab.says("report", reports=plain([replace(report, replay=other.replay), replace(other, secret="0" * 64)]))
    assert {outcome[:8] for outcome in recorded()} == {"refused:"}
    assert not Result.objects.filter(match__set__ladder__isnull=False).exists()
    Drain(Worker.objects.get(name=lab.name)).do(by=OPERATOR, reason="it is odd")
    answer = lab.says("acquire")
    assert (answer.order, answer.why) == (None, "the worker lab@_outside is drained")


@pytest.mark.parametrize("name", ["worker", "version"])
def test_a_worker_speaks_in_no_other_name(lab: Outsider, name: str) -> None:
    order = lab.order()
    lab.says("report", reports=[report | {name: "east/1"} for report in plain(reports(order))])
    assert {outcome[:8] for outcome in recorded()} == ({"recorded"} if name == "worker" else {"refused:"})
    assert not Result.objects.filter(worker="east/1").exists()


def test_a_worker_has_so_many_processes_and_no_more(lab: Outsider) -> None:
    for number in range(1, PROCESSES.most):
        lab.says("acquire", process=f"q{number}")
    status, answer = lab.said("acquire", lab.word(process="one-more"))
    assert (status, answer["code"]) == (429, "too_many_processes")
    assert lab.said("acquire", lab.word())[0] == HTTPStatus.OK


def test_an_order_that_cannot_be_read_is_set_aside(lab: Outsider) -> None:
    (queue,) = queues.broker().keys("space:_outside:matches:*")
    queues.broker().delete(queue)
    queues.broker().rpush(queue, b"nonsense")
    assert lab.says("acquire").order is None
    assert queues.broker().llen("boardroom:undecodable") == 1


def test_a_broker_that_forgot_all_costs_nothing_but_time(lab: Outsider) -> None:
    order = lab.order()
    queues.broker().flushdb()
    assert lab.says("report", reports=plain(reports(order)), more=True).refused == {}
    assert recorded() == ["recorded", "recorded"]


def test_the_hand_of_a_process_is_forgotten_in_time(lab: Outsider) -> None:
    lab.order()
    assert 0 < queues.broker().ttl(HAND.format(f"{lab.name}/p1")) <= 3600


def test_who_asks_for_more_without_a_report_has_lost_what_it_had(lab: Outsider) -> None:
    first = lab.order()
    second = the_order(lab.says("report", more=True))
    assert Match.objects.filter(pk__in=[match.match for match in first.matches], status="waiting").count() == 2
    assert set(queues.broker().hkeys(HAND.format(f"{lab.name}/p1"))) == {
        str(match.match).encode() for match in second.matches
    }


def test_who_takes_much_and_plays_little_has_to_wait(lab: Outsider, monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(UNPLAYED, times=MOST_MATCHES + 2, name="door-unplayed-test")
    monkeypatch.setattr("tournaments.features.worker_door.work.UNPLAYED", few)
    for _ in range(6):  # two matches each
        lab.says("report", reports=plain(reports(lab.order())))
        assert recorded() == ["recorded", "recorded"]
        dealt(Ladder.objects.get())
        dispatch()
    lab.order()
    lab.order()
    answer = lab.says("acquire")
    assert (answer.order, answer.why) == (None, "of the matches that it took it has played too few")
    assert 0 < answer.ask_again < few.seconds


def test_no_worker_holds_a_match_for_ever(lab: Outsider) -> None:
    order = lab.order()
    begun = timezone.now() - timedelta(seconds=LONGEST_HELD)
    Attempt.objects.filter(match=order.matches[0].match).update(sent_at=begun)
    Match.objects.filter(status="leased").update(lease_until=begun)
    lab.says("report", held=held(order))
    renewed = Match.objects.filter(lease_until__gt=timezone.now())
    assert list(renewed.values_list("pk", flat=True)) == [order.matches[1].match]


def test_processes_are_counted_whatever_they_say(lab: Outsider) -> None:
    for number in range(1, PROCESSES.most):
        lab.says("report", process=f"q{number}")
    for odd in ({"process": "one-more"}, {"offers": ["python", "rust"]}):
        status, answer = lab.said("report", lab.word(**odd))
        assert (status, answer["code"]) == (429, "too_many_processes")
    assert len(AvailableWorkers.here().workers) == PROCESSES.most


def test_a_process_that_is_gone_is_forgotten(lab: Outsider) -> None:
    key = key_of(OUTSIDE, WORKERS)
    queues.broker().zadd(key, {"old@_outside/1 tag python": int(timezone.now().timestamp()) - GONE - 60})
    lab.says("acquire")
    assert queues.broker().zcard(key) == 1


def test_a_host_with_a_wrong_clock_hides_no_queue(lab: Outsider, monkeypatch: pytest.MonkeyPatch) -> None:
    order, used = lab.order(), [queue_for(["c", other], space=OUTSIDE) for other in ("go", "rust")]
    queues.note_orders([(order, used[0])])
    monkeypatch.setattr(queues, "time", lambda: time.time() + 7200, raising=False)
    queues.note_orders([(order, used[1])])
    assert queues_in_use(queues.broker(), OUTSIDE) >= {*used}
