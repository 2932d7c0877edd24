"""The recorded games of Kaiju Incorporated: each number of players, each option, each way to end, faults."""

from typing import Any

from engine.core import Question
from engine.dice import Dice
from engine.games.kaiju import (
    BUILDING,
    Build,
    Income,
    Insure,
    Rebuild,
    Sacrifice,
    ToInsure,
    ToSacrifice,
    ToTurn,
)
from engine.records import Record
from tests.games.recording import Recording


def ruined(question: Question[Any], dice: Dice) -> Record:
    """Wants no ¥: has Buildings that provide it flattened and builds none, until it can start over."""

    def poor(card: str) -> bool:
        return card not in BUILDING or BUILDING[card].money == 0

    match question:
        case ToTurn(row, build, rebuild, _):
            return (
                Rebuild(dice.pick(rebuild))
                if rebuild
                else dice.pick([*(Income(card) for card in row), *(Build(card) for card in build if poor(card))])
            )
        case ToSacrifice(_, cards):
            return Sacrifice(min(cards, key=poor))
        case ToInsure(cards):
            return Insure(min(cards, key=poor))
    answer: Record = question.draw(dice)
    return answer


def idle(question: Question[Any], dice: Dice) -> Record:
    """Builds nothing."""
    answer: Record = Income(question.row[-1]) if isinstance(question, ToTurn) else question.draw(dice)
    return answer


RECORDINGS = {
    "kaiju-4": Recording({"players": 4}),
    "kaiju-2": Recording({"players": 2}),
    "kaiju-3": Recording({"players": 3}),
    "kaiju-5": Recording({"players": 5}),
    "kaiju-named": Recording({"players": 2, "start_player": 1, "companies": ["C5", "C2"], "city_majority": "any"}),
    "kaiju-stop": Recording({"players": 3, "kaiju_backwards": "stop", "reshuffle": "all", "special_case": False}),
    "kaiju-afresh": Recording({"players": 3}, ruined),
    "kaiju-cap": Recording({"players": 2, "max_turns": 6}, idle),
    "kaiju-faults": Recording({"players": 3}, faults=True),
}
