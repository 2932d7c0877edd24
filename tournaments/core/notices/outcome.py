from dataclasses import dataclass

SHOWN = 200  # characters of the answer that are stored
STRANGE = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """The outcome of a try; `says` is the answer of the other side. With `final` it is not retried."""

    says: str
    arrived: bool = False
    final: bool = False

    @property
    def shown(self) -> str:
        """The answer made safe to store and show: it may hold anything, a NUL or signs that reverse a line."""
        return "".join(sign if sign.isprintable() else STRANGE for sign in self.says[:SHOWN])
