"""The options of Tender for organisers: what each does, and how `up` sets its ladder."""

from engine.sentences import Sentence

ABOUT = {"contracts": Sentence("How many contracts come up, and the highest note of each player.")}
LADDER = {"contracts": 12}
