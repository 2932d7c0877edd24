"""Friendly sets: whoever runs a bot asks for sets of it against bots of a ladder. They are public and never rated.

They are played within a quota, first in line. Those of one table are a series, with a score and its interval.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.methods import seen

page, endpoint = routes_of("tournaments.features.friendlies.pages"), routes_of("tournaments.features.friendlies.api")

FRIENDLIES = Feature(
    name="friendlies",
    pages=(
        page("bots/<int:number>/friendly/", "ask_for_friendly", name="bot-friendly"),
        page("bots/<int:number>/series/", "series", seen, name="bot-series"),
        page("bots/<int:number>/series.csv", "series_csv", seen, name="series-csv"),
    ),
    endpoints=(
        endpoint("bots/<int:bot>/series", "BotSeries", name="series"),
        endpoint("ladders/<slug:slug>/requests", "Requests", name="requests"),
        endpoint("ladders/<slug:slug>/series", "NewSeries", name="new-series"),
    ),
)
