"""What players give, trade, use and say: all of it may go with any answer, or lies on the table in a trade window."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from engine.core import Seat
from engine.games.shangzhou.pieces import LETTERS, Template
from engine.records import Record, show
from engine.sentences import Sentence, list_sentence

Tool = Literal["hacker", "virus"]
TOO_MANY = {
    "clout": "%(wanted)s clout; there are 0 to %(there)s to give",
    "hackers": "%(wanted)s hackers; there are 0 to %(there)s to give",
    "viruses": "%(wanted)s viruses; there are 0 to %(there)s to give",
}


@dataclass(slots=True, kw_only=True)
class Goods(Record):
    """Clout, Hackers, Viruses, and templates not yet placed."""

    clout: int = 0
    hackers: int = 0
    viruses: int = 0
    templates: list[Template] = field(default_factory=list)

    def lacks(self, other: "Goods") -> Sentence | None:
        """Return the reason why these do not hold `other`, or None."""
        for name in ("clout", "hackers", "viruses"):
            number, available = getattr(other, name), getattr(self, name)
            if not 0 <= number <= available:
                return Sentence(TOO_MANY[name], wanted=number, there=available)
        for template in other.templates:
            if other.templates.count(template) > self.templates.count(template):
                held = list_sentence(self.templates, Sentence("none"))
                return Sentence("the template %(template)s; there are %(listed)s", template=template, listed=held)
        return None

    def without(self, other: "Goods") -> "Goods":
        templates = self.templates.copy()
        for template in other.templates:
            templates.remove(template)
        return Goods(
            clout=self.clout - other.clout,
            hackers=self.hackers - other.hackers,
            viruses=self.viruses - other.viruses,
            templates=templates,
        )


@dataclass(slots=True, kw_only=True)
class Gift(Goods):
    """What is handed over to the seat `to`."""

    to: Seat


@dataclass(slots=True)
class Use(Record):
    """A Hacker or a Virus is used on `sector`."""

    tile: Tool
    sector: int


@dataclass(slots=True)
class Message(Record):
    """Words that bind nobody, to one seat or, with null, to all."""

    text: str
    to: Seat | None = None

    def error(self) -> Sentence | None:
        if not 1 <= len(self.text) <= LETTERS or not self.text.isascii() or not self.text.isprintable():
            sentence = "says %(given)s; a text is 1 to %(most)s printable ASCII characters"
            return Sentence(sentence, given=show(self.text), most=LETTERS)
        return None


@dataclass(slots=True)
class Offer(Record):
    """In a trade window: `give` for `want`, to the seat `to`."""

    to: Seat
    give: Goods
    want: Goods


@dataclass(slots=True)
class Proposal(Offer):
    """An offer on the table, by its number and who made it."""

    id: int
    by: Seat


@dataclass(slots=True)
class Sorted(Record):
    """Gifts that can be given, why the others cannot, and what is left in the hand."""

    tag: ClassVar[str] = ""
    given: list[Gift]
    refused: list[Sentence]
    left: Goods


def sort_gifts(hand: Goods, to: Sequence[Seat], keep: int, gifts: Sequence[Gift]) -> Sorted:
    """Accept gifts in the order given: one to each seat of `to`, from `hand`, of whose templates `keep` must stay."""
    out = Sorted([], [], hand)
    for gift in gifts:
        if reason := _gift_error(out, to, keep, gift):
            out.refused.append(Sentence("gives %(reason)s", reason=reason))
        else:
            out.given.append(gift)
            out.left = out.left.without(gift)
    return out


def _gift_error(so_far: Sorted, to: Sequence[Seat], keep: int, gift: Gift) -> Sentence | None:
    if gift.to not in to:
        seats = list_sentence(to, Sentence("nobody"))
        return Sentence("to seat %(seat)s; gifts may go to %(listed)s", seat=gift.to, listed=seats)
    if any(gift.to == other.to for other in so_far.given):
        return Sentence("to seat %(seat)s twice; one gift for each seat may go with an answer", seat=gift.to)
    if reason := so_far.left.lacks(gift):
        return reason
    number, held = len(gift.templates), len(so_far.left.templates)
    if number and held - number < keep:
        sentence = "%(number)s of %(held)s templates; it must keep %(keep)s to place"
        return Sentence(sentence, number=number, held=held, keep=keep)
    return None
