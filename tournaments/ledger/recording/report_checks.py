"""Checks of a report before its result is entered.

The replay belongs to this match and verifies. The worker's other figures need not be true, but must be well formed and
possible.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bots.notes import EACH, MOST, START
from engine.records import show
from engine.replay import Replay, ReplayError, read_replay, verify
from tournaments.ledger.recording.ordered_matches import OrderedMatch
from tournaments.models import Ladder
from workers.heartbeat import SILENT_AFTER
from workers.orders import Note, Report

RUNTIME_MB = 1024  # for a language's runtime, shared or not
LONGEST_QUESTION = 64_000
MOST_NOTED = MOST + 200  # with the mark that says how much is cut


def verified_replay(report: Report, match: OrderedMatch) -> Replay:
    """The replay in the report. Raises ReplayError."""
    replay = _replay_of(report, match)
    check_evidence(report, replay)
    check_measurements(report, measurement_bounds(match.settings))
    return replay


@dataclass(frozen=True, slots=True)
class Bounds:
    """Upper bounds of a match's figures, with a margin for late measurements."""

    cpu_ms: float
    memory_mb: float
    seconds: float = 2 * SILENT_AFTER  # a worker sends no heartbeat for as long
    took_ms: float = 2000 * SILENT_AFTER


def measurement_bounds(settings: Ladder) -> Bounds:
    return Bounds(2000.0 * settings.most_cpu_s, 2.0 * settings.memory_mb + RUNTIME_MB)  # more than the clocks grant


def _replay_of(report: Report, match: OrderedMatch) -> Replay:
    """The report's replay, which is of this match and valid when it is played again. Raises ReplayError."""
    replay = read_replay(report.replay)
    ordered = {
        "game": match.row.game,
        "rules": match.row.rules,
        "options": match.options,
        "seed": match.row.seed,
        "strikes": match.strikes,
        "players": match.players,
    }
    for name, expected in ordered.items():
        if getattr(replay, name) != expected:
            raise ReplayError(
                "other_match",
                "the replay is not of match %(match)s: its %(name)s differ",
                match=report.match,
                name=name,
            )
    if bool(replay.terms) != match.by_fuel:
        sentence = (
            "match %(match)s is of the deterministic division"
            if match.by_fuel
            else "match %(match)s is not of the deterministic division"
        )
        raise ReplayError("other_match", sentence, match=report.match)
    verify(replay)
    return replay


def check_evidence(report: Report, replay: Replay) -> None:
    """A worker's evidence need not be true, but it must be well formed. Raises ReplayError."""
    seats = range(len(replay.players))
    if len(report.cpu_ms) != len(seats):
        raise ReplayError(
            "bad_report",
            "cpu_ms has %(numbers)s numbers for %(seats)s seats",
            numbers=len(report.cpu_ms),
            seats=len(seats),
        )
    for name, values in {"memory_mb": report.memory_mb, "took_ms": report.took_ms}.items():
        if values and len(values) != len(seats):
            raise ReplayError(
                "bad_report",
                "%(name)s has %(numbers)s numbers for %(seats)s seats",
                name=name,
                numbers=len(values),
                seats=len(seats),
            )
    if not {*(fault.seat for fault in report.faults), *(part.seat for part in report.stderr)} <= set(seats):
        raise ReplayError(
            "bad_report",
            "a fault or a stderr is of a seat that is not among the %(seats)s of the match",
            seats=len(seats),
        )
    if len(report.faults) > replay.strikes * len(seats) or len(report.stderr) > len(seats):
        raise ReplayError("bad_report", "there are more faults than strikes, or more stderr than seats")
    check_notes(report, replay)
    for fault in report.faults:
        if not -1 <= fault.answer < len(replay.answers) or not _storable(fault.asked):
            raise ReplayError(
                "bad_report",
                "the evidence for %(verdict)s of seat %(seat)s cannot be kept",
                verdict=show(fault.verdict),
                seat=fault.seat,
            )


def check_notes(report: Report, replay: Replay) -> None:
    """Check that each note is of an answer of its seat or of the start, and that a seat's notes are not too long.

    Raises ReplayError.
    """
    lines: Sequence[Any] = replay.answers
    taken = dict.fromkeys(range(len(replay.players)), 0)
    for note in report.notes:
        if note.seat not in taken or not (note.answer == START or _is_of(note, lines)):
            raise ReplayError(
                "bad_report",
                "a note of seat %(seat)s is of answer %(answer)s, which is not its own",
                seat=note.seat,
                answer=note.answer,
            )
        taken[note.seat] += len(note.text.encode(errors="replace")) + EACH
    if max(taken.values()) > MOST_NOTED:
        raise ReplayError(
            "bad_report",
            "the notes of a seat take %(bytes)s bytes of %(most)s",
            bytes=f"{max(taken.values()):,}",
            most=f"{MOST_NOTED:,}",
        )


def _is_of(note: Note, lines: Sequence[Any]) -> bool:
    return 0 <= note.answer < len(lines) and lines[note.answer][0] == note.seat


def check_measurements(report: Report, bounds: Bounds) -> None:
    """Figures that only the worker can measure must be possible. Raises ReplayError."""
    figures = {"cpu_ms": report.cpu_ms, "memory_mb": report.memory_mb, "seconds": [report.seconds]}
    figures["took_ms"] = report.took_ms
    for name, values in figures.items():
        highest = getattr(bounds, name)
        if not all(0 <= value <= highest for value in values):  # no comparison holds of a NaN
            raise ReplayError(
                "bad_report",
                "%(name)s is %(values)s; it is from 0 to %(highest)s in this match",
                name=name,
                values=f"{values!s:.200}",
                highest=f"{highest:.0f}",
            )


def _storable(asked: object) -> bool:
    """Whether the database takes it as JSON."""
    try:
        text = json.dumps(asked, ensure_ascii=False, allow_nan=False)
        return len(text.encode()) <= LONGEST_QUESTION and "\\u0000" not in text
    except (ValueError, RecursionError):
        return False
