import os

from django.apps import AppConfig
from django.contrib.admin import apps as admin

from engine.games import GAMES
from tournaments.config import tracing
from tournaments.config.game_titles import TITLES


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = "Boardroom"
    default = True

    def ready(self) -> None:
        TITLES.update((game.name, game.title) for game in GAMES.values())
        tracing.begin(os.environ)


class Organising(admin.AdminConfig):
    """Django's admin, behind the site's own sign-in."""

    default_site = "tournaments.admin.site.OrganisersSite"
    default = False
