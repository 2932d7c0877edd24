"""Kaiju Incorporated, by what an answer is worth now.

A point of research is worth more than a coin, and a kaiju point costs. A Building is worth what it will bring when its
suit comes up a few times more; income, what it brings us now, less what it brings the others on average.
"""

from collections.abc import Sequence
from typing import Any

from bots.sdk import play
from engine.core import Question, Seat
from engine.games.kaiju import (
    BUILDING,
    COST,
    SUIT,
    SUITS,
    Build,
    ChooseRival,
    ChooseSuit,
    Income,
    Insure,
    Player,
    Prefab,
    Rebuild,
    Sacrifice,
    Suit,
    Take,
    ToChooseRival,
    ToChooseSuit,
    ToInsure,
    ToPrefab,
    ToSacrifice,
    ToTake,
    ToTakeOver,
    ToTurn,
    View,
    income_of,
    product_vp,
    vp,
)
from engine.records import Record

MONEY, RESEARCH, KAIJU = 1.0, 2.0, -0.7  # what a point is worth
PAYS = 2.5  # how often a Building will pay, we think
HOME = 1.5  # for a Building of our own city
SPECIALS = {"S01": 4.0, "S03": 1.5, "S05": 0.0, "S09": 6.0}  # what they bring; the others are left to bolder bots
MOST_MONEY = 11


def value(money: float, research: float, kaiju: float) -> float:
    return MONEY * money + RESEARCH * research + KAIJU * kaiju


def asset(me: Player, card: str) -> float:
    """Return what a Building of ours is worth to us."""
    house = BUILDING[card]
    return PAYS * value(house.money, house.research, house.kaiju) + HOME * (house.city == me.city) + 0.5


def income(players: Sequence[Player], seat: Seat, suit: Suit) -> float:
    """Return what income of `suit` brings to us, less what it brings to the others on average."""
    me = players[seat]
    money, research, kaiju = income_of(me.tableau, suit, "Y")
    gained = value(min(money, MOST_MONEY - me.bank), research, kaiju)
    rivals = sum(value(*income_of(other.tableau, suit, "R")) for number, other in enumerate(players) if number != seat)
    return gained - rivals / (len(players) - 1)


def build(me: Player, card: str) -> float:
    """Return what `card` is worth beyond its cost."""
    brings = asset(me, card) if card in BUILDING else SPECIALS.get(card, 0.0)
    return brings - MONEY * COST[card]


def turn(players: Sequence[Player], seat: Seat, question: ToTurn) -> Record:
    me = players[seat]
    if question.rebuild:
        return Rebuild(max(question.rebuild, key=lambda card: asset(me, card)))
    brings = {suit: income(players, seat, suit) for suit in dict.fromkeys(SUIT[card] for card in question.row)}
    options: list[Record] = [*map(Income, question.row), *map(Build, question.build)]
    worth = [*(brings[SUIT[card]] for card in question.row), *(build(me, card) for card in question.build)]
    return options[worth.index(max(worth))]


def answer(players: Sequence[Player], seat: Seat, question: Question[Any]) -> Record:
    """The greedy answer of `seat`."""
    me = players[seat]
    match question:
        case ToTurn():
            return turn(players, seat, question)
        case ToTake(cards):
            return Take(max(cards, key=lambda card: product_vp(card, me.tableau)))
        case ToSacrifice(_, cards):
            return Sacrifice(min(cards, key=lambda card: asset(me, card)))
        case ToPrefab(cards):
            return Prefab(max(cards, key=lambda card: asset(me, card)))
        case ToInsure(cards):
            worst = min(cards, key=lambda card: asset(me, card) - COST[card])
            return Insure(worst if asset(me, worst) < COST[worst] + 2 else None)
        case ToChooseSuit():
            return ChooseSuit(max(SUITS, key=lambda suit: value(*income_of(me.tableau, suit, "Y"))))
        case ToChooseRival(_, seats):
            return ChooseRival(max(seats, key=lambda other: vp(players, other, "own")))
        case ToTakeOver(targets):
            return max(targets, key=lambda target: asset(me, target.card))
    raise TypeError(f"Kaiju Incorporated asks no {question!r}")


def choose(view: View, question: Question[Any]) -> Record:
    return answer(view.players, view.seat, question)


if __name__ == "__main__":
    play(choose)
