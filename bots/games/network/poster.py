"""The poster of Network."""

from bots.viewer.posters import MEDIUM, Poster
from engine.sentences import Sentence

POSTER = Poster(
    drawing=Sentence("Lines of three companies run from one start over a map of hexagons."),
    decisions=15,
    rules=MEDIUM,  # three kinds of decisions, but who owns a share does not own its company
)
