"""Trials: a new version plays its bot's champion, off the ladder, before it replaces it, if the owner wants so.

A sequential test on duplicate sets decides. Accepted, the version plays, or its owner is asked; refused, it retires.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.trials import rules
from tournaments.web.pages.public_cache import cached_for_public

page, endpoint = routes_of("tournaments.features.trials.pages"), routes_of("tournaments.features.trials.api")

TRIALS = Feature(
    name="trials",
    steps=(
        Step(
            name="trials",
            run=rules.deal_trials,
            deals=True,
            pending="SELECT FROM tournaments_trial WHERE status = 'running'",
        ),
    ),
    pages=(page("trials/<int:number>/", "trial_page", cached_for_public, name="trial"),),
    endpoints=(
        endpoint("bots/<int:bot>/trials", "Trials", name="trials"),
        endpoint("trials/<int:trial>", "OneTrial", name="trial"),
    ),
    holds_back=rules.begin_trial,
    set_completed=rules.set_completed,
    version_activated=rules.promote,
    bots_removed=rules.end_trials_of,
    ladder_closed=lambda ladder, _: rules.ladder_closed(ladder),
    closing_says=rules.closing_says,
)
