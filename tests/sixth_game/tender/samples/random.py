"""Bids any note."""

import random

from tender import Bid, ToBid, View

from bots.sdk import play


def choose(_: View, question: ToBid) -> Bid:
    return Bid(random.choice(question.notes))


play(choose)
