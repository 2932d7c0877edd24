"""Zaibatsu, thought through to the end of the round.

For each bid and call that could make a difference, the auctions left in this round are simulated, with
everybody bidding by what a pile adds now. The outcome is judged by a blend of what companies score now and what they
score on average with some more of those nobody has seen, by the money left (worth more while much is still to be
bought), and by how well the best rival comes off. Cards are placed where they help us more than the rivals.
"""

from collections.abc import Sequence
from functools import lru_cache

from bots.sdk import play
from engine.dice import Dice
from engine.games.zaibatsu import CARDS, Bid, Call, Place, ToBid, ToCall, ToPlace, View, best
from engine.seats import clockwise

FUTURES = 6  # drawn for each round
NOW = (0.3, 0.4, 0.6, 1.0)  # by round: the weight of what companies score now
MONEY = (2.0, 2.0, 1.5, 1.0)  # by round: points for each T¥ left at its end
SHARE = 0.6  # of what a pile adds now is bid, we think
HOPE = 1.0  # points for each company that is no mine
DENIAL = 0.3  # points off for each point of the best rival


def gain(owned: Sequence[str], cards: Sequence[str]) -> float:
    """What `cards` add now."""
    return best((*owned, *cards)).score - best(owned).score + HOPE * sum(card[0] != "M" for card in cards)


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


def prospects(view: View, owned: Sequence[str]) -> float:
    """What companies score: a blend of now, and later with a fair share of the cards to come."""
    now = NOW[view.round - 1]
    seen = {card for cards in (*view.owned, *(pile.cards for pile in view.piles), view.discarded) for card in cards}
    drawn = futures(frozenset(seen), (48 - 12 * view.round) // view.opts.players)
    later = sum(best((*owned, *cards)).score for cards in drawn) / FUTURES if now < 1 else 0.0
    return now * best(owned).score + (1 - now) * later


def limits(cash: Sequence[int], owned: Sequence[list[str]], cards: Sequence[str], order: Sequence[int]) -> list[int]:
    """The most that each seat in `order` is thought to bid for `cards`."""
    return [min(int(SHARE * gain(owned[seat], cards)), cash[seat]) for seat in order]


class Round:
    """The rest of this round, simulated."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.cash, self.owned = list(view.cash), [list(cards) for cards in view.owned]
        self.left = {pile.n: pile.cards for pile in view.piles if not pile.called}
        self.calls = len(view.piles) - len(self.left)

    def sell(self, cards: Sequence[str], order: Sequence[int], high: int = 0, leader: int | None = None) -> None:
        """Each seat bids just above those after it, if the pile is worth it; the highest takes it."""
        most = limits(self.cash, self.owned, cards, order)
        for turn, seat in enumerate(order):
            amount = min(most[turn], max(high, *most[turn + 1 :], 0) + 1)
            if amount > high:
                high, leader = amount, seat
        if leader is not None:
            self.cash[leader] -= high
            self.owned[leader] += cards

    def outcome(self, pile: int = 0) -> float:
        """How good the round's end is for us, if `pile` (0: the caller's favourite) is called next."""
        players, money = self.view.opts.players, MONEY[self.view.round - 1]
        while self.left:
            caller = (self.view.commissioner + self.calls) % players
            pile = pile or max(self.left, key=lambda n: gain(self.owned[caller], self.left[n]))
            self.sell(self.left.pop(pile), clockwise(caller + 1, players))
            pile, self.calls = 0, self.calls + 1
        worth = [prospects(self.view, owned) + money * cash for owned, cash in zip(self.owned, self.cash, strict=True)]
        return worth.pop(self.view.seat) - DENIAL * max(worth)


def bid(view: View, question: ToBid) -> Bid:
    auction = view.auction
    assert auction
    cards, (us, *after) = view.piles[auction.pile - 1].cards, auction.left_to_act

    def outcome(amount: int) -> float:
        ahead = Round(view)
        ahead.sell(cards, after, *((amount, us) if amount else (auction.high, auction.leader)))
        return ahead.outcome()

    others = limits(view.cash, view.owned, cards, after)
    steps = {question.low, *others, *(most - 1 for most in others)}  # outbid one, or make it pay all it would
    return Bid(max((0, *sorted(step for step in steps if question.low <= step <= question.high)), key=outcome))


def call(view: View, question: ToCall) -> Call:
    return Call(max(question.piles, key=lambda pile: Round(view).outcome(pile)))


def place(view: View, question: ToPlace) -> Place:
    def edge(cards: list[str]) -> float:
        ours, *rivals = (gain(view.owned[seat], cards) for seat in clockwise(view.seat, view.opts.players))
        return ours - DENIAL * max(rivals)

    def change(answer: Place) -> float:
        cards = view.piles[answer.pile - 1].cards
        return edge([*cards, answer.card]) - edge(cards)

    return max((Place(card, pile) for card in question.cards for pile in question.piles), key=change)


def choose(view: View, question: ToBid | ToCall | ToPlace) -> Bid | Call | Place:
    match question:
        case ToBid():
            return bid(view, question)
        case ToCall():
            return call(view, question)
        case ToPlace():
            return place(view, question)


if __name__ == "__main__":
    play(choose)
