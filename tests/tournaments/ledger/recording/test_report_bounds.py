"""What a report may say at most: each bound is still taken, and the next value is refused."""

from dataclasses import replace
from typing import Any

import pytest

from engine.referee import Fault, Result
from engine.replay import Player, ReplayError
from engine.replay import Replay as Recorded
from tests.factories import a_bot, an_upload
from tournaments.ledger.recording.ordered_matches import matches_ordered
from tournaments.ledger.recording.report_checks import Bounds, check_evidence, check_measurements, measurement_bounds
from tournaments.models import Ladder
from workers.orders import Report, Stderr

PLAYERS = [Player("a bot", 1, ""), Player("another", 1, "")]
REPLAY = Recorded(
    *("zaibatsu", 1, {}, "seed", "commitment", PLAYERS),
    strikes=3,
    absent={},
    answers=[None] * 5,
    result=Result([0, 0], [1, 1], ["ok", "ok"], [False, False]),
    position="",
    digest="",
)
REPORT = Report(1, 1, "tester/1", "played", cpu_ms=[0.0, 0.0])


def a_fault(answer: int = 0, asked: object = None) -> Fault:
    return Fault(1, answer, "crashed", "", asked)


@pytest.mark.parametrize(
    "changes",
    [
        {"faults": [a_fault()] * 6},  # three strikes for each of two seats
        *({"faults": [a_fault(answer)]} for answer in (-1, 0, 4)),
        *({"faults": [a_fault(asked=asked)]} for asked in ("x" * 63_998, "\u00e9" * 31_999)),
        {"stderr": [Stderr(0, ""), Stderr(1, "")]},
        *({name: figures} for figures in ([], [1.0, 2.0]) for name in ("memory_mb", "took_ms")),
    ],
)
def test_evidence_is_taken_up_to_its_bounds(changes: dict[str, Any]) -> None:
    check_evidence(replace(REPORT, **changes), REPLAY)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"faults": [a_fault()] * 7}, "more faults than strikes"),
        ({"stderr": [Stderr(0, "")] * 3}, "more stderr than seats"),
        *(({"faults": [a_fault(answer)]}, "of seat 1 cannot be kept") for answer in (-2, 5)),
        *(
            ({"faults": [a_fault(asked=asked)]}, "the evidence for 'crashed' of seat 1 cannot be kept")
            for asked in ("x" * 63_999, "\ud800", "\0", float("nan"))
        ),
        *(({"cpu_ms": figures}, f"cpu_ms has {len(figures)} numbers for 2") for figures in ([], [1.0], [1.0] * 3)),
        *(({"memory_mb": figures}, f"memory_mb has {len(figures)} numbers for 2") for figures in ([1.0], [1.0] * 3)),
        ({"took_ms": [1.0]}, "took_ms has 1 numbers for 2"),
        *(({"stderr": [Stderr(seat, "")]}, "not among the 2 of the match") for seat in (-1, 2)),
        ({"faults": [Fault(2, 0, "crashed", "")]}, "not among the 2 of the match"),
    ],
)
def test_evidence_beyond_its_bounds_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ReplayError, match=words):
        check_evidence(replace(REPORT, **changes), REPLAY)


def test_the_figures_of_a_match_are_bounded_by_twice_what_its_ladder_grants() -> None:
    ladder = Ladder(start_ms=1000, bank_ms=40_000, increment_ms=150, memory_mb=256)
    assert ladder.most_cpu_s == 60 + 41 + 150
    assert measurement_bounds(ladder) == Bounds(cpu_ms=502_000, memory_mb=1536, seconds=3600)


@pytest.mark.django_db
def test_a_match_without_a_ladder_has_the_bounds_of_a_ladder_as_it_comes() -> None:
    match = an_upload(a_bot()).check_set.matches.get()
    assert measurement_bounds(matches_ordered([match.pk])[match.pk].settings) == measurement_bounds(Ladder())


@pytest.mark.parametrize("name", ["cpu_ms", "memory_mb", "seconds", "took_ms"])
def test_figures_are_from_zero_to_their_bound(name: str) -> None:
    bounds = Bounds(cpu_ms=1.5, memory_mb=1.5, seconds=1.5, took_ms=1.5)
    for value in (0, 0.0, 1.5):
        check_measurements(with_figure(name, value), bounds)
    for value in (-0.5, 1.6):
        with pytest.raises(ReplayError, match=f"{name} is .*; it is from 0 to 2 in this match"):
            check_measurements(with_figure(name, value), bounds)


def with_figure(name: str, value: float) -> Report:
    changes: dict[str, Any] = {name: value if name == "seconds" else [0.0, value]}
    return replace(REPORT, **changes)
