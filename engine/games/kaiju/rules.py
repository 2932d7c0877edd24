"""The rules of Kaiju Incorporated in the order of the rulebook: a function is a paragraph, its docstring the rule."""

from typing import Final

from engine.core import Flow, Part, Seat, ask, tell
from engine.dice import Dice
from engine.game import Rank
from engine.games.kaiju.decks import draw_cards
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
from engine.seats import clockwise, places_by_score

# --- setup ---------------------------------------------------------------------------------------------------------


def new(options: Options, dice: Dice) -> Position:
    """Give each player a company and the Start cards of its city; shuffle the decks, the Handbags at the bottom.

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


def rules(position: Position) -> Flow[None]:
    """Turn after turn, until one in which a Handbag was turned up; then the game is scored."""
    if position.turn == 0:
        companies = [player.company for player in position.players]
        tell(
            position,
            Setup(position.options, position.start_player, companies, position.display.copy(), position.threat),
        )
        position.turn = 1
    while not position.ended:
        if asking := TURN[PHASES[position.phase]](position):
            yield from asking
        next_phase_of_turn(position)
    if position.heard is not None:
        tell_victory_points(position)


def turn_up_row(position: Position) -> None:
    """A row of one card more than players. Two players: a row of five, and a sixth card beside it."""
    players = position.options.players
    order = clockwise(position.start_player, players)
    if players == 2:
        *position.row, position.sixth = draw_cards(position, 6)
        position.goes = order * 2
    else:
        position.row, position.goes = draw_cards(position, players + 1), order
    tell(position, TurnBegun(position.turn, position.start_player, position.row.copy(), position.sixth))


def take_goes(position: Position) -> Flow[None]:
    """The players take one card of the row each, in turn order; two players do so twice, in alternation."""
    while position.goes:
        if asking := GO[STEPS[position.step]](position):
            yield from asking
        next_step(position)


def next_step(position: Position) -> None:
    """The turn passes to the next player after the last step of a go."""
    position.step += 1
    if position.step == len(STEPS):
        del position.goes[0]
        position.step = 0


def pay_sixth(position: Position) -> None:
    """Two players: both take Rival's Turn income of the sixth card's suit, the start player first."""
    if position.sixth:
        suit = SUIT[position.sixth]
        tell(position, IncomeBegun(None, suit, position.sixth))
        queue_income(
            position, suit, [(seat, RIVALS_TURN) for seat in clockwise(position.start_player, position.options.players)]
        )


def discard_rest(position: Position) -> None:
    """The card left in the row is discarded, and the sixth."""
    cards = position.row + [position.sixth] * bool(position.sixth)
    position.discard += cards
    position.row, position.sixth = [], ""
    tell(position, Discarded(cards))


def next_phase_of_turn(position: Position) -> None:
    position.phase += 1
    if position.phase == len(PHASES):
        next_turn(position)


def next_turn(position: Position) -> None:
    """The start player card passes clockwise. If the end was triggered, or after `max_turns`, there is no next turn."""
    if position.triggered:
        position.ended = "handbag"
    elif position.turn >= position.options.max_turns:
        position.ended = "cap"
    else:
        position.turn, position.phase = position.turn + 1, 0
        position.start_player = (position.start_player + 1) % position.options.players


TURN: Final[dict[Phase, Part[Position]]] = {
    "row": turn_up_row,
    "goes": take_goes,
    "sixth": pay_sixth,
    "settle": settle_gains,
    "discard": discard_rest,
}
PHASES: Final[tuple[Phase, ...]] = tuple(TURN)


# --- a go ----------------------------------------------------------------------------------------------------------


def choose_turn(position: Position) -> Flow[None]:
    """The player takes a card and builds with it, if the bank can pay its cost, or takes income. Nobody may pass."""
    seat = position.goes[0]
    me = position.players[seat]
    affordable = [card for card in position.row if COST[card] <= me.bank]
    answer = yield from ask(seat, ToTurn(position.row.copy(), affordable, can_rebuild(position, me), me.bank))
    match answer:
        case Build(card):
            build_card(position, seat, card)
        case Rebuild(card):
            rebuild(position, seat, card)
        case Income(card):
            take_income(position, seat, card)


def build_card(position: Position, seat: Seat, card: str) -> None:
    """Pay the cost. A Building is added to the tableau; a Special Action is carried out next."""
    me = position.players[seat]
    position.row.remove(card)
    me.bank -= COST[card]
    if card in BUILDING:
        me.tableau.append(card)
    else:
        position.special = card
    tell(position, Built(seat, card, COST[card], me.bank))


def take_income(position: Position, seat: Seat, card: str) -> None:
    """Discard the card. Its suit pays the player's Your Turn and, clockwise, the others' Rival's Turn Buildings."""
    position.row.remove(card)
    position.discard.append(card)
    tell(position, IncomeBegun(seat, SUIT[card], card))
    rivals: list[tuple[Seat, Timing]] = [
        (other, RIVALS_TURN) for other in clockwise(seat, position.options.players)[1:]
    ]
    queue_income(position, SUIT[card], [(seat, YOUR_TURN), *rivals])


def can_rebuild(position: Position, me: Player) -> list[str]:
    """The Special Case: whoever has no Building that provides ¥ may start over with one that does."""
    if not position.options.special_case or any(BUILDING[card].money > 0 for card in me.tableau):
        return []
    return [card for card in position.row if card in BUILDING and BUILDING[card].money > 0]


def rebuild(position: Position, seat: Seat, card: str) -> None:
    """Discard all Buildings, raise the bank to 11¥, and buy the card at once."""
    me = position.players[seat]
    gone = me.tableau.copy()
    for lost in gone:
        destroy(position, me, lost)
    position.row.remove(card)
    me.bank = MOST_MONEY - COST[card]
    me.tableau.append(card)
    tell(position, Rebuilt(seat, card, gone, me.bank))


def carry_out_special(position: Position) -> Flow[None]:
    """Do what the card says, before what it brings is settled."""
    if position.special:
        yield from carry_out(position, position.goes[0])


def discard_special(position: Position) -> None:
    """A Special Action is discarded after all it did."""
    if position.special:
        position.discard.append(position.special)
        position.special = ""


GO: Final[dict[Step, Part[Position]]] = {
    "choose": choose_turn,
    "special": carry_out_special,
    "settle": settle_gains,
    "discard": discard_special,
}
STEPS: Final[tuple[Step, ...]] = tuple(GO)


# --- the end -------------------------------------------------------------------------------------------------------


def scores(position: Position) -> list[int]:
    """Return victory points by seat."""
    return all_vp(position.players, position.options.city_majority)


def ranking(position: Position) -> list[Rank]:
    """Return ranks by seat: victory points, then the Bank Account, then who went later on the first turn."""
    players = position.options.players
    return [
        (points, position.players[seat].bank, (seat - position.first_start) % players)
        for seat, points in enumerate(scores(position))
    ]


def tell_victory_points(position: Position) -> None:
    """Announce the parts of each player's score, and the ranks."""
    for seat, (me, total) in enumerate(zip(position.players, scores(position), strict=True)):
        products = {card: product_vp(card, me.tableau) for card in me.products}
        majority, different = majority_vp(position.players, seat, position.options.city_majority), cities(me.tableau)
        of_cities = CITIES_VP[different]
        tell(position, Scored(seat, products, majority, different, of_cities, len(me.tableau), me.bank, total))
    tell(position, Ended(position.turn, position.ended == "cap", places_by_score(ranking(position))))
