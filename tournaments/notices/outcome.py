from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a try went; `says` is what the other side answered. With `final` it is not tried again."""

    says: str
    arrived: bool = False
    final: bool = False
