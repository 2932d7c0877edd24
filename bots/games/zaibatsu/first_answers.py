"""A legal answer to every question of Zaibatsu: see `bots/command/starters/first_answers.py`."""

from typing import Final

FIRST_ANSWERS: Final = {
    "place": '{"t":"place","card":$cards.0,"pile":$piles.0}',
    "call": '{"t":"call","pile":$piles.0}',
    "bid": '{"t":"bid","amount":0}',
}
