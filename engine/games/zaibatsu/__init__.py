"""Zaibatsu: buy companies pile by pile and chain them from raw materials to finished goods. 2 to 4 players."""

from engine.auctions import Bid, BidMade, OnceAround, ToBid
from engine.game import Game
from engine.games.zaibatsu.events import Called, Dealt, Ended, Placed, RoundBegun, Scored, Setup, Sold, Unsold
from engine.games.zaibatsu.pieces import CARDS, COMPANIES, Company
from engine.games.zaibatsu.position import Call, FaceDown, Options, Pile, Place, Position, ToCall, ToPlace
from engine.games.zaibatsu.rules import new, rules, scores
from engine.games.zaibatsu.scoring import Operation, best
from engine.games.zaibatsu.view import AuctionView, PileView, View, imagine, redraw, see

ZAIBATSU = Game(
    name="zaibatsu",
    title="Zaibatsu",
    version=1,
    players=range(2, 5),
    options=Options,
    questions=(ToPlace, ToCall, ToBid),
    events=(Setup, RoundBegun, Dealt, Placed, Called, BidMade, Sold, Unsold, Scored, Ended),
    new=new,
    position=Position,
    rules=rules,
    view=View,
    see=see,
    scores=scores,
    redraw=redraw,
    imagine=imagine,
)

__all__ = [
    "CARDS",
    "COMPANIES",
    "ZAIBATSU",
    "AuctionView",
    "Bid",
    "BidMade",
    "Call",
    "Called",
    "Company",
    "Dealt",
    "Ended",
    "FaceDown",
    "OnceAround",
    "Operation",
    "Options",
    "Pile",
    "PileView",
    "Place",
    "Placed",
    "Position",
    "RoundBegun",
    "Scored",
    "Setup",
    "Sold",
    "ToBid",
    "ToCall",
    "ToPlace",
    "Unsold",
    "View",
    "best",
    "imagine",
    "redraw",
    "see",
]
