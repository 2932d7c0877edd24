"""A sitting as plain data, as a worker tells it, which may be hostile: nothing is taken that could not be."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bots.doctor.session import Asked, Sitting
from bots.process import Exit
from engine.records import Record, RecordError, show
from engine.referee import Verdict

MOST_ASKED = 20_000  # in one match
MOST_MS, MOST_S, MOST_MB, MOST_BYTES = 3_600_000.0, 36_000.0, 1_000_000.0, 1 << 40
LONGEST = 2000  # characters of evidence
FAULTS = frozenset(verdict.value for verdict in Verdict if verdict is not Verdict.OK)


@dataclass(slots=True)
class Written(Record):
    """`asked`: of each question its kind, milliseconds, and whether an answer had been replaced before; then of a fault
    its verdict, and of the first its evidence. `code` or `signal` says how its process ended."""

    asked: list[list[Any]]
    start_ms: float | None
    start_fault: str
    memory_mb: float
    cpu_s: float
    stderr_bytes: int
    code: int | None
    signal: int | None
    is_cut: bool


def record_sitting(sitting: Sitting) -> Written:
    lines, is_told = list[list[Any]](), False
    for asked in sitting.asked:
        fault = [asked.fault, "" if is_told else storable(asked.detail)] if asked.fault else []
        is_told = is_told or bool(asked.fault)
        lines.append([asked.kind, round(asked.ms, 3), asked.after_replaced, *fault])
    end, start = sitting.end, sitting.start_ms
    return Written(
        asked=lines,
        start_ms=None if start is None else round(start, 3),
        start_fault=storable(sitting.start_fault),
        memory_mb=round(sitting.memory_mb, 3),
        cpu_s=round(sitting.cpu_s, 3),
        stderr_bytes=sitting.stderr_bytes,
        code=end.code if end else None,
        signal=end.signal if end else None,
        is_cut=sitting.is_cut,
    )


def read_sitting(record: Written, planned: Sitting, kinds: Collection[str]) -> Sitting:
    """Return what became of the planned match, in a game with these kinds of questions. Raises RecordError."""
    if len(record.asked) > MOST_ASKED:
        raise RecordError(f"{len(record.asked):,} questions in one match; at most {MOST_ASKED:,} are")
    planned.asked = [_asked(line, kinds) for line in record.asked]
    planned.start_ms = None if record.start_ms is None else _within(record.start_ms, MOST_MS)
    planned.start_fault = storable(record.start_fault)
    planned.memory_mb, planned.cpu_s = _within(record.memory_mb, MOST_MB), _within(record.cpu_s, MOST_S)
    planned.stderr_bytes = int(_within(record.stderr_bytes, MOST_BYTES))
    planned.is_cut = record.is_cut
    if record.code is not None or record.signal is not None:
        code, signal = (int(_within(number or 0, 255)) for number in (record.code, record.signal))
        planned.end = Exit(code, signal or None, planned.cpu_s, 0)
    return planned


def _asked(line: list[Any], kinds: Collection[str]) -> Asked:
    match line:
        case [str(kind), float() | int() as ms, bool(after)] if kind in kinds:
            return Asked(kind, _within(ms, MOST_MS), None, "", "", after)
        case [str(kind), float() | int() as ms, bool(after), str(fault), str(detail)] if kind in kinds:
            if fault in FAULTS:
                return Asked(kind, _within(ms, MOST_MS), None, fault, storable(detail), after)
    raise RecordError(f"no question with its answer: {show(line, 200)}")


def _within(value: float, most: float) -> float:
    if not 0 <= value <= most:  # no comparison holds of a NaN
        raise RecordError(f"{show(value, 40)} is not from 0 to {most:,.0f}")
    return value


def storable(text: str) -> str:
    """Such as a message and PostgreSQL take."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()[:LONGEST]
