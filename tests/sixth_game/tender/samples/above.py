"""Bids the lowest note that is worth more than the contract, or the lowest left."""

from tender import Bid, ToBid, View

from bots.sdk import play


def choose(view: View, question: ToBid) -> Bid:
    return Bid(min(question.notes, key=lambda note: (note <= view.contract, note)))


play(choose)
