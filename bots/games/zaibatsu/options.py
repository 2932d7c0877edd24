"""The options of Zaibatsu for organisers: what each does."""

from collections.abc import Mapping
from typing import Final

from engine.sentences import Sentence

MARGIN: Final = 60  # points: 1.8 times the usual lead at tables of four, .75 of it in duels
ABOUT: Final[Mapping[str, Sentence]] = {
    "first": Sentence('Who begins: "random", or a seat, counted from 0.'),
    "unsold": Sentence("A pile that nobody bought is discarded, or stays for the next auction."),
    "piles": Sentence("Whether the piles lie face up or face down."),
}
