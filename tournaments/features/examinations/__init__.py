"""Examinations: after its check a version is asked thousands of questions, as `boardroom check` does at home.

Workers do it when no match waits. The card that comes of it is for those who run the bot, and decides nothing.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.examinations import rules

page, endpoint = (
    routes_of("tournaments.features.examinations.pages"),
    routes_of("tournaments.features.examinations.api"),
)

EXAMINATIONS = Feature(
    name="examinations",
    steps=(
        Step(
            name="examinations",
            run=rules.continue_examinations,
            every=2.0,
            pending="SELECT FROM tournaments_examination WHERE status IN ('waiting', 'asked')",
        ),
    ),
    pages=(page("bots/<int:number>/examine/", "examine_version", name="bot-examine"),),
    endpoints=(endpoint("bots/<int:bot>/versions/<int:number>/examine", "Examine", name="examine"),),
    version_passed=rules.begin_examination,
    resend=rules.resend_examinations,
)
