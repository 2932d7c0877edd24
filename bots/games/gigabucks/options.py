"""The options of Corporate Gigabucks for organisers: what each does, and how `up` sets its ladder."""

from collections.abc import Mapping
from typing import Final

from engine.sentences import Sentence

AUCTIONS: Final = ("charter", "reactivation", "diversification", "voluntary", "involuntary", "seat")
LADDER: Final[Mapping[str, object]] = {"bidding": "proxy"}
ABOUT: Final[Mapping[str, Sentence]] = {
    "currency": Sentence("What everyone starts with; less makes a faster game."),
    "spaces": Sentence("Spaces of the ring; fewer make a faster game."),
    "dice": Sentence("The sides of each die, with commas between."),
    "seating": Sentence("How the order of seats is decided."),
    "flexible_rounds": Sentence("Placements before the first roll."),
    "next_player": Sentence("Who gets the next turn."),
    "bidding": Sentence("In turn, all at once, or each with a limit that bids for it: the last is quickest."),
    "one_round": Sentence(
        "Kinds of auction in which everyone bids once, with commas between: charter, reactivation, "
        "diversification, voluntary, involuntary, seat."
    ),
    **{f"bid_step.{kind}": Sentence("Bids in this kind of auction are multiples of it.") for kind in AUCTIONS},
    "diversify_on": Sentence("Whose corporations a player may diversify on."),
    "voluntary_sales": Sentence("Whether a player may sell corporations voluntarily."),
    "voluntary_retry": Sentence("If nobody met the minimum, it is offered again for less."),
    "royalty": Sentence("How royalties are computed: by the chain, simply, or as a product."),
    "royalty_unit": Sentence("Money for each point of royalty; 2 with a currency of 600 makes a finer grain."),
    "resigner_keeps_funds": Sentence("A player who resigns keeps the money; only the corporations become idle."),
    "talk": Sentence("Whether players may send each other typed messages."),
    "max_rounds": Sentence("After this many rounds the match ends: a safety net."),
    "max_decisions": Sentence("After this many decisions the match ends: a safety net."),
}
