"""Kaiju Incorporated by a linear worth of each answer, whose weights were learnt (`bots.command.learn`).

The rules of thumb of `greedy`, with numbers for what it leaves out: a Building may bring less the later it is built,
and what the rivals get count for more or less.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bots.games.kaiju.samples import greedy
from engine.core import Question, Seat
from engine.games.kaiju import (
    BUILDING,
    COST,
    SUIT,
    Build,
    Income,
    Insure,
    Player,
    Position,
    Prefab,
    Rebuild,
    Sacrifice,
    ToInsure,
    ToPrefab,
    ToSacrifice,
    ToTakeOver,
    ToTurn,
    View,
    income_of,
)
from engine.records import Record


@dataclass(frozen=True, slots=True)
class Linear:
    """In coins: a point of research and of kaiju; how often a Building pays on the first turn, and how much less on
    each later one; a Building of our own city; what the rivals get; a Special Action by its number."""

    research: float = 4.45
    kaiju: float = -1.92
    pays: float = 6.45
    fades: float = -0.0166
    home: float = 0.405
    rivals: float = 1.0
    relief: float = 2.0
    barrier: float = 0.537
    crash: float = 6.0

    def value(self, money: float, research: float, kaiju: float) -> float:
        return money + self.research * research + self.kaiju * kaiju

    def asset(self, turn: int, me: Player, card: str) -> float:
        """Return what a Building of ours will bring."""
        house = BUILDING[card]
        times = max(0.3, self.pays - self.fades * turn)
        return times * self.value(house.money, house.research, house.kaiju) + self.home * (house.city == me.city) + 0.5

    def build(self, turn: int, me: Player, card: str) -> float:
        specials = {"S01": self.relief, "S03": self.barrier, "S09": self.crash}
        brings = self.asset(turn, me, card) if card in BUILDING else specials.get(card, 0.0)
        return brings - COST[card]

    def income(self, players: Sequence[Player], seat: Seat, suit: Any) -> float:
        """Return what an income brings us, less what it brings the others on average."""
        me = players[seat]
        money, research, kaiju = income_of(me.tableau, suit, "Y")
        mine = self.value(min(money, greedy.MOST_MONEY - me.bank), research, kaiju)
        rival_incomes = [
            self.value(*income_of(house.tableau, suit, "R")) for other, house in enumerate(players) if other != seat
        ]
        return mine - self.rivals * sum(rival_incomes) / len(rival_incomes)

    def turn(self, position: Position | View, seat: Seat, question: ToTurn) -> Record:
        me = position.players[seat]
        if question.rebuild:
            return Rebuild(max(question.rebuild, key=lambda card: self.asset(position.turn, me, card)))
        brings = {suit: self.income(position.players, seat, suit) for suit in {SUIT[card]: 0 for card in question.row}}
        worth = [(brings[SUIT[card]], card) for card in question.row]
        best, card = max(worth, key=lambda ranked: ranked[0])
        builds = [(self.build(position.turn, me, card), card) for card in question.build]
        most, dearest = max(builds, key=lambda ranked: ranked[0], default=(best, ""))
        return Build(dearest) if most > best else Income(card)

    def answer(self, position: Position | View, seat: Seat, question: Question[Any]) -> Record:
        me, turn = position.players[seat], position.turn
        match question:
            case ToTurn():
                return self.turn(position, seat, question)
            case ToSacrifice(_, cards):
                return Sacrifice(min(cards, key=lambda card: self.asset(turn, me, card)))
            case ToPrefab(cards):
                return Prefab(max(cards, key=lambda card: self.asset(turn, me, card)))
            case ToInsure(cards):
                worst = min(cards, key=lambda card: self.asset(turn, me, card) - COST[card])
                return Insure(worst if self.asset(turn, me, worst) < COST[worst] + 2 else None)
            case ToTakeOver(targets):
                return max(targets, key=lambda target: self.asset(turn, me, target.card))
        return greedy.answer(position.players, seat, question)

    def choose(self, view: View, question: Question[Any]) -> Record:
        return self.answer(view, view.seat, question)
