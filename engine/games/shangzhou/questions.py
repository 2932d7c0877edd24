"""What is asked in Shangzhou-Gold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from engine.core import Question, Seat
from engine.dice import Dice
from engine.games.shangzhou.actions import (
    Accept,
    Action,
    Apply,
    Ban,
    Bid,
    Bribe,
    Engage,
    Expand,
    Home,
    Offers,
    Order,
    Pass,
    Veto,
    Wait,
)
from engine.games.shangzhou.goods import Gift, Goods, Message, Offer, Proposal, Sorted, Use, sort_gifts
from engine.games.shangzhou.pieces import DISPLAYED, MOST_PLACED, OFFERS, SECTORS, TOOLS
from engine.records import Record
from engine.seats import clockwise
from engine.sentences import Sentence, list_sentence

A = TypeVar("A", bound=Action)
TOO_MANY = {
    "gifts": "carries %(number)s gifts; %(most)s may go with this answer",
    "uses": "carries %(number)s uses; %(most)s may go with this answer",
    "messages": "carries %(number)s messages; %(most)s may go with this answer",
}
ODD_WANT = "wants templates or less than nothing; it can want Clout, Hackers and Viruses, 0 or more"


@dataclass(slots=True)
class Extras(Record):
    """What may go with the answer: gifts out of `hand` to the seats of `to`, its tiles, and so many `messages`."""

    hand: Goods
    to: list[Seat]
    messages: int


@dataclass(slots=True)
class Asked(Question[A]):
    """A question whose answer may carry more."""

    keep: ClassVar[int] = 0  # templates that cannot be given away
    besides: Extras  # so it is called in the protocol

    def error(self, action: A) -> Sentence | None:
        if action.carries:
            return self._too_much(action) or self.refusal(action, self.sorted(action.gifts).left)
        return self.refusal(action, self.besides.hand)

    def refusal(self, action: A, hand: Goods) -> Sentence | None:
        """Return why `action` is not legal with what is left in `hand`."""
        raise NotImplementedError

    def sorted(self, gifts: Sequence[Gift]) -> Sorted:
        return sort_gifts(self.besides.hand, self.besides.to, self.keep, gifts)

    def _too_much(self, action: A) -> Sentence | None:
        may = {
            "gifts": (len(action.gifts), len(self.besides.to)),
            "uses": (len(action.uses), TOOLS),
            "messages": (len(action.say), self.besides.messages),
        }
        for name, (number, most) in may.items():
            if number > most:
                return Sentence(TOO_MANY[name], number=number, most=most)
        if any(len(gift.templates) > DISPLAYED for gift in action.gifts):
            return Sentence("gives more than %(most)s templates; no more are ever held", most=DISPLAYED)
        return next((reason for message in action.say if (reason := message.error())), None)

    def draw(self, dice: Dice) -> A:
        """Now and then something goes with it, not all of which can be done."""
        action = self.drawn(dice)
        chance = dice.below(64)
        may = self.besides
        if chance < 2 and may.to:
            gift = Gift(to=dice.pick(may.to), clout=1 + dice.below(2), hackers=chance and may.hand.hackers)
            action.gifts = [gift] if self.error_with(action, gift) is None else []
        elif chance < 4 and may.messages:
            action.say = [Message("well played", dice.pick([None, *may.to]))]
        elif chance < 20 and (may.hand.hackers or may.hand.viruses):
            action.uses = [Use("hacker" if may.hand.hackers else "virus", dice.pick(SECTORS))]
        return action

    def error_with(self, action: A, gift: Gift) -> Sentence | None:
        """Return why `action` would not be legal with `gift`."""
        return self.refusal(action, self.sorted([gift]).left)

    def drawn(self, dice: Dice) -> A:
        raise NotImplementedError


@dataclass(slots=True)
class ToSettle(Asked[Home]):
    """Put your Home Node on one of `places`."""

    tag: ClassVar[str] = "home"
    answers: ClassVar[object] = Home
    places: list[int]

    def refusal(self, action: Home, hand: Goods) -> Sentence | None:  # noqa: ARG002 - nothing is paid
        if action.sector in self.places:
            return None
        sentence = "settles on %(sector)s; free places are %(listed)s"
        return Sentence(sentence, sector=action.sector, listed=_listed(self.places))

    def default(self) -> Home:
        return Home(self.places[0])

    def drawn(self, dice: Dice) -> Home:
        return Home(dice.pick(self.places))


@dataclass(slots=True)
class ToAct(Asked[Wait]):
    """Use tiles, or give last gifts. A Hacker can be used on `hackable` sectors, a Virus on `infectable` ones."""

    tag: ClassVar[str] = "window"
    answers: ClassVar[object] = Wait
    hackable: list[int]
    infectable: list[int]

    def refusal(self, action: Wait, hand: Goods) -> Sentence | None:  # noqa: ARG002 - nothing is paid
        return None

    def default(self) -> Wait:
        return Wait()

    def drawn(self, dice: Dice) -> Wait:
        """Return the use of a tile one time in two."""
        if self.hackable and dice.below(2):
            return Wait(uses=[Use("hacker", dice.pick(self.hackable))])
        if self.infectable and dice.below(2):
            return Wait(uses=[Use("virus", dice.pick(self.infectable))])
        return Wait()


@dataclass(slots=True)
class ToOversee(Asked[Bribe]):
    """Bid for oversight, from 0 to all your Clout. All that is bid is lost."""

    tag: ClassVar[str] = "oversight"
    answers: ClassVar[object] = Bribe

    def refusal(self, action: Bribe, hand: Goods) -> Sentence | None:
        if 0 <= action.amount <= hand.clout:
            return None
        return Sentence("bids %(amount)s for oversight; a bid is 0 to %(high)s", amount=action.amount, high=hand.clout)

    def default(self) -> Bribe:
        return Bribe(0)

    def drawn(self, dice: Dice) -> Bribe:
        """A low bid rather than a high one."""
        return Bribe(dice.below(1 + dice.below(1 + self.besides.hand.clout)))


@dataclass(slots=True)
class ToOffer(Asked[Offers]):
    """Make up to two offers to the seats of `to`; what you give you must have."""

    tag: ClassVar[str] = "offers"
    answers: ClassVar[object] = Offers

    def refusal(self, action: Offers, hand: Goods) -> Sentence | None:
        if len(action.offers) > OFFERS:
            return Sentence("makes %(number)s offers; %(most)s at most", number=len(action.offers), most=OFFERS)
        for offer in action.offers:
            if offer.to not in self.besides.to:
                sentence = "makes an offer to seat %(seat)s; the others are %(listed)s"
                return Sentence(sentence, seat=offer.to, listed=_listed(self.besides.to))
            if reason := hand.lacks(offer.give):
                return Sentence("offers %(reason)s", reason=reason)
            if offer.want.templates or min(offer.want.clout, offer.want.hackers, offer.want.viruses) < 0:
                return Sentence(ODD_WANT)
        return None

    def default(self) -> Offers:
        return Offers([])

    def drawn(self, dice: Dice) -> Offers:
        """Return nothing, or one offer or two of some Clout or a tile for some Clout."""
        hand = self.besides.hand
        offers = []
        for _ in range(dice.below(OFFERS + 1)):
            give = Goods(clout=dice.below(hand.clout + 1), viruses=dice.below(hand.viruses + 1))
            want = Goods(clout=1 + dice.below(3), hackers=int(dice.below(4) == 0))
            offers.append(Offer(dice.pick(self.besides.to), give, want))
        return Offers(offers)


@dataclass(slots=True)
class ToAccept(Asked[Accept]):
    """Accept any of `offers`, all made to you. In the order of their numbers they are carried out, if they can be."""

    tag: ClassVar[str] = "accept"
    answers: ClassVar[object] = Accept
    offers: list[Proposal]

    def refusal(self, action: Accept, hand: Goods) -> Sentence | None:  # noqa: ARG002 - it is seen when they are carried out
        numbers = [offer.id for offer in self.offers]
        if len(set(action.offers)) == len(action.offers) and set(action.offers) <= set(numbers):
            return None
        sentence = "accepts offers %(listed)s; to be accepted, once each, are %(others)s"
        return Sentence(sentence, listed=_listed(action.offers), others=_listed(numbers))

    def default(self) -> Accept:
        return Accept([])

    def drawn(self, dice: Dice) -> Accept:
        return Accept([offer.id for offer in self.offers if dice.below(2)])


@dataclass(slots=True)
class ToOrder(Asked[Order]):
    """Name the order of turns for this phase: all of `seats`, in any order or, with `by_seat`, clockwise from any."""

    tag: ClassVar[str] = "order"
    answers: ClassVar[object] = Order
    seats: list[Seat]
    by_seat: bool

    def refusal(self, action: Order, hand: Goods) -> Sentence | None:  # noqa: ARG002 - nothing is paid
        if sorted(action.seats) != sorted(self.seats):
            sentence = "names the order %(listed)s; it must have each of %(others)s once"
            return Sentence(sentence, listed=_listed(action.seats), others=_listed(self.seats))
        if self.by_seat and action.seats != clockwise(action.seats[0], len(self.seats)):
            first, right = action.seats[0], _listed(clockwise(action.seats[0], len(self.seats)))
            sentence = "names the order %(listed)s; from seat %(seat)s it goes %(others)s"
            return Sentence(sentence, listed=_listed(action.seats), seat=first, others=right)
        return None

    def default(self) -> Order:
        """Return the priority list, or clockwise from its first."""
        return Order(clockwise(self.seats[0], len(self.seats)) if self.by_seat else self.seats.copy())

    def drawn(self, dice: Dice) -> Order:
        seats = self.seats.copy()
        dice.shuffle(seats)
        return Order(clockwise(seats[0], len(seats)) if self.by_seat else seats)


@dataclass(slots=True)
class ToBid(Asked[Bid | Pass]):
    """Put more Clout on one of the lots, `least` of them or more, by lot, or pass."""

    tag: ClassVar[str] = "bid"
    answers: ClassVar[object] = Bid | Pass
    least: list[int]

    def refusal(self, action: Bid | Pass, hand: Goods) -> Sentence | None:
        if isinstance(action, Pass):
            return None
        if not 0 <= action.lot < len(self.least):
            return Sentence("bids on lot %(lot)s; the lots are 0 to %(last)s", lot=action.lot, last=len(self.least) - 1)
        least = self.least[action.lot]
        if not least <= action.amount <= hand.clout:
            sentence = "puts %(amount)s on lot %(lot)s; it takes %(least)s to %(most)s"
            return Sentence(sentence, amount=action.amount, lot=action.lot, least=least, most=hand.clout)
        return None

    def default(self) -> Bid | Pass:
        return Pass()

    def drawn(self, dice: Dice) -> Bid | Pass:
        """A pass one time in four; a low bid rather than a high one."""
        clout = self.besides.hand.clout
        lots = [lot for lot, least in enumerate(self.least) if least <= clout]
        if dice.below(4) == 0:
            return Pass()
        lot = dice.pick(lots)
        return Bid(lot, self.least[lot] + dice.below(1 + dice.below(1 + clout - self.least[lot])))


@dataclass(slots=True)
class ToApply(Asked[Apply]):
    """Put one of your templates, which are in `besides.hand`, on one of `sectors`, those without one."""

    tag: ClassVar[str] = "apply"
    answers: ClassVar[object] = Apply
    keep: ClassVar[int] = 1
    sectors: list[int]

    def refusal(self, action: Apply, hand: Goods) -> Sentence | None:
        if action.template not in hand.templates:
            templates = ", ".join(hand.templates)
            return Sentence(
                "puts down %(template)s; the templates in hand are %(there)s", template=action.template, there=templates
            )
        if action.sector not in self.sectors:
            sentence = "puts a template on %(sector)s; sectors without one are %(listed)s"
            return Sentence(sentence, sector=action.sector, listed=_listed(self.sectors))
        return None

    def default(self) -> Apply:
        """Return the first template on the lowest sector."""
        return Apply(self.besides.hand.templates[0], self.sectors[0])

    def drawn(self, dice: Dice) -> Apply:
        return Apply(dice.pick(self.besides.hand.templates), dice.pick(self.sectors))


@dataclass(slots=True)
class ToExpand(Asked[Expand | Engage | Pass]):
    """Place one to three agents in `valid` sectors, one Clout each, engage one of `fights`, or pass.

    A fight is a sector and an opponent. Without Clout no sector is `valid`.
    """

    tag: ClassVar[str] = "expand"
    answers: ClassVar[object] = Expand | Engage | Pass
    valid: list[int]
    fights: list[tuple[int, Seat]]

    def refusal(self, action: Expand | Engage | Pass, hand: Goods) -> Sentence | None:
        match action:
            case Expand(sectors):
                return self._expand_error(sectors, min(MOST_PLACED, hand.clout))
            case Engage(sector, opponent):
                if (sector, opponent) not in self.fights:
                    possible = [
                        Sentence("%(other)s in %(sector)s", other=by, sector=place) for place, by in self.fights
                    ]
                    return Sentence(
                        "engages seat %(seat)s in sector %(sector)s; it can engage %(listed)s",
                        seat=opponent,
                        sector=sector,
                        listed=list_sentence(possible, Sentence("nobody"), "; "),
                    )
        return None

    def _expand_error(self, sectors: list[int], most: int) -> Sentence | None:
        if not 1 <= len(sectors) <= most:
            return Sentence("places %(number)s Clout; it can place 1 to %(most)s", number=len(sectors), most=most)
        if stray := [sector for sector in sectors if sector not in self.valid]:
            sentence = "places Clout in %(sector)s; valid sectors are %(listed)s"
            return Sentence(sentence, sector=stray[0], listed=_listed(self.valid))
        return None

    def default(self) -> Expand | Engage | Pass:
        return Pass()

    def drawn(self, dice: Dice) -> Expand | Engage | Pass:
        """A pass one time in eight, and of four other times one a fight, if there can be one."""
        chance = dice.below(8)
        most = min(MOST_PLACED, self.besides.hand.clout)
        if chance == 0:
            return Pass()
        if self.fights and (chance < 3 or not most):
            return Engage(*dice.pick(self.fights))
        return Expand([dice.pick(self.valid) for _ in range(1 + dice.below(most))])


@dataclass(slots=True)
class ToVeto(Asked[Veto]):
    """Forbid any of `bans`: whom, and on which Storage sector."""

    tag: ClassVar[str] = "veto"
    answers: ClassVar[object] = Veto
    bans: list[Ban]

    def refusal(self, action: Veto, hand: Goods) -> Sentence | None:  # noqa: ARG002 - nothing is paid
        for number, ban in enumerate(action.bans):
            if ban not in self.bans or ban in action.bans[:number]:
                possible = [
                    Sentence("seat %(seat)s on %(sector)s", seat=possible_ban.seat, sector=possible_ban.sector)
                    for possible_ban in self.bans
                ]
                return Sentence(
                    "forbids seat %(seat)s to bank on %(sector)s; it can forbid, once each, %(listed)s",
                    seat=ban.seat,
                    sector=ban.sector,
                    listed=list_sentence(possible, Sentence("nobody"), "; "),
                )
        return None

    def default(self) -> Veto:
        return Veto([])

    def drawn(self, dice: Dice) -> Veto:
        return Veto([ban for ban in self.bans if dice.below(2)])


def _listed(numbers: Sequence[int]) -> Sentence:
    more = [Sentence("and more")] if len(numbers) > len(SECTORS) else []  # an answer may name thousands
    return list_sentence([*numbers[: len(SECTORS)], *more], Sentence("none"))
