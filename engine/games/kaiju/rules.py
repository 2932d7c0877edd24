"""The rules of Kaiju Incorporated in the order of the rulebook: a function is a paragraph, its docstring the rule."""

from typing import Final

from engine.core import Flow, Part, Seat, ask, tell
from engine.dice import Dice
from engine.game import Rank
from engine.games.kaiju.decks import draw
from engine.games.kaiju.events import (
    Built,
    Discarded,
    Ended,
    IncomeBegun,
    Rebuilt,
    Scored,
    Setup,
    TurnBegun,
)
from engine.games.kaiju.income import destroy, queue_income, settle_gains
from engine.games.kaiju.pieces import (
    BUILDING,
    CITIES_VP,
    COMPANY,
    COST,
    DECK,
    DISPLAY,
    HANDBAGS,
    MOST_MONEY,
    PRODUCTS,
    RIVALS_TURN,
    START_CARDS,
    SUIT,
    THREAT,
    YOUR_TURN,
    Timing,
)
from engine.games.kaiju.position import Options, Phase, Player, Position, Step
from engine.games.kaiju.questions import Build, Income, Rebuild, ToTurn
from engine.games.kaiju.scoring import all_vp, cities, majority_vp, product_vp
from engine.games.kaiju.specials import carry_out
from engine.seats import clockwise, places

# --- setup ---------------------------------------------------------------------------------------------------------


def new(options: Options, dice: Dice) -> Position:
    """Each player gets a company and the Start cards of its city; the decks are shuffled, the Handbags at the bottom.

    All is drawn even where an option names it: the decks of a seed must not depend on that.
    """
    drawn, named = dice.below(options.players), list(COMPANY)
    dice.shuffle(named)
    first = drawn if options.start_player == "random" else options.start_player
    companies = named[: options.players] if options.companies == "random" else options.companies
    deck, handbags = list(DECK), list(HANDBAGS)
    products = [product.id for product in PRODUCTS if product.id not in HANDBAGS]
    threats = list(THREAT)
    for cards in (deck, products, handbags, threats):
        dice.shuffle(cards)
    display, products = products[:DISPLAY], products[DISPLAY:] + handbags
    players = [Player(company, tableau=start_cards(company)) for company in companies]
    return Position(
        options,
        dice,
        first_start=first,
        start_player=first,
        players=players,
        deck=deck,
        product_deck=products,
        display=display,
        kaiju_deck=threats[1:],
        threat=threats[0],
    )


def start_cards(company: str) -> list[str]:
    return [card.id for card in START_CARDS if card.city == COMPANY[company].city]


# --- the turn ------------------------------------------------------------------------------------------------------


def rules(at: Position) -> Flow[None]:
    """Turn after turn, until one in which a Handbag was turned up; then the game is scored."""
    if at.turn == 0:
        companies = [player.company for player in at.players]
        tell(at, Setup(at.options, at.start_player, companies, at.display.copy(), at.threat))
        at.turn = 1
    while not at.ended:
        if asking := TURN[PHASES[at.phase]](at):
            yield from asking
        next_phase(at)
    if at.heard is not None:
        tell_scores(at)


def turn_up_row(at: Position) -> None:
    """A row of one card more than players. Two players: a row of five, and a sixth card beside it."""
    players = at.options.players
    order = clockwise(at.start_player, players)
    if players == 2:
        *at.row, at.sixth = draw(at, 6)
        at.goes = order * 2
    else:
        at.row, at.goes = draw(at, players + 1), order
    tell(at, TurnBegun(at.turn, at.start_player, at.row.copy(), at.sixth))


def take_goes(at: Position) -> Flow[None]:
    """In turn order each player takes one card of the row; two players do so twice, in alternation."""
    while at.goes:
        if asking := GO[STEPS[at.step]](at):
            yield from asking
        next_step(at)


def next_step(at: Position) -> None:
    """After the last step of a go the next player is at it."""
    at.step += 1
    if at.step == len(STEPS):
        del at.goes[0]
        at.step = 0


def pay_sixth(at: Position) -> None:
    """Two players: both take Rival's Turn income of the sixth card's suit, the start player first."""
    if at.sixth:
        suit = SUIT[at.sixth]
        tell(at, IncomeBegun(None, suit, at.sixth))
        queue_income(at, suit, [(seat, RIVALS_TURN) for seat in clockwise(at.start_player, at.options.players)])


def discard_rest(at: Position) -> None:
    """The card left in the row is discarded, and the sixth."""
    rest = at.row + [at.sixth] * bool(at.sixth)
    at.discard += rest
    at.row, at.sixth = [], ""
    tell(at, Discarded(rest))


