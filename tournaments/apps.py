from django.apps import AppConfig
from django.contrib.admin import apps as admin


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = "Boardroom"
    default = True


class Organising(admin.AdminConfig):
    """Django's admin, behind the site's own sign-in."""

    default_site = "tournaments.organising.OrganisersSite"
    default = False
