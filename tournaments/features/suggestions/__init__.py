"""Suggestions: what a seat should have done at a question, for the bot's owner and for a person who played.

A worker tries other answers on futures that the seat could not know; what they came to is kept with the match.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.suggestions.rules import continue_suggestions, resend_suggestions
from tournaments.web.pages.methods import form

page, endpoint = routes_of("tournaments.features.suggestions.pages"), routes_of("tournaments.features.suggestions.api")

SUGGESTIONS = Feature(
    name="suggestions",
    uses=("practice",),
    steps=(
        Step(
            name="suggestions",
            run=continue_suggestions,
            every=1.0,
            pending="SELECT FROM tournaments_suggestion WHERE status IN ('waiting', 'asked')",
        ),
    ),
    pages=(
        page("matches/<int:number>/suggestions/", "match_suggestions", form, name="match-suggestions"),
        page("play/<int:number>/suggestions/", "practice_suggestions", form, name="practice-suggestions"),
    ),
    endpoints=(
        endpoint("matches/<int:match>/suggestions", "MatchSuggestions", name="match-suggestions"),
        endpoint("practices/<int:practice>/suggestions", "PracticeSuggestions", name="practice-suggestions"),
    ),
    resend=resend_suggestions,
)
