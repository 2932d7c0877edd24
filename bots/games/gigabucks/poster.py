"""The poster of Corporate Gigabucks."""

from bots.viewer.posters import MEDIUM, Poster
from engine.sentences import Sentence

POSTER = Poster(
    drawing=Sentence("A ring of corporations round two dice."),
    decisions=112,
    rules=MEDIUM,  # roll and bid are soon learnt, royalties of conglomerates are not
)
