"""Owners over all games: one joint fit of the ratings of the bots that count for them, one of each game.

An owner may name the bot that counts. What it played before it was named never counts, so that no choice takes luck
along; the former one counts until the named one has played enough. By default the first that entered counts.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Card, Feature
from tournaments.features.overall.choices import games_to_choose_in
from tournaments.models import User
from tournaments.web.pages.public_cache import cached_for_public

page, endpoint = routes_of("tournaments.features.overall.pages"), routes_of("tournaments.features.overall.api")


def choice_card(user: User) -> Card | None:
    games = games_to_choose_in(user)
    return Card("overall/_account_card.html", {"games": games}) if games else None


OVERALL = Feature(
    name="overall",
    pages=(
        page("overall/", "overall_page", cached_for_public, name="overall"),
        page("bots/<int:number>/overall/", "count_overall", name="bot-overall"),
    ),
    endpoints=(
        endpoint("overall", "OverallTable", name="overall"),
        endpoint("bots/<int:bot>/overall", "Overall", name="bot-overall"),
    ),
    account_card=choice_card,
)
