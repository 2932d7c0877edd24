"""Checks of a report before its result is entered.

The replay is of this match and is valid when it is played again. The worker's other figures need not be true, but must
be well formed and possible.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from engine.records import show
from engine.replay import Player, Replay, ReplayError, read, verify
from tournaments.models import Ladder, Match, MatchSet, Seat
from workers.heartbeat import SILENT_AFTER
from workers.orders import Report

RUNTIME_MB = 1024  # for a language's runtime, shared or not
LONGEST_QUESTION = 64_000


def checked_replay(report: Report, match: Match, seats: Sequence[Seat]) -> Replay:
    """The replay in the report. Raises ReplayError."""
    replay = _replay_of(report, match, seats)
    check_evidence(report, replay)
    check_numbers(report, most_of(match.set))
    return replay


@dataclass(frozen=True, slots=True)
class Bounds:
    """Upper bounds of a match's figures, with a margin for late measurements."""

    cpu_ms: float
    memory_mb: float
    seconds: float = 2 * SILENT_AFTER  # a worker sends no heartbeat for as long


def most_of(match_set: MatchSet) -> Bounds:
    limits = (match_set.ladder or Ladder()).limits  # of CPU time: more than the clocks grant
    return Bounds(2000.0 * limits.cpu_s, 2.0 * limits.memory_mb + RUNTIME_MB)


def _replay_of(report: Report, match: Match, seats: Sequence[Seat]) -> Replay:
    """The report's replay, which is of this match and valid when it is played again. Raises ReplayError."""
    replay = read(report.replay)
    ordered = {
        "game": match.set.game,
        "rules": match.set.rules,
        "options": match.set.options,
        "seed": match.set.seed,
        "strikes": match.set.strikes,
        "players": [Player(seat.version.bot.name, seat.version.number, seat.version.bundle_id) for seat in seats],
    }
    for name, wanted in ordered.items():
        if getattr(replay, name) != wanted:
            raise ReplayError("other_match", f"the replay is not of match {match.pk}: its {name} differ")
    by_fuel = match.set.ladder is not None and match.set.ladder.division == Ladder.Division.FUEL
    if bool(replay.terms) != by_fuel:
        raise ReplayError(
            "other_match", f"match {match.pk} is {'' if by_fuel else 'not '}of the deterministic division"
        )
    verify(replay)
    return replay


def check_evidence(report: Report, replay: Replay) -> None:
    """A worker's evidence need not be true, but it must be well formed. Raises ReplayError."""
    seats = range(len(replay.players))
    if len(report.cpu_ms) != len(seats):
        raise ReplayError("bad_report", f"cpu_ms has {len(report.cpu_ms)} numbers for {len(seats)} seats")
    if report.memory_mb and len(report.memory_mb) != len(seats):
        raise ReplayError("bad_report", f"memory_mb has {len(report.memory_mb)} numbers for {len(seats)} seats")
    if not {*(fault.seat for fault in report.faults), *(part.seat for part in report.stderr)} <= set(seats):
        raise ReplayError(
            "bad_report", f"a fault or a stderr is of a seat that is not among the {len(seats)} of the match"
        )
    if len(report.faults) > replay.strikes * len(seats) or len(report.stderr) > len(seats):
        raise ReplayError("bad_report", "there are more faults than strikes, or more stderr than seats")
    for fault in report.faults:
        if not -1 <= fault.answer < len(replay.answers) or not _storable(fault.asked):
            raise ReplayError(
                "bad_report", f"the evidence for {show(fault.verdict)} of seat {fault.seat} cannot be kept"
            )


def check_numbers(report: Report, bounds: Bounds) -> None:
    """Figures that only the worker can measure must be possible. Raises ReplayError."""
    figures = {"cpu_ms": report.cpu_ms, "memory_mb": report.memory_mb, "seconds": [report.seconds]}
    for name, values in figures.items():
        highest = getattr(bounds, name)
        if not all(0 <= value <= highest for value in values):  # no comparison holds of a NaN
            raise ReplayError("bad_report", f"{name} is {values!s:.200}; it is from 0 to {highest:.0f} in this match")


def _storable(asked: object) -> bool:
    """Whether the database takes it as JSON."""
    try:
        text = json.dumps(asked, ensure_ascii=False, allow_nan=False)
        return len(text.encode()) <= LONGEST_QUESTION and "\\u0000" not in text
    except (ValueError, RecursionError):
        return False
