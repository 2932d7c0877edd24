"""Zaibatsu, by what a pile adds now: its worth to a seat is how much more that seat's companies score with it."""

from bots.sdk import play
from engine.games.zaibatsu import Bid, Call, Place, ToBid, ToCall, ToPlace, View, best

SHARE = 0.6  # of its worth is bid for a pile
HOPE = 1.0  # points for each company that is no mine: it may run later


def worth(view: View, seat: int, cards: list[str]) -> float:
    owned = view.owned[seat]
    return best(owned + cards).score - best(owned).score + HOPE * sum(card[0] != "M" for card in cards)


def bid(view: View, question: ToBid) -> Bid:
    """Just above what those after us would bid, if the pile is worth it to us."""
    assert view.auction
    cards = view.piles[view.auction.pile - 1].cards
    limit = min(int(SHARE * worth(view, view.seat, cards)), question.high)
    after = view.auction.left_to_act[1:]
    highest = max((min(int(SHARE * worth(view, seat, cards)), view.cash[seat]) for seat in after), default=0)
    amount = min(limit, max(question.low, highest + 1))
    return Bid(amount if amount >= question.low else 0)


def call(view: View, question: ToCall) -> Call:
    """The pile we like best: the caller bids last."""
    return Call(max(question.piles, key=lambda pile: worth(view, view.seat, view.piles[pile - 1].cards)))


def place(view: View, question: ToPlace) -> Place:
    """Place a card where it adds most for us."""

    def added(answer: Place) -> float:
        cards = view.piles[answer.pile - 1].cards
        return worth(view, view.seat, [*cards, answer.card]) - worth(view, view.seat, cards)

    return max((Place(card, pile) for card in question.cards for pile in question.piles), key=added)


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
