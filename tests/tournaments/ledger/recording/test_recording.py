"""A report is recorded once, under the present lease, if its replay holds; anything else changes nothing."""

import json
from dataclasses import replace
from typing import Any, cast

import pytest
from django.utils import timezone

from engine.records import to_plain
from engine.referee import Fault, Verdict
from engine.replay import read_replay, write_replay
from tests.factories import a_completed_set, a_ladder, a_version, hand_in, reports
from tournaments.ledger.dispatch.leases import cancel, claim, lease_secret, release
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording import entering, ordered_matches
from tournaments.ledger.recording.late_reports import CONTRADICTED
from tournaments.ledger.recording.reports import receive_report, record_report
from tournaments.models import Act, Attempt, FaultEvidence, Match, MatchSet, Result, Seat, Worker, prepared_statements
from workers.orders import Outcome, Report, Stderr

pytestmark = pytest.mark.django_db


def leased() -> tuple[MatchSet, list[Report]]:
    """A set of a ladder for two with both its matches leased, and the reports on them."""
    played = create_set(ladder=a_ladder(players=2), versions=[a_version().pk, a_version().pk])
    return played, reports(order_of_set(played, claim(match_set=played)))


def ledger() -> list[Any]:
    """The rows that a report may change."""
    rows = [list(model.objects.order_by("pk").values()) for model in (Match, MatchSet, Result, Seat, Attempt)]
    return [*rows, FaultEvidence.objects.count()]


def relet(report: Report) -> int:
    """Let the match wait and lease it again; the new number."""
    match = Match.objects.get(pk=report.match)
    release(match=match, outcome=Attempt.Outcome.EXPIRED, reason="test", failed=False)
    claim(match_set=match.set)
    return report.lease + 1


def under(report: Report, lease: int) -> Report:
    """The report as the worker with that lease would give it."""
    return replace(report, lease=lease, secret=lease_secret(report.match, lease))


def test_a_report_is_recorded_with_everything_it_says() -> None:
    played, (first, _) = leased()
    first = replace(first, stderr=[Stderr(1, "half a\0 word")], cpu_ms=[3.0, 4.5], seconds=1.25, tier="namespaces")
    assert record_report(first) == "recorded"
    match = Match.objects.get(pk=first.match)
    outcome = read_replay(first.replay).result
    assert list(match.seats.order_by("number").values_list("score", "place", "verdict", "cpu_ms", "stderr")) == [
        (outcome.scores[0], outcome.places[0], "ok", 3.0, ""),
        (outcome.scores[1], outcome.places[1], "ok", 4.5, "half a\ufffd word"),
    ]
    assert (match.status, match.attempts.get().outcome, match.attempts.get().worker) == ("done", "recorded", "tester/1")
    assert (match.result.seconds, match.result.tier, read_replay(bytes(match.result.replay))) == (
        1.25,
        "namespaces",
        read_replay(first.replay),
    )
    played.refresh_from_db()
    assert played.status == "open"


def test_a_set_is_complete_with_the_last_of_its_matches() -> None:
    played, both = leased()
    assert [record_report(report) for report in both] == ["recorded", "recorded"]
    played.refresh_from_db()
    assert (played.status, played.ended_at is None) == ("complete", False)


def test_a_report_that_comes_again_is_already_recorded_and_changes_nothing() -> None:
    _, (first, _) = leased()
    record_report(first)
    before = ledger()
    assert record_report(first) == "already recorded"
    assert record_report(replace(first, outcome="playing", replay=b"")).startswith("refused")
    assert record_report(replace(first, outcome="returned", replay=b"")) == "already recorded"
    assert record_report(replace(first, outcome="void", replay=b"")) == "already recorded"
    assert ledger() == before


def test_a_zombie_changes_nothing_but_the_reason_of_its_attempt() -> None:
    _, (first, _) = leased()
    relet(first)
    before = ledger()
    outcome = record_report(first)
    assert outcome == f"refused: lease 1 of match {first.match} is over; it is leased now, lease 2"
    late = Attempt.objects.get(match=first.match, lease=1)
    assert (late.outcome, late.reason) == ("refused", f"test; then its report came, {outcome}")
    late.outcome, late.reason = "expired", "test"
    late.save()
    assert ledger() == before


def test_a_zombie_that_comes_after_the_result_is_refused() -> None:
    _, (first, _) = leased()
    lease = relet(first)
    record_report(under(first, lease))
    assert record_report(first).startswith(f"refused: lease 1 of match {first.match} is over; it is done now")
    assert Result.objects.get(match=first.match).lease == lease


def test_a_lease_that_ran_out_and_was_not_given_again_is_over_too() -> None:
    _, (first, _) = leased()
    release(match=Match.objects.get(pk=first.match), outcome=Attempt.Outcome.EXPIRED, reason="test", failed=False)
    assert record_report(first) == f"refused: lease 1 of match {first.match} is over; it is waiting now, lease 1"


