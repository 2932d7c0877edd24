"""The options of Zaibatsu for organisers: what each does."""

from collections.abc import Mapping
from typing import Final

from engine.sentences import Sentence

ABOUT: Final[Mapping[str, Sentence]] = {
    "first": Sentence('Who begins: "random", or a seat, counted from 0.'),
    "unsold": Sentence("A pile that nobody bought is discarded, or stays for the next auction."),
    "piles": Sentence("Whether the piles lie face up or face down."),
}
