from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults.crew import Crew


class Patient(Crew):
    """With the leases that a site has in earnest: on bad lines all takes its time."""

    def _environment(self, name: str) -> dict[str, str]:
        return super()._environment(name) | {"DJANGO_SETTINGS_MODULE": "tournaments.settings"}


@pytest.fixture(scope="module")
def crew(live_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    """One for all tests of a module: only the last starts the site's programs."""
    crew = Patient(tmp_path_factory.mktemp("crew"), live_server.url)
    yield crew
    crew.close()
