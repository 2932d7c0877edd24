"""Zaibatsu for people who have never seen it, and what each seat needs to win from here."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.guides import Guide, Term, standings
from bots.viewer.language import say
from engine.auctions import OnceAround
from engine.core import Seat
from engine.games.zaibatsu import Pile, Position, best
from engine.games.zaibatsu.pieces import ROUNDS
from engine.games.zaibatsu.rules import scores
from engine.sentences import Sentence

GUIDE: Final = Guide(
    pitch=Sentence("Buy companies in auctions and chain them: mines feed processors, processors feed factories."),
    goal=Sentence("The most points win: those of companies that get all they need, and 1 for each T¥ left."),
    turn=Sentence(
        "In each round players put cards on piles, then the piles are sold: each may bid once, the caller of the pile"
        " last."
    ),
    end=Sentence("It ends after four rounds."),
    legend=(
        Term("R Y G", Sentence("basic goods: red, yellow, green; mines make them")),
        Term("O K", Sentence("orange and black goods, made of two basic ones")),
        Term("W B", Sentence("white and blue goods, made of orange or black and basic ones")),
        Term("a b c", Sentence("red or yellow; yellow or green; red or green, as one likes")),
        Term("f", Sentence("orange or black, as one likes")),
        Term("arrow", Sentence("what a company needs stands before it, what it makes behind")),
        Term("3 6 15 30", Sentence("points of a company that gets all it needs")),
        Term("idle", Sentence("a dashed card: lacks something, so it scores nothing yet")),
        Term("flow", Sentence("a line: goods on their way from one company to another")),
        Term("over need", Sentence("a dot: goods that nobody uses yet; a ring: goods missing")),
        Term("seat", Sentence("a player; the number is the seat")),
        Term("T¥", Sentence("money; at the end each is a point")),
        Term(Sentence("Commissioner"), Sentence("places first, and calls the first and the last pile")),
        Term("back", Sentence("a card that is secret")),
    ),
    asks={
        "place": Sentence("put a card on a pile"),
        "call": Sentence("choose the pile to sell"),
        "bid": Sentence("bid more or pass"),
    },
)


def needs(position: Position, names: Sequence[str]) -> list[str]:
    """Return by seat how far it is behind, and what the best pile would add; where a single auction is left, at which
    price it wins the match."""
    points = scores(position)
    lines = standings(points, names)
    if position.round > ROUNDS:
        return lines
    return [_needs(position, seat, points, line) for seat, line in enumerate(lines)]


def _needs(position: Position, seat: Seat, points: Sequence[int], line: str) -> str:
    gain, number = max((_gain(position, seat, pile), -number) for number, pile in enumerate(position.piles, 1))
    if _is_last_auction(position):
        rival = max(score for other, score in enumerate(points) if other != seat)
        return _price(position, seat, points[seat] - rival, line)
    if not gain:
        return line
    return say("%(line)s; pile %(pile)s adds %(gain)s, less its price", line=line, pile=-number, gain=gain)


def _is_last_auction(position: Position) -> bool:
    return position.round == ROUNDS and position.auction is not None and not position.to_call


def _price(position: Position, seat: Seat, lead: int, line: str) -> str:
    """The most that the seat may pay for the last pile, if it can still get it and then has more than all others."""
    auction = position.auction
    assert auction
    most = min(position.cash[seat], lead - 1 + _added(position, seat, position.piles[auction.lot - 1].cards))
    least = auction.high + (seat != auction.leader)
    if not _may_get(auction, position.cash[seat], seat) or most < least:
        return line
    return say("%(line)s; wins with pile %(pile)s for T¥ %(most)s at most", line=line, pile=auction.lot, most=most)


def _gain(position: Position, seat: Seat, pile: Pile) -> int:
    """Return what the pile as it lies would add: nothing if the seat cannot buy it, or it holds a secret."""
    auction = position.auction
    up = auction is not None and position.piles[auction.lot - 1] is pile
    may = _may_get(auction, position.cash[seat], seat) if auction and up else position.cash[seat] and not pile.called
    return _added(position, seat, pile.cards) if may and not pile.hidden else 0


def _may_get(auction: OnceAround, cash: int, seat: Seat) -> bool:
    return seat == auction.leader or (seat in auction.to_bid and cash > auction.high)


def _added(position: Position, seat: Seat, cards: Sequence[str]) -> int:
    owned = position.owned[seat]
    return best([*owned, *cards]).score - best(owned).score
