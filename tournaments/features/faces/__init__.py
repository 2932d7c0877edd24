"""Faces: what makes bots easy to tell apart and worth meeting.

An emblem that is drawn from each bot's name, in colours that its owner may choose, and a motto. The rungs of the field
are characters; badges say which of them a bot has beaten, and leagues which ones it beats with confidence.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.faces.badges import award_badges
from tournaments.features.faces.cards import badges_of_person
from tournaments.web.pages.methods import form
from tournaments.web.pages.public_cache import cached_for_public

page, endpoint = routes_of("tournaments.features.faces.pages"), routes_of("tournaments.features.faces.api")
PENDING = """
SELECT FROM tournaments_fit fit LEFT JOIN tournaments_badgereading reading ON reading.ladder_id = fit.ladder_id
WHERE reading.fit_at IS DISTINCT FROM fit.made_at
"""

FACES = Feature(
    name="faces",
    steps=(Step(name="badges", run=award_badges, every=1.0, pending=PENDING),),
    pages=(
        page("bots/<int:number>/face/", "edit_face", form, name="bot-face"),
        page("bots/<int:number>/emblem.svg", "emblem_file", cached_for_public, name="bot-emblem"),
        page("leagues/", "leagues", cached_for_public, name="leagues"),
    ),
    endpoints=(endpoint("bots/<int:bot>/badges", "Badges", name="bot-badges"),),
    person_card=badges_of_person,
)
