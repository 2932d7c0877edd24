"""The search: matches, bots, people, teams, ladders, events and the docs, by words; as a page and by the API.

Names are found by any part of them, descriptions by the stems of their words. Nobody finds what they may not see.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.methods import seen

page, endpoint = routes_of("tournaments.features.search.pages"), routes_of("tournaments.features.search.api")

SEARCH = Feature(
    name="search",
    pages=(page("search/", "search_page", seen, name="search"),),
    endpoints=(endpoint("search", "Search", name="search"),),
)
