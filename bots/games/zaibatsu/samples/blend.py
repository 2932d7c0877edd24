"""Zaibatsu, thought through to the end of the round.

For each bid and call that could make a difference, the auctions left in this round are simulated, with
everybody bidding by what a pile adds now. The outcome is judged by a blend of what companies score now and what they
score on average with some more of those nobody has seen, by the money left (worth more while much is still to be
bought), and by how well the best rival comes off. Cards are placed where they help us more than the rivals.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bots.sdk import play
from engine.dice import Dice
from engine.games.zaibatsu import CARDS, Bid, Call, Place, ToBid, ToCall, ToPlace, View, best
from engine.seats import clockwise

FUTURES = 6  # drawn for each round


class Taste(NamedTuple):
    """What we think things are worth, in points; a number at the end of a name is the round. The last one is plain."""

    now1: float = 0.3  # the weight of what companies score now, beside what they may score later
    now2: float = 0.4
    now3: float = 0.6
    money1: float = 2.0  # each T¥ left at the end of the round
    money2: float = 2.0
    money3: float = 1.5
    share: float = 0.6  # of what a pile adds now is bid, we think
    hope: float = 1.0  # each company that is no mine
    denial: float = 0.3  # off for each point of the best rival

    def now(self, number: int) -> float:
        return (self.now1, self.now2, self.now3, 1.0)[number - 1]

    def money(self, number: int) -> float:
        return (self.money1, self.money2, self.money3, 1.0)[number - 1]


USUAL = Taste()


def gain(owned: Sequence[str], cards: Sequence[str], hope: float) -> float:
    """Return what `cards` add now."""
    return best((*owned, *cards)).score - best(owned).score + hope * sum(card[0] != "M" for card in cards)


@lru_cache(maxsize=64)
def futures(seen: frozenset[str], size: int) -> list[tuple[str, ...]]:
    """Some handfuls of the cards not seen: the same for the same cards, so that outcomes compare."""
    unseen = [card for card in CARDS if card not in seen]
    dice = Dice.of(" ".join(unseen))
    drawn = []
    for _ in range(FUTURES):
        dice.shuffle(unseen)
        drawn.append(tuple(unseen[:size]))
    return drawn


def prospects(view: View, owned: Sequence[str], taste: Taste) -> float:
    """Return what companies score: a blend of now, and later with a fair share of the cards to come."""
    now = taste.now(view.round)
    seen = {card for cards in (*view.owned, *(pile.cards for pile in view.piles), view.discarded) for card in cards}
    drawn = futures(frozenset(seen), (48 - 12 * view.round) // view.opts.players)
    later = sum(best((*owned, *cards)).score for cards in drawn) / FUTURES if now < 1 else 0.0
    return now * best(owned).score + (1 - now) * later


def limits(
    taste: Taste, cash: Sequence[int], owned: Sequence[list[str]], cards: Sequence[str], order: Sequence[int]
) -> list[int]:
    """The most that each seat in `order` is thought to bid for `cards`."""
    return [min(int(taste.share * gain(owned[seat], cards, taste.hope)), cash[seat]) for seat in order]


class Round:
    """The rest of this round, simulated."""

    def __init__(self, view: View, taste: Taste) -> None:
        self.view, self.taste = view, taste
        self.cash, self.owned = list(view.cash), [list(cards) for cards in view.owned]
        self.left = {pile.n: pile.cards for pile in view.piles if not pile.called}
        self.calls = len(view.piles) - len(self.left)

    def sell(self, cards: Sequence[str], order: Sequence[int], high: int = 0, leader: int | None = None) -> None:
        """Sell a pile: each seat bids just above those after it, if the pile is worth it; the highest takes it."""
        most = limits(self.taste, self.cash, self.owned, cards, order)
        for turn, seat in enumerate(order):
            amount = min(most[turn], max(high, *most[turn + 1 :], 0) + 1)
            if amount > high:
                high, leader = amount, seat
        if leader is not None:
            self.cash[leader] -= high
            self.owned[leader] += cards

    def outcome(self, pile: int = 0) -> float:
        """How good the round's end is for us, if `pile` (0: the caller's favourite) is called next."""
        players, taste = self.view.opts.players, self.taste
        while self.left:
            caller = (self.view.commissioner + self.calls) % players
            pile = pile or max(self.left, key=lambda n: gain(self.owned[caller], self.left[n], taste.hope))
            self.sell(self.left.pop(pile), clockwise(caller + 1, players))
            pile, self.calls = 0, self.calls + 1
        money, seats = taste.money(self.view.round), zip(self.owned, self.cash, strict=True)
        worth = [prospects(self.view, owned, taste) + money * cash for owned, cash in seats]
        return worth.pop(self.view.seat) - taste.denial * max(worth)


def bid(view: View, question: ToBid, taste: Taste) -> Bid:
    auction = view.auction
    assert auction
    cards, (us, *after) = view.piles[auction.pile - 1].cards, auction.left_to_act

    def outcome(amount: int) -> float:
        ahead = Round(view, taste)
        ahead.sell(cards, after, *((amount, us) if amount else (auction.high, auction.leader)))
        return ahead.outcome()

    rivals = limits(taste, view.cash, view.owned, cards, after)
    steps = {question.low, *rivals, *(most - 1 for most in rivals)}  # outbid one, or make it pay all it would
    return Bid(max((0, *sorted(step for step in steps if question.low <= step <= question.high)), key=outcome))


def call(view: View, question: ToCall, taste: Taste) -> Call:
    return Call(max(question.piles, key=lambda pile: Round(view, taste).outcome(pile)))


def place(view: View, question: ToPlace, taste: Taste) -> Place:
    def edge(cards: list[str]) -> float:
        mine, *rivals = (gain(view.owned[seat], cards, taste.hope) for seat in clockwise(view.seat, view.opts.players))
        return mine - taste.denial * max(rivals)

    def change(answer: Place) -> float:
        cards = view.piles[answer.pile - 1].cards
        return edge([*cards, answer.card]) - edge(cards)

    return max((Place(card, pile) for card in question.cards for pile in question.piles), key=change)


def choose(view: View, question: ToBid | ToCall | ToPlace, taste: Taste = USUAL) -> Bid | Call | Place:
    match question:
        case ToBid():
            return bid(view, question, taste)
        case ToCall():
            return call(view, question, taste)
        case ToPlace():
            return place(view, question, taste)


if __name__ == "__main__":
    play(choose)
