"""A legal answer to every question of Kaiju Incorporated: see `bots/command/starters/first_answers.py`."""

from typing import Final

FIRST_ANSWERS: Final = {
    "turn": '{"t":"income","card":$row.0}',
    "product": '{"t":"product","card":$cards.0}',
    "sacrifice": '{"t":"sacrifice","card":$cards.0}',
    "prefab": '{"t":"prefab","card":null}',
    "insure": '{"t":"insure","card":null}',
    "suit": '{"t":"suit","suit":"C"}',
    "rival": '{"t":"rival","seat":$seats.0}',
    "takeover": "$targets.0",
}
