"""The Special Actions: a function for each, and its docstring is the text of the card.

What a text brings is put among the gains, which are settled after it.
"""

from collections.abc import Callable
from typing import Final

from engine.core import Flow, Seat, ask, tell
from engine.games.kaiju.decks import draw_cards
from engine.games.kaiju.events import Built, SpecialDone
from engine.games.kaiju.income import destroy, queue_income
from engine.games.kaiju.pieces import BUILDING, COST, SUIT, YOUR_TURN, Suit, is_start
from engine.games.kaiju.position import Gain, Owed, Position
from engine.games.kaiju.questions import (
    TakeOver,
    ToChooseRival,
    ToChooseSuit,
    ToInsure,
    ToPrefab,
    ToTakeOver,
)
from engine.seats import clockwise

REVEALED, CHEAPER = 3, 3  # by the Prefab Contract


def rivals_of(position: Position, seat: Seat) -> list[Seat]:
    """Return the other players, clockwise from the player's left."""
    return clockwise(seat, position.options.players)[1:]


def queue_gain(position: Position, seat: Seat, *, money: int = 0, research: int = 0, kaiju: int = 0) -> None:
    position.gains.append(Gain(seat, position.special, money, research, kaiju))


def suited(position: Position, seat: Seat, suit: Suit) -> int:
    return sum(SUIT[card] == suit for card in position.players[seat].tableau)


# --- without a choice ----------------------------------------------------------------------------------------------


def disaster_relief(position: Position, seat: Seat) -> None:
    """S01: gain 4¥."""
    queue_gain(position, seat, money=4)


def coastal_barrier(position: Position, seat: Seat) -> None:
    """S03: your Kaiju marker goes back to its start; no attack."""
    position.players[seat].kaiju = 0


def toxic_dumping(position: Position, seat: Seat) -> None:
    """S06: each rival, clockwise, moves the Kaiju marker 2 spaces."""
    for rival in rivals_of(position, seat):
        queue_gain(position, rival, kaiju=2)


def export_boom(position: Position, seat: Seat) -> None:
    """S08: gain 1¥ for each of your Industrial Buildings, 6¥ at most."""
    queue_gain(position, seat, money=min(6, suited(position, seat, "I")))


def crash_programme(position: Position, seat: Seat) -> None:
    """S09: 3 steps of research."""
    queue_gain(position, seat, research=3)


def patent_pool(position: Position, seat: Seat) -> None:
    """S11: a step of research for each of your Technology Buildings, 4 at most."""
    queue_gain(position, seat, research=min(4, suited(position, seat, "T")))


# --- with a choice -------------------------------------------------------------------------------------------------


def prefab_contract(position: Position, seat: Seat) -> Flow[None]:
    """S02: reveal the top 3 cards of the deck; you may build one Building of them at 3¥ less. Discard the others."""
    if not position.revealed:
        position.revealed = draw_cards(position, REVEALED)
    shown, me = tuple(position.revealed), position.players[seat]
    offers = [card for card in shown if card in BUILDING and COST[card] - CHEAPER <= me.bank]
    card = (yield from ask(seat, ToPrefab(offers, position.revealed.copy()))).card if offers else None
    tell(position, SpecialDone(seat, "S02", chosen=card or "", revealed=shown))
    if card:
        position.revealed.remove(card)
        cost = max(0, COST[card] - CHEAPER)
        me.bank -= cost
        me.tableau.append(card)
        tell(position, Built(seat, card, cost, me.bank))
    position.discard += position.revealed
    position.revealed = []


def insurance_payout(position: Position, seat: Seat) -> Flow[None]:
    """S04: you may discard one of your Buildings, to gain its cost and 2¥."""
    me = position.players[seat]
    card = (yield from ask(seat, ToInsure(me.tableau.copy()))).card if me.tableau else None
    tell(position, SpecialDone(seat, "S04", chosen=card or ""))
    if card:
        destroy(position, me, card)
        queue_gain(position, seat, money=COST[card] + 2)


def double_shift(position: Position, seat: Seat) -> Flow[None]:
    """S05: name a suit and take your own Your Turn income of it; the others take none."""
    suit = (yield from ask(seat, ToChooseSuit())).suit
    tell(position, SpecialDone(seat, "S05", chosen=suit))
    queue_income(position, suit, [(seat, YOUR_TURN)])


def hostile_takeover(position: Position, seat: Seat) -> Flow[None]:
    """S07: move a rival's Building that costs 7¥ or less, no Start card, to your tableau."""
    targets = [
        TakeOver(rival, card)
        for rival in rivals_of(position, seat)
        for card in position.players[rival].tableau
        if COST[card] <= 7 and not is_start(card)
    ]
    if not targets:
        tell(position, SpecialDone(seat, "S07"))
        return
    chosen = targets[0] if len(targets) == 1 else (yield from ask(seat, ToTakeOver(targets)))
    position.players[chosen.seat].tableau.remove(chosen.card)
    position.players[seat].tableau.append(chosen.card)
    tell(position, SpecialDone(seat, "S07", chosen.seat, chosen.card))


def kaiju_lure(position: Position, seat: Seat) -> Flow[None]:
    """S10: a rival of your choice suffers the current Kaiju card; no marker moves."""
    rival = yield from choose_rival(position, seat)
    position.owed = Owed(rival, 0, 1)
    tell(position, SpecialDone(seat, "S10", rival))


def industrial_espionage(position: Position, seat: Seat) -> Flow[None]:
    """S12: up to 2 steps of research move from a rival of your choice, not below Eureka, to you."""
    rival = yield from choose_rival(position, seat)
    steps = min(2, position.players[rival].research)
    position.players[rival].research -= steps
    queue_gain(position, seat, research=steps)
    tell(position, SpecialDone(seat, "S12", rival))


def choose_rival(position: Position, seat: Seat) -> Flow[Seat]:
    rivals = rivals_of(position, seat)
    return rivals[0] if len(rivals) == 1 else (yield from ask(seat, ToChooseRival(position.special, rivals))).seat


PLAIN: Final[dict[str, Callable[[Position, Seat], None]]] = {
    "S01": disaster_relief,
    "S03": coastal_barrier,
    "S06": toxic_dumping,
    "S08": export_boom,
    "S09": crash_programme,
    "S11": patent_pool,
}
CHOSEN: Final[dict[str, Callable[[Position, Seat], Flow[None]]]] = {
    "S02": prefab_contract,
    "S04": insurance_payout,
    "S05": double_shift,
    "S07": hostile_takeover,
    "S10": kaiju_lure,
    "S12": industrial_espionage,
}


def carry_out(position: Position, seat: Seat) -> Flow[None]:
    """Do what the Special Action says."""
    if position.special in PLAIN:
        PLAIN[position.special](position, seat)
        tell(position, SpecialDone(seat, position.special))
    else:
        yield from CHOSEN[position.special](position, seat)
