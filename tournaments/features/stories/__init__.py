"""Headlines of matches, for lists and feeds, and galleries of matches that stand out. The dispatcher makes each once
from the replay and keeps it with the result, as a sentence without names; a match's own page makes the whole story from
its film."""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.stories.steps import PENDING, keep_headlines
from tournaments.web.pages.public_cache import cached_for_public

page = routes_of("tournaments.features.stories.pages")

STORIES = Feature(
    name="stories",
    steps=(Step(name="stories", run=keep_headlines, every=5.0, pending=PENDING),),
    pages=(page("matches/best/", "best_matches", cached_for_public, name="best-matches"),),
)
