"""Is this ladder fair? A page where a stranger checks it: checks of the public ledger, each with what it cannot find.

The dispatcher starts a process of its own for the report on a ladder, one at a time, and stores what it says.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.fairness.reports import PENDING, forget_report, make_reports
from tournaments.web.pages.methods import seen

page, endpoint = routes_of("tournaments.features.fairness.pages"), routes_of("tournaments.features.fairness.api")

FAIRNESS = Feature(
    name="fairness",
    steps=(Step(name="fairness", run=make_reports, every=2.0, pending=PENDING),),
    pages=(page("ladders/<slug:slug>/fair/", "fairness_page", seen, name="ladder-fairness"),),
    endpoints=(endpoint("ladders/<slug:slug>/fairness", "Fairness", name="fairness"),),
    lead_changed=forget_report,
)
