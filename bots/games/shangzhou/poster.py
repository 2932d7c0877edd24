"""The poster of Shangzhou-Gold."""

from bots.viewer.posters import HARD, Poster
from engine.sentences import Sentence

POSTER = Poster(
    drawing=Sentence("Agents hold the sectors of a city, and power strikes."),
    decisions=64,
    rules=HARD,  # eight phases a turn, ten kinds of decisions, three ways to win
)
