"""What pages and the API are tested with, for features too."""

from tests.api.conftest import api_world
from tests.pages.conftest import a_provider, own_counters, pages_world
from tests.tournaments.conftest import queue

__all__ = ["a_provider", "api_world", "own_counters", "pages_world", "queue"]
