"""The options of Kaiju Incorporated for organisers: what each does."""

from collections.abc import Mapping
from typing import Final

from engine.sentences import Sentence

MARGIN: Final = 20  # points: once the lead of equals in duels, 1.8 times that at tables of four
ABOUT: Final[Mapping[str, Sentence]] = {
    "start_player": Sentence('Who begins: "random", or a seat, counted from 0.'),
    "companies": Sentence('Whose company each seat leads: "random", or their ids by seat, with commas between.'),
    "special_case": Sentence("A player without a building that earns money may start over."),
    "city_majority": Sentence("A majority counts only in one's own city, or in any city in play."),
    "kaiju_backwards": Sentence("A marker that goes back over the line attacks, or stops there."),
    "reshuffle": Sentence("The rest of the deck is dealt first, or shuffled with the other cards."),
    "max_turns": Sentence("After this many turns the match ends: a safety net."),
}
