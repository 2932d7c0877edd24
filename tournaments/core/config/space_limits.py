"""What the ladder of a space asks of the workers, lowered to the maxima that the operator sets for all spaces.

The tables load this, so it reads the numbers from the settings, which `space_budgets` declares.
"""

from collections.abc import Mapping
from typing import Final

from django.conf import settings

ANSWERS: Final = 1000  # more than a seat gives in one match; each may add an increment
LEAST_BANK_MS: Final = 100


def within_maxima(asked: Mapping[str, int], seats: int) -> dict[str, int]:
    """Return the settings of a space's ladder, each lowered to its maximum; the clocks of all seats to that of a
    match."""
    maxima = settings.SPACE_MAXIMA
    lowered = {name: min(value, maxima.get(name, value)) for name, value in asked.items()}
    seat_ms = maxima["match_ms"] // seats
    left_ms = max(seat_ms - lowered["start_ms"], LEAST_BANK_MS)
    bank_ms = min(lowered["bank_ms"], left_ms)
    increment_ms = min(lowered["increment_ms"], (left_ms - bank_ms) // ANSWERS)
    return {**lowered, "bank_ms": bank_ms, "increment_ms": increment_ms}
