from tournaments.models.acts import Act, Announcement, Disqualification
from tournaments.models.bots import Bot, Bundle, Version
from tournaments.models.events import Entrant, Event
from tournaments.models.ladders import Entry, Fit, Ladder, Rating, RatingStep
from tournaments.models.matches import Attempt, FaultEvidence, Match, MatchSet, Result, Seat
from tournaments.models.people import ApiToken, SecondFactor, User
from tournaments.models.seeds import SeedChain
from tournaments.models.trials import Trial
from tournaments.models.upkeep import Upkeep
from tournaments.models.workers import Worker

__all__ = [
    "Act",
    "Announcement",
    "ApiToken",
    "Attempt",
    "Bot",
    "Bundle",
    "Disqualification",
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
    "SecondFactor",
    "SeedChain",
    "Trial",
    "Upkeep",
    "User",
    "Version",
    "Worker",
]
