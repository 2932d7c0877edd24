"""A legal answer to every question of Network: see `bots/command/starters/first_answers.py`."""

from typing import Final

FIRST_ANSWERS: Final = {
    "turn": '{"t":"pass"}',
    "bid": '{"t":"bid","amount":0}',
    "build": '{"t":"stop"}',
}
