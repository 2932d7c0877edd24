"""The rules of Zaibatsu in the order of the rulebook: a phase is a function, and its docstring is the rule."""

from typing import Final

from engine.auctions import OnceAround, once_around
from engine.core import Flow, Part, Seat, ask, tell
from engine.dice import Dice
from engine.games.zaibatsu.events import Called, Dealt, Ended, Placed, RoundBegun, Scored, Setup, Sold, Unsold
from engine.games.zaibatsu.pieces import COMPANIES, DEALT, INCOME, MONEY, ROUNDS
from engine.games.zaibatsu.position import FaceDown, Options, Phase, Pile, Position, ToCall, ToPlace
from engine.games.zaibatsu.scoring import best
from engine.seats import clockwise, places_by_score


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


def rules(position: Position) -> Flow[None]:
    """Four rounds: deal, place, auction. By then all companies have been dealt, and the conglomerates are scored."""
    if position.round == 0:
        tell(position, Setup(position.options, position.first, position.cash.copy()))
        position.round = 1
    while position.round <= ROUNDS:
        if asking := ROUND[PHASES[position.phase]](position):
            yield from asking
        next_phase_of_round(position)
    if position.heard is not None:
        tell_scores(position)


def next_phase_of_round(position: Position) -> None:
    position.phase += 1
    if position.phase == len(PHASES):
        position.round, position.phase = position.round + 1, 0


def begin_round(position: Position) -> None:
    """Players get T¥ 10 each and the Commissioner's marker passes to the left, but not in the first round."""
    income = 0 if position.round == 1 else INCOME
    if income:
        position.cash = [cash + income for cash in position.cash]
        position.commissioner = (position.commissioner + 1) % position.options.players
    tell(position, RoundBegun(position.round, position.commissioner, income))


def deal_hands(position: Position) -> None:
    """Twelve cards are dealt evenly, a hand at a time from the top of the deck, the Commissioner first."""
    cards, order = DEALT[position.options.players], clockwise(position.commissioner, position.options.players)
    for seat in order:
        position.hands[seat] = position.deck[:cards]
        del position.deck[:cards]
        tell(position, Dealt(seat, position.hands[seat].copy()))
    position.to_place = order * cards
    position.to_call = [*order, position.commissioner]


def place_cards(position: Position) -> Flow[None]:
    """Players in turn, from the Commissioner, place one card on any pile, until all hands are empty."""
    while position.to_place:
        seat = position.to_place[0]
        chosen = yield from ask(seat, ToPlace(position.hands[seat].copy(), emptiest(position.piles)))
        del position.to_place[0]
        position.hands[seat].remove(chosen.card)
        place(position, seat, chosen.card, chosen.pile)


def emptiest(piles: list[Pile]) -> list[int]:
    """Return the numbers of the piles, those with the fewest cards first."""
    sizes = [0] + [len(pile.cards) + len(pile.hidden) for pile in piles]
    return sorted(range(1, len(sizes)), key=sizes.__getitem__)


def place(position: Position, seat: Seat, card: str, number: int) -> None:
    """A card is placed face up; in closed piles face down."""
    pile, closed = position.piles[number - 1], position.options.piles == "closed"
    if closed:
        pile.hidden.append(FaceDown(card, seat))
    else:
        pile.cards.append(card)
    tell(position, Placed(seat, card, number, closed))


def hold_auctions(position: Position) -> Flow[None]:
    """Players in turn, from the Commissioner, call piles until all are sold or passed over, empty ones too.

    There is one pile more than players, so the Commissioner calls the first and the last.
    """
    while position.auction or position.to_call:
        if not position.auction:
            position.auction = yield from call(position)
        yield from once_around(position, position.auction, position.cash)
        settle_auction(position, position.auction)
        position.auction = None
    for pile in position.piles:
        pile.called = False


def call(position: Position) -> Flow[OnceAround]:
    """The caller chooses a pile not yet called; the seat to the left bids first, the caller last."""
    seat = position.to_call[0]
    left = [number for number, pile in enumerate(position.piles, 1) if not pile.called]
    number = left[0] if len(left) == 1 else (yield from ask(seat, ToCall(left))).pile
    del position.to_call[0]
    pile = position.piles[number - 1]
    pile.cards += [hidden.card for hidden in pile.hidden]
    pile.hidden, pile.called = [], True
    tell(position, Called(seat, number, pile.cards.copy(), len(left) == 1))
    return OnceAround(number, seat, clockwise(seat + 1, position.options.players))


def settle_auction(position: Position, auction: OnceAround) -> None:
    """The highest bidder pays the bank and takes the pile; if all passed, its cards leave the game or are carried."""
    pile = position.piles[auction.lot - 1]
    if auction.leader is not None:
        position.cash[auction.leader] -= auction.high
        position.owned[auction.leader] += pile.cards
        tell(position, Sold(auction.lot, auction.leader, auction.high, pile.cards))
        pile.cards = []
        return
    carried = position.options.unsold == "carry" and position.round < ROUNDS
    tell(position, Unsold(auction.lot, pile.cards.copy(), carried))
    if not carried:
        position.discarded += pile.cards
        pile.cards = []


ROUND: Final[dict[Phase, Part[Position]]] = {
    "begin": begin_round,
    "deal": deal_hands,
    "place": place_cards,
    "auctions": hold_auctions,
}
PHASES: Final[tuple[Phase, ...]] = tuple(ROUND)


def scores(position: Position) -> list[int]:
    """Return scores by seat: of the companies that can operate together, and 1 for each T¥ left."""
    return [best(owned).score + cash for owned, cash in zip(position.owned, position.cash, strict=True)]


def tell_scores(position: Position) -> None:
    totals = scores(position)
    for seat, total in enumerate(totals):
        run = best(position.owned[seat])
        tell(position, Scored(seat, list(run.operating), dict(run.splits), run.score, position.cash[seat], total))
    tell(position, Ended(places_by_score(totals)))
