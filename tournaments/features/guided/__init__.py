"""A guided first game for each game: a recorded game at `/learn/GAME/STEP/`, in which a reader decides for one seat.

A step is a page of its own, the same for everybody: the engine replays the recording up to it, the board is drawn as
in a game of one's own, and an address says what was chosen. So there is no account, no row in the database and nothing
to bound, and no script is needed. What is taught stands in `bots/games/GAME/first_game.py`.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.public_cache import cached_for_public

page = routes_of("tournaments.features.guided.pages")

GUIDED = Feature(
    name="guided",
    pages=(
        page("learn/", "first_games", cached_for_public, name="learn"),
        page("learn/<slug:game>/<int:step>/", "first_game_step", cached_for_public, name="learn-step"),
    ),
)
