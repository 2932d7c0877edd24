"""What one seat may know, and positions that fit it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.auctions import OnceAround
from engine.copies import carrier
from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.zaibatsu.events import Placed, RoundBegun
from engine.games.zaibatsu.pieces import CARDS, DEALT, ROUNDS
from engine.games.zaibatsu.position import FaceDown, Options, Phase, Pile, Position
from engine.games.zaibatsu.rules import PHASES
from engine.records import Record
from engine.seats import clockwise


@dataclass(slots=True)
class PileView(Record):
    """Pile `n` with its face-up `cards`; `count` adds those face down."""

    n: int
    cards: list[str]
    count: int
    called: bool


@dataclass(slots=True)
class AuctionView(Record):
    """`to_act` bids now, then the rest of `left_to_act`; `leader` holds the highest bid so far."""

    pile: int
    caller: Seat
    high: int
    leader: Seat | None
    to_act: Seat
    left_to_act: list[Seat]


@dataclass(slots=True)
class View(Record):
    """The public position and the seat's own secrets. Lists of players are by seat."""

    game: Literal["zaibatsu"]
    opts: Options
    seat: Seat
    round: int
    commissioner: Seat
    first: Seat
    phase: Literal["deal", "call", "bid", "over"]
    cash: list[int]
    owned: list[list[str]]
    piles: list[PileView]
    discarded: list[str]
    hand_sizes: list[int]
    deck_left: int
    auction: AuctionView | None
    hand: list[str]
    my_placed: dict[str, list[str]]  # closed piles: the cards you laid face down, by the pile's number


_view_of, _position_of = carrier(Position, View, but=["round"]), carrier(View, Position, but=["round"])


def see(position: Position, seat: Seat) -> View:
    """Return the view of `seat`: all that it may know."""
    return _view_of(
        position,
        game="zaibatsu",
        opts=position.options,
        seat=seat,
        round=min(position.round, ROUNDS),
        phase=_phase(position),
        piles=[_pile(n, pile) for n, pile in enumerate(position.piles, 1)],
        hand_sizes=[len(hand) for hand in position.hands],
        deck_left=len(position.deck),
        auction=_auction(position),
        hand=position.hands[seat].copy(),
        my_placed=_placed(position, seat),
    )


def _phase(position: Position) -> Literal["deal", "call", "bid", "over"]:
    if position.to_place:
        return "deal"
    if position.auction:
        return "bid"
    return "call" if position.to_call else "over"


def _pile(n: int, pile: Pile) -> PileView:
    return PileView(n, pile.cards.copy(), len(pile.cards) + len(pile.hidden), pile.called)


def _auction(position: Position) -> AuctionView | None:
    if not (auction := position.auction):
        return None
    left = auction.to_bid.copy()
    return AuctionView(auction.lot, auction.caller, auction.high, auction.leader, left[0], left)


def _placed(position: Position, seat: Seat) -> dict[str, list[str]]:
    mine = {
        str(n): [down.card for down in pile.hidden if down.seat == seat] for n, pile in enumerate(position.piles, 1)
    }
    return {n: cards for n, cards in mine.items() if cards}


def imagine(view: View, heard: Sequence[Event], dice: Dice) -> Position:
    """Return a position that fits what a seat sees and, with closed piles, who was heard to place cards unseen."""
    down = _face_down(view, heard)
    seen = [view.hand, view.discarded, *view.owned, *(pile.cards for pile in view.piles), *view.my_placed.values()]
    unknown = sorted(CARDS.keys() - {card for cards in seen for card in cards})
    dice.shuffle(unknown)
    drawn = iter(unknown)
    to_place, to_call, auction = _work_left(view)
    over = view.phase == "over"
    return _position_of(
        view,
        options=view.opts,
        dice=dice.fork(),
        deck=[next(drawn) for _ in range(view.deck_left)],
        hands=[
            view.hand.copy() if seat == view.seat else [next(drawn) for _ in range(size)]
            for seat, size in enumerate(view.hand_sizes)
        ],
        piles=[_pile_of(pile, down.get(pile.n, []), drawn) for pile in view.piles],
        round=view.round + over,
        phase=0 if over else PHASES.index(ASKED[view.phase]),
        to_place=to_place,
        to_call=to_call,
        auction=auction,
    )


ASKED: Final[dict[str, Phase]] = {"deal": "place", "call": "auctions", "bid": "auctions"}  # by the view's phase


def _face_down(view: View, heard: Sequence[Event]) -> dict[int, list[Placed]]:
    """Cards placed face down this round on each pile that was not called yet, in order."""
    down: dict[int, list[Placed]] = {}
    for event in heard:
        match event:
            case RoundBegun():
                down = {}
            case Placed(pile=number, face_down=True):
                down.setdefault(number, []).append(event)
    return {number: placed for number, placed in down.items() if not view.piles[number - 1].called}


def _pile_of(pile: PileView, down: Sequence[Placed], drawn: Iterator[str]) -> Pile:
    return Pile(pile.cards.copy(), [FaceDown(put.card or next(drawn), put.seat) for put in down], pile.called)


def _work_left(view: View) -> tuple[list[Seat], list[Seat], OnceAround | None]:
    """Seats that still place, seats that call, and the auction: the ends of lists made when the round began."""
    order = clockwise(view.commissioner, len(view.cash))
    uncalled = sum(not pile.called for pile in view.piles)
    to_place = order * DEALT[len(order)]
    to_place = to_place[len(to_place) - sum(view.hand_sizes) :]
    to_call = [*order, view.commissioner][len(view.piles) - uncalled :]
    if not (auction := view.auction):
        return to_place, to_call, None
    return (
        to_place,
        to_call,
        OnceAround(auction.pile, auction.caller, auction.left_to_act.copy(), auction.high, auction.leader),
    )


def redraw(position: Position, seat: Seat, dice: Dice) -> Position:
    """Return a copy with what `seat` may not know drawn afresh: the deck, other hands, others' face-down cards."""
    out = position.copy()
    out.dice = dice.fork()
    hands = [hand for other, hand in enumerate(out.hands) if other != seat]
    unknown = out.deck + [card for hand in hands for card in hand]
    unknown += [down.card for pile in out.piles for down in pile.hidden if down.seat != seat]
    unknown.sort()  # what is drawn must not depend on how the secrets lie
    dice.shuffle(unknown)
    drawn = iter(unknown)
    out.deck = [next(drawn) for _ in out.deck]
    for hand in hands:
        hand[:] = [next(drawn) for _ in hand]
    for pile in out.piles:
        pile.hidden = [down if down.seat == seat else FaceDown(next(drawn), down.seat) for down in pile.hidden]
    return out
