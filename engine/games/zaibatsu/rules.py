"""The rules of Zaibatsu in the order of the rulebook: a phase is a function, and its docstring is the rule."""

from typing import Final

from engine.auctions import OnceAround, once_around
from engine.core import Flow, Part, Seat, ask, tell
from engine.dice import Dice
from engine.games.zaibatsu.events import Called, Dealt, Ended, Placed, RoundBegun, Scored, Setup, Sold, Unsold
from engine.games.zaibatsu.pieces import COMPANIES, DEALT, INCOME, MONEY, ROUNDS
from engine.games.zaibatsu.position import FaceDown, Options, Phase, Pile, Position, ToCall, ToPlace
from engine.games.zaibatsu.scoring import best
from engine.seats import clockwise, places


def new(options: Options, dice: Dice) -> Position:
    """Choose the first Commissioner, shuffle the companies, and hand out money clockwise from that seat."""
    drawn = dice.below(options.players)  # drawn even when the option names a seat: the deal must not depend on it
    first = drawn if options.first == "random" else options.first
    deck = [company.id for company in COMPANIES]
    dice.shuffle(deck)
    seats = range(options.players)
    cash = [MONEY[options.players][(seat - first) % options.players] for seat in seats]
    piles = [Pile() for _ in range(options.players + 1)]
    return Position(options, dice, first, first, deck, cash, [[] for _ in seats], [[] for _ in seats], piles)


def rules(at: Position) -> Flow[None]:
    """Four rounds: deal, place, auction. By then all companies have been dealt, and the conglomerates are scored."""
    if at.round == 0:
        tell(at, Setup(at.options, at.first, at.cash.copy()))
        at.round = 1
    while at.round <= ROUNDS:
        if asking := ROUND[PHASES[at.phase]](at):
            yield from asking
        next_phase(at)
    if at.heard is not None:
        tell_scores(at)


def next_phase(at: Position) -> None:
    at.phase += 1
    if at.phase == len(PHASES):
        at.round, at.phase = at.round + 1, 0


def begin_round(at: Position) -> None:
    """After the first round each player gets T¥ 10 and the Commissioner's marker passes to the left."""
    income = 0 if at.round == 1 else INCOME
    if income:
        at.cash = [cash + income for cash in at.cash]
        at.commissioner = (at.commissioner + 1) % at.options.players
    tell(at, RoundBegun(at.round, at.commissioner, income))


def deal(at: Position) -> None:
    """Twelve cards are dealt evenly, a hand at a time from the top of the deck, the Commissioner first."""
    each, order = DEALT[at.options.players], clockwise(at.commissioner, at.options.players)
    for seat in order:
        at.hands[seat] = at.deck[:each]
        del at.deck[:each]
        tell(at, Dealt(seat, at.hands[seat].copy()))
    at.to_place = order * each
    at.to_call = [*order, at.commissioner]


def place_cards(at: Position) -> Flow[None]:
    """In turn from the Commissioner, each player places one card on any pile, until all hands are empty."""
    while at.to_place:
        seat = at.to_place[0]
        chosen = yield from ask(seat, ToPlace(at.hands[seat].copy(), emptiest(at.piles)))
        del at.to_place[0]
        at.hands[seat].remove(chosen.card)
        place(at, seat, chosen.card, chosen.pile)


def emptiest(piles: list[Pile]) -> list[int]:
    """The numbers of the piles, those with the fewest cards first."""
    sizes = [0] + [len(pile.cards) + len(pile.hidden) for pile in piles]
    return sorted(range(1, len(sizes)), key=sizes.__getitem__)


def place(at: Position, seat: Seat, card: str, number: int) -> None:
    """A card is placed face up; in closed piles face down."""
    pile, closed = at.piles[number - 1], at.options.piles == "closed"
    if closed:
        pile.hidden.append(FaceDown(card, seat))
    else:
        pile.cards.append(card)
    tell(at, Placed(seat, card, number, closed))


def hold_auctions(at: Position) -> Flow[None]:
    """In turn from the Commissioner, players call piles until all are sold or passed over, empty ones too.

    There is one pile more than players, so the Commissioner calls the first and the last.
    """
    while at.auction or at.to_call:
        if not at.auction:
            at.auction = yield from call(at)
        yield from once_around(at, at.auction, at.cash)
        settle(at, at.auction)
        at.auction = None
    for pile in at.piles:
        pile.called = False


def call(at: Position) -> Flow[OnceAround]:
    """The caller chooses a pile not yet called; the seat to the left bids first, the caller last."""
    seat = at.to_call[0]
    left = [number for number, pile in enumerate(at.piles, 1) if not pile.called]
    number = left[0] if len(left) == 1 else (yield from ask(seat, ToCall(left))).pile
    del at.to_call[0]
    pile = at.piles[number - 1]
    pile.cards += [hidden.card for hidden in pile.hidden]
    pile.hidden, pile.called = [], True
    tell(at, Called(seat, number, pile.cards.copy(), len(left) == 1))
    return OnceAround(number, seat, clockwise(seat + 1, at.options.players))


def settle(at: Position, auction: OnceAround) -> None:
    """The highest bidder pays the bank and takes the pile; if all passed, its cards leave the game or are carried."""
    pile = at.piles[auction.lot - 1]
    if auction.leader is not None:
        at.cash[auction.leader] -= auction.high
        at.owned[auction.leader] += pile.cards
        tell(at, Sold(auction.lot, auction.leader, auction.high, pile.cards))
        pile.cards = []
        return
    carried = at.options.unsold == "carry" and at.round < ROUNDS
    tell(at, Unsold(auction.lot, pile.cards.copy(), carried))
    if not carried:
        at.discarded += pile.cards
        pile.cards = []


ROUND: Final[dict[Phase, Part[Position]]] = {
    "begin": begin_round,
    "deal": deal,
    "place": place_cards,
    "auctions": hold_auctions,
}
PHASES: Final[tuple[Phase, ...]] = tuple(ROUND)


def scores(at: Position) -> list[int]:
    """The score of the companies that can operate together, and 1 for each T¥ left."""
    return [best(owned).score + cash for owned, cash in zip(at.owned, at.cash, strict=True)]


def tell_scores(at: Position) -> None:
    totals = scores(at)
    for seat, total in enumerate(totals):
        run = best(at.owned[seat])
        tell(at, Scored(seat, list(run.operating), dict(run.splits), run.score, at.cash[seat], total))
    tell(at, Ended(places(totals)))
