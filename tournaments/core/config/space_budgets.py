"""The maxima that the operator sets for what the ladder of a space may ask of the workers."""

from collections.abc import Mapping
from typing import Final

from tournaments.core.config.budgets import Budget, declare

SAID: Final = "In a space it is at most %(most)s; the operator of the site may allow more."


def _most(name: str, most: int, what: str, unit: str) -> Budget:
    return declare(
        Budget(
            what,
            resource="Matches",
            most=most,
            unit=unit,
            holder="ladder of a space",
            where="tournaments.core.config.space_budgets.maxima",
            sentence=SAID,
            setting=f"SPACE_{name.upper()}",
        )
    )


MEMORY_MB = _most("memory_mb", 2048, "memory of a bot", "MB")
THREADS = _most("threads", 32, "threads of a bot", "threads")
OPEN_FILES = _most("open_files", 256, "open files of a bot", "files")
FILES_MB = _most("files_mb", 64, "the largest file of a bot", "MB")
TEMP_MB = _most("temp_mb", 64, "temporary folder of a bot", "MB")
OUTPUT_KB = _most("output_kb", 4096, "output of a bot in a match", "KB")
ANSWER_MS = _most("answer_ms", 10_000, "clock for one answer", "ms")
BANK_MS = _most("bank_ms", 180_000, "clock of a bot in a match", "ms")
START_MS = _most("start_ms", 20_000, "clock for the start", "ms")
INCREMENT_MS = _most("increment_ms", 1_000, "increment for one answer", "ms")
MATCH_MS = _most("match_ms", 900_000, "clocks of all bots of a match together", "ms")


def maxima() -> Mapping[str, int]:
    """Return them by the settings of a ladder; `match_ms` is for the clocks of all bots of a match together."""
    bot = {"memory_mb": MEMORY_MB, "threads": THREADS, "open_files": OPEN_FILES, "output_kb": OUTPUT_KB}
    files = {"files_mb": FILES_MB, "temp_mb": TEMP_MB}
    clock = {"answer_ms": ANSWER_MS, "bank_ms": BANK_MS, "start_ms": START_MS, "increment_ms": INCREMENT_MS}
    return {name: budget.most for name, budget in (bot | files | clock | {"match_ms": MATCH_MS}).items()}
