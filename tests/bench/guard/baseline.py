"""The kept ratios of every bench, and which of today's are worse: ratios to what ran beside it, never seconds.

`baseline.json` is written by `manage.py bench --keep` and read by `--compare`. What it says is information: machines
and hours differ, so nothing fails by it.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.bench import Row

FILE: Final = Path(__file__).parents[1] / "baseline.json"
WORSE: Final = 1.25  # a ratio so many times as bad as the kept one stands out from the noise of most
Kept = dict[str, dict[str, float]]  # by bench, and by row, the ratio


def key(row: Row) -> str:
    """Return what names a row among those of its bench."""
    return f"{row.name} / {row.peer_name}"


def read() -> Kept:
    kept: Kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    return kept


def keep(measured: Mapping[str, Sequence[Row]]) -> None:
    """Write these benches anew, the others as they were."""
    kept = read() | {bench: {key(row): float(f"{row.ratio:.4g}") for row in rows} for bench, rows in measured.items()}
    FILE.write_text(json.dumps(kept, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def compared(measured: Mapping[str, Sequence[Row]]) -> list[str]:
    """A line for each row of each bench: its ratio, the kept one, and whether it is worse."""
    kept = read()
    return [line for bench, rows in measured.items() for line in ("", *_beside(bench, rows, kept.get(bench, {})))]


def _beside(bench: str, rows: Sequence[Row], before: Mapping[str, float]) -> list[str]:
    gone = sorted(set(before) - set(map(key, rows)))
    lines = [_line(row, before.get(key(row))) for row in rows]
    return [f"{bench}, beside what was kept:", *lines, *(f"  gone: {name}" for name in gone)]


def _line(row: Row, before: float | None) -> str:
    if before is None:
        return f"  new: {key(row)}: {row.ratio:.3g}x"
    verdict = "  WORSE" if _times_as_bad(row, before) > WORSE else ""
    return f"  {key(row)}: {row.ratio:.3g}x, kept {before:.3g}x{verdict}"


def _times_as_bad(row: Row, before: float) -> float:
    """Compare by the row's aim: more is worse where it says `<=`, less where it says `>=`; 1 where it has none."""
    if not row.aim or not row.ratio or not before:
        return 1.0
    return row.ratio / before if row.aim.startswith("<=") else before / row.ratio
