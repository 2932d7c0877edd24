"""Talk: statements of fact, which must be true, and words that bind nobody."""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from engine.core import Seat
from engine.dice import Dice
from engine.games.gigabucks.pieces import LETTERS, MESSAGES, SAYINGS
from engine.games.gigabucks.position import Position
from engine.records import Record, show
from engine.sentences import Sentence

What = Literal["cash", "owner", "lines", "turn", "position"]
LIMITED: Final = "says %(given)s; a text is 1 to %(most)s printable ASCII characters"
WHATS: Final[tuple[What, ...]] = ("cash", "owner", "lines", "turn", "position")


@dataclass(slots=True)
class Fact(Record):
    """A statement on the game: `what` of the seat or space `of` is `value`.

    Whose turn it is, is `turn`, and then `of` says nothing. An owner may be null, and the space of a token.
    """

    tag: ClassVar[str] = "fact"
    to: Seat | None  # whom it addresses; all hear it
    what: What
    of: int
    value: int | None


@dataclass(slots=True)
class Say(Record):
    """Words that bind nobody."""

    tag: ClassVar[str] = "say"
    to: Seat | None  # whom it addresses; all hear it
    kind: Literal["intent", "suggest", "deal"]
    text: str

    def error(self) -> Sentence | None:
        if not 1 <= len(self.text) <= LETTERS or not self.text.isascii() or not self.text.isprintable():
            return Sentence(LIMITED, given=show(self.text), most=LETTERS)
        return None


def allowed(position: Position, seat: Seat) -> int:
    """Return how many messages may go with the seat's next answer."""
    return 0 if position.options.talk == "off" else min(MESSAGES, SAYINGS - position.said[seat])


def is_sound(position: Position, message: Fact | Say) -> bool:
    """Return whether it addresses a seat or all, and, stating a fact, is true."""
    if message.to is not None and not 0 <= message.to < position.options.players:
        return False
    return isinstance(message, Say) or is_so(position, message)


def is_so(position: Position, fact: Fact) -> bool:
    if fact.what == "turn":
        return fact.value == position.current
    facts: list[int] | list[int | None] = getattr(position, PLACES[fact.what])
    return 0 <= fact.of < len(facts) and facts[fact.of] == fact.value


PLACES = {"cash": "cash", "owner": "owner", "lines": "lines", "position": "tokens"}


def draw_message(dice: Dice) -> Fact | Say:
    """Return a message at random; few facts among them are true."""
    if dice.below(4) == 0:
        return Say(None, dice.pick(("intent", "suggest", "deal")), "listen")
    value = dice.below(9) if dice.below(2) else None
    return Fact(dice.below(3) or None, dice.pick(WHATS), dice.below(12), value)
