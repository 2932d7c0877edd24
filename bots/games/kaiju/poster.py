"""The poster of Kaiju Incorporated."""

from bots.viewer.posters import MEDIUM, Poster
from engine.sentences import Sentence

POSTER = Poster(
    drawing=Sentence("A kaiju walks through a city at night."),
    decisions=37,
    rules=MEDIUM,  # each turn one card and two things to do with it, but many cards
)
