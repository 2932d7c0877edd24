"""A report whose replay is not of its match, or whose figures cannot be, is refused, and the match waits again."""

import gzip
import json
from dataclasses import replace
from typing import Any

import pytest

from engine.referee import Fault
from engine.replay import BIGGEST_FILE
from tests.tournaments.ledger.recording.test_recording import leased
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Ladder, Match, Result
from workers.orders import Report, Stderr

pytestmark = pytest.mark.django_db


def edited(report: Report, **changes: object) -> Report:
    """The report with something in its replay changed, its digest left as it was."""
    plain = json.loads(gzip.decompress(report.replay))
    return replace(report, replay=json.dumps({**plain, **changes}).encode())


def forged(change: str, report: Report, other: Report) -> Report:
    plain = json.loads(gzip.decompress(report.replay))
    if change == "the replay of another match":
        return replace(report, replay=other.replay)
    if change == "players swapped":
        return edited(report, players=plain["players"][::-1])
    if change == "scores":
        return edited(report, result={**plain["result"], "scores": [99, 0]})
    if change == "an answer left out":
        return edited(report, answers=plain["answers"][:-1])
    if change == "milliseconds":
        return edited(report, answers=[[*answer[:2], 0.0, *answer[3:]] for answer in plain["answers"]])
    if change == "another bundle":
        return edited(report, players=[{**player, "bundle": "0" * 64} for player in plain["players"]])
    if change == "oversized":
        return replace(report, replay=gzip.compress(report.replay + b" " * (BIGGEST_FILE + 1)))
    if change == "cut short":
        return replace(report, replay=report.replay[:-9])
    return edited(report, **{change: {"rules": 2, "strikes": 1, "seed": "another", "game": "chess"}[change]})


@pytest.mark.parametrize(
    "change",
    [
        *("the replay of another match", "players swapped", "scores", "an answer left out", "milliseconds"),
        *("cut short", "rules", "strikes", "seed", "game", "another bundle", "oversized"),
    ],
)
def test_a_replay_that_is_not_of_this_match_or_does_not_hold_is_refused_and_the_match_waits_again(change: str) -> None:
    _, (first, second) = leased()
    assert record_report(forged(change, first, second)).startswith("refused: ")
    match = Match.objects.get(pk=first.match)
    attempt = match.attempts.get()
    assert (match.status, attempt.outcome, attempt.failed, attempt.worker) == ("waiting", "refused", True, "tester/1")
    assert len(attempt.reason) > 20
    assert not Result.objects.filter(match=match).exists()
    assert not match.seats.exclude(verdict="").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"cpu_ms": [1.0]},
        {"stderr": [Stderr(2, "")]},
        {"faults": [Fault(-1, 0, "crashed", "")]},
        {"faults": [Fault(0, 10**6, "crashed", "")]},
        {"faults": [Fault(0, 0, "crashed", "", {"deep": "\0"})]},
        {"faults": [Fault(0, 0, "crashed", "")] * 7},
    ],
)
def test_evidence_that_does_not_fit_is_refused(changes: dict[str, Any]) -> None:
    _, (first, _) = leased()
    assert record_report(replace(first, **changes)).startswith("refused: ")
    assert Match.objects.get(pk=first.match).status == "waiting"


@pytest.mark.parametrize(
    "changes",
    [
        *({"cpu_ms": [value, 1.0]} for value in (-1.0, 1e9, float("inf"), float("nan"))),
        *({"memory_mb": [1.0, value]} for value in (-0.5, 1e5, float("inf"), float("nan"))),
        *({"seconds": value} for value in (-1.0, 1e5, float("inf"), float("nan"))),
    ],
)
def test_numbers_that_cannot_be_are_refused(changes: dict[str, Any]) -> None:
    _, (first, _) = leased()
    assert record_report(replace(first, **changes)).startswith(f"refused: {next(iter(changes))} is [")
    assert not Result.objects.filter(match=first.match).exists()


def test_a_report_of_the_other_division_is_refused() -> None:
    _, (first, _) = leased()
    Ladder.objects.update(division=Ladder.Division.FUEL)
    assert record_report(first) == f"refused: match {first.match} is of the deterministic division"


def test_a_report_of_a_match_whose_bots_used_no_memory_that_could_be_measured_is_taken() -> None:
    _, (first, _) = leased()
    assert record_report(replace(first, memory_mb=[])) == "recorded"
    assert set(Match.objects.get(pk=first.match).seats.values_list("memory_mb", flat=True)) == {None}
