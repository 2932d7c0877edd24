from tournaments.models.attempts import Attempt
from tournaments.models.audit import Act, Announcement, Disqualification
from tournaments.models.bots import Bot, Bundle, Version
from tournaments.models.courses import Course, Extension
from tournaments.models.events import Entrant, Event, EventInvitation
from tournaments.models.examinations import Examination
from tournaments.models.faces import Badge, BadgeReading
from tournaments.models.failing_items import FailingItem
from tournaments.models.fairness import FairnessReport, Twins
from tournaments.models.final_runs import FinalRun
from tournaments.models.follows import Follow, NewsItem, WeeklyLetter
from tournaments.models.highlights import Highlight
from tournaments.models.ladders import Entry, Fit, Ladder, Rating, RatingMoves, RatingStep
from tournaments.models.likeness import Likeness
from tournaments.models.luck import LadderLuck, MatchLuck, ShadowFit
from tournaments.models.maintenance import Spending, Upkeep
from tournaments.models.matches import FaultEvidence, Match, MatchSet, Result, Seat, SeatNotes
from tournaments.models.moderation import Appeal, Complaint, Suspension
from tournaments.models.notices import Delivery, Notice, Webhook
from tournaments.models.past_seasons import PastSeason
from tournaments.models.people import ApiToken, Identity, Membership, Team, User
from tournaments.models.practice import Draft, DraftState, Practice, PracticeSeat
from tournaments.models.seed_chains import SeedChain
from tournaments.models.spaces import AdmittedAddress, CourseLink, JoinCode, JoinRequest, Space, SpaceMember
from tournaments.models.suggestions import Suggestion
from tournaments.models.surveys import Survey, SurveyAnswers
from tournaments.models.trials import Trial
from tournaments.models.workers import Worker, WorkerToken

__all__ = [
    "Act",
    "AdmittedAddress",
    "Announcement",
    "ApiToken",
    "Appeal",
    "Attempt",
    "Badge",
    "BadgeReading",
    "Bot",
    "Bundle",
    "Complaint",
    "Course",
    "CourseLink",
    "Delivery",
    "Disqualification",
    "Draft",
    "DraftState",
    "Entrant",
    "Entry",
    "Event",
    "EventInvitation",
    "Examination",
    "Extension",
    "FailingItem",
    "FairnessReport",
    "FaultEvidence",
    "FinalRun",
    "Fit",
    "Follow",
    "Highlight",
    "Identity",
    "JoinCode",
    "JoinRequest",
    "Ladder",
    "LadderLuck",
    "Likeness",
    "Match",
    "MatchLuck",
    "MatchSet",
    "Membership",
    "NewsItem",
    "Notice",
    "PastSeason",
    "Practice",
    "PracticeSeat",
    "Rating",
    "RatingMoves",
    "RatingStep",
    "Result",
    "Seat",
    "SeatNotes",
    "SeedChain",
    "ShadowFit",
    "Space",
    "SpaceMember",
    "Spending",
    "Suggestion",
    "Survey",
    "SurveyAnswers",
    "Suspension",
    "Team",
    "Trial",
    "Twins",
    "Upkeep",
    "User",
    "Version",
    "Webhook",
    "WeeklyLetter",
    "Worker",
    "WorkerToken",
]
