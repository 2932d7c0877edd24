"""The recorded games of Corporate Gigabucks: each number of players, way to end, and option that changes the flow."""

from typing import Any

from engine.core import Question
from engine.dice import Dice
from engine.games.gigabucks import Action, Fact, Say
from tests.games.recording import Recording

SHORT: dict[str, object] = {"currency": 40, "spaces": 12, "bidding": "proxy"}


def stayer(question: Question[Any], dice: Dice) -> Action:
    """Draws, but never resigns."""
    answer: Action = question.draw(dice)
    answer.resign = False
    return answer


def quitter(question: Question[Any], dice: Dice) -> Action:
    """Resigns with one answer in 32."""
    answer: Action = question.draw(dice)
    answer.resign = dice.below(32) == 0
    return answer


def talker(question: Question[Any], dice: Dice) -> Action:
    """Says something true or false now and then, or proposes a deal."""
    answer = stayer(question, dice)
    messages: list[Fact | Say] = [
        Fact(1, "turn", 0, dice.below(3)),
        Say(2, "deal", "You pass now, and I the next time."),
    ]
    answer.talk = [dice.pick(messages)] if dice.below(8) == 0 else []
    return answer


def leaver(question: Question[Any], dice: Dice) -> Action:
    """Resigns with two answers in three."""
    answer: Action = question.stand_in() if dice.below(3) else question.draw(dice)
    return answer


def passer(question: Question[Any], _dice: Dice) -> Action:
    answer: Action = question.default()
    return answer


RECORDINGS = {
    "gigabucks-3": Recording({"players": 3, **SHORT}, stayer),
    "gigabucks-2": Recording({"players": 2, **SHORT}, stayer),
    "gigabucks-4": Recording({"players": 4, **SHORT, "bidding": "clockwise", "spaces": 14}, stayer),
    "gigabucks-5": Recording({"players": 5, **SHORT, "bidding": "open", "royalty": "product"}, stayer),
    "gigabucks-6": Recording({"players": 6, **SHORT, "royalty": "simple", "dice": [4, 4, 4]}, quitter),
    "gigabucks-7": Recording({"players": 7, "currency": 60, "spaces": 28, "flexible_rounds": 3}, quitter),
    "gigabucks-8": Recording({"players": 8, **SHORT, "spaces": 16, "seating": "auction"}, stayer),
    "gigabucks-sales": Recording(
        {"players": 3, **SHORT, "bidding": "open", "voluntary_retry": True, "diversify_on": "own", "max_rounds": 30},
        stayer,
    ),
    "gigabucks-steps": Recording(
        {
            "players": 4,
            "currency": 80,
            "royalty_unit": 2,
            "spaces": 12,
            "one_round": ["charter", "diversification"],
            "bid_step": {"charter": 2, "voluntary": 5, "involuntary": 5},
            "next_player": "after_winner",
            "seating": "fixed",
        },
        stayer,
    ),
    "gigabucks-talk": Recording({"players": 3, **SHORT, "talk": "typed"}, talker),
    "gigabucks-funds": Recording({"players": 4, **SHORT, "resigner_keeps_funds": True}, quitter),
    "gigabucks-quit": Recording({"players": 3, **SHORT}, leaver),
    "gigabucks-rounds": Recording({"players": 3, "max_rounds": 6, "voluntary_sales": False}, passer),
    "gigabucks-decisions": Recording({"players": 2, "max_decisions": 60}, stayer),
    "gigabucks-faults": Recording({"players": 3, **SHORT}, stayer, faults=True),
}
