"""The value by which luck is told: how many millionths of a share each feature of a position is worth to a seat.

It is fitted on matches that are over and fixed before those that it judges: its hash is published, and covers all of
it. Any value leaves results right on the average; a good one leaves less luck in them.
"""

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from engine.errors import Portable
from engine.records import Record, RecordError, canonical, from_plain, show

NOT_A_VALUE, OTHER_GAME, OTHER_FEATURES, WRONG_HASH = "not_a_luck_value", "other_game", "other_features", "wrong_hash"
MILLION: Final = 1_000_000  # a share of 1, in the unit of weights
WHOLE: Final = 1000  # all of the luck, in the unit of coefficients
FEATURES_AT_MOST, WEIGHT_AT_MOST = 100, 1_000_000_000


class LuckError(Portable):
    """Why luck cannot be told. `code` is stable: not_a_luck_value, other_game, other_features, wrong_hash, no_luck,
    too_long."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


@dataclass(slots=True, frozen=True)
class LuckValue(Record):
    """Weights of the features, in their order, and how many thousandths of the luck are taken out of a share."""

    name: str
    game: str
    features: list[str]
    weights: list[int]
    coefficient: int = WHOLE
    hash: str = ""
    boardroom_luck_value: int = 1


def luck_value_hash(value: LuckValue) -> str:
    """Return the BLAKE2b-256 (hex) of the canonical JSON of all but the hash."""
    return blake2b(canonical(replace(value, hash="")).encode(), digest_size=32).hexdigest()


def with_hash(value: LuckValue) -> LuckValue:
    """Return the value with its hash."""
    return replace(value, hash=luck_value_hash(value))


def read_value(data: object) -> LuckValue:
    """Return a value from plain data. Raises LuckError: not_a_luck_value, wrong_hash."""
    try:
        value: LuckValue = from_plain(LuckValue, data, "value")
    except RecordError as error:
        raise LuckError(NOT_A_VALUE, f"not a value of luck: {error}") from None
    if reason := _impossible(value):
        raise LuckError(NOT_A_VALUE, f"not a value of luck: {reason}")
    if value.hash != (made := luck_value_hash(value)):
        raise LuckError(WRONG_HASH, f"the value {show(value.name)} has the hash {made}, not {show(value.hash, 80)}")
    return value


def _impossible(value: LuckValue) -> str | None:
    if value.boardroom_luck_value != 1:
        return f"value.boardroom_luck_value is {value.boardroom_luck_value}; this engine reads 1"
    if not 1 <= len(value.features) <= FEATURES_AT_MOST or len(value.weights) != len(value.features):
        return f"it has {len(value.weights)} weights for {len(value.features)} features"
    if odd := [weight for weight in value.weights if abs(weight) > WEIGHT_AT_MOST]:
        return f"a weight is {odd[0]}; it must be from -{WEIGHT_AT_MOST} to {WEIGHT_AT_MOST}"
    if not 0 <= value.coefficient <= 2 * WHOLE:
        return f"value.coefficient is {value.coefficient}; it must be 0 to {2 * WHOLE}"
    return None
