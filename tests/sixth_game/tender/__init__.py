"""Tender: sealed bids for contracts. A complete game from outside; docs/add-a-game.md goes through it."""

from engine.game import Game
from tender.rules import Bid, Offered, Options, Position, Settled, ToBid, new, rules, scores
from tender.view import View, imagine, redraw, see

GAME = Game(
    name="tender",
    title="Tender",
    version=1,
    players=range(2, 6),
    options=Options,
    questions=(ToBid,),
    events=(Offered, Settled),
    new=new,
    position=Position,
    rules=rules,
    view=View,
    see=see,
    scores=scores,
    redraw=redraw,
    imagine=imagine,
)

__all__ = ["GAME", "Bid", "Offered", "Options", "Position", "Settled", "ToBid", "View"]
