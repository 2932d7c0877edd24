"""The luck of the dice: what each roll of a match was worth, and ratings without it. Nothing here affects a rating.

Luck is measured by a value: one that comes with the game, or one that organisers name for a ladder before its season.
The dispatcher then computes the luck of each rated match, and a second fit whose ratings the standings show beside the
official ones, marked as a shadow.
"""

from engine.games import GAMES
from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, OrganisersAction, Step
from tournaments.features.luck.actions import NameLuckValue
from tournaments.features.luck.luck_adjusted_ratings import fit_due
from tournaments.features.luck.match_luck import compute_luck
from tournaments.models import Ladder
from tournaments.web.pages.methods import seen

page = routes_of("tournaments.features.luck.pages")
PENDING = "SELECT FROM tournaments_ladderluck"


def ladder_actions(ladder: Ladder) -> tuple[type[OrganisersAction], ...]:
    game = GAMES.get(ladder.game)
    return (NameLuckValue,) if game and game.luck else ()


LUCK = Feature(
    name="luck",
    steps=(
        Step(name="luck", run=compute_luck, every=1.0, pending=PENDING),
        Step(name="shadow ratings", run=fit_due, every=2.0, pending=PENDING),
    ),
    actions=(NameLuckValue,),
    pages=(page("matches/<int:number>/luck/", "match_luck", seen, name="match-luck"),),
    ladder_actions=ladder_actions,
)
