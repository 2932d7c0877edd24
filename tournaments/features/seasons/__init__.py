"""The archive: ladders that are closed and events that have ended, each as one file that anyone can check.

When the results of a season are settled, the fingerprint of its file goes into the public log, and again if they
change.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.seasons import rules
from tournaments.features.seasons.steps import print_due
from tournaments.web.pages.methods import seen

page, endpoint = routes_of("tournaments.features.seasons.pages"), routes_of("tournaments.features.seasons.api")

SEASONS = Feature(
    name="seasons",
    uses=("events",),
    steps=(
        Step(
            name="seasons",
            run=print_due,
            every=5.0,
            pending="SELECT FROM tournaments_pastseason WHERE looked_at < changes",
        ),
    ),
    pages=(page("seasons/", "seasons", seen, name="seasons"),),
    endpoints=(
        endpoint("seasons", "Seasons", name="seasons"),
        endpoint("ladders/<slug:slug>/season", "LadderSeason", name="ladder-season"),
        endpoint("events/<slug:slug>/season", "EventSeason", name="event-season"),
    ),
    ladder_closed=lambda ladder, _: rules.note_season_end(ladder),
    ladder_opened=rules.goes_on,
    ratings_changed=rules.note_season_change,
    event_ended=rules.note_season_end,
    event_resumed=rules.goes_on,
)
