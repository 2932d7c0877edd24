"""What is asked in Corporate Gigabucks, and what may be answered.

Any answer may announce a resignation and, where talk is on, carry messages.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from engine.core import Question
from engine.dice import Dice
from engine.games.gigabucks.pieces import BUNDLES, NAMED
from engine.games.gigabucks.position import Bundle
from engine.games.gigabucks.talk import Fact, Say, draw_message
from engine.records import Record, show
from engine.sentences import Sentence, list_sentence

# --- actions -------------------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class Action(Record):
    """What every answer may say besides."""

    resign: bool = False  # leave the game when this turn ends
    talk: list[Fact | Say] = field(default_factory=list)

    @property
    def counts(self) -> int:
        """The number of decisions it counts as: an answer that names many corporations takes more room in a replay."""
        return 1


@dataclass(slots=True)
class Place(Action):
    """Put the token on `space`."""

    tag: ClassVar[str] = "place"
    space: int


@dataclass(slots=True)
class Bid(Action):
    """Bid `amount`; 0 passes."""

    tag: ClassVar[str] = "bid"
    amount: int


@dataclass(slots=True)
class Lines(Action):
    """Buy product lines: how many for which corporation."""

    tag: ClassVar[str] = "lines"
    add: dict[str, int]

    @property
    def counts(self) -> int:
        return max(1, len(self.add))


@dataclass(slots=True)
class Offer(Action):
    """Offer the bundles of `menu` for sale, one of them; an empty menu offers nothing."""

    tag: ClassVar[str] = "offer"
    menu: list[Bundle]

    @property
    def counts(self) -> int:
        return max(1, sum(len(bundle.corps) for bundle in self.menu))


@dataclass(slots=True)
class Cut(Action):
    """Offer again, every minimum lower `by` so much; 0 does not."""

    tag: ClassVar[str] = "cut"
    by: int


@dataclass(slots=True)
class Pick(Action):
    """Take the corporation `corp`."""

    tag: ClassVar[str] = "pick"
    corp: int


@dataclass(slots=True)
class Choose(Action):
    """Take the bundle numbered `bundle` in the menu, from 0."""

    tag: ClassVar[str] = "choose"
    bundle: int


# --- questions -----------------------------------------------------------------------------------------------------

A = TypeVar("A", bound=Action)


@dataclass(slots=True, kw_only=True)
class Asked(Question[A]):
    """A question whose answer may carry up to `talk` messages."""

    talk: int = 0

    def error(self, action: A) -> Sentence | None:
        return self.refusal(action) or (self._talk_error(action) if action.talk else None)

    def refusal(self, action: A) -> Sentence | None:
        """Return why `action` is not legal, whatever is said besides."""
        raise NotImplementedError

    def _talk_error(self, action: A) -> Sentence | None:
        if len(action.talk) > self.talk:
            sentence = "sends %(number)s messages; %(most)s may go with this answer"
            return Sentence(sentence, number=len(action.talk), most=self.talk)
        return next(
            (reason for message in action.talk if isinstance(message, Say) and (reason := message.error())), None
        )

    @property
    def forced(self) -> bool:
        """Whether only one answer is legal: then it is not asked."""
        return False

    def stand_in(self) -> A:
        """A seat that has forfeited resigns."""
        action = self.default()
        action.resign = True
        return action

    def draw(self, dice: Dice) -> A:
        """Now and then it resigns, and with talk on it talks."""
        action = self.drawn(dice)
        chance = dice.below(1024)
        action.resign = chance == 0
        if self.talk and chance & 7 == 1:
            action.talk = [draw_message(dice) for _ in range(1 + dice.below(self.talk))]
        return action

    def drawn(self, dice: Dice) -> A:
        raise NotImplementedError


@dataclass(slots=True)
class ToPlace(Asked[Place]):
    """Put your token on one of `spaces`."""

    tag: ClassVar[str] = "place"
    answers: ClassVar[object] = Place
    spaces: list[int]

    def refusal(self, action: Place) -> Sentence | None:
        if action.space in self.spaces:
            return None
        sentence = "goes to space %(space)s; open to it are %(listed)s"
        return Sentence(sentence, space=action.space, listed=_listed(self.spaces))

    @property
    def forced(self) -> bool:
        return len(self.spaces) == 1

    def default(self) -> Place:
        return Place(self.spaces[0])

    def drawn(self, dice: Dice) -> Place:
        return Place(dice.pick(self.spaces))


@dataclass(slots=True)
class ToBid(Asked[Bid]):
    """Bid a multiple of `step` from `low` to `high`, which are such multiples, or pass with 0."""

    tag: ClassVar[str] = "bid"
    answers: ClassVar[object] = Bid
    low: int
    high: int
    step: int

    def refusal(self, action: Bid) -> Sentence | None:
        amount = action.amount
        if amount == 0 or (self.low <= amount <= self.high and amount % self.step == 0):
            return None
        sentence = "bids %(amount)s; a bid is %(low)s to %(high)s here, or 0 to pass"
        if self.step > 1:
            sentence = "bids %(amount)s; a bid is %(low)s to %(high)s in steps of %(step)s here, or 0 to pass"
        return Sentence(sentence, amount=amount, low=self.low, high=self.high, step=self.step)

    def default(self) -> Bid:
        return Bid(0)

    def drawn(self, dice: Dice) -> Bid:
        """A pass as often as a bid, and a low bid rather than a high one."""
        if dice.below(2):
            return Bid(0)
        above = dice.below(1 + dice.below(1 + dice.below(1 + (self.high - self.low) // self.step)))
        return Bid(self.low + above * self.step)


@dataclass(slots=True)
class ToBuyLines(Asked[Lines]):
    """Buy 1 to `most` product lines at `price` each for corporations of `corps`, which are yours."""

    tag: ClassVar[str] = "lines"
    answers: ClassVar[object] = Lines
    corps: list[int]
    most: int
    price: int

    def refusal(self, action: Lines) -> Sentence | None:
        owned = set(map(str, self.corps))
        if stray := [corp for corp in action.add if corp not in owned]:
            return Sentence(
                "adds lines to %(given)s; it owns %(listed)s", given=show(stray[0]), listed=_listed(self.corps)
            )
        if too_few := [corp for corp, number in action.add.items() if number < 1]:
            number = action.add[too_few[0]]
            return Sentence("adds %(number)s lines to %(corp)s; it must be 1 or more", number=number, corp=too_few[0])
        total = sum(action.add.values())
        if not 1 <= total <= self.most:
            sentence = "buys %(total)s lines; at %(price)s each it must buy 1 to %(most)s"
            return Sentence(sentence, total=total, price=self.price, most=self.most)
        return None

    @property
    def forced(self) -> bool:
        return self.most == len(self.corps) == 1

    def default(self) -> Lines:
        """Return one line: the bid binds."""
        return Lines({str(self.corps[0]): 1})

    def drawn(self, dice: Dice) -> Lines:
        left, add = 1 + dice.below(self.most), dict[str, int]()
        corps = self.corps.copy()
        dice.shuffle(corps)
        for corp in corps[1:]:
            if part := dice.below(left):
                add[str(corp)] = part
                left -= part
        return Lines({str(corps[0]): left, **add})


@dataclass(slots=True)
class ToOffer(Asked[Offer]):
    """Offer some of `corps`, which are yours, for sale, or nothing."""

    tag: ClassVar[str] = "offer"
    answers: ClassVar[object] = Offer
    corps: list[int]

    def refusal(self, action: Offer) -> Sentence | None:
        if len(action.menu) > BUNDLES:
            return Sentence(
                "offers %(number)s bundles; a menu has at most %(most)s", number=len(action.menu), most=BUNDLES
            )
        if (named := sum(len(bundle.corps) for bundle in action.menu)) > NAMED:
            sentence = (
                "names %(number)s corporations in its menu; at most %(most)s may be named in all bundles together"
            )
            return Sentence(sentence, number=named, most=NAMED)
        return next(self._refusals(action.menu), None)

    def _refusals(self, menu: list[Bundle]) -> Iterator[Sentence]:
        for bundle in menu:
            if bundle.least < 1:
                yield Sentence("asks for %(least)s or more; a minimum is 1 or more", least=bundle.least)
            if len(set(bundle.corps)) < max(1, len(bundle.corps)):
                sentence = "offers the bundle %(listed)s; a bundle holds one or more corporations, each once"
                yield Sentence(sentence, listed=_listed(bundle.corps))
            if stray := [corp for corp in bundle.corps if corp not in self.corps]:
                yield Sentence("offers %(corp)s; it owns %(listed)s", corp=stray[0], listed=_listed(self.corps))

    def default(self) -> Offer:
        return Offer([])

    def drawn(self, dice: Dice) -> Offer:
        """Mostly nothing, or one to three bundles of one or two corporations."""
        if dice.below(4):
            return Offer([])
        menu = []
        for _ in range(1 + dice.below(3)):
            corps = sorted({dice.pick(self.corps), dice.pick(self.corps)})
            menu.append(Bundle(corps, 1 + dice.below(24)))
        return Offer(menu)


@dataclass(slots=True)
class ToCut(Asked[Cut]):
    """Nobody met the minimum: offer again with every minimum lower by `low` to `high`, or let it be with 0."""

    tag: ClassVar[str] = "cut"
    answers: ClassVar[object] = Cut
    low: int
    high: int

    def refusal(self, action: Cut) -> Sentence | None:
        if action.by == 0 or self.low <= action.by <= self.high:
            return None
        sentence = "lowers the minimum by %(by)s; it may by %(low)s to %(high)s, or 0 for no second offer"
        return Sentence(sentence, by=action.by, low=self.low, high=self.high)

    def default(self) -> Cut:
        return Cut(0)

    def drawn(self, dice: Dice) -> Cut:
        return Cut(dice.below(2) and self.low + dice.below(self.high - self.low + 1))


@dataclass(slots=True)
class ToPick(Asked[Pick]):
    """Take one of `corps`, the debtor's corporations, those with most product lines first."""

    tag: ClassVar[str] = "pick"
    answers: ClassVar[object] = Pick
    corps: list[int]

    def refusal(self, action: Pick) -> Sentence | None:
        if action.corp in self.corps:
            return None
        corps = _listed(sorted(self.corps))
        return Sentence("picks %(corp)s; for sale are %(listed)s", corp=action.corp, listed=corps)

    @property
    def forced(self) -> bool:
        return len(self.corps) == 1

    def default(self) -> Pick:
        return Pick(self.corps[0])

    def drawn(self, dice: Dice) -> Pick:
        return Pick(dice.pick(self.corps))


@dataclass(slots=True)
class ToChoose(Asked[Choose]):
    """Take one of `bundles`: the numbers, in the menu, of those that the winning bid is enough for."""

    tag: ClassVar[str] = "choose"
    answers: ClassVar[object] = Choose
    bundles: list[int]

    def refusal(self, action: Choose) -> Sentence | None:
        if action.bundle in self.bundles:
            return None
        sentence = "chooses bundle %(bundle)s; the bid is enough for %(listed)s"
        return Sentence(sentence, bundle=action.bundle, listed=_listed(self.bundles))

    @property
    def forced(self) -> bool:
        return len(self.bundles) == 1

    def default(self) -> Choose:
        return Choose(self.bundles[0])

    def drawn(self, dice: Dice) -> Choose:
        return Choose(dice.pick(self.bundles))


def _listed(numbers: list[int]) -> Sentence:
    return list_sentence(numbers, Sentence("none"))
