from tournaments.models.bots import Bot, Bundle, Version
from tournaments.models.events import Entrant, Event
from tournaments.models.ladders import Entry, Fit, Ladder, Rating, RatingStep
from tournaments.models.matches import Attempt, FaultEvidence, Match, MatchSet, Result, Seat
from tournaments.models.people import ApiToken, User
from tournaments.models.trials import Trial

__all__ = [
    "ApiToken",
    "Attempt",
    "Bot",
    "Bundle",
    "Entrant",
    "Entry",
    "Event",
    "FaultEvidence",
    "Fit",
    "Ladder",
    "Match",
    "MatchSet",
    "Rating",
    "RatingStep",
    "Result",
    "Seat",
    "Trial",
    "User",
    "Version",
]
