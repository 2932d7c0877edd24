"""The recorded games of Network: each number of players, each way to end, each option, faults."""

from typing import Any

from engine.core import Question
from engine.dice import Dice
from engine.games.network import Act, Auction, Bid, ToBid, ToTurn
from engine.records import Record
from tests.games.recording import Recording


def busy(question: Question[Any], dice: Dice) -> Record:
    """Build where one can, else sell, and bid in one of two auctions: so companies sell out."""
    drawn: Record = question.draw(dice)
    match question:
        case ToTurn(offers=offers, sites=sites) if offers or sites:
            while not isinstance(drawn, Act | Auction):
                drawn = question.draw(dice)
        case ToBid(low=low):
            return Bid(low * dice.below(2))
    return drawn


RECORDINGS = {
    "network-3": Recording({"players": 3}, busy),
    "network-2": Recording({"players": 2, "map": "generated"}, busy),
    "network-4": Recording({"players": 4, "map": "generated"}),
    "network-5": Recording({"players": 5, "map": "small", "bank_buys_unsold": False}),
    "network-6": Recording({"players": 6, "first": 4}, busy),
    "network-cap": Recording({"players": 3, "map": "large", "max_turns": 9}, busy),
    "network-faults": Recording({"players": 4}, faults=True),
}