def test_reports_of_a_cancelled_set_or_of_no_match_are_refused() -> None:
    played, (first, second) = leased()
    cancel(match_set=played, reason="test")
    assert record_report(first).startswith("refused: lease 1")
    nobodys = under(replace(second, match=0), 1)
    assert record_report(nobodys) == "refused: there is no match 0"
    beyond = under(replace(second, match=-(2**53)), 2**53)
    assert record_report(beyond).startswith("refused: there is no match")
    assert not Result.objects.filter(match__set=played).exists()


@pytest.mark.parametrize(
    "data",
    [
        *(None, 7, "report", [], {}, {"match": 1}, {"match": "1", "lease": 1, "worker": "w", "outcome": "played"}),
        {"match": 1, "lease": 1, "worker": "w", "outcome": "won"},
        {"match": 1, "lease": 1, "worker": "w", "outcome": "played", "replay": "zz"},
        {"match": 1, "lease": 1, "worker": "w", "outcome": "played", "reason": "\ud800", "seconds": "1"},
        {"match": 1, "lease": 1, "worker": "w", "outcome": "played", "unknown": 1},
        {"match": 1, "lease": 1, "worker": "w", "outcome": "played", "version": 2},
        {"match": 2**70, "lease": 1, "worker": "w", "outcome": "played"},
    ],
)
def test_whatever_else_comes_over_the_wire_is_refused_with_a_sentence(data: object) -> None:
    before = ledger()
    outcome = hand_in(data)
    assert outcome.startswith("refused: ")
    assert len(outcome) > 30
    assert ledger() == before


@pytest.mark.parametrize(
    "data",
    [
        *(None, 7, {}, {"worker": 7}, {"worker": "\ud800"}, {"worker": "w\0"}, {"worker": "/"}),
        {"match": 1, "lease": 1, "worker": "x" * 10**6, "outcome": "played"},
    ],
)
def test_what_names_no_worker_is_refused_and_makes_nobody_known(data: object) -> None:
    before = ledger()
    assert receive_report(data).startswith("refused: ")
    assert (ledger(), Worker.objects.count()) == (before, 0)


@pytest.mark.parametrize("outcome", ["playing", "played", "returned", "void"])
def test_whatever_a_blocked_worker_says_of_a_match_gives_it_back_at_once_and_nothing_is_charged(outcome: Any) -> None:
    _, (first, second) = leased()
    assert hand_in(to_plain(replace(first, outcome="playing", replay=b""))) == "noted"
    assert record_report(replace(second, worker="another/1", outcome="playing", replay=b"")) == "noted"
    Worker.objects.update(status=Worker.Status.BLOCKED)
    for report in (first, second):
        assert hand_in(to_plain(replace(report, outcome=outcome))).startswith("refused: the worker tester is blocked")
    match = Match.objects.get(pk=first.match)
    attempt = match.attempts.get()
    assert (match.status, attempt.outcome, attempt.failed) == ("waiting", "refused", False)
    assert attempt.reason == "the worker tester is blocked"
    assert Match.objects.get(pk=second.match).status == "leased"  # somebody else plays it
    assert not Result.objects.filter(match__in=(first.match, second.match)).exists()


def test_a_report_survives_the_wire() -> None:
    _, (first, _) = leased()
    assert hand_in(json.loads(json.dumps(to_plain(first)))) == "recorded"


def test_the_texts_of_a_hostile_bot_are_kept_as_far_as_they_can_be() -> None:
    _, (first, _) = leased()
    fault = Fault(0, 0, "illegal answer", "\0" * 9000, {"t": "bid"}, {"given": ["\0"]})
    assert record_report(replace(first, faults=[fault], stderr=[Stderr(0, "x" * 99_999 + "the end")])) == "recorded"
    evidence = FaultEvidence.objects.get()
    assert evidence.detail == "\ufffd" * 2000
    assert evidence.seat.stderr.endswith("the end")
    assert len(evidence.seat.stderr) == 66_000


def test_a_returned_match_waits_again_and_nobody_is_charged() -> None:
    _, (first, _) = leased()
    assert record_report(replace(first, outcome="returned", reason="leaving", replay=b"")) == "noted"
    match = Match.objects.get(pk=first.match)
    attempt = match.attempts.get()
    assert (match.status, attempt.outcome, attempt.reason, attempt.failed) == ("waiting", "returned", "leaving", False)


def test_a_void_match_waits_again_and_the_attempt_counts_as_failed() -> None:
    _, (first, _) = leased()
    assert record_report(replace(first, outcome="void", reason="the host stalled", replay=b"")) == "noted"
    match = Match.objects.get(pk=first.match)
    attempt = match.attempts.get()
    assert (match.status, attempt.outcome, attempt.failed) == ("waiting", "void", True)


def test_a_match_that_fails_too_often_is_quarantined_and_the_rest_of_its_set_goes_on(settings: Any) -> None:
    settings.ATTEMPTS_BEFORE_QUARANTINE = 2
    played, (first, second) = leased()
    void = replace(first, outcome="void", reason="the host stalled", replay=b"")
    record_report(void)
    claim(match_set=played)
    record_report(under(void, 2))
    assert list(played.matches.order_by("turn").values_list("status", flat=True)) == ["quarantined", "leased"]
    assert record_report(second) == "recorded"
    played.refresh_from_db()
    assert (played.status, played.ended_at) == ("open", None)


