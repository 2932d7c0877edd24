"""The small world of the API's tests, to be dumped."""

from tests.tournaments.web.api.conftest import api_world

__all__ = ["api_world"]
