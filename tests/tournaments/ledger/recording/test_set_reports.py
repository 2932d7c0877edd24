"""Reports that come in one message: recorded together, and one that is odd stops none of the others."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError

from engine.records import to_plain
from tests.factories import a_bot, a_ladder, a_version, an_upload, reports
from tests.tournaments.ledger.recording.test_recording import leased, ledger, relet, statements
from tournaments.core.broker import queues
from tournaments.ledger.dispatch.leases import cancel, claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording import entering, ordered_matches, set_reports, tasks
from tournaments.ledger.recording.tasks import record_set
from tournaments.models import Attempt, FailingItem, Match, MatchSet, Result, Worker
from workers.orders import LEASE_KEY, Held, InHand, Report

pytestmark = pytest.mark.django_db


def as_sent(*messages: Report | InHand) -> list[Any]:
    return [*map(to_plain, messages)]


def in_hand(reports: Sequence[Report], **changes: Any) -> InHand:
    return replace(
        InHand("tester/1", [Held(report.match, report.lease, report.secret) for report in reports]), **changes
    )


def states(match_set: MatchSet) -> list[tuple[str, str, str]]:
    rows = Attempt.objects.filter(match__set=match_set).order_by("match__turn", "lease")
    return list(rows.values_list("match__status", "outcome", "worker"))


def test_a_set_is_recorded_with_three_statements_and_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    played, both = leased()
    Worker.objects.create(name="tester", seen_at=None)
    record_set(as_sent(in_hand(both)))  # by now it was heard of
    asked = statements(monkeypatch)
    assert record_set(as_sent(*both)) == ["recorded", "recorded"]
    assert asked == [ordered_matches.LOOK, entering.HOLD, entering.ENTER]
    played.refresh_from_db()
    assert (played.status, states(played)) == ("complete", [("done", "recorded", "tester/1")] * 2)


def test_it_is_the_same_that_would_be_recorded_one_by_one() -> None:
    (at_once, first), (one_by_one, second) = leased(), leased()
    assert record_set(as_sent(*first)) == ["recorded", "recorded"]
    assert [record_set(as_sent(report)) for report in second] == [["recorded"], ["recorded"]]
    assert states(at_once) == states(one_by_one)
    kept = ("tier", "worker", "lease", "seconds")
    rows = [
        Result.objects.filter(match__set=match_set).order_by("match__turn").values_list(*kept)
        for match_set in (at_once, one_by_one)
    ]
    assert list(rows[0]) == list(rows[1])
    assert sorted(MatchSet.objects.filter(number__isnull=False).values_list("status")) == [("complete",)] * 2


def test_what_comes_again_is_already_recorded_and_changes_nothing() -> None:
    _, both = leased()
    record_set(as_sent(*both))
    before = ledger()
    assert record_set(as_sent(*both)) == ["already recorded", "already recorded"]
    assert record_set(as_sent(both[0], both[0])) == ["already recorded"] * 2
    assert ledger() == before


def test_the_same_report_twice_in_a_message_is_recorded_once() -> None:
    _, (first, _) = leased()
    assert sorted(record_set(as_sent(first, first))) == ["already recorded", "recorded"]


def forged(report: Report) -> Report:
    return replace(report, secret="0" * 64)


def bad_replay(report: Report) -> Report:
    return replace(report, replay=b"no replay")


def void(report: Report) -> Report:
    return replace(report, outcome="void", reason="the host stalled", replay=b"")


def impossible(report: Report) -> Report:
    return replace(report, cpu_ms=[float(10**12)] * 2)


@pytest.mark.parametrize("spoil", [forged, bad_replay, void, impossible])
def test_an_odd_report_stops_none_of_the_others(spoil: Any) -> None:
    played, (first, second) = leased()
    outcomes = record_set(as_sent(spoil(first), second))
    assert (outcomes[0] == "noted" or outcomes[0].startswith("refused: "), outcomes[1]) == (True, "recorded")
    assert Result.objects.get(match__set=played).match_id == second.match
    assert record_set(as_sent(first)) != ["recorded"] or spoil is forged


def test_a_zombie_among_them_is_refused_and_noted_in_its_attempt() -> None:
    _, (first, second) = leased()
    relet(first)
    [refused, recorded] = record_set(as_sent(first, second))
    assert (refused.startswith("refused: lease 1"), recorded) == (True, "recorded")
    assert Attempt.objects.get(match=first.match, lease=1).outcome == "refused"


def test_a_lease_that_another_worker_holds_is_not_recorded() -> None:
    _, both = leased()
    assert record_set(as_sent(in_hand(both[:1], worker="west/1"))) == ["noted"]
    [refused, recorded] = record_set(as_sent(*both))
    assert (refused, recorded) == (f"refused: lease 1 of match {both[0].match} is held by west", "recorded")


@pytest.mark.parametrize("odd", [None, 7, [], {"worker": "tester/1"}, [1, 2], [[]], "x"])
def test_what_cannot_be_read_is_refused_and_the_reports_beside_it_are_recorded(odd: Any) -> None:
    _, (first, second) = leased()
    words = as_sent(first, second)
    outcomes = record_set([words[0], odd, words[1]])
    assert (outcomes[0], outcomes[2]) == ("recorded", "recorded")
    assert outcomes[1].startswith("refused: ")


@pytest.mark.parametrize("words", [None, 7, "x", {}, [], [[]], [None], [[None, None]], [["a", "b", "c"]]])
def test_whatever_else_comes_changes_nothing(words: Any) -> None:
    before = ledger(), Worker.objects.count()
    assert all(outcome.startswith("refused: ") for outcome in record_set(words))
    assert (ledger(), Worker.objects.count()) == before


def test_of_two_workers_in_one_message_each_is_believed_of_its_own() -> None:
    _, (first, second) = leased()
    other = replace(second, worker="west/1")
    assert record_set([*as_sent(first), *as_sent(other)]) == ["recorded", "recorded"]


def test_what_fails_together_is_taken_in_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _, both = leased()

    def fail(_: object) -> list[str]:
        raise KeyError("a fault of our own")

    monkeypatch.setattr(tasks, "receive_set", fail)
    assert record_set(as_sent(*both)) == ["recorded", "recorded"]
    assert not FailingItem.objects.exists()


def test_a_database_that_goes_away_each_time_is_asked_for_each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    _, both = leased()
    tried: list[object] = []

    def fail(words: object) -> list[str]:
        tried.append(words)
        raise OperationalError("the connection is lost")

    monkeypatch.setattr(tasks, "receive_set", fail)
    monkeypatch.setattr("tournaments.core.broker.retry.connection.close", lambda: None)
    assert record_set(as_sent(*both)) == ["recorded", "recorded"]
    assert len(tried) == tasks.TRIES


def test_what_is_in_hand_keeps_its_leases_and_the_first_of_it_is_played() -> None:
    played, both = leased()
    Match.objects.filter(set=played).update(lease_until=played.created_at)
    assert record_set(as_sent(in_hand(both))) == ["noted"]
    assert states(played) == [("leased", "playing", "tester/1"), ("leased", "sent", "tester/1")]
    assert not played.matches.filter(lease_until__lte=played.created_at).exists()
    assert record_set(as_sent(both[0], in_hand(both[1:]))) == ["recorded", "noted"]
    assert states(played) == [("done", "recorded", "tester/1"), ("leased", "playing", "tester/1")]


def test_only_who_was_sent_a_match_and_has_it_still_keeps_its_lease() -> None:
    played, both = leased()
    relet(both[1])
    before = ledger()
    unknown, over = Held(both[0].match, 1, "0" * 64), Held(both[1].match, 1, both[1].secret)
    refused = "refused: tester/1 holds none of the matches that it says it has in hand"
    assert record_set(as_sent(InHand("tester/1", [unknown, over]))) == [refused]
    assert ledger() == before
    assert record_set(as_sent(in_hand(both))) == ["noted"]
    assert states(played)[0] == ("leased", "playing", "tester/1")
    assert record_set(as_sent(in_hand(both[:1], worker="tester/2"))) == [refused.replace("tester/1", "tester/2")]


def test_of_a_blocked_worker_nothing_is_believed_and_what_it_has_is_given_back() -> None:
    played, both = leased()
    Worker.objects.create(name="tester", status=Worker.Status.BLOCKED)
    outcomes = record_set(as_sent(both[0], in_hand(both[1:])))
    assert all(outcome.startswith("refused: the worker tester is blocked") for outcome in outcomes)
    assert [state[:2] for state in states(played)] == [("waiting", "refused")] * 2


def test_a_worker_of_an_older_release_beside_it_is_taken_in_as_before() -> None:
    """It sends each report by itself, and a heartbeat for every match."""
    played, (first, second) = leased()
    beat = to_plain(replace(second, outcome="playing", replay=b""))
    assert tasks.record_match(beat, "signed by one of v0.2.0") == "noted"
    assert record_set(as_sent(first)) == ["recorded"]
    plain = to_plain(second)
    assert tasks.record_match(plain, "signed") == "recorded"
    played.refresh_from_db()
    assert played.status == "complete"


def test_sets_of_all_kinds_may_come_in_one_message() -> None:
    check = an_upload(a_bot()).check_set
    ladder_set = create_set(ladder=a_ladder(players=2), versions=[a_version().pk for _ in range(2)])
    messages = [
        report
        for match_set in (check, ladder_set)
        for report in reports(order_of_set(match_set, claim(match_set=match_set)))
    ]
    assert record_set(as_sent(*messages)) == ["recorded"] * 3
    assert check.checks
    check.checks.refresh_from_db()
    assert (check.checks.status, MatchSet.objects.get(pk=ladder_set.pk).status) == ("active", "complete")


def test_a_message_has_so_many_reports_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_reports, "MOST", 1)
    _, both = leased()
    assert record_set(as_sent(*both)) == ["recorded", "recorded"]  # one by one


def test_a_worker_that_plays_in_vain_learns_so_at_its_heartbeat(django_capture_on_commit_callbacks: Any) -> None:
    """It learns so, too, if the message of the act itself was lost, or the worker is blocked."""
    played, both = leased()
    cancel(match_set=played, reason="test")
    for status in (Worker.Status.WELCOME, Worker.Status.BLOCKED):
        queues.broker().delete(*(LEASE_KEY.format(report.match) for report in both))
        Worker.objects.update_or_create(name="tester", defaults={"status": status})
        with django_capture_on_commit_callbacks(execute=True):
            record_set(as_sent(in_hand(both)))
        assert [queues.broker().get(LEASE_KEY.format(report.match)) for report in both] == [b"2", b"2"], status


def test_a_worker_that_plays_for_somebody_hears_nothing(django_capture_on_commit_callbacks: Any) -> None:
    _, both = leased()
    queues.broker().delete(*(LEASE_KEY.format(report.match) for report in both))
    unknown = Held(both[0].match, 1, "0" * 64)
    with django_capture_on_commit_callbacks(execute=True):
        record_set(as_sent(in_hand(both), InHand("tester/1", [unknown])))
    assert queues.broker().get(LEASE_KEY.format(both[0].match)) is None
