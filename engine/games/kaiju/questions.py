"""What Kaiju Incorporated asks, and what may be answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.core import Question, Seat
from engine.dice import Dice
from engine.games.kaiju.pieces import COST, SUITS, Suit
from engine.records import Record, show
from engine.sentences import Sentence, list_sentence


def choice_fault(sentence: str, given: object, legal: Sequence[object]) -> Sentence | None:
    """Return why `given` may not be chosen, or None."""
    if given in legal:
        return None
    return Sentence(sentence, given=show(given), listed=list_sentence(legal, Sentence("nothing")))


# --- a go ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Build(Record):
    """Pay for `card` of the row: add the Building to your tableau, or carry out the Special Action."""

    tag: ClassVar[str] = "build"
    card: str


@dataclass(slots=True)
class Income(Record):
    """Discard `card` of the row for income of its suit."""

    tag: ClassVar[str] = "income"
    card: str


@dataclass(slots=True)
class Rebuild(Record):
    """The Special Case: discard all your Buildings, have 11¥, and buy `card` of the row at once."""

    tag: ClassVar[str] = "rebuild"
    card: str


@dataclass(slots=True)
class ToTurn(Question[Record]):
    """Take income with any card of `row`, build one of `build`, which `bank` can pay for, or rebuild with `rebuild`."""

    tag: ClassVar[str] = "turn"
    answers: ClassVar[object] = Build | Income | Rebuild
    row: list[str]
    build: list[str]
    rebuild: list[str]
    bank: int

    def error(self, action: Record) -> Sentence | None:
        match action:
            case Income(card):
                return choice_fault("takes income with %(given)s; to choose from: %(listed)s", card, self.row)
            case Build(card):
                return self._bad_build(card)
            case Rebuild(card):
                return choice_fault("rebuilds with %(given)s; to choose from: %(listed)s", card, self.rebuild)
        return Sentence("answers %(kind)s; build, income or rebuild", kind=type(action).__name__)

    def _bad_build(self, card: str) -> Sentence | None:
        if card in self.build:
            return None
        if card in self.row:
            sentence = "builds %(card)s for %(cost)s¥; the bank holds %(bank)s¥"
            return Sentence(sentence, card=card, cost=COST[card], bank=self.bank)
        return choice_fault("builds %(given)s; to choose from: %(listed)s", card, self.row)

    def default(self) -> Record:
        """Return income with the leftmost card."""
        return Income(self.row[0])

    def draw(self, dice: Dice) -> Record:
        chosen = dice.below(len(self.row) + len(self.build) + len(self.rebuild))
        if chosen < len(self.row):
            return Income(self.row[chosen])
        chosen -= len(self.row)
        return (
            Build(self.build[chosen]) if chosen < len(self.build) else Rebuild(self.rebuild[chosen - len(self.build)])
        )


# --- New Products and attacks --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Take(Record):
    """Take the New Product `card`."""

    tag: ClassVar[str] = "product"
    card: str


@dataclass(slots=True)
class ToTake(Question[Take]):
    """Take one of the face-up `cards`; `left` are still due, this one included."""

    tag: ClassVar[str] = "product"
    answers: ClassVar[object] = Take
    cards: list[str]
    left: int

    def error(self, action: Take) -> Sentence | None:
        return choice_fault("takes %(given)s; to choose from: %(listed)s", action.card, self.cards)

    def default(self) -> Take:
        return Take(self.cards[0])

    def draw(self, dice: Dice) -> Take:
        return Take(dice.pick(self.cards))


@dataclass(slots=True)
class Sacrifice(Record):
    """Lose the Building `card`."""

    tag: ClassVar[str] = "sacrifice"
    card: str


@dataclass(slots=True)
class ToSacrifice(Question[Sacrifice]):
    """The attack of `kaiju` takes one of these Buildings; they lie in the order of the tableau."""

    tag: ClassVar[str] = "sacrifice"
    answers: ClassVar[object] = Sacrifice
    kaiju: str
    cards: list[str]

    def error(self, action: Sacrifice) -> Sentence | None:
        return choice_fault("loses %(given)s; to choose from: %(listed)s", action.card, self.cards)

    def default(self) -> Sacrifice:
        """The cheapest, the leftmost of those."""
        return Sacrifice(min(self.cards, key=COST.__getitem__))

    def draw(self, dice: Dice) -> Sacrifice:
        return Sacrifice(dice.pick(self.cards))


# --- Special Actions -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Prefab(Record):
    """Build `card` of those revealed, at 3¥ less; null for none."""

    tag: ClassVar[str] = "prefab"
    card: str | None


@dataclass(slots=True)
class ToPrefab(Question[Prefab]):
    """Build one of `cards`, which are those of `revealed` that the bank can pay for at 3¥ less, or none."""

    tag: ClassVar[str] = "prefab"
    answers: ClassVar[object] = Prefab
    cards: list[str]
    revealed: list[str]

    def error(self, action: Prefab) -> Sentence | None:
        return choice_fault("builds %(given)s; to choose from: %(listed)s", action.card, [*self.cards, None])

    def default(self) -> Prefab:
        return Prefab(None)

    def draw(self, dice: Dice) -> Prefab:
        return Prefab(dice.pick([*self.cards, None]))


@dataclass(slots=True)
class Insure(Record):
    """Discard your Building `card` for its cost and 2¥; null for none."""

    tag: ClassVar[str] = "insure"
    card: str | None


@dataclass(slots=True)
class ToInsure(Question[Insure]):
    """Discard one of `cards`, your Buildings, or none."""

    tag: ClassVar[str] = "insure"
    answers: ClassVar[object] = Insure
    cards: list[str]

    def error(self, action: Insure) -> Sentence | None:
        return choice_fault("discards %(given)s; to choose from: %(listed)s", action.card, [*self.cards, None])

    def default(self) -> Insure:
        return Insure(None)

    def draw(self, dice: Dice) -> Insure:
        return Insure(dice.pick([*self.cards, None]))


@dataclass(slots=True)
class ChooseSuit(Record):
    """Take income of `suit`."""

    tag: ClassVar[str] = "suit"
    suit: Suit


@dataclass(slots=True)
class ToChooseSuit(Question[ChooseSuit]):
    """Name one of the three suits."""

    tag: ClassVar[str] = "suit"
    answers: ClassVar[object] = ChooseSuit

    def error(self, action: ChooseSuit) -> Sentence | None:
        return choice_fault("names %(given)s; to choose from: %(listed)s", action.suit, SUITS)

    def default(self) -> ChooseSuit:
        return ChooseSuit(SUITS[0])

    def draw(self, dice: Dice) -> ChooseSuit:
        return ChooseSuit(dice.pick(SUITS))


@dataclass(slots=True)
class ChooseRival(Record):
    """Turn the Special Action on the player of `seat`."""

    tag: ClassVar[str] = "rival"
    seat: Seat


@dataclass(slots=True)
class ToChooseRival(Question[ChooseRival]):
    """Name one of `seats`, clockwise from your left, for the Special Action `special`."""

    tag: ClassVar[str] = "rival"
    answers: ClassVar[object] = ChooseRival
    special: str
    seats: list[Seat]

    def error(self, action: ChooseRival) -> Sentence | None:
        return choice_fault("names seat %(given)s; to choose from: %(listed)s", action.seat, self.seats)

    def default(self) -> ChooseRival:
        return ChooseRival(self.seats[0])

    def draw(self, dice: Dice) -> ChooseRival:
        return ChooseRival(dice.pick(self.seats))


@dataclass(slots=True)
class TakeOver(Record):
    """Move the Building `card` of `seat` to your tableau."""

    tag: ClassVar[str] = "takeover"
    seat: Seat
    card: str


@dataclass(slots=True)
class ToTakeOver(Question[TakeOver]):
    """Take over one of `targets`, clockwise from your left, each in the order of the tableau."""

    tag: ClassVar[str] = "takeover"
    answers: ClassVar[object] = TakeOver
    targets: list[TakeOver]

    def error(self, action: TakeOver) -> Sentence | None:
        if action in self.targets:
            return None
        legal = [Sentence("%(card)s of seat %(seat)s", card=target.card, seat=target.seat) for target in self.targets]
        return Sentence(
            "takes over %(given)s of seat %(seat)s; to choose from: %(listed)s",
            given=show(action.card),
            seat=action.seat,
            listed=list_sentence(legal, Sentence("nothing")),
        )

    def default(self) -> TakeOver:
        return self.targets[0]

    def draw(self, dice: Dice) -> TakeOver:
        return dice.pick(self.targets)
