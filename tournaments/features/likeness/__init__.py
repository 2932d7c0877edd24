"""Bots that look or play alike: evidence for organisers, never a verdict.

Four things show it: the same answers in the checks of uploads, similar sources, answers to the same questions
(surveys), and, among the bots of one owner or team, matches that are played again with another bot in the seat. A bot
that plays as an earlier one of its side has no rank, unless an organiser says that the two are different.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Questions, Step
from tournaments.features.likeness import surveys
from tournaments.features.likeness.actions import ClearDouble, CompareAnswers
from tournaments.features.likeness.identical_play import judge_stand_ins
from tournaments.web.pages.methods import seen

page, endpoint = routes_of("tournaments.features.likeness.pages"), routes_of("tournaments.features.likeness.api")

LIKENESS = Feature(
    name="likeness",
    uses=("practice",),
    steps=(
        Step(
            name="judge doubles",
            run=judge_stand_ins,
            every=2.0,
            pending=(
                "SELECT FROM tournaments_matchset WHERE rechecks_id IS NOT NULL AND status = 'complete' AND reason = ''"
            ),
        ),
        Step(name="surveys", run=surveys.go_on, pending="SELECT FROM tournaments_survey WHERE status = 'running'"),
    ),
    actions=(CompareAnswers, ClearDouble),
    pages=(
        page("desk/ladders/<slug:slug>/sources/", "sources", seen, name="desk-sources"),
        page("desk/ladders/<slug:slug>/sources.csv", "sources_csv", seen, name="desk-sources-csv"),
    ),
    endpoints=(endpoint("ladders/<slug:slug>/alike", "Alike", name="alike"),),
    questions=Questions(awaits=surveys.awaits, take=surveys.take),
)
