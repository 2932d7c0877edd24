"""What pages and the API are tested with, for features too."""

from tests.tournaments.conftest import queue
from tests.tournaments.web.api.conftest import api_world
from tests.tournaments.web.pages.conftest import a_provider, own_counters, pages_world

__all__ = ["a_provider", "api_world", "own_counters", "pages_world", "queue"]
