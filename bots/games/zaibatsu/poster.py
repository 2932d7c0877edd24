"""The poster of Zaibatsu."""

from bots.viewer.posters import EASY, Poster
from engine.sentences import Sentence

POSTER = Poster(
    drawing=Sentence("Mines feed processors, and processors a factory."),
    decisions=31,
    rules=EASY,  # three kinds of decisions: put a card, call a pile, bid
)
