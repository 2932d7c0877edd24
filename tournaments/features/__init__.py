"""The features of the site, a folder each, in the order in which their steps and hooks run."""

from tournaments.features.courses import COURSES
from tournaments.features.drafts import DRAFTS
from tournaments.features.events import EVENTS
from tournaments.features.examinations import EXAMINATIONS
from tournaments.features.faces import FACES
from tournaments.features.fairness import FAIRNESS
from tournaments.features.final_runs import FINAL_RUNS
from tournaments.features.follow import FOLLOW
from tournaments.features.friendlies import FRIENDLIES
from tournaments.features.guests import GUESTS
from tournaments.features.guided import GUIDED
from tournaments.features.likeness import LIKENESS
from tournaments.features.luck import LUCK
from tournaments.features.moderation import MODERATION
from tournaments.features.news import NEWS
from tournaments.features.overall import OVERALL
from tournaments.features.own_data import OWN_DATA
from tournaments.features.practice import PRACTICE
from tournaments.features.promises import PROMISES
from tournaments.features.search import SEARCH
from tournaments.features.seasons import SEASONS
from tournaments.features.second_factor import SECOND_FACTOR
from tournaments.features.sign_on import SIGN_ON
from tournaments.features.spaces import SPACES
from tournaments.features.statistics import STATISTICS
from tournaments.features.stories import STORIES
from tournaments.features.suggestions import SUGGESTIONS
from tournaments.features.teams import TEAMS
from tournaments.features.trials import TRIALS
from tournaments.features.walls import WALLS
from tournaments.features.worker_door import WORKER_DOOR

FEATURES = (
    *(COURSES, DRAFTS, EVENTS, EXAMINATIONS, FACES, FAIRNESS, FINAL_RUNS, FOLLOW, FRIENDLIES, GUESTS, GUIDED),
    *(LIKENESS, LUCK, OWN_DATA, MODERATION, NEWS, OVERALL, PRACTICE, PROMISES, SEARCH, SEASONS, SECOND_FACTOR, SIGN_ON),
    *(SPACES, STATISTICS, STORIES, SUGGESTIONS, TEAMS, TRIALS, WALLS, WORKER_DOOR),
)
