from tournaments.models.bots import Bot, Bundle, Version
from tournaments.models.ladders import Entry, Ladder, Rating, RatingStep
from tournaments.models.matches import Attempt, FaultEvidence, Match, MatchSet, Result, Seat
from tournaments.models.people import ApiToken, User

__all__ = [
    "ApiToken",
    "Attempt",
    "Bot",
    "Bundle",
    "Entry",
    "FaultEvidence",
    "Ladder",
    "Match",
    "MatchSet",
    "Rating",
    "RatingStep",
    "Result",
    "Seat",
    "User",
    "Version",
]