def next_phase(at: Position) -> None:
    at.phase += 1
    if at.phase == len(PHASES):
        next_turn(at)


def next_turn(at: Position) -> None:
    """The start player card passes clockwise. If the end was triggered, or after `max_turns`, there is no next turn."""
    if at.triggered:
        at.ended = "handbag"
    elif at.turn >= at.options.max_turns:
        at.ended = "cap"
    else:
        at.turn, at.phase = at.turn + 1, 0
        at.start_player = (at.start_player + 1) % at.options.players


TURN: Final[dict[Phase, Part[Position]]] = {
    "row": turn_up_row,
    "goes": take_goes,
    "sixth": pay_sixth,
    "settle": settle_gains,
    "discard": discard_rest,
}
PHASES: Final[tuple[Phase, ...]] = tuple(TURN)


# --- a go ----------------------------------------------------------------------------------------------------------


def choose(at: Position) -> Flow[None]:
    """The player takes a card and builds with it, if the bank can pay its cost, or takes income. Nobody may pass."""
    seat = at.goes[0]
    me = at.players[seat]
    affordable = [card for card in at.row if COST[card] <= me.bank]
    answer = yield from ask(seat, ToTurn(at.row.copy(), affordable, can_rebuild(at, me), me.bank))
    match answer:
        case Build(card):
            build(at, seat, card)
        case Rebuild(card):
            rebuild(at, seat, card)
        case Income(card):
            take_income(at, seat, card)


def build(at: Position, seat: Seat, card: str) -> None:
    """Pay the cost. A Building is added to the tableau; a Special Action is carried out next."""
    me = at.players[seat]
    at.row.remove(card)
    me.bank -= COST[card]
    if card in BUILDING:
        me.tableau.append(card)
    else:
        at.special = card
    tell(at, Built(seat, card, COST[card], me.bank))


def take_income(at: Position, seat: Seat, card: str) -> None:
    """Discard the card. Its suit pays the player's Your Turn and, clockwise, the others' Rival's Turn Buildings."""
    at.row.remove(card)
    at.discard.append(card)
    tell(at, IncomeBegun(seat, SUIT[card], card))
    others: list[tuple[Seat, Timing]] = [(other, RIVALS_TURN) for other in clockwise(seat, at.options.players)[1:]]
    queue_income(at, SUIT[card], [(seat, YOUR_TURN), *others])


def can_rebuild(at: Position, me: Player) -> list[str]:
    """The Special Case: whoever has no Building that provides ¥ may start over with one that does."""
    if not at.options.special_case or any(BUILDING[card].money > 0 for card in me.tableau):
        return []
    return [card for card in at.row if card in BUILDING and BUILDING[card].money > 0]


def rebuild(at: Position, seat: Seat, card: str) -> None:
    """Discard all Buildings, raise the bank to 11¥, and buy the card at once."""
    me = at.players[seat]
    gone = me.tableau.copy()
    for lost in gone:
        destroy(at, me, lost)
    at.row.remove(card)
    me.bank = MOST_MONEY - COST[card]
    me.tableau.append(card)
    tell(at, Rebuilt(seat, card, gone, me.bank))


def carry_out_special(at: Position) -> Flow[None]:
    """What the card says is done before what it brings is settled."""
    if at.special:
        yield from carry_out(at, at.goes[0])


def discard_special(at: Position) -> None:
    """A Special Action is discarded after all it did."""
    if at.special:
        at.discard.append(at.special)
        at.special = ""


GO: Final[dict[Step, Part[Position]]] = {
    "choose": choose,
    "special": carry_out_special,
    "settle": settle_gains,
    "discard": discard_special,
}
STEPS: Final[tuple[Step, ...]] = tuple(GO)


# --- the end -------------------------------------------------------------------------------------------------------


def scores(at: Position) -> list[int]:
    """Victory points."""
    return all_vp(at.players, at.options.city_majority)


def ranking(at: Position) -> list[Rank]:
    """Victory points; of equal ones the Bank Account, and of equal ones that, who went later on the first turn."""
    players = at.options.players
    return [
        (points, at.players[seat].bank, (seat - at.first_start) % players) for seat, points in enumerate(scores(at))
    ]


def tell_scores(at: Position) -> None:
    """Who scored what for what, and the ranks."""
    for seat, (me, total) in enumerate(zip(at.players, scores(at), strict=True)):
        products = {card: product_vp(card, me.tableau) for card in me.products}
        majority, different = majority_vp(at.players, seat, at.options.city_majority), cities(me.tableau)
        of_cities = CITIES_VP[different]
        tell(at, Scored(seat, products, majority, different, of_cities, len(me.tableau), me.bank, total))
    tell(at, Ended(at.turn, at.ended == "cap", places(ranking(at))))
