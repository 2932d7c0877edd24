"""What a player gets, what the wheels run up by it, and the attacks of the Kaiju."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from engine.core import Flow, Seat, ask, tell
from engine.games.kaiju.events import Attacked, Paid, ProductTaken, Reshuffled, Threatened
from engine.games.kaiju.pieces import (
    BUILDING,
    COST,
    HANDBAGS,
    KAIJU_SPACES,
    MOST_MONEY,
    PAYS_ON,
    RESEARCH_SPACES,
    Suit,
    Timing,
    is_start,
)
from engine.games.kaiju.position import Gain, Owed, Player, Position
from engine.games.kaiju.questions import ToSacrifice, ToTake

Sums = tuple[int, int, int]  # ¥, research and kaiju points
NO_SUMS: Final[Sums] = (0, 0, 0)


def income_of(tableau: Iterable[str], suit: Suit, timing: Timing) -> Sums:
    """Return the sums of ¥, research and kaiju points on the Buildings of that suit and timing."""
    return _incomes(tuple(tableau)).get(suit + timing, NO_SUMS)


@lru_cache(maxsize=1024)
def _incomes(tableau: tuple[str, ...]) -> dict[str, Sums]:
    """The sums by suit and timing. Cached: bots that search ask far more often than a tableau changes."""
    sums: dict[str, Sums] = {}
    for card in tableau:
        building = BUILDING[card]
        money, research, kaiju = sums.get(PAYS_ON[card], NO_SUMS)
        sums[PAYS_ON[card]] = (money + building.money, research + building.research, kaiju + building.kaiju)
    return sums


def queue_income(position: Position, suit: Suit, payees: Iterable[tuple[Seat, Timing]]) -> None:
    """Let these players take income, one after another; whoever gets nothing is left out."""
    for seat, timing in payees:
        sums = income_of(position.players[seat].tableau, suit, timing)
        if any(sums):
            position.gains.append(Gain(seat, timing, *sums))


def settle_gains(position: Position) -> Flow[None]:
    """Give each player all that is due, with New Products and attacks, before the next one.

    All who are attacked suffer the same current card. Once all have got theirs, a card that has struck is replaced.
    """
    while position.gains or position.owed:
        if not position.owed:
            gain = position.gains.pop(0)
            position.owed = collect(position, gain)
        yield from take_products(position, position.owed)
        yield from suffer(position, position.owed)
        position.owed = None
    if position.struck:
        replace_threat(position)


def collect(position: Position, gain: Gain) -> Owed:
    """Money up to 11¥, the rest is lost; then the wheels turn, each once, by the sum of the points."""
    me = position.players[gain.seat]
    me.bank = min(MOST_MONEY, me.bank + gain.money)
    me.research, products = turned(me.research, gain.research, RESEARCH_SPACES)
    me.kaiju, attacks = kaiju_turned(position, me, gain.kaiju)
    after = (me.bank, me.research, me.kaiju, products, attacks)
    tell(position, Paid(gain.seat, gain.source, gain.money, gain.research, gain.kaiju, *after))
    return Owed(gain.seat, products, attacks)


def turned(space: int, steps: int, spaces: int) -> tuple[int, int]:
    """Return the space where a wheel of so many spaces stops, and how often it passed from its last to its first."""
    laps, space = divmod(space + steps, spaces)
    return space, abs(laps)


def kaiju_turned(position: Position, me: Player, steps: int) -> tuple[int, int]:
    """Back from the Kaiju space over the line is an attack as well; with "stop" the marker stays on that space."""
    if me.kaiju + steps < 0 and position.options.kaiju_backwards == "stop":
        return 0, 0
    return turned(me.kaiju, steps, KAIJU_SPACES)


# --- New Products --------------------------------------------------------------------------------------------------


def take_products(position: Position, owed: Owed) -> Flow[None]:
    """The player takes a face-up New Product, if there is any, each time Eureka is reached or passed."""
    while owed.products and position.display:
        choice = position.display.copy()
        card = choice[0] if len(choice) == 1 else (yield from ask(owed.seat, ToTake(choice, owed.products))).card
        owed.products -= 1
        position.display.remove(card)
        position.players[owed.seat].products.append(card)
        refill(position, owed.seat, card)
    owed.products = 0


def refill(position: Position, seat: Seat, taken: str) -> None:
    """Another is turned up at once. The first Handbag that is triggers the end of the game."""
    card = position.product_deck.pop(0) if position.product_deck else ""
    trigger = card in HANDBAGS and not position.triggered
    position.triggered |= trigger
    position.display += [card] * bool(card)
    tell(position, ProductTaken(seat, taken, card, trigger))


# --- attacks -------------------------------------------------------------------------------------------------------


def suffer(position: Position, owed: Owed) -> Flow[None]:
    """The player suffers the current card, whatever it finds, each time the Kaiju space is reached or passed."""
    while owed.attacks:
        if position.threat in AT_ONCE:
            event = AT_ONCE[position.threat](owed.seat, position.players[owed.seat])
        else:
            event = yield from lose_building(position, owed.seat)
        owed.attacks -= 1
        position.struck = True
        tell(position, event)


def lose_building(position: Position, seat: Seat) -> Flow[Attacked]:
    """The victim chooses among those of its Buildings that fit; with none it loses nothing."""
    cards = attackable(position.threat, position.players[seat])
    if not cards:
        return Attacked(seat, position.threat)
    card = cards[0] if len(cards) == 1 else (yield from ask(seat, ToSacrifice(position.threat, cards))).card
    destroy(position, position.players[seat], card)
    return Attacked(seat, position.threat, card)


def attackable(kaiju: str, victim: Player) -> list[str]:
    """Return the Buildings that an attack may take."""
    tableau = victim.tableau
    match kaiju:
        case "K09":
            return [card for card in tableau if BUILDING[card].city == victim.city]
        case "K12":
            return [card for card in tableau if BUILDING[card].city != victim.city]
        case "K10":
            dearest = max((COST[card] for card in tableau), default=0)
            return [card for card in tableau if COST[card] == dearest]
    return [card for card in tableau if PAYS_ON[card] == PREY_PAYS_ON[kaiju]]


PREY_PAYS_ON: Final = {"K01": "CY", "K02": "CR", "K03": "IY", "K04": "IR", "K05": "TY", "K06": "TR"}


def lose_money(seat: Seat, victim: Player) -> Attacked:
    """K07: lose 4¥, or what there is."""
    lost = min(4, victim.bank)
    victim.bank -= lost
    return Attacked(seat, "K07", money=lost)


def lose_research(seat: Seat, victim: Player) -> Attacked:
    """K08: the Research marker goes back to Eureka, which brings no New Product."""
    lost, victim.research = victim.research, 0
    return Attacked(seat, "K08", research=lost)


def lose_half(seat: Seat, victim: Player) -> Attacked:
    """K11: lose half the Bank Account, rounded up."""
    lost = (victim.bank + 1) // 2
    victim.bank -= lost
    return Attacked(seat, "K11", money=lost)


AT_ONCE: Final[dict[str, Callable[[Seat, Player], Attacked]]] = {
    "K07": lose_money,
    "K08": lose_research,
    "K11": lose_half,
}


def destroy(position: Position, owner: Player, card: str) -> None:
    """A lost Building goes to the discard pile; a Start card leaves the game."""
    owner.tableau.remove(card)
    if not is_start(card):
        position.discard.append(card)


def replace_threat(position: Position) -> None:
    """A card that has struck is discarded and the next one turned up; an empty deck is made of the discard pile."""
    old = position.threat
    position.kaiju_discard.append(old)
    if not position.kaiju_deck:
        position.kaiju_deck, position.kaiju_discard = position.kaiju_discard, []
        position.dice.shuffle(position.kaiju_deck)
        tell(position, Reshuffled("kaiju", len(position.kaiju_deck)))
    position.threat, position.struck = position.kaiju_deck.pop(0), False
    tell(position, Threatened(old, position.threat))
