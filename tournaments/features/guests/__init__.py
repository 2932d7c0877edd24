"""Play without an account: a visitor gets a seat at once, for a day, and can keep the games under a name.

Who guests are and how many there may be is in `accounts.guests`, what they may do in `web.pages.guests`.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.guests.actions import SwitchGuestsOff, SwitchGuestsOn
from tournaments.features.guests.rules import forget_guests, take_over_games
from tournaments.web.pages.methods import form

page = routes_of("tournaments.features.guests.pages")

GUESTS = Feature(
    name="guests",
    uses=("practice",),
    steps=(
        Step(
            name="guests whose day is over",
            run=forget_guests,
            every=60.0,
            pending="SELECT FROM tournaments_user WHERE guest_until < statement_timestamp()",
        ),
    ),
    actions=(SwitchGuestsOff, SwitchGuestsOn),
    pages=(page("play/now/", "play_now", form, name="play-now"),),
    guest_kept=take_over_games,
)