def test_a_heartbeat_renews_the_lease_of_the_worker_that_plays() -> None:
    _, (first, _) = leased()
    sign = replace(first, outcome="playing", replay=b"")
    assert record_report(sign) == "noted"
    match = Match.objects.get(pk=first.match)
    assert (match.attempts.get().outcome, match.attempts.get().worker) == ("playing", "tester/1")
    assert match.lease_until
    assert 25 < (match.lease_until - timezone.now()).total_seconds() <= 30
    before = ledger()
    for other in (replace(sign, worker="another"), replace(sign, worker="tester/2"), under(sign, 2)):
        assert record_report(other).startswith("refused: a heartbeat")
    assert ledger() == before
    assert record_report(first) == "recorded"


def test_what_a_bot_did_wrong_is_kept_for_its_owner() -> None:
    good, bad = a_version(), a_version()
    played = a_completed_set(a_ladder(players=2), [good, bad], faults={bad.pk: Verdict.ILLEGAL_ANSWER})
    seats = Seat.objects.filter(match__set=played)
    assert set(seats.filter(version=bad).values_list("verdict", "forfeited", "place")) == {("illegal answer", True, 2)}
    assert set(seats.filter(version=good).values_list("verdict", "forfeited", "place")) == {("ok", False, 1)}
    evidence = FaultEvidence.objects.filter(seat__version=bad)
    assert evidence.count() == 6  # three strikes in each of two matches
    assert set(evidence.values_list("detail", flat=True)) == {"it failed because the test wants it to"}


OUTCOMES: tuple[Outcome, ...] = ("played", "void", "returned", "playing")


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_who_was_not_sent_the_order_can_say_nothing_of_it(outcome: Outcome) -> None:
    """A worker with another key that knows the match and its lease neither ends it nor gets ahead of anybody."""
    _, (first, second) = leased()
    before = ledger()
    for secret in ("", second.secret, lease_secret(first.match, 2), "0" * 64):
        forged = to_plain(replace(first, worker="mallory/1", outcome=outcome, secret=secret))
        assert hand_in(forged) == f"refused: mallory/1 was not sent lease 1 of match {first.match}"
    assert ledger() == before
    assert record_report(first) == "recorded"


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_lease_belongs_to_the_worker_that_took_it_whatever_another_reports(outcome: Outcome) -> None:
    """The broker may deliver an order twice: then two workers know its secret."""
    _, (first, _) = leased()
    record_report(replace(first, outcome="playing", replay=b""))
    before = ledger()
    assert record_report(replace(first, worker="mallory/1", outcome=outcome)).startswith("refused: ")
    assert ledger() == before
    assert record_report(replace(first, worker="tester/2")) == "recorded", "another process of the same worker"


def contradictions() -> list[Act]:
    return list(Act.objects.filter(kind=CONTRADICTED))


def test_a_late_report_with_other_answers_raises_an_alarm_and_the_match_is_played_again_by_others() -> None:
    played, (first, _) = leased()
    other = reports(order_of_set(played, [Match.objects.get(pk=first.match)]), answers="otherwise")[0]
    record_report(first)
    for _ in range(2):
        assert record_report(replace(other, worker="west/1")) == "already recorded"
    [act] = contradictions()
    assert (act.subject, act.detail["recorded"], act.detail["late"]) == (f"match {first.match}", "tester", "west")
    assert MatchSet.objects.filter(rechecks=first.match).count() == 1


def test_a_late_report_with_the_same_answers_in_other_times_is_no_alarm() -> None:
    played, (first, _) = leased()
    again = reports(order_of_set(played, [Match.objects.get(pk=first.match)]))[0]
    original = read_replay(again.replay)
    lines = cast("list[list[object]]", original.answers)
    slower = replace(original, answers=[[*line[:2], 2.0, *line[3:]] for line in lines])
    record_report(first)
    assert record_report(replace(again, worker="west/1", replay=write_replay(slower))) == "already recorded"
    assert record_report(replace(again, replay=b"garbage")) == "already recorded"
    assert contradictions() == []


def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The prepared ones that are asked from now on."""
    asked: list[str] = []

    def ask(statement: str, given: Any) -> Any:
        asked.append(statement)
        return prepared_statements.run_prepared(statement, given)

    for module in (entering, ordered_matches):
        monkeypatch.setattr(module, "run_prepared", ask)
    return asked


def test_a_report_takes_three_statements_and_none_besides(
    django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fields that were not read with their rows would be read one by one, unseen."""
    (_, both), asked = leased(), statements(monkeypatch)
    for report in both:
        with django_assert_num_queries(2):  # of the transaction, which in a test is a savepoint
            assert record_report(report) == "recorded"
    assert asked == [ordered_matches.LOOK, entering.HOLD, entering.ENTER] * 2
