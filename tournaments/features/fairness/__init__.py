"""Is this ladder fair? A page where a stranger checks it: checks of the public ledger, each with what it cannot find.

The dispatcher starts a process of its own for the report on a ladder, one at a time, and stores what it says. For one
of the checks organisers enter a bot under two names, which are revealed when the ladder closes.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, OrganisersAction, Step
from tournaments.features.fairness import twins
from tournaments.features.fairness.actions import EnterTwins, RevealTwins
from tournaments.features.fairness.reports import PENDING, forget_report, make_reports
from tournaments.models import Ladder
from tournaments.web.pages.methods import seen

page, endpoint = routes_of("tournaments.features.fairness.pages"), routes_of("tournaments.features.fairness.api")


def twins_actions(ladder: Ladder) -> tuple[type[OrganisersAction], ...]:
    if twins.hidden_twins(ladder):
        return (RevealTwins,)
    return (EnterTwins,) if twins.may_get_twins(ladder) else ()


FAIRNESS = Feature(
    name="fairness",
    steps=(Step(name="fairness", run=make_reports, every=2.0, pending=PENDING),),
    actions=(EnterTwins, RevealTwins),
    pages=(page("ladders/<slug:slug>/fair/", "fairness_page", seen, name="ladder-fairness"),),
    endpoints=(endpoint("ladders/<slug:slug>/fairness", "Fairness", name="fairness"),),
    closing_says=twins.reveal_says,
    ladder_closed=lambda ladder, _: twins.reveal_twins(ladder),
    ladder_actions=twins_actions,
    lead_changed=forget_report,
)
