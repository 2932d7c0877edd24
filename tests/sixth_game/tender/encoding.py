"""Tender for environments: each note is an action."""

from bots.environments.actions import Actions, Block, Single
from bots.environments.codecs import counts, each, number, one_of
from bots.environments.encoding import Parts
from bots.environments.layout import Placed, layout, my_seat
from tender.rules import Bid, Options, Position, ToBid
from tender.view import View


def parts(options: Options) -> Parts:
    numbers, seats = range(1, options.contracts + 1), options.players
    actions = Actions.of(Block.of(Bid, "bid", note=numbers))
    bid = actions["bid"].index
    placed: Placed = {
        "seat": (one_of(range(seats)), my_seat),
        "contract": number(),
        "notes": each(seats, counts(numbers)),
        "won": each(seats, counts(numbers)),
        "lost": counts(numbers),
    }
    encoders = {ToBid: Single(actions, lambda asked: [bid[note] for note in asked.notes])}
    return Parts(layout(View, Position, placed, {}), actions, encoders, longest=seats * options.contracts)
