"""Walls: a ladder, an event or what is played now, in large letters for a hall, turning from view to view by itself.

Everybody sees on a wall what strangers may see: it is shown to a hall, so held-back rounds are not on it, whoever
opens it. Those who may not see a ladder or an event do not see its wall.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.public_cache import cached_for_public

page = routes_of("tournaments.features.walls.pages")

WALLS = Feature(
    name="walls",
    uses=("events",),
    pages=(
        page("live/wall/", "live_wall", cached_for_public, name="live-wall"),
        page("ladders/<slug:slug>/wall/", "ladder_wall", cached_for_public, name="ladder-wall"),
        page("events/<slug:slug>/wall/", "event_wall", cached_for_public, name="event-wall"),
    ),
)
