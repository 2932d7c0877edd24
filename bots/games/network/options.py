"""The options of Network for organisers: what each does, and how `up` sets its ladder."""

from collections.abc import Mapping
from typing import Final

from engine.sentences import Sentence

RATED: Final[Mapping[str, object]] = {"map": "generated"}  # on a fixed map nothing is left to luck
ABOUT: Final[Mapping[str, Sentence]] = {
    "map": Sentence("Auto is small for up to three players; maps are generated for every set."),
    "first": Sentence('Who begins: "random", or a seat, counted from 0.'),
    "bank_buys_unsold": Sentence(
        "The bank pays the share's value into the treasury if nobody bids on a player's share."
    ),
    "max_turns": Sentence("After this many turns the match ends: a safety net."),
}
