"""The parameters of a bot that is tuned: numbers within bounds, which it reads from its environment."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bots.command.errors import KitError
from bots.sdk import PARAMETER

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
WHOLE: Final = re.compile(r"[+-]?\d{1,15}")
MOST: Final = 20  # parameters that matches at home can tell anything about
Point = Sequence[float]  # a place between the bounds: for each parameter a part, from 0 to 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """`is_whole`: the bounds were typed as whole numbers, so that its values are such."""

    name: str
    low: float
    high: float
    start: float
    is_whole: bool

    def value(self, part: float) -> float:
        number = self.low + min(1.0, max(0.0, part)) * (self.high - self.low)
        return float(round(number)) if self.is_whole else float(f"{number:.6g}")

    @property
    def first(self) -> float:
        """Return where the start is between the bounds, from 0 to 1."""
        return (self.start - self.low) / (self.high - self.low)

    @property
    def least(self) -> float:
        """The part that makes a difference."""
        return 0.51 / (self.high - self.low) if self.is_whole else 0.0


def read_parameter(text: str) -> Parameter:
    """`NAME=LOW:HIGH` or `NAME=LOW:START:HIGH`. Raises KitError."""
    name, _, bounds = text.partition("=")
    parts = bounds.split(":")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if not NAME.fullmatch(name) or len(numbers) not in (2, 3) or not all(map(math.isfinite, numbers)):
        message = "write NAME=LOW:HIGH or NAME=LOW:START:HIGH, with a name of letters, digits and _"
        raise KitError("bad_parameter", f"--param {text!r:.80}: {message}")
    low, high = numbers[0], numbers[-1]
    is_whole = all(WHOLE.fullmatch(part.strip()) for part in parts)
    start = numbers[1] if len(numbers) == 3 else round((low + high) / 2) if is_whole else (low + high) / 2
    if not low <= start <= high or low == high:
        raise KitError("bad_parameter", f"--param {text!r:.80}: LOW must be below HIGH, and START between them")
    return Parameter(name, low, high, float(start), is_whole)


def read_parameters(texts: Sequence[str]) -> list[Parameter]:
    """Raises KitError."""
    parameters = [read_parameter(text) for text in texts]
    names = [parameter.name for parameter in parameters]
    if not 1 <= len(parameters) <= MOST or len({*names}) < len(names):
        raise KitError("bad_parameter", f"name from 1 to {MOST} parameters by --param, each once")
    return parameters


def values(parameters: Sequence[Parameter], point: Point) -> dict[str, float]:
    return {parameter.name: parameter.value(part) for parameter, part in zip(parameters, point, strict=True)}


def variables(parameters: Sequence[Parameter], point: Point) -> Mapping[str, str]:
    """Return what a bot is to read in its environment."""
    return {f"{PARAMETER}{name}": number_text(value) for name, value in values(parameters, point).items()}


def number_text(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
