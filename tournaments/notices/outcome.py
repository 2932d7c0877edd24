from dataclasses import dataclass

SHOWN = 200  # characters of what the other side says that are kept
STRANGE = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a try went; `says` is what the other side answered. With `final` it is not tried again."""

    says: str
    arrived: bool = False
    final: bool = False

    @property
    def shown(self) -> str:
        """What can be stored and shown: a stranger may say anything, a NUL or signs that turn a line round."""
        return "".join(sign if sign.isprintable() else STRANGE for sign in self.says[:SHOWN])
