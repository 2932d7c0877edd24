import os
from importlib import import_module

from allauth.account.apps import AccountConfig
from allauth.mfa.apps import MFAConfig
from django.apps import AppConfig
from django.contrib.admin import apps as admin

from engine.games import GAMES
from tournaments.core.config import tracing
from tournaments.core.config.game_titles import TITLES


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = "Boardroom"
    default = True

    def ready(self) -> None:
        TITLES.update((game.name, game.title) for game in GAMES.values())
        tracing.begin_tracing(os.environ)
        import_module("tournaments.core.accounts.text_budgets")  # its check


class Organising(admin.AdminConfig):
    """Django's admin, behind the site's own sign-in."""

    default_site = "tournaments.ops.admin.site.OrganisersSite"
    default = False


class LibraryAccounts(AccountConfig):  # type: ignore[misc]  # it has no types
    """Empty tables that allauth's other code loads. None of its pages is here: no checks, no middleware."""

    default = False

    def ready(self) -> None:
        pass


class LibraryFactors(MFAConfig):  # type: ignore[misc]  # it has no types
    """The table of second factors, without what joins it to allauth's own pages."""

    default = False

    def ready(self) -> None:
        pass
