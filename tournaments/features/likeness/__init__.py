"""Bots that look or play alike: evidence for organisers, never a verdict.

Two things show it: similar sources, and answers to the same questions (surveys). A bot that answers as an earlier one
of its side does has no rank, unless an organiser says that the two are different. That nobody enters the same contents
twice is a rule of `ledger.competitors.clones`.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Questions, Step
from tournaments.features.likeness import surveys
from tournaments.features.likeness.actions import ClearDouble, CompareAnswers
from tournaments.web.pages.methods import seen

page, endpoint = routes_of("tournaments.features.likeness.pages"), routes_of("tournaments.features.likeness.api")

LIKENESS = Feature(
    name="likeness",
    uses=("practice",),
    steps=(
        Step(name="begin surveys", run=surveys.begin_due, every=60.0),
        Step(name="surveys", run=surveys.ask_next, pending="SELECT FROM tournaments_survey WHERE status = 'running'"),
    ),
    actions=(CompareAnswers, ClearDouble),
    pages=(
        page("desk/ladders/<slug:slug>/sources/", "sources_page", seen, name="desk-sources"),
        page("desk/ladders/<slug:slug>/sources.csv", "sources_csv", seen, name="desk-sources-csv"),
    ),
    endpoints=(endpoint("ladders/<slug:slug>/alike", "Alike", name="alike"),),
    questions=Questions(awaits=surveys.awaits_survey, take=surveys.take_survey_report),
)
