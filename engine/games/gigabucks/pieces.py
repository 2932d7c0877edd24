"""The numbers of the rulebook. Corporations have no names: a corporation is the space that houses it."""

from typing import Final, Literal

Kind = Literal["charter", "reactivation", "diversification", "voluntary", "involuntary", "seat"]  # of auction
KINDS: Final[tuple[Kind, ...]] = ("charter", "reactivation", "diversification", "voluntary", "involuntary", "seat")
LIQUIDATIONS: Final = ("voluntary", "involuntary")  # the bid goes to one player; in all other auctions to each opponent

CURRENCY: Final = 300  # $ for each player at the start
SPACES: Final = 42
DICE: Final = (6, 6)
LEAST_CUT: Final = 5  # $ by which a minimum must fall for a second offer

BUNDLES, NAMED = 64, 100  # most bundles in a menu, and most corporations named in all of them
MESSAGES, SAYINGS = 2, 200  # most with one answer, and of one seat in a match
LETTERS: Final = 140  # most in a message
