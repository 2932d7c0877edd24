"""Statistics beyond the standings, read from the ledger with bounded cost: each has a page, most an endpoint too.

A bot's record by opponent, seat and table size, with its luck and what it uses; bots side by side, as histories of
their ratings or as a matrix of their meetings; and whether a ladder's ratings, a line, can say who beats whom.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.methods import seen

page, endpoint = routes_of("tournaments.features.statistics.pages"), routes_of("tournaments.features.statistics.api")

STATISTICS = Feature(
    name="statistics",
    pages=(
        page("bots/<int:number>/record/", "bot_record_page", seen, name="bot-record"),
        page("ladders/<slug:slug>/history/", "history_page", seen, name="ladder-history"),
        page("ladders/<slug:slug>/head-to-head/", "head_to_head", seen, name="ladder-meetings"),
        page("ladders/<slug:slug>/transitivity/", "transitivity_page", seen, name="ladder-transitivity"),
    ),
    endpoints=(
        endpoint("ladders/<slug:slug>/history", "History", name="history"),
        endpoint("ladders/<slug:slug>/head-to-head", "HeadToHead", name="head-to-head"),
        endpoint("ladders/<slug:slug>/transitivity", "LineEnough", name="transitivity"),
    ),
)
